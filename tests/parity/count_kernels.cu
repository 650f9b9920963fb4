// The fills whose instructions check_counts.py counts, as the backend compiles them.
#include <rng/distributions/catalogue.hpp>

#include "../../cuda/fill_kernel.hpp"

template <class D>
__global__ void __launch_bounds__(rng::detail::threads_per_block, rng::detail::least_resident_blocks)
    count_kernel(const __grid_constant__ rng::detail::DeviceFill<D, rng::Philox4x32_10> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    rng::detail::fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

namespace {
template <class... D> void emit() {
    static void* const kernels[] = {reinterpret_cast<void*>(&count_kernel<D>)...};
    (void)kernels;
}
}  // namespace

/// In the order of check_counts.py's table.
void count_kernels() {
    using namespace rng;
#ifdef RNG_CUDA_SHORT_ROOTS
    emit<normal<float>, normal<double>>();
#else
    emit<bits<uint32_t>, uniform<float>, uniform<double>, normal<float>, normal<double>, exponential<float>,
         exponential<double>, uniform<float16>, uniform<bfloat16>, normal<float16>, bernoulli, uniform_int<int32_t>>();
#endif
}
