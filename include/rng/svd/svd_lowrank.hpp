// svd_lowrank and pca_lowrank: the leading singular values and vectors of a large matrix, with the same bits on every
// path.
//
//     auto [U, S, V] = rng::svd_lowrank(A, {.q = 16}, gen);          // A is about U diag(S) V^H
//     auto [P, L, W] = rng::pca_lowrank(A, {.q = 16}, gen);          // of A minus its column means
//
// A is one of: matrix_view (any strides), csr_view (sparse), row_shards (one matrix in several shards), batch_view
// (many matrices of one shape).
// Elements: float, double, float16, bfloat16, std::complex of float and double.
//
// Names and meaning follow torch.svd_lowrank and torch.pca_lowrank. The functions of torch take no generator, and their
// results depend on device and threads.
// Source: Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53 (2011), algorithms 4.4 and 5.1.
// docs/svd.md gives every operation in its order.
#pragma once

#include "../detail/svd_input.hpp"
#include "../deterministic.hpp"
#include "../generator.hpp"
#include "svd_types.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the q leading singular values and vectors of A (m x n): a LowRankSvd; for a batch, a vector of them.
/// The generator advances past the test matrix, min(m, n) * min(q + oversampling, m, n) values, whatever A
/// contains.
/// Successive calls give different results, and the same seed gives the same bits.
/// A batch has one test matrix, so each of its results is that of a single call.
/// A sparse matrix, and a matrix in shards, give the results of the whole dense matrix, bit for bit.
/// Throws Error (invalid_argument), and changes nothing, for:
/// - q outside [0, min(m, n)], a negative niter or a negative oversampling,
/// - an M of a wrong shape,
/// - a null A with elements,
/// - a sparse matrix with an index out of range or with an element twice,
/// - a NaN or infinity in A or M; the message names the first place.
template <detail::svd_matrix A>
[[nodiscard]] auto svd_lowrank(const A& a, const SvdOptions<detail::element_t<A>>& options,
                               Generator& generator = default_generator()) {
    return detail::svd_of("svd_lowrank", a, options, generator);
}
template <detail::svd_matrix A> [[nodiscard]] auto svd_lowrank(const A& a, Generator& generator = default_generator()) {
    return svd_lowrank(a, SvdOptions<detail::element_t<A>>{}, generator);
}

/// Returns the principal components of A's rows: svd_lowrank of A minus the mean of each column.
/// A sparse matrix takes the time of a dense one here, but not its memory. Throws as svd_lowrank does.
template <detail::svd_matrix A>
[[nodiscard]] auto pca_lowrank(const A& a, const PcaOptions& options = {}, Generator& generator = default_generator()) {
    return detail::svd_of("pca_lowrank", a, options, generator);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
