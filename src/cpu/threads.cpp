#include "threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace rng_cpu {
namespace {

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");  // `yield` does nothing on most processors
#endif
}

/// Waits until value differs from old. A short spin comes first, because the next fill often comes within microseconds.
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

/// Workers that sleep between calls. The caller does not wait for a worker that is slow to wake: it takes parts itself,
/// then closes the call, and waits only for the workers inside. So a busy machine loses only the speed of its busy
/// cores.
class Pool {
  public:
    explicit Pool(int workers) noexcept {
        try {
            for (int i = 0; i < workers; ++i) threads_.emplace_back([this, i] { work(i); });
        } catch (const std::exception&) {
            // The system gives no more threads or memory: the existing workers and the caller do the work.
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
        sharers_ = std::min({threads, workers() + 1, most_sharers});
        for (int64_t t = 0; t < sharers_; ++t) {
            shares_[t].next.store(static_cast<int>(parts * t / sharers_), std::memory_order_relaxed);
            shares_[t].end = static_cast<int>(parts * (t + 1) / sharers_);
        }
        helpers_.store(sharers_ - 1, std::memory_order_relaxed);
        inside_.store(open_mark, std::memory_order_release);
        wake();
        take_parts(0);
        int left = inside_.fetch_sub(open_mark, std::memory_order_acq_rel) - open_mark;
        while (left != 0) left = wait_while_equal(inside_, left);
        failed_part_.store(none, std::memory_order_relaxed);
        if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
    }

  private:
    /// The parts that one thread takes first. They are neighbours, so that a thread finds what it wrote in the previous
    /// call, and in parts nearby, in its own cache.
    struct Share {
        std::atomic<int> next = 0;
        int end = 0;
    };

    void wake() {
        calls_.fetch_add(1, std::memory_order_release);
        calls_.notify_all();
    }
    /// Enters the call and returns true if it is open; its fields may be read only inside.
    bool enter() {
        int now = inside_.load(std::memory_order_relaxed);
        while (now >= open_mark)
            if (inside_.compare_exchange_weak(now, now + 1, std::memory_order_acquire, std::memory_order_relaxed))
                return true;
        return false;
    }
    void leave() {
        if (inside_.fetch_sub(1, std::memory_order_acq_rel) == 1) inside_.notify_one();
    }
    /// Takes the parts of the thread's own share, and then those that other threads have left.
    void take_parts(int thread) noexcept {
        for (int t = 0; t < sharers_; ++t) take_from(shares_[(thread + t) % sharers_]);
    }
    void take_from(Share& share) noexcept {
        while (share.next.load(std::memory_order_relaxed) < share.end) {
            const int i = share.next.fetch_add(1, std::memory_order_relaxed);
            if (i >= share.end || i > failed_part_.load(std::memory_order_relaxed)) return;
            try {
                (*part_)(i);
            } catch (...) {
                fail(i);
            }
        }
    }
    /// Keeps the exception of the lowest part that throws. A single thread would meet the same exception, so only the
    /// parts above this one are skipped.
    void fail(int part) {
        const std::lock_guard lock(failure_);
        if (part > failed_part_.load(std::memory_order_relaxed)) return;
        failed_part_.store(part, std::memory_order_relaxed);
        thrown_ = std::current_exception();
    }
    void work(int worker) {
        for (uint32_t seen = 0;;) {
            seen = wait_while_equal(calls_, seen);
            if (stop_.load(std::memory_order_relaxed)) return;
            if (worker < helpers_.load(std::memory_order_relaxed) && enter()) {
                take_parts(worker + 1);
                leave();
            }
        }
    }

    static constexpr int open_mark = 1 << 16;  // added, while a call is open, to the number of workers inside
    static constexpr int most_sharers = 1024;  // the most threads that can be requested

    std::vector<std::thread> threads_;
    const std::function<void(int)>* part_ = nullptr;
    int sharers_ = 0;
    std::atomic<bool> stop_ = false;
    std::atomic<int> helpers_ = 0, inside_ = 0;
    std::atomic<uint32_t> calls_ = 0;
    // Not padded: with a cache line for each share, a short call takes longer to begin.
    alignas(64) Share shares_[most_sharers];

    static constexpr int none = std::numeric_limits<int>::max();
    std::atomic<int> failed_part_ = none;
    std::mutex failure_;  // guards this exception, and changes of its part
    std::exception_ptr thrown_;
};

// The process's pool. Neither variable has a destructor, so that destructors of static objects may fill.
constinit std::atomic<bool> busy = false;  // the thread that sets it may use the pool
constinit Pool* pool = nullptr;

/// Handles the pool when the process forks or ends. (docs/decisions/fills.md explains why.)
struct Ends {
    Ends() {
        // The child has none of its parent's threads; one of these threads may have been busy.
        (void)pthread_atfork(nullptr, nullptr, [] {
            pool = nullptr;
            busy.store(false, std::memory_order_relaxed);
        });
    }
    ~Ends() {
        // If another thread fills, or a fill called exit(), do not wait: everything that the fill uses stays alive.
        if (busy.exchange(true, std::memory_order_acquire)) return;
        // Waiting workers are ended, because a library may be unloaded. Later fills, in destructors, find the pool busy
        // and use one thread.
        delete pool;
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;
};
const Ends ends;

/// Uses the pool for a scope.
struct InUse {
    InUse() = default;
    ~InUse() { busy.store(false, std::memory_order_release); }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
};

/// Returns a pool with this number of workers; null if there is no memory for one.
Pool* pool_of(int workers) {
    if (pool == nullptr || pool->workers() < workers) {
        delete std::exchange(pool, nullptr);
        pool = new (std::nothrow) Pool(workers);
    }
    return pool;
}

}  // namespace

void run_parts(int parts, int threads, const std::function<void(int)>& part) {
    if (threads > 1 && parts > 1 && !busy.exchange(true, std::memory_order_acquire)) {
        const InUse in_use;
        if (Pool* const workers = pool_of(threads - 1)) return workers->run(parts, threads, part);
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
