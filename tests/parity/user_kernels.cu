// For the lists in user_fills.hpp:
//     own_kernel<I>               the fill of index I, by the backend's own code
//     lists_kernel<I, FromTable>  thread t writes at(stream, law, first + t), with the law's lists in global memory
// run.py compiles this file to PTX, and parity_user.cpp finds the kernels by name. If run.py defines PARITY_FILLS as 0
// or 1, only fills of even or odd indices are compiled.
#include <rng/at.hpp>

#include <utility>

#include "user_fills.hpp"

#ifndef PARITY_FILLS
#define PARITY_FILLS -1
#endif

template <int I> __global__ void own_kernel(const __grid_constant__ parity::UserFill<I> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    rng::detail::fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

template <int I, bool FromTable>
__global__ void lists_kernel(parity::ListStream<FromTable> stream, parity::ListLaw<I> law, uint64_t first, uint32_t n,
                             rng::result_t<parity::ListLaw<I>>* out) {
    const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = rng::at(stream, law, first + t);
}

/// Taking a kernel's address makes the compiler emit it; nothing here is called.
template <int I> void emit() {
    if constexpr (PARITY_FILLS < 0 || I % 2 == PARITY_FILLS) {
        static void* const fill = reinterpret_cast<void*>(&own_kernel<I>);
        (void)fill;
    }
}
template <int... I> void emit_all(std::integer_sequence<int, I...>) { (emit<I>(), ...); }
template <int... I> void emit_lists(std::integer_sequence<int, I...>) {
    static void* const kernels[] = {reinterpret_cast<void*>(&lists_kernel<I, false>)...,
                                    reinterpret_cast<void*>(&lists_kernel<I, true>)...};
    (void)kernels;
}
void all_kernels() {
    emit_all(std::make_integer_sequence<int, parity::user_fills::size>{});
    emit_lists(std::make_integer_sequence<int, parity::list_laws::size>{});
}
