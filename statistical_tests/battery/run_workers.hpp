// Threads that work side by side until all have ended or one has failed.
//
//     run_workers(8, [&](std::size_t i) { ... });     // throws the first exception of a worker
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rng::stats {

/// What happens beside the workers.
struct Beside {
    /// Called by the thread that failed first, and by each one that fails later: it must make the other workers end.
    std::function<void()> on_failure = {};
    /// Called by the calling thread every `interval`, until the workers end or one has failed.
    std::function<void()> meanwhile = {};
    std::chrono::milliseconds interval{200};
};

/// Calls worker(0) ... worker(n - 1), each in its own thread, and waits for all. Then throws the first exception
/// of a worker or of meanwhile(), or the error of a system with too few threads.
template <class Worker> void run_workers(std::size_t n, const Worker& worker, const Beside& beside = {}) {
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t running = n;
    std::exception_ptr error;
    const auto fail = [&] {  // in a catch block
        const std::scoped_lock lock(mutex);
        if (!error) error = std::current_exception();
        if (beside.on_failure) beside.on_failure();
    };
    const auto run = [&](std::size_t i) {
        try {
            worker(i);
        } catch (...) {
            fail();
        }
        const std::scoped_lock lock(mutex);
        --running;
        ended.notify_one();
    };
    std::vector<std::jthread> pool;
    try {
        for (std::size_t i = 0; i < n; ++i) pool.emplace_back(run, i);
        std::unique_lock lock(mutex);
        while (beside.meanwhile && !ended.wait_for(lock, beside.interval, [&] { return running == 0; })) {
            if (error) continue;
            lock.unlock();
            beside.meanwhile();
            lock.lock();
        }
    } catch (...) {
        fail();
    }
    pool.clear();
    if (error) std::rethrow_exception(error);
}

}  // namespace rng::stats
