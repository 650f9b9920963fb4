// RowLanes: many rows side by side, in the lanes of vectors, as finish() of a distribution of rows takes them.
#pragma once

#include <rng/structured/dirichlet.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/wishart.hpp>

#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// Rows in columns, as many as L has lanes of T. Two registers hold the doubles of a register of floats.
template <class L, class T> struct RowLanes {
    using Real = lane::real_t<L, T>;
    using Double = lane::f64<std::conditional_t<sizeof(T) == 4, Unrolled2<L>, L>>;
    static constexpr auto rows = static_cast<size_t>(L::bytes) / sizeof(T);

    T* columns;
    size_t height;

    [[nodiscard]] RNG_FN Real operator[](uint64_t j) const { return {L::load(columns + j * height), 0}; }
    [[nodiscard]] RNG_FN Double as_double(uint64_t j) const {
        if constexpr (sizeof(T) == 4)
            return {Unrolled2<L>::load_widened(columns + j * height), 0};
        else
            return (*this)[j];
    }
    [[nodiscard]] RNG_FN static Real rounded(Double x) {
        if constexpr (sizeof(T) == 4)
            return {L::narrowed(x.v.a, x.v.b), 0};
        else
            return x;
    }
    RNG_FN void set(uint64_t j, Real x) const { L::store(columns + j * height, x.v); }
    RNG_FN void settle(uint64_t j, Double x) const { set(j, rounded(detail::without_small<T>(x))); }
};

/// rng_abi::FinishRowsFunction over four registers of doubles of lane L side by side, or two of floats.
template <class D, class L> size_t finish_rows(const void* distribution, void* columns, size_t height, size_t rows) {
    using T = result_t<D>;
    using Rows = RowLanes<std::conditional_t<sizeof(T) == 4, Unrolled2<L>, Unrolled2<Unrolled2<L>>>, T>;
    const auto& dist = *static_cast<const D*>(distribution);
    size_t i = 0;
    for (; i + Rows::rows <= rows; i += Rows::rows) dist.finish(Rows{static_cast<T*>(columns) + i, height});
    return i;
}

/// The functions of all distributions of rows over lane L. Without vectors there are none.
template <class L, class List> struct FinishRowsTable;
template <class L, class... D> struct FinishRowsTable<L, type_list<D...>> {
    static constexpr rng_abi::FinishRowsFunction functions[] = {&finish_rows<D, L>...};
};

}  // namespace wide
RNG_END_NAMESPACE
