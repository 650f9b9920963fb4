// The kernels of svd_lowrank on CUDA, by their index in the list of svd_kernels.hpp.
// run.py compiles this file to PTX, like kernels.cu. parity_svd.cpp finds the kernels by name.
#include "svd_kernels.hpp"

#include <utility>

template <int I>
__global__ void __launch_bounds__(parity::SvdKernel<I>::threads, parity::SvdKernel<I>::resident)
    svd_kernel(const __grid_constant__ parity::SvdKernel<I> kernel) {
    kernel();
}

template <int... I> void* const* instantiate(std::integer_sequence<int, I...>) {
    static void* const kernels[] = {reinterpret_cast<void*>(&svd_kernel<I>)...};
    return kernels;
}
void* const* all_kernels() { return instantiate(std::make_integer_sequence<int, parity::svd_kernels::size>{}); }
