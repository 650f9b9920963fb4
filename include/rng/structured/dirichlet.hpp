// dirichlet{alpha}: vectors of positive numbers whose sum is 1; a row of the result is one vector.
//
//     const std::vector<double> alpha{0.5, 1, 2.5};
//     std::vector<double> shares(1000 * 3);
//     rng::fill_rows(rng::matrix_view<double>::row_major(shares.data(), 1000, 3), rng::dirichlet(alpha), gen);
//
// The distribution is a view of the list, which must outlive it. Kernels take dirichlet(pointer, d).
// Component j is a gamma variable of shape alpha[j], divided by the sum of all. If every alpha is 1, as for a uniform
// point of the simplex, the gamma variables are exponential ones. Otherwise their logarithms are computed, so no alpha
// gives 0 / 0. A component below exp(-69) (float) or exp(-650) (double) of the greatest counts as that number. So no
// element is 0.
// Source: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, chapter XI.4.1.
// Oracle: of one element, the vector is (1).
#pragma once

#include "../detail/row.hpp"
#include "../distributions/exponential.hpp"
#include "../distributions/log_gamma.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Dirichlet distribution with concentrations alpha.
template <class T> struct dirichlet {
    static_assert(detail::is_real<T>, "dirichlet is of float or double");
    using result_type = T;
    detail::NumberList<T> alpha;

    static constexpr const char* name = "dirichlet";
    static constexpr const char* summary = "positive numbers with sum 1";

    dirichlet() = default;
    /// Takes the d numbers at `first`. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr dirichlet(const T* first, uint64_t d) : alpha(first, d) {}
    /// Takes a list, which must outlive the distribution.
    template <detail::list_of<T> List> explicit constexpr dirichlet(const List& list) : alpha(list) {}

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return alpha.size; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        if (const auto fault = detail::length_fault("alpha", alpha.size)) return fault;
        constexpr auto range = detail::gamma_shapes<T>();
        static constexpr auto text = detail::RangeText::of(range);
        return alpha.fault_unless("alpha", text.text, [&](T x) { return detail::is_in(range, x); });
    }
    /// Calls f(list) for each list of `self`.
    template <class Self, class F> static void for_each_list(Self& self, const F& f) { f(self.alpha); }

    /// Calls f(j, distribution, j) for each j: element j is component j of this distribution in the row's private
    /// stream.
    RNG_EXEC_CHECK_DISABLE
    template <class F> RNG_FN void for_each_component(const F& f) const {
        const bool flat = is_flat();
        RNG_ROLLED
        for (uint64_t j = 0; j < alpha.size; ++j)
            if (flat)
                f(j, exponential<T>{alpha[j]}, j);  // the rate is 1, but not a constant to the compiler
            else
                f(j, log_gamma<T>{alpha[j]}, j);
    }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        detail::write_components<L>(*this, exponential<T>{alpha[0]}, p, x);
        finish(detail::OneRow<L, T>{x});
    }
    /// Turns the components into the row, or those of many rows side by side into the rows.
    template <class Row> RNG_FN void finish(const Row& x) const {
        using F = typename Row::Real;
        if (!is_flat()) exponentiate(x);
        typename Row::Double sum(0.0);
        for (uint64_t j = 0; j < alpha.size; ++j) sum = lane::add(sum, x.as_double(j));
        const F whole = Row::rounded(sum);
        for (uint64_t j = 0; j < alpha.size; ++j) x.set(j, lane::div(x[j], whole));
    }

  private:
    /// True if every alpha is 1.
    [[nodiscard]] RNG_FN bool is_flat() const {
        uint64_t j = 0;
        while (j < alpha.size && alpha[j] <= 1 && alpha[j] >= 1) ++j;  // the warning flags of some programs reject ==
        return j == alpha.size;
    }
    /// Turns logarithms into numbers, scaled so that the greatest is 1.
    template <class Row> RNG_FN void exponentiate(const Row& x) const {
        using F = typename Row::Real;
        constexpr T least = sizeof(T) == 4 ? T(-69) : T(-650);
        F greatest = x[0];
        for (uint64_t j = 1; j < alpha.size; ++j) greatest = lane::select_greater(x[j], greatest);
        for (uint64_t j = 0; j < alpha.size; ++j)
            x.set(j, lane::exp(lane::select_greater(lane::sub(x[j], greatest), F(least))));
    }
};

template <class T> RNG_GUIDE dirichlet(const T*, uint64_t)->dirichlet<T>;
template <class List> dirichlet(const List&) -> dirichlet<detail::number_of_list_t<List>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
