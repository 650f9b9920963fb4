// What thrust_cuda.cu, which nvcc compiles, computes on the current GPU for test_interop_thrust_cuda.cpp.
#pragma once

#include <rng/distributions/normal.hpp>
#include <rng/distributions/uniform_int.hpp>

#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

namespace thrust_cuda {

/// thrust::copy_n of a value_iterator that begins at `first`.
std::vector<float> copied(const rng::Stream<>& from, const rng::normal<float>& dist, uint64_t first, std::size_t n,
                          cudaStream_t stream);
/// thrust::transform: i + value i.
std::vector<double> added(const rng::Stream<rng::Threefry4x64_20>& from, const rng::normal<double>& dist, std::size_t n,
                          cudaStream_t stream);
/// thrust::tabulate with a ValueAt.
std::vector<int> tabulated(const rng::Stream<>& from, const rng::uniform_int<int>& dist, std::size_t n,
                           cudaStream_t stream);
/// thrust::for_each: element i is number i of thrust's uniform distribution over [-1, 3), by an engine at word 4 i.
std::vector<double> drawn(const rng::Stream<>& from, std::size_t n, cudaStream_t stream);
}  // namespace thrust_cuda
