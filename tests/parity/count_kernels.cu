// The fills whose instructions check_counts.py counts, as the backend compiles them.
#include <rng/detail/device_launch_kernel.hpp>
#include <rng/distributions/catalogue.hpp>

namespace {
template <class... D> void emit() {
    static void* const kernels[] = {reinterpret_cast<void*>(&rng::detail::fill_kernel<D, rng::Philox4x32_10>)...};
    (void)kernels;
}
}  // namespace

/// In the order of check_counts.py's table.
void count_kernels() {
    using namespace rng;
    emit<bits<uint32_t>, uniform<float>, uniform<double>, normal<float>, normal<double>, exponential<float>,
         exponential<double>, uniform<float16>, uniform<bfloat16>, normal<float16>, bernoulli, uniform_int<int32_t>>();
}
