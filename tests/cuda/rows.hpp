// Rows in device memory from a source that nvcc compiles (rows.cu), for tests that g++ and clang compile.
#pragma once

#include <rng/fill_rows.hpp>
#include <rng/structured/multivariate_normal.hpp>

#include <vector>

namespace rows {

using Law = rng::multivariate_normal<float>;
using Matrix = rng::device_matrix<float>;

/// The calls of a user, compiled by nvcc.
void fill(const Matrix& out, const Law& law, rng::Generator& generator, rng::cuda_stream stream);
void fill_by_default(const Matrix& out, const Law& law, rng::cuda_stream stream);
void fill(const Matrix& out, const Law& law, const rng::Stream<>& from, uint64_t first, rng::cuda_stream stream);
/// launch_rows: the lists of the law lie on the device.
void launch(const Matrix& out, const Law& law, const rng::Stream<>& from, uint64_t first, rng::cuda_stream stream);

/// Fills of host memory, by all ways to make rows: nvcc must not warn of what hosts alone may call.
std::vector<float> shares_on_host(const std::vector<float>& alpha, size_t n, uint64_t seed);
std::vector<int> counts_on_host(const std::vector<float>& weights, size_t n, uint64_t seed);

/// The lists of a law of three elements. The first takes 12 bytes, so that the second begins after a gap.
struct Lists {
    std::vector<float> mean{-1, 0, 2.5f};
    std::vector<float> factor{2, 0, 0, 1, 1.5f, 0, -0.75f, 0, 0.125f};
    [[nodiscard]] Law law() const { return Law(mean, factor); }
};

}  // namespace rows
