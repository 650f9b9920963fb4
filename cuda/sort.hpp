// A stable sort by digits on CUDA. Each thread moves neighbouring entries one after the other, to places of its own. So
// there are no atomics, and every order of threads gives the same result.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// An element: its place, and the index of its value. All are counted in 32 bits, which halves their memory.
struct Entry {
    uint32_t row, col, source;
};

inline constexpr int digit_bits = 4, digits = 1 << digit_bits;  // as many counters as a thread keeps close

/// A step of a sort: one digit of the rows, or of the columns. Each of `walkers` threads has `chunk` neighbouring
/// entries.
struct SortStep {
    const Entry* from;
    uint64_t n;
    uint32_t walkers, chunk;
    int32_t shift, by_row;

    RNG_KERNEL int digit(const Entry& e) const { return (by_row ? e.row : e.col) >> shift & (digits - 1); }
};
/// counts[digit * walkers + thread] = the number of the thread's entries with the digit.
struct CountDigits {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    SortStep step;
    uint32_t* counts;

    RNG_KERNEL void operator()() const;
};
/// Replaces each of n counts by the sum of those before it. It runs in one block of threads.
struct SumCounts {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    uint32_t* counts;
    uint64_t n;

    RNG_KERNEL void operator()() const;
};
/// Moves each entry to its place. counts[digit * walkers + thread] is that of the thread's first entry with the digit.
struct MoveEntries {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    SortStep step;
    const uint32_t* counts;
    Entry* to;

    RNG_KERNEL void operator()() const;
};

/// The division of n entries among the threads of a sort: `chunk` for each.
struct SortShare {
    size_t chunk, walkers;
    [[nodiscard]] static SortShare of(size_t n) {
        constexpr size_t least = 64, most_walkers = size_t{1} << 16;
        const size_t chunk = std::max<size_t>(least, divided_up(n, most_walkers));
        return {chunk, divided_up(n, chunk)};
    }
};

/// Sorts n entries by rows or by columns, which are below `keys`; equal ones keep their order. `other` is as large; the
/// two pointers are exchanged for each digit. counts: room for the counts of SortShare.
template <class Device>
void sort_entries(Device& device, Entry*& entries, Entry*& other, uint32_t* counts, size_t n, uint64_t keys,
                  bool by_row) {
    if (n == 0) return;
    const SortShare share = SortShare::of(n);
    const auto each = [&](const auto& kernel) {
        device.launch(kernel, divided_up(share.walkers, threads_per_block), 1);
    };
    const auto bits = static_cast<int>(std::bit_width(keys - 1));
    for (int shift = 0; shift < bits; shift += digit_bits) {
        const SortStep step{entries, n,     static_cast<uint32_t>(share.walkers), static_cast<uint32_t>(share.chunk),
                            shift,   by_row};
        each(CountDigits{step, counts});
        device.launch(SumCounts{counts, share.walkers * digits}, 1, 1);
        each(MoveEntries{step, counts, other});
        std::swap(entries, other);
    }
}

#if defined(__CUDACC__)

RNG_KERNEL void CountDigits::operator()() const {
    const uint64_t walker = thread_index(), begin = walker * step.chunk;
    if (walker >= step.walkers) return;
    uint32_t count[digits] = {};
#pragma unroll 1
    for (uint64_t k = begin; k < begin + step.chunk && k < step.n; ++k) ++count[step.digit(step.from[k])];
    for (int d = 0; d < digits; ++d) counts[static_cast<uint64_t>(d) * step.walkers + walker] = count[d];
}

RNG_KERNEL void SumCounts::operator()() const {
    __shared__ uint32_t sums[threads];
    const uint64_t each = divided_up(n, threads), begin = threadIdx.x * each;
    const uint64_t end = begin + each < n ? begin + each : n;
    uint32_t sum = 0;
    for (uint64_t k = begin; k < end; ++k) sum += counts[k];
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (unsigned t = 0; t < threadIdx.x; ++t) sum += sums[t];
    for (uint64_t k = begin; k < end; ++k) {
        const uint32_t count = counts[k];
        counts[k] = sum;
        sum += count;
    }
}

RNG_KERNEL void MoveEntries::operator()() const {
    const uint64_t walker = thread_index(), begin = walker * step.chunk;
    if (walker >= step.walkers) return;
    uint32_t place[digits];
    for (int d = 0; d < digits; ++d) place[d] = counts[static_cast<uint64_t>(d) * step.walkers + walker];
#pragma unroll 1
    for (uint64_t k = begin; k < begin + step.chunk && k < step.n; ++k) {
        const Entry e = step.from[k];
        to[place[step.digit(e)]++] = e;
    }
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
