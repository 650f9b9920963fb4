// multinomial{trials, weights}: how often each of several outcomes occurs in `trials` independent trials.
//
//     const std::vector<double> weights{0.5, 0.25, 0.25};            // in any unit
//     std::vector<int> counts(1000 * 3);
//     rng::fill_rows(rng::matrix_view<int>::row_major(counts.data(), 1000, 3), rng::multinomial(100, weights), gen);
//
// The counts of a row sum to `trials` exactly, and a weight of 0 gets 0. Probabilities are multiples of 2^-60: each
// weight has a mass, its share of 2^60, rounded, and at least 1 if the weight is positive. The first greatest weight
// takes the difference of the masses' sum to 2^60, which is less than a sixteenth of its mass, since there are at most
// 2^28 weights. Each count is binomial, given those before it.
// The distribution is a view of the list, which must outlive it. Weights of float give the counts of the same numbers
// in double. Kernels take multinomial(trials, pointer, d).
// Source: Davis, "The computer generation of multinomial random variates", Comput. Statist. Data Anal. 16, 1993.
// Oracle: one outcome of positive weight gets all trials.
#pragma once

#include "../detail/row.hpp"
#include "../detail/weights.hpp"
#include "../distributions/binomial.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Weights as whole numbers whose sum is 2^60: the share of each, rounded to nearest, at least 1 for a positive weight.
/// The first greatest weight takes what the sum lacks.
template <class W> struct WeightMasses {
    using S = lane::Scalar;
    static constexpr uint64_t all = uint64_t{1} << 60;  // so that no quotient of two masses is below binomial's least p
    // With that many equal weights, each mass is 2^32, and the sum of the masses is off by up to 2^27.
    static constexpr uint64_t most_weights = uint64_t{1} << 28;

    Weights<W> weights;
    double sum = 0;
    uint32_t greatest = 0;
    uint64_t correction = all;

    RNG_FN explicit WeightMasses(const NumberList<W>& of)
        : weights(Weights<W>{of.data, static_cast<uint32_t>(of.size), 0}.scaled()) {
        const AreaSum of_all = sum_of_areas(weights, weights.count > most_of_running_sum);
        sum = of_all.sum, greatest = of_all.greatest;
        for (uint32_t i = 0; i < weights.count; ++i) correction -= share(i);
    }
    [[nodiscard]] RNG_FN uint64_t operator[](uint32_t i) const {
        return i == greatest ? share(i) + correction : share(i);
    }

  private:
    [[nodiscard]] RNG_FN uint64_t share(uint32_t i) const {
        const double w = weights.area(i);
        if (lane::is_zero(w)) return 0;
        if (!(w >= S::fma(sum, 0x1p-62, 0.0))) return 1;  // a smaller quotient may be subnormal
        const uint64_t rounded = rounded_words(S::mul(S::div(w, sum), 0x1p-4));
        return rounded == 0 ? 1 : rounded;
    }
};

}  // namespace detail

/// The multinomial distribution: counts of int32_t or int64_t, by weights of float or double.
template <class T, class W> struct multinomial {
    static_assert(detail::is_count<T>, "multinomial is of int32_t or int64_t: write multinomial(100, weights)");
    static_assert(detail::is_real<W>, "multinomial: the weights are a list of float or double");
    using result_type = T;
    T trials = 1;
    detail::NumberList<W> weights;

    static constexpr const char* name = "multinomial";
    static constexpr const char* summary = "counts of outcomes in independent trials";

    multinomial() = default;
    /// Takes the d numbers at `first`. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr multinomial(T n, const W* first, uint64_t d) : trials(n), weights(first, d) {}
    /// Takes a list, which must outlive the distribution.
    template <detail::list_of<W> List> constexpr multinomial(T n, const List& list) : trials(n), weights(list) {}

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return weights.size; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        if (const auto fault = binomial<T>{trials, 0.5}.fault()) return fault;
        if (weights.size < 1 || weights.size > detail::WeightMasses<W>::most_weights)
            return ParameterFault::of_integer("weights", weights.size, "must have 1 to 2^28 elements");
        return detail::Weights<W>{weights.data, static_cast<uint32_t>(weights.size), 0}.fault();
    }
    /// Calls f(list) for each list of `self`.
    template <class Self, class F> static void for_each_list(Self& self, const F& f) { f(self.weights); }

    /// Calls f(j, share, is_of_others) for each outcome j. The share is relative to the mass that the outcomes before j
    /// leave: that of outcome j, or that of the outcomes after j if it is smaller, so that their masses are not lost in
    /// a share near 1.
    RNG_EXEC_CHECK_DISABLE
    template <class F> RNG_FN void for_each_share(const F& f) const {
        const detail::WeightMasses<W> masses(weights);
        uint64_t rest = detail::WeightMasses<W>::all;
        RNG_ROLLED
        for (uint32_t j = 0; j < masses.weights.count; ++j) {
            const uint64_t mass = masses[j], others = rest - mass;
            const bool is_of_others = others < mass;
            const uint64_t less = is_of_others ? others : mass;
            f(j, less == 0 ? 0.0 : lane::Scalar::div(lane::to_double<false>(less), lane::to_double<false>(rest)),
              is_of_others);
            rest = others;
        }
    }
    /// Writes the row of the private stream p, with L as a lane of one value. A binomial value is the number of the
    /// trials left that give outcome j, or of those that give the outcomes after it.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        T left = trials;
        for_each_share([&](uint64_t j, double share, bool is_of_others) RNG_LAMBDA_INLINE {
            T count = 0;
            if (share > 0 && left != 0) count = detail::component<L>(p.fork(j), binomial<T>{left, share}, 0);
            const T others = static_cast<T>(left - count);
            x[j] = is_of_others ? others : count;
            left = is_of_others ? count : others;
        });
    }
};

template <class T, class W> RNG_GUIDE multinomial(T, const W*, uint64_t)->multinomial<T, W>;
template <class T, class List> multinomial(T, const List&) -> multinomial<T, detail::number_of_list_t<List>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
