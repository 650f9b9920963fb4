// How much host memory svd_lowrank and pca_lowrank take, known before there is a matrix.
//
//     rng::svd_host_workspace<float>(1000000, 50, {.q = 8})    bytes beside A and the result
#pragma once

#include <optional>

#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] RNG_API size_t svd_host_workspace_for(const SvdInput& input, std::optional<size_t> entries);

template <class T, class Options>
[[nodiscard]] size_t svd_host_workspace(const char* call, size_t rows, size_t cols, const Options& options,
                                        std::optional<size_t> entries) {
    SvdInput input = svd_input<T>(call);
    input.rows = rows;
    input.cols = cols;
    set_options(input, options);
    return svd_host_workspace_for(input, entries);
}

}  // namespace detail

/// The most bytes that svd_lowrank of a rows x cols matrix of T allocates at a time beside A, M and the result: of a
/// matrix_view, or of a csr_view with `entries` stored elements. It never takes more; with one thread the figure is at
/// most 1.3 times what it takes, but for the sums of a product (under 12 MB; 1 MB in the shapes of test_svd_memory).
/// docs/svd.md says what batches and shards take. The greatest value if it is beyond the type. Throws Error as
/// svd_lowrank does if q or niter is not as it should be.
template <class T>
[[nodiscard]] size_t svd_host_workspace(size_t rows, size_t cols, const SvdOptions<T>& options = {},
                                        std::optional<size_t> entries = {}) {
    return detail::svd_host_workspace<T>("svd_lowrank", rows, cols, options, entries);
}
/// As svd_host_workspace, for pca_lowrank.
template <class T>
[[nodiscard]] size_t pca_host_workspace(size_t rows, size_t cols, const PcaOptions& options = {},
                                        std::optional<size_t> entries = {}) {
    return detail::svd_host_workspace<T>("pca_lowrank", rows, cols, options, entries);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
