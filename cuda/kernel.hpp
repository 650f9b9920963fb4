// The common parts of the kernels of this folder. A kernel is a struct: its members are the arguments, and its call
// operator is the work of one thread.
//
// The arguments and shapes need no CUDA: tests/parity lays them out on the host.
#pragma once

#include <rng/lane/scalar.hpp>

#include "../src/reduce/stored.hpp"

#if defined(__CUDACC__)
#define RNG_KERNEL __device__ __forceinline__
#else
#define RNG_KERNEL inline
#endif

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

using lane::Scalar;

inline constexpr unsigned threads_per_block = 256;
inline constexpr int merged = 16;  // nodes of a tree that a thread adds at a time: four levels

RNG_FN constexpr uint64_t divided_up(uint64_t n, uint64_t by) { return (n + by - 1) / by; }

#if defined(__CUDACC__)

RNG_KERNEL uint64_t thread_index() { return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Returns the first of [begin, end) at which is_past is true; end if there is none. All before it are false.
template <class F> RNG_KERNEL uint64_t first_past(uint64_t begin, uint64_t end, const F& is_past) {
#pragma unroll 1
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (is_past(middle))
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/// Returns the node of a tree over node(0), ..., node(merged - 1), of which the first `count` exist.
template <class T, class Node, class Add> RNG_KERNEL T node_over(uint64_t count, const Node& node, const Add& add) {
    T v[merged];
    RNG_UNROLL
    for (int i = 0; i < merged; ++i) v[i] = static_cast<uint64_t>(i) < count ? node(i) : T{0};
    RNG_UNROLL
    for (int step = 1; step < merged; step *= 2) {
        RNG_UNROLL
        for (int i = 0; i < merged; i += 2 * step)
            if (static_cast<uint64_t>(i + step) < count) v[i] = add(v[i], v[i + step]);
    }
    return v[0];
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
