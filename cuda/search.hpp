// Searches on CUDA: they keep the greatest key and, among equal keys, the least index. So the order of work cannot
// change the result of a search.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

inline constexpr unsigned columns_per_block = 16;  // for a search
inline constexpr unsigned most_search_blocks = 256;

/// The result of a search. key == 0 means: nothing found.
struct SearchResult {
    uint64_t key, index;
    double re, im;
};

/// Reduces `count` results a column to the largest, column by column.
struct ReduceLargest {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const SearchResult* from;
    SearchResult* found;
    uint32_t count, columns;

    RNG_KERNEL void operator()() const;
};

/// Finds the first of n items at fault: found[block] has key 1 and the index.
template <class Fault> struct SearchFault {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Fault is_wrong;
    SearchResult* found;
    uint64_t n;

    RNG_KERNEL void operator()() const;
};

/// Returns the best of `blocks` searches for each of `columns`. found and best: as in first_fault.
template <class Device>
[[nodiscard]] std::vector<SearchResult> best_of(Device& device, const SearchResult* found, SearchResult* best,
                                                size_t blocks, uint32_t columns) {
    device.launch(ReduceLargest{found, best, static_cast<uint32_t>(blocks), columns},
                  divided_up(columns, columns_per_block), 1);
    std::vector<SearchResult> all(columns);
    device.to_host(all.data(), best, all.size() * sizeof all[0]);
    return all;
}

/// Returns the first of n items at fault. Waits. found and best: room for most_search_blocks results and for one.
template <class Device, class Fault>
[[nodiscard]] std::optional<uint64_t> first_fault(Device& device, const Fault& fault, uint64_t n, SearchResult* found,
                                                  SearchResult* best) {
    if (n == 0) return std::nullopt;
    const auto blocks = std::min<uint64_t>(most_search_blocks, divided_up(n, 1024));
    device.launch(SearchFault<Fault>{fault, found, n}, blocks, 1);
    const SearchResult first = best_of(device, found, best, blocks, 1)[0];
    return first.key == 0 ? std::nullopt : std::optional(first.index);
}

#if defined(__CUDACC__)

RNG_KERNEL bool is_better(const SearchResult& a, const SearchResult& b) {
    return a.key > b.key || (a.key == b.key && a.index < b.index);
}

/// Returns the best of a block's threads whose numbers are equal modulo `columns`, a power of two. The first of these
/// threads gets the result.
RNG_KERNEL SearchResult best_of_block(const SearchResult& mine, unsigned columns) {
    __shared__ uint64_t key[threads_per_block], index[threads_per_block];
    __shared__ double re[threads_per_block], im[threads_per_block];
    SearchResult best = mine;
    const unsigned t = threadIdx.x;
    for (unsigned half = threads_per_block / 2; half >= columns; half /= 2) {
        if (t >= half && t < 2 * half) {
            key[t] = best.key;
            index[t] = best.index;
            re[t] = best.re;
            im[t] = best.im;
        }
        __syncthreads();
        if (t < half) {
            const SearchResult other{key[t + half], index[t + half], re[t + half], im[t + half]};
            if (is_better(other, best)) best = other;
        }
        __syncthreads();
    }
    return best;
}

inline constexpr SearchResult nothing{0, ~uint64_t{0}, 0, 0};

RNG_KERNEL void ReduceLargest::operator()() const {
    const unsigned col = blockIdx.x * columns_per_block + threadIdx.x % columns_per_block;
    SearchResult best = nothing;
    if (col < columns)
        for (unsigned k = threadIdx.x / columns_per_block; k < count; k += threads / columns_per_block) {
            const SearchResult here = from[uint64_t{k} * columns + col];
            if (is_better(here, best)) best = here;
        }
    best = best_of_block(best, columns_per_block);
    if (threadIdx.x < columns_per_block && col < columns) found[col] = best;
}

template <class Fault> RNG_KERNEL void SearchFault<Fault>::operator()() const {
    SearchResult best = nothing;
#pragma unroll 1
    for (uint64_t i = thread_index(); i < n; i += uint64_t{gridDim.x} * threads) {
        const SearchResult here{1, i, 0, 0};
        if (is_wrong(i) && is_better(here, best)) best = here;
    }
    best = best_of_block(best, 1);
    if (threadIdx.x == 0) found[blockIdx.x] = best;
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
