// own_kernel<I>: the fill of index I in own_fills.hpp, by the backend's own code. run.py compiles this file to PTX, and
// parity_own.cpp finds the kernels by name. If run.py defines PARITY_FILLS as 0 or 1, only kernels of even or odd
// indices are compiled.
#include <utility>

#include "own_fills.hpp"

#ifndef PARITY_FILLS
#define PARITY_FILLS -1
#endif

template <int I> __global__ void own_kernel(const __grid_constant__ parity::OwnFill<I> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    rng::detail::fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

/// Taking a kernel's address makes the compiler emit it; nothing here is called.
template <int I> void emit() {
    if constexpr (PARITY_FILLS < 0 || I % 2 == PARITY_FILLS) {
        static void* const fill = reinterpret_cast<void*>(&own_kernel<I>);
        (void)fill;
    }
}
template <int... I> void emit_all(std::integer_sequence<int, I...>) { (emit<I>(), ...); }
void all_kernels() { emit_all(std::make_integer_sequence<int, parity::own_fills::size>{}); }
