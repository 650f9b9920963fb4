#include "kernels.hpp"

namespace rng::stats {

const LaneKernels& lane_kernels() {
#if defined(__x86_64__)
    static const LaneKernels& chosen = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
                                           ? v1_avx512::lane_kernels()
                                       : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                                           ? v1_avx2::lane_kernels()
                                           : v1_scalar::lane_kernels();
    return chosen;
#else
    return v1_scalar::lane_kernels();
#endif
}

}  // namespace rng::stats
