// For the list in row_laws.hpp: row_fill_kernel<I>, the fill of index I. Fills with Sobol points: sobol_kernel<T>.
// run.py compiles this file to PTX, and parity_rows.cpp finds the kernels by name.
#include "row_laws.hpp"

#include <utility>

template <int I> __global__ void row_fill_kernel(const __grid_constant__ parity::RowFill<I> fill) {
    rng::detail::write_rows(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, uint64_t{gridDim.x} * blockDim.x);
}

template <class T> __global__ void sobol_kernel(const __grid_constant__ rng::detail::DeviceSobolFill<T> fill) {
    rng::detail::write_points(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, uint64_t{gridDim.x} * blockDim.x);
}

/// Taking a kernel's address makes the compiler emit it; nothing here is called.
template <int... I> void emit_all(std::integer_sequence<int, I...>) {
    static void* const kernels[] = {reinterpret_cast<void*>(&row_fill_kernel<I>)...,
                                    reinterpret_cast<void*>(&sobol_kernel<float>),
                                    reinterpret_cast<void*>(&sobol_kernel<double>)};
    (void)kernels;
}
void all_kernels() { emit_all(std::make_integer_sequence<int, parity::row_fills::size>{}); }
