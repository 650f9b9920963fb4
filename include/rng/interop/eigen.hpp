// Eigen matrices in svd_lowrank and pca_lowrank. Needs Eigen's headers (Debian: libeigen3-dev); no other header
// includes this one.
//
//     Eigen::MatrixXf A = ...;                                    // or a block, a map, a SparseMatrix, an expression
//     auto [U, S, V] = rng::svd_lowrank(A, {.q = 16}, gen);       // A is about U * S.asDiagonal() * V.adjoint()
//     rng::fill(rng::interop::view(A), rng::normal{0.0f, 1.0f}, gen);  // any dense matrix as a matrix_view
//
// Matrices in memory are read in place, for any strides, and results are written into Eigen's matrices directly.
// Expressions, and sparse matrices that are not compressed, are evaluated first.
// The bits are those of the same matrix in a matrix_view.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <type_traits>

#include "../svd/svd_lowrank.hpp"
#include "detail/eigen_input.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The result of svd_lowrank in Eigen's types. U: m x q, S: q values, V: n x q.
template <class T> struct EigenSvd {
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> U;
    Eigen::Matrix<detail::real_t<T>, Eigen::Dynamic, 1> S;
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> V;
};

namespace interop {

template <class A>
concept eigen_matrix = std::is_base_of_v<Eigen::DenseBase<A>, A> || std::is_base_of_v<Eigen::SparseMatrixBase<A>, A>;

/// Returns a dense matrix, map or block as a matrix_view. The matrix must outlive the view.
template <class Derived> [[nodiscard]] auto view(Eigen::DenseBase<Derived>& a) {
    return detail::view_of<typename Derived::Scalar>(a.derived());
}
template <class Derived> [[nodiscard]] auto view(const Eigen::DenseBase<Derived>& a) {
    return detail::view_of<const typename Derived::Scalar>(a.derived());
}

}  // namespace interop

/// Returns svd_lowrank of an Eigen matrix, as of a matrix_view or csr_view; SvdOptions::M takes interop::view(M).
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> svd_lowrank(
    const A& a, const SvdOptions<typename A::Scalar>& options, Generator& generator = default_generator()) {
    return interop::detail::svd_of<EigenSvd>("svd_lowrank", a, options, generator);
}
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> svd_lowrank(const A& a,
                                                                           Generator& generator = default_generator()) {
    return svd_lowrank(a, SvdOptions<typename A::Scalar>{}, generator);
}
/// Returns pca_lowrank of an Eigen matrix, as of a matrix_view or csr_view.
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> pca_lowrank(const A& a, const PcaOptions& options = {},
                                                                           Generator& generator = default_generator()) {
    return interop::detail::svd_of<EigenSvd>("pca_lowrank", a, options, generator);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
