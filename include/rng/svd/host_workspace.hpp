// How much host memory svd_lowrank and pca_lowrank take, known before the matrix exists.
//
//     const size_t bytes = rng::svd_host_workspace<float>(1000000, 50, {.q = 8});   // beside A and the result
#pragma once

#include <optional>

#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the greatest number of bytes that svd_lowrank of a rows x cols matrix of T has allocated at any time, not
/// counting A, M and the result.
/// For a matrix_view, or for a csr_view with `entries` stored elements; docs/svd.md says what batches and shards take.
/// It is an upper bound: svd_lowrank never takes more.
/// With one thread, the figure is at most 1.3 times the memory taken, not counting the sums of a product.
/// Those sums take less than 12 MB; 1 MB in the shapes of test_svd_memory.
/// If the figure does not fit into size_t, returns the greatest value of the type.
/// Throws Error as svd_lowrank does if q, niter or oversampling is out of range.
template <class T>
[[nodiscard]] size_t svd_host_workspace(size_t rows, size_t cols, const SvdOptions<T>& options = {},
                                        std::optional<size_t> entries = {}) {
    return detail::svd_host_workspace<T>("svd_lowrank", rows, cols, options, entries);
}
/// Returns the greatest number of bytes that pca_lowrank has allocated at any time, as svd_host_workspace does for
/// svd_lowrank.
template <class T>
[[nodiscard]] size_t pca_host_workspace(size_t rows, size_t cols, const PcaOptions& options = {},
                                        std::optional<size_t> entries = {}) {
    return detail::svd_host_workspace<T>("pca_lowrank", rows, cols, options, entries);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
