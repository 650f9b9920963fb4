#include "threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rng_cpu {
namespace {

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Waits until value differs from old: a short spin first, since the next fill often comes within microseconds.
template <class T> T wait_while_equal(const std::atomic<T>& value, T old) {
    constexpr int spins = 1000;  // 20 to 50 microseconds
    for (int i = 0; i < spins; ++i) {
        const T now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        pause_briefly();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

/// Workers that sleep between calls. A worker that is slow to wake is not waited for: the caller goes on taking parts,
/// then closes the call, and waits only for the workers inside. So a busy machine costs the speed of its busy cores, no
/// more.
class Pool {
  public:
    explicit Pool(int workers) {
        try {
            for (int i = 0; i < workers; ++i) threads_.emplace_back([this, i] { work(i); });
        } catch (const std::system_error&) {
            // The system gives no more threads: those there are, and the caller, do the work.
        }
    }
    ~Pool() {
        stop_.store(true, std::memory_order_relaxed);
        wake();
        for (std::thread& t : threads_) t.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] int workers() const { return static_cast<int>(threads_.size()); }

    void run(int parts, int threads, const std::function<void(int)>& part) {
        part_ = &part;
        parts_ = parts;
        next_.store(0, std::memory_order_relaxed);
        helpers_.store(threads - 1, std::memory_order_relaxed);
        inside_.store(open, std::memory_order_release);
        wake();
        take_parts();
        int left = inside_.fetch_sub(open, std::memory_order_acq_rel) - open;
        while (left != 0) left = wait_while_equal(inside_, left);
    }

  private:
    void wake() {
        calls_.fetch_add(1, std::memory_order_release);
        calls_.notify_all();
    }
    /// Enters the call if it is open; its fields may be read only inside.
    bool enter() {
        int now = inside_.load(std::memory_order_relaxed);
        while (now >= open)
            if (inside_.compare_exchange_weak(now, now + 1, std::memory_order_acquire, std::memory_order_relaxed))
                return true;
        return false;
    }
    void leave() {
        if (inside_.fetch_sub(1, std::memory_order_acq_rel) == 1) inside_.notify_one();
    }
    void take_parts() {
        for (int i = next_.fetch_add(1, std::memory_order_relaxed); i < parts_;
             i = next_.fetch_add(1, std::memory_order_relaxed))
            (*part_)(i);
    }
    void work(int worker) {
        for (uint32_t seen = 0;;) {
            seen = wait_while_equal(calls_, seen);
            if (stop_.load(std::memory_order_relaxed)) return;
            if (worker < helpers_.load(std::memory_order_relaxed) && enter()) {
                take_parts();
                leave();
            }
        }
    }

    static constexpr int open = 1 << 16;  // added to the number of workers inside while a call is open

    std::vector<std::thread> threads_;
    const std::function<void(int)>* part_ = nullptr;
    int parts_ = 0;
    std::atomic<bool> stop_ = false;
    std::atomic<int> next_ = 0, helpers_ = 0, inside_ = 0;
    std::atomic<uint32_t> calls_ = 0;
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

void run_parts(int parts, int threads, const std::function<void(int)>& part) {
    if (threads > 1 && parts > 1) {
        Owner& o = owner();
        if (std::unique_lock lock(o.busy, std::try_to_lock); lock) {
            o.abandon_if_forked();
            if (!o.pool || o.pool->workers() < threads - 1) {
                o.pool.reset();
                o.pool = std::make_unique<Pool>(threads - 1);
                o.process = getpid();
            }
            o.pool->run(parts, threads, part);
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
