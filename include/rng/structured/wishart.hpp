// wishart{df, factor}: symmetric matrices, the sum of df products x x^T of normal vectors x; any real df > d - 1.
//
//     const std::vector<double> factor = rng::cholesky(std::vector<double>{4, 2, 2, 3}, 2);
//     std::vector<double> matrices(100 * 2 * 2);           // a row is one matrix of 2 x 2 numbers, row by row
//     rng::fill_rows(rng::matrix_view<double>::row_major(matrices.data(), 100, 2 * 2), rng::wishart(7.5, factor), gen);
//
// The factor is a lower triangle L, as multivariate_normal takes it: the scale matrix is L L^T, and the mean df L L^T.
// The result is L A (L A)^T. A has chi variables of df, df - 1, ... degrees of freedom on its diagonal, and normal ones
// below. Sums are computed in double. L A and the result are rounded to the type.
// Source: Smith, Hocking, "Wishart variate generator", Applied Statistics 21, 1972 (Bartlett's decomposition).
// Oracle: of one row with factor (1), the result is the square of a chi variable.
#pragma once

#include "../detail/row.hpp"
#include "../distributions/chi.hpp"
#include "../distributions/normal.hpp"
#include "multivariate_normal.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Wishart distribution with df degrees of freedom and a lower factor of the scale matrix.
template <class T> struct wishart {
    static_assert(detail::is_real<T>, "wishart is of float or double: write wishart(7.0, factor)");
    using result_type = T;
    T df = 1;
    detail::NumberList<T> factor;
    uint64_t dimension = 0;

    static constexpr const char* name = "wishart";
    static constexpr const char* summary = "symmetric matrices: sums of squares of normal vectors";

    wishart() = default;
    /// Takes the d x d numbers at `first`. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr wishart(T degrees, const T* first, uint64_t d) : df(degrees), factor(first, d * d), dimension(d) {}
    /// Takes a list, which must outlive the distribution.
    template <detail::list_of<T> Factor>
    constexpr wishart(T degrees, const Factor& all_factor) : df(degrees), factor(all_factor) {
        while (dimension < detail::most_dimension && dimension * dimension < factor.size) ++dimension;
    }

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension * dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = sizeof(T) == 4;
        if (const auto fault = detail::dimension_fault(dimension)) return fault;
        constexpr auto range = detail::twice_gamma_shapes<T>();
        if (!detail::is_in(range, degrees(0)) || !detail::is_in(range, degrees(dimension - 1)))
            return {"df", static_cast<double>(df),
                    f32 ? "must be in [d - 1 + 2^-19, 2^31]" : "must be in [d - 1 + 2^-39, 2^61]"};
        return detail::factor_fault(
            factor, dimension, f32 ? T(0x1p-76) : T(0x1p-300), f32 ? T(0x1p30) : T(0x1p300),
            f32 ? "must be 0 or of magnitude 2^-76 to 2^30" : "must be 0 or of magnitude 2^-300 to 2^300");
    }
    /// Calls f(list) for each list of `self`.
    template <class Self, class F> static void for_each_list(Self& self, const F& f) { f(self.factor); }

    /// Calls f(place, distribution, j) for each element of the lower triangle: it is component j of this distribution
    /// in the row's private stream.
    RNG_EXEC_CHECK_DISABLE
    template <class F> RNG_FN void for_each_component(const F& f) const {
        RNG_ROLLED
        for (uint64_t i = 0; i < dimension; ++i) {
            const uint64_t row = i * dimension;
            RNG_ROLLED
            for (uint64_t j = 0; j < i; ++j) f(row + j, normal<T>{0, 1}, row + j);
            f(row + i, chi<T>{degrees(i)}, i);
        }
    }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> w) const {
        detail::write_components<L>(*this, normal<T>{0, 1}, p, w);
        finish(detail::OneRow<L, T>{w});
    }
    /// Turns the components, the triangle A, into the row, or those of many rows side by side into the rows.
    template <class Row> RNG_FN void finish(const Row& w) const {
        using F = typename Row::Double;
        const uint64_t d = dimension;
        for (uint64_t i = 0; i < d; ++i) w.settle(i * d + i, w.as_double(i * d + i));
        // L A, from the last row on: a row needs the rows of A up to its own.
        for (uint64_t i = d; i-- > 0;)
            for (uint64_t j = 0; j <= i; ++j) {
                F sum(0.0);
                for (uint64_t k = j; k <= i; ++k)
                    sum = lane::fma(F(static_cast<double>(factor[i * d + k])), w.as_double(k * d + j), sum);
                w.settle(i * d + j, sum);
            }
        // L A (L A)^T, from the last element of the last row on.
        for (uint64_t i = d; i-- > 0;)
            for (uint64_t j = i + 1; j-- > 0;) {
                F sum(0.0);
                for (uint64_t k = 0; k <= j; ++k) sum = lane::fma(w.as_double(i * d + k), w.as_double(j * d + k), sum);
                w.settle(i * d + j, sum);
                w.set(j * d + i, w[i * d + j]);
            }
    }

  private:
    /// Returns the degrees of freedom of diagonal element i.
    [[nodiscard]] RNG_FN T degrees(uint64_t i) const {
        return static_cast<T>(lane::Scalar::sub(static_cast<double>(df), lane::Scalar::small_to_f64(i)));
    }
};

template <class T> RNG_GUIDE wishart(T, const T*, uint64_t)->wishart<T>;
template <class T, class Factor> wishart(T, const Factor&) -> wishart<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
