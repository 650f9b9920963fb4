// Kernels that read iterators and engines of rng/interop/thrust.hpp: out[t] = values[t]. run.py compiles this file to
// PTX, and parity_thrust.cpp finds the kernels by name.
#include "thrust_values.hpp"

template <class Values, class T> __device__ void read(const Values& values, uint32_t n, T* out) {
    const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = values[t];
}

__global__ void pairs(parity::Pairs values, uint32_t n, float* out) { read(values, n, out); }
__global__ void long_words(parity::LongWords values, uint32_t n, double* out) { read(values, n, out); }
__global__ void samples(parity::Samples values, uint32_t n, int* out) { read(values, n, out); }
__global__ void words(parity::Words values, uint32_t n, uint32_t* out) { read(values, n, out); }
__global__ void permuted(parity::Permuted<rng::Philox4x32_10> values, uint32_t n, uint64_t* out) {
    read(values, n, out);
}
__global__ void permuted_wide(parity::Permuted<rng::Threefry4x64_20> values, uint32_t n, uint64_t* out) {
    read(values, n, out);
}
