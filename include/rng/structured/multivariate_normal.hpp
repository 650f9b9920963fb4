// multivariate_normal{mean, factor}: vectors mean + factor * z with independent standard normal z.
//
//     const std::vector<double> mean{1, -1}, covariance{4, 2, 2, 3};                   // row by row
//     const std::vector<double> factor = rng::cholesky(covariance, 2);
//     std::vector<double> points(1000 * 2);
//     rng::fill_rows(rng::matrix_view<double>::row_major(points.data(), 1000, 2),
//                    rng::multivariate_normal(mean, factor), gen);
//
// The factor is a lower triangle L with covariance L L^T: d x d numbers, row by row. Numbers above the diagonal are not
// read. structured/cholesky.hpp computes the factor, also of a semi-definite covariance. Rows of zeros are allowed.
// The distribution is a view of the lists, which must outlive it. Kernels take multivariate_normal(mean, factor, d).
// Sums are computed in double, in the order of the columns; a float result is rounded once.
// Source: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, chapter XI.2.
// Oracle: with mean 0 and the unit matrix as factor, the row has the first values of normal{0, 1} of its stream.
#pragma once

#include "../detail/row.hpp"
#include "../distributions/normal.hpp"
#include "cholesky.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns the fault of a lower triangle of d rows, whose numbers must be 0 or of a magnitude in [least, most].
template <class T>
[[nodiscard]] ParameterFault factor_fault(const NumberList<T>& factor, uint64_t d, T least, T most, const char* limit) {
    if (factor.size != d * d)
        return ParameterFault::of_integer("factor", factor.size, "must have d x d elements, row by row");
    for (uint64_t i = 0; i < d; ++i)
        for (uint64_t j = 0; j <= i; ++j)
            if (const T x = factor[i * d + j]; !lane::is_zero(x) && !lane::magnitude_within(x, least, most))
                return ParameterFault::of_element("factor", i * d + j, static_cast<double>(x), limit);
    return {};
}

}  // namespace detail

/// The multivariate normal distribution of a mean and a lower factor of the covariance.
template <class T> struct multivariate_normal {
    static_assert(detail::is_real<T>, "multivariate_normal is of float or double");
    using result_type = T;
    detail::NumberList<T> mean, factor;

    static constexpr const char* name = "multivariate_normal";
    static constexpr const char* summary = "normal vectors of a mean and a covariance";

    multivariate_normal() = default;
    /// Takes the d numbers at `first_mean` and d x d at `first_factor`. Kernels use this constructor, with pointers
    /// that they can read.
    RNG_FN constexpr multivariate_normal(const T* first_mean, const T* first_factor, uint64_t d)
        : mean(first_mean, d), factor(first_factor, d * d) {}
    /// Takes lists, which must outlive the distribution.
    template <detail::list_of<T> Mean, detail::list_of<T> Factor>
    constexpr multivariate_normal(const Mean& all_mean, const Factor& all_factor)
        : mean(all_mean), factor(all_factor) {}

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return mean.size; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = sizeof(T) == 4;
        constexpr T least = f32 ? T(0x1p-76) : T(0x1p-300), most = f32 ? T(0x1p90) : T(0x1p300);
        if (mean.size < 1 || mean.size > detail::most_dimension)
            return ParameterFault::of_integer("mean", mean.size, "must have 1 to 2^16 elements");
        const char* const limit =
            f32 ? "must be 0 or of magnitude 2^-76 to 2^90" : "must be 0 or of magnitude 2^-300 to 2^300";
        if (const auto fault = mean.fault_unless(
                "mean", limit, [](T x) { return lane::is_zero(x) || lane::magnitude_within(x, least, most); }))
            return fault;
        return detail::factor_fault(factor, mean.size, least, most, limit);
    }
    /// Calls f(list) for each list of `self`.
    template <class Self, class F> static void for_each_list(Self& self, const F& f) { f(self.mean), f(self.factor); }

    /// Calls f(j, normal{0, 1}, j) for each j: element j is component j of this distribution in the row's private
    /// stream.
    RNG_EXEC_CHECK_DISABLE
    template <class F> RNG_FN void for_each_component(const F& f) const {
        RNG_ROLLED
        for (uint64_t j = 0; j < mean.size; ++j) f(j, normal<T>{0, 1}, j);
    }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        detail::write_components<L>(*this, normal<T>{0, 1}, p, x);
        finish(detail::OneRow<L, T>{x});
    }
    /// Turns the normal values into the row, or those of many rows side by side into the rows. It begins with the last
    /// element, since an element needs the values up to its own.
    template <class Row> RNG_FN void finish(const Row& x) const {
        using F = typename Row::Double;
        for (uint64_t i = mean.size; i-- > 0;) {
            F sum(static_cast<double>(lane::without_negative_zero(mean[i])));
            for (uint64_t j = 0; j <= i; ++j)
                sum = lane::fma(F(static_cast<double>(factor[i * mean.size + j])), x.as_double(j), sum);
            x.settle(i, sum);
        }
    }
};

template <class T> RNG_GUIDE multivariate_normal(const T*, const T*, uint64_t)->multivariate_normal<T>;
template <class Mean, class Factor>
multivariate_normal(const Mean&, const Factor&) -> multivariate_normal<detail::number_of_list_t<Mean>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
