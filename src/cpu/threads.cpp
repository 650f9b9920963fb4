#include "threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "fp_environment.hpp"

namespace rng_cpu {
namespace {

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Waits until value differs from old: a short spin first, since the next fill often comes within microseconds.
template <class T>
T wait_while_equal(const std::atomic<T>& value, T old) {
    constexpr int spins = 4000;  // about 50 to 100 microseconds
    for (int i = 0; i < spins; ++i) {
        const T now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        pause_briefly();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

class Pool {
  public:
    explicit Pool(int workers) {
        for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Pool() {
        stop_ = true;
        epoch_.fetch_add(1, std::memory_order_release);
        epoch_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] int workers() const { return static_cast<int>(threads_.size()); }

    void run(int parts, const std::function<void(int)>& part) {
        part_ = &part;
        parts_ = parts;
        next_.store(0, std::memory_order_relaxed);
        running_.store(workers(), std::memory_order_relaxed);
        epoch_.fetch_add(1, std::memory_order_release);
        epoch_.notify_all();
        take_parts();
        for (int left = running_.load(std::memory_order_acquire); left != 0;)
            left = wait_while_equal(running_, left);
    }

  private:
    void take_parts() {
        for (int i = next_.fetch_add(1, std::memory_order_relaxed); i < parts_;
             i = next_.fetch_add(1, std::memory_order_relaxed))
            (*part_)(i);
    }
    void work() {
        const FpEnvironment environment;  // a new thread inherits its creator's rounding
        for (uint64_t seen = 0;;) {
            seen = wait_while_equal(epoch_, seen);
            if (stop_) return;
            take_parts();
            if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
        }
    }

    std::vector<std::thread> threads_;
    const std::function<void(int)>* part_ = nullptr;
    int parts_ = 0;
    std::atomic<bool> stop_ = false;
    std::atomic<int> next_ = 0, running_ = 0;
    std::atomic<uint64_t> epoch_ = 0;
};

/// The process's pool, and the process that made it: a forked child has none of its parent's threads.
struct Owner {
    std::mutex busy;
    std::unique_ptr<Pool> pool;
    pid_t process = 0;

    ~Owner() { abandon_if_forked(); }
    void abandon_if_forked() {
        if (pool && process != getpid()) (void)pool.release();
    }
};

Owner& owner() {
    static Owner instance;
    return instance;
}

}  // namespace

void run_parts(int parts, const std::function<void(int)>& part) {
    if (parts > 1) {
        Owner& o = owner();
        if (std::unique_lock lock(o.busy, std::try_to_lock); lock) {
            o.abandon_if_forked();
            if (!o.pool || o.pool->workers() < parts - 1) {
                o.pool.reset();
                o.pool = std::make_unique<Pool>(parts - 1);
                o.process = getpid();
            }
            o.pool->run(parts, part);
            return;
        }
    }
    for (int i = 0; i < parts; ++i) part(i);
}

int available_processors() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    const unsigned n = std::thread::hardware_concurrency();
    return n > 0 ? static_cast<int>(n) : 1;
}

}  // namespace rng_cpu
