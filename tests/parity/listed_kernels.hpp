// The kernels of a list, by their index in it: `listed_kernel<I>` runs kernel I of parity::listed, which the file that
// includes this one has named. run.py compiles that file to PTX, like kernels.cu. ptx_device.hpp finds the kernels by
// name.
#include <utility>

template <int I> using Listed = typename parity::Element<I, parity::listed>::type;

template <int I>
__global__ void __launch_bounds__(Listed<I>::threads, Listed<I>::resident)
    listed_kernel(const __grid_constant__ Listed<I> kernel) {
    kernel();
}

template <int... I> void* const* instantiate(std::integer_sequence<int, I...>) {
    static void* const kernels[] = {reinterpret_cast<void*>(&listed_kernel<I>)...};
    return kernels;
}
void* const* all_kernels() { return instantiate(std::make_integer_sequence<int, parity::listed::size>{}); }
