// Eigen's matrices as the input of svd_lowrank (../eigen.hpp).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <type_traits>

#include "../../detail/svd_input.hpp"
#include "../../matrix_view.hpp"

#include "../../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

namespace detail {

/// True if the matrix lies in memory; false for an expression.
template <class Derived> inline constexpr bool in_memory = (Derived::Flags & Eigen::DirectAccessBit) != 0;

template <class T, class Derived> [[nodiscard]] matrix_view<T> view_of(Derived& a) {
    static_assert(in_memory<Derived>, "view: the matrix has to lie in memory; evaluate the expression first");
    return {a.data(), static_cast<size_t>(a.rows()), static_cast<size_t>(a.cols()),
            static_cast<ptrdiff_t>(a.rowStride()), static_cast<ptrdiff_t>(a.colStride())};
}

template <class F> using answer = std::invoke_result_t<const F&, rng::detail::SvdInput>;

/// Calls f(input) with A in the form that the implementation takes.
template <class Derived, class F>
answer<F> with_input(const char* call, const Eigen::DenseBase<Derived>& a, const F& f) {
    if constexpr (in_memory<Derived>)
        return f(rng::detail::svd_input(call, view_of<const typename Derived::Scalar>(a.derived())));
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

/// Result<T>: U, S and V as matrices of Eigen.
template <template <class> class Result, class A, class Options>
[[nodiscard]] auto svd_of(const char* call, const A& a, const Options& options, Generator& generator) {
    using T = rng::detail::computed_t<typename A::Scalar>;
    return with_input(call, a, [&](rng::detail::SvdInput input) {
        rng::detail::set_options(input, options);
        const auto q = static_cast<Eigen::Index>(rng::detail::checked_svd(input));
        Result<T> r;
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

}  // namespace interop
RNG_END_NAMESPACE

#include "../../core/restore_macros.inc"
