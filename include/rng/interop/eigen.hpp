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

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The result of svd_lowrank in Eigen's types. U: m x q, S: q values, V: n x q.
template <class T> struct EigenSvd {
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> U;
    Eigen::Matrix<detail::real_t<T>, Eigen::Dynamic, 1> S;
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> V;
};

namespace interop {

namespace detail {
template <class Derived> inline constexpr bool in_memory = (Derived::Flags & Eigen::DirectAccessBit) != 0;
}

/// Returns a dense matrix, map or block as a matrix_view. The matrix must outlive the view.
template <class Derived> [[nodiscard]] auto view(Eigen::DenseBase<Derived>& a) {
    static_assert(detail::in_memory<Derived>, "view: the matrix has to lie in memory; evaluate the expression first");
    return matrix_view<typename Derived::Scalar>{
        a.derived().data(), static_cast<size_t>(a.rows()), static_cast<size_t>(a.cols()),
        static_cast<ptrdiff_t>(a.derived().rowStride()), static_cast<ptrdiff_t>(a.derived().colStride())};
}
template <class Derived> [[nodiscard]] auto view(const Eigen::DenseBase<Derived>& a) {
    static_assert(detail::in_memory<Derived>, "view: the matrix has to lie in memory; evaluate the expression first");
    return matrix_view<const typename Derived::Scalar>{
        a.derived().data(), static_cast<size_t>(a.rows()), static_cast<size_t>(a.cols()),
        static_cast<ptrdiff_t>(a.derived().rowStride()), static_cast<ptrdiff_t>(a.derived().colStride())};
}

namespace detail {

template <class F> using answer = std::invoke_result_t<const F&, rng::detail::SvdInput>;

/// Calls f(input) with A in the form that the implementation takes.
template <class Derived, class F>
answer<F> with_input(const char* call, const Eigen::DenseBase<Derived>& a, const F& f) {
    if constexpr (in_memory<Derived>)
        return f(rng::detail::svd_input(call, view(a)));
    else
        return with_input(call, typename Derived::PlainObject(a.derived()), f);
}
template <class T, int Order, class Index, class F>
answer<F> with_input(const char* call, const Eigen::SparseMatrix<T, Order, Index>& a, const F& f) {
    static_assert(sizeof(Index) == 4 || sizeof(Index) == 8);
    if (!a.isCompressed()) {
        Eigen::SparseMatrix<T, Order, Index> compressed = a;
        compressed.makeCompressed();
        return with_input(call, compressed, f);
    }
    rng::detail::SvdInput input = rng::detail::svd_input<T>(call);
    input.a.rows = static_cast<size_t>(a.rows());
    input.a.cols = static_cast<size_t>(a.cols());
    const auto n = static_cast<size_t>(a.nonZeros());
    input.a.sparse = {a.outerIndexPtr(),
                      a.innerIndexPtr(),
                      a.valuePtr(),
                      static_cast<size_t>(a.outerSize()) + 1,
                      n,
                      n,
                      int{sizeof(Index)},
                      Order == int{Eigen::ColMajor}};
    return f(input);
}
template <class Derived, class F>
answer<F> with_input(const char* call, const Eigen::SparseMatrixBase<Derived>& a, const F& f) {
    using Index = typename Derived::StorageIndex;
    return with_input(call, Eigen::SparseMatrix<typename Derived::Scalar, Eigen::RowMajor, Index>(a.derived()), f);
}

template <class A, class Options>
[[nodiscard]] auto svd_of(const char* call, const A& a, const Options& options, Generator& generator) {
    using T = rng::detail::computed_t<typename A::Scalar>;
    return with_input(call, a, [&](rng::detail::SvdInput input) {
        rng::detail::set_options(input, options);
        const auto q = static_cast<Eigen::Index>(rng::detail::checked_svd(input));
        EigenSvd<T> r;
        r.U.resize(static_cast<Eigen::Index>(input.a.rows), q);
        r.S.resize(q);
        r.V.resize(static_cast<Eigen::Index>(input.a.cols), q);
        const rng::detail::SvdOutput output{r.U.data(), 1, static_cast<ptrdiff_t>(r.U.rows()), r.S.data(),
                                            r.V.data(), 1, static_cast<ptrdiff_t>(r.V.rows())};
        rng::detail::run_svd({&input, 1}, {&output, 1}, generator);
        return r;
    });
}

}  // namespace detail

template <class A>
concept eigen_matrix = std::is_base_of_v<Eigen::DenseBase<A>, A> || std::is_base_of_v<Eigen::SparseMatrixBase<A>, A>;

}  // namespace interop

/// Works as svd_lowrank for a matrix_view or csr_view; SvdOptions::M takes interop::view(M).
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> svd_lowrank(
    const A& a, const SvdOptions<typename A::Scalar>& options, Generator& generator = default_generator()) {
    return interop::detail::svd_of("svd_lowrank", a, options, generator);
}
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> svd_lowrank(const A& a,
                                                                           Generator& generator = default_generator()) {
    return svd_lowrank(a, SvdOptions<typename A::Scalar>{}, generator);
}
template <interop::eigen_matrix A>
[[nodiscard]] EigenSvd<detail::computed_t<typename A::Scalar>> pca_lowrank(const A& a, const PcaOptions& options = {},
                                                                           Generator& generator = default_generator()) {
    return interop::detail::svd_of("pca_lowrank", a, options, generator);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
