// The default generators of all devices, and what happens to them when the process forks.
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "device/backend.hpp"
#include "generator_state.hpp"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The default generators. Those of GPUs are created at their first use, with the state that they would have had
/// before, so that fills and seeds on the CPU load no driver.
class DefaultGenerators {
  public:
    /// Never destroyed. Created without a lock, because a fork could leave a lock locked in the child.
    static DefaultGenerators& instance() {
        DefaultGenerators* all = made.load(std::memory_order_acquire);
        if (all != nullptr) return *all;
        auto mine = std::make_unique<DefaultGenerators>();
        return made.compare_exchange_strong(all, mine.get()) ? *mine.release() : *all;
    }

    Generator& of(Device device) {
        if (device == rng::cpu()) return cpu_;
        const std::lock_guard lock(mutex_);
        const auto index = static_cast<size_t>(device.index);
        if (index >= gpus_.size()) gpus_.resize(index + 1);
        if (!gpus_[index]) gpus_[index] = std::make_unique<Generator>(device, seed_);
        return *gpus_[index];
    }

    void manual_seed(uint64_t seed) {
        const std::lock_guard lock(mutex_);
        seed_ = seed;
        cpu_.manual_seed(seed);
        for (const auto& gpu : gpus_)
            if (gpu) gpu->manual_seed(seed);
    }

    [[nodiscard]] std::vector<std::vector<std::byte>> states(uint64_t& seed) const {
        const std::lock_guard lock(mutex_);
        seed = seed_;
        std::vector<std::vector<std::byte>> all{cpu_.get_state()};
        for (const auto& gpu : gpus_) all.push_back(gpu ? gpu->get_state() : std::vector<std::byte>{});
        return all;
    }
    void restore(uint64_t seed, const std::vector<std::vector<std::byte>>& states) {
        const std::lock_guard lock(mutex_);
        seed_ = seed;
        cpu_.set_state(states[0]);
        for (size_t i = 0; i < gpus_.size(); ++i) {
            if (!gpus_[i]) continue;
            if (i + 1 < states.size() && !states[i + 1].empty())
                gpus_[i]->set_state(states[i + 1]);
            else
                gpus_[i]->manual_seed(seed);  // the generator was created since then
        }
    }

    /// A fork takes every lock. So the child finds no generator half changed, and no lock held by a thread that exists
    /// only in the parent.
    static void before_fork() {
        on_all_locks([](std::mutex& m) { m.lock(); });
    }
    static void after_fork() {
        on_all_locks([](std::mutex& m) { m.unlock(); });
    }

  private:
    template <class F> static void on_all_locks(const F& f) {
        DefaultGenerators& all = instance();
        const auto on_generator = [&](const Generator& g) {
            if (g.state_) f(g.state_->mutex);  // the generator may have been moved from
        };
        f(all.mutex_);
        on_generator(all.cpu_);
        for (const auto& gpu : all.gpus_)
            if (gpu) on_generator(*gpu);
    }

    static std::atomic<DefaultGenerators*> made;

    Generator cpu_;
    mutable std::mutex mutex_;      // guards the members below
    uint64_t seed_ = default_seed;  // the seed of the generators that do not exist yet
    std::vector<std::unique_ptr<Generator>> gpus_;
};

constinit std::atomic<DefaultGenerators*> DefaultGenerators::made = nullptr;

}  // namespace detail

namespace {
using detail::DefaultGenerators;
[[maybe_unused]] const int fork_handlers =
    pthread_atfork(DefaultGenerators::before_fork, DefaultGenerators::after_fork, DefaultGenerators::after_fork);
}  // namespace

Generator& default_generator(Device device) {
    detail::require_device("default_generator", device);
    return DefaultGenerators::instance().of(device);
}

void manual_seed(Integer seed) { DefaultGenerators::instance().manual_seed(seed); }

ScopedGenerators::ScopedGenerators() : seed_(0), states_(DefaultGenerators::instance().states(seed_)) {}
ScopedGenerators::~ScopedGenerators() { DefaultGenerators::instance().restore(seed_, states_); }

RNG_END_NAMESPACE
