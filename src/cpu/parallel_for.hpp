// parallel_for: runs the chunks of a range on the library's threads. Results must not depend on the chunks.
#pragma once

#include <rng/isa.hpp>

#include <algorithm>
#include <cstddef>

#include "fp_environment.hpp"
#include "threads.hpp"

namespace rng_cpu {

inline constexpr std::size_t chunks_per_thread = 4;  // of 1, 4, 8 and 16, the best for fills of 256 KiB on two threads

/// Calls part(first, last) for chunks that together are [0, n), on at most num_threads() threads, and at most
/// `most_threads`. The chunks begin at multiples of `grain`. Each thread begins with the same few neighbours in each
/// call (run_parts), so that what it wrote before is in its own cache. A thread that wakes late, or is on a busy core,
/// leaves chunks to the others. Requires an FpEnvironment in the caller.
template <class Part> void parallel_for(std::size_t n, std::size_t grain, std::size_t most_threads, const Part& part) {
    if (n == 0) return;
    const auto threads = std::min(static_cast<std::size_t>(rng::num_threads()), most_threads);
    if (threads <= 1) {
        part(std::size_t{0}, n);
        return;
    }
    const std::size_t wanted = threads * chunks_per_thread, grains = (n + grain - 1) / grain;
    const std::size_t size = (grains + wanted - 1) / wanted * grain;
    if (size == 0) return;
    run_parts(static_cast<int>((n + size - 1) / size), static_cast<int>(threads), [&](int i) {
        const FpEnvironment environment;  // this may be a worker: a thread inherits its creator's modes
        const std::size_t first = static_cast<std::size_t>(i) * size;
        part(first, std::min(n, first + size));
    });
}

}  // namespace rng_cpu
