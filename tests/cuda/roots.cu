// Counts the square roots of maps that are not those of sqrt.rn.
#include "roots.hpp"

#include <rng/lane/lane.hpp>
#include <rng/lane/scalar.hpp>

namespace {

using rng::lane::Scalar;

template <class F> __device__ auto root_of(F a) { return rng::lane::sqrt_in_range(a).v; }

/// Significands of all floats in [1, 4), which have every significand with an odd and an even exponent.
__global__ void check_f32(unsigned long long* wrong) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const float a = __uint_as_float(0x3f800000u + i);
    if (root_of(rng::lane::f32<Scalar>(a)) != __fsqrt_rn(a)) atomicAdd(wrong, 1ULL);
}

/// Three doubles in [1, 4): one spread by a multiplicative hash, one just above a square, one just below.
__global__ void check_f64(unsigned long long* wrong) {
    const uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const uint64_t spread = 0x3ff0000000000000u + ((i * 0x9e3779b97f4a7c15u) >> 11);
    const double root = 1 + static_cast<double>(i) * 0x1p-28;
    const uint64_t square = static_cast<uint64_t>(__double_as_longlong(root * root));
    for (const uint64_t bits : {spread, square + 1, square - 1}) {
        const double a = __longlong_as_double(static_cast<long long>(bits));
        if (root_of(rng::lane::f64<Scalar>(a)) != __dsqrt_rn(a)) atomicAdd(wrong, 1ULL);
    }
}

template <class Kernel> unsigned long long count(Kernel kernel, unsigned log2_threads) {
    unsigned long long *wrong = nullptr, result = ~0ULL;
    if (cudaMalloc(&wrong, sizeof *wrong) != cudaSuccess) return result;
    cudaMemset(wrong, 0, sizeof *wrong);
    kernel<<<1u << (log2_threads - 8), 256>>>(wrong);
    if (cudaMemcpy(&result, wrong, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) result = ~0ULL;
    cudaFree(wrong);
    return result;
}

}  // namespace

unsigned long long wrong_roots_f32() { return count(check_f32, 24); }
unsigned long long wrong_roots_f64() { return count(check_f64, 28); }
