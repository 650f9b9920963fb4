// CountMap: the map of poisson and binomial, and its preparation. It inverts the distribution at one 64-bit word.
//
// The parameters select one of three methods:
// - variance below 256, mean below 16: a walk over the masses (mass_walk.hpp) from 0, prepared by walk_from_zero();
// - variance below 256, mean of 16 or more: a walk from the integer nearest to the mean, by walk_from_mean();
// - otherwise the quantile function, a polynomial of the normal quantile z, rounded down, by polynomial().
//
// Who calls what:
// - one value (at(), dist(engine)), on a host or in a kernel: CountPreparation::map() makes the map, which walks;
// - a fill on the host: map() once and, for 64 values or more, a table of the walk: MassTable::build() and find();
// - fill_each() and multinomial rows, in vectors: wide::CountLanes (src/cpu/count_lanes.hpp), one map in each lane;
// - a fill on a device: the kernel walks with the map of the host; that of a Prepared{dist, device} reads its table.
//
// count_expansions.hpp has the expansions of the last two methods; docs/contract.md, A.22, has the operations. Source
// of the polynomial: Fisher and Cornish, "The percentile points of distributions having known cumulants", Technometrics
// 2, 1960.
#pragma once

#include "../lane/functions.hpp"
#include "../lane/quantile.hpp"
#include "count_expansions.hpp"
#include "mass_walk.hpp"
#include "value.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The parameters: `trials` and p in (0, 1/2] for binomial; the mean, in p, for the Poisson distribution.
struct CountParameters {
    uint64_t trials;
    double p;
};

/// A quantile function: a polynomial of the normal quantile of a word, rounded down. U and F are number types or, if
/// each lane has its own distribution, registers of a lane.
template <class U, class F> struct QuantileOf {
    static constexpr int terms = 12;

    U centre;  // added to the polynomial, rounded down
    F polynomial[static_cast<unsigned>(terms)];

    template <class L> [[nodiscard]] RNG_FN lane::u64<L> operator()(lane::u64<L> w) const {
        using R = lane::f64<L>;
        const R z = lane::normal_quantile(w);
        R x(polynomial[terms - 1]);
        RNG_UNROLL
        for (int i = terms - 2; i >= 0; --i) x = lane::fma(x, z, R(polynomial[i]));
        return lane::floor_to_integer(x) + lane::u64<L>(centre);
    }
};
using QuantilePolynomial = QuantileOf<uint64_t, double>;

template <bool Binomial> struct CountMap {
    MassWalk<BinomialRatios<Binomial>> walk;
    const uint64_t* table;  // of the walk; null: there is none
    bool is_polynomial;
    QuantilePolynomial quantile;
    // For binomial with p > 1/2, which counts the failures at the complement of the word; otherwise both are 0.
    uint64_t mirror;  // all ones
    uint64_t offset;  // trials + 1

    template <class L> RNG_FN lane::u64<L> operator()(lane::u64<L> w) const {
        if constexpr (Binomial) {
            const lane::u64<L> complement(mirror);
            return (count(w ^ complement) ^ complement) + lane::u64<L>(offset);
        } else {
            return count(w);
        }
    }

  private:
    template <class L> RNG_FN lane::u64<L> count(lane::u64<L> w) const {
        if (is_polynomial) return quantile(w);
        return values_of<MassTable>(w, walk, table);
    }
};

/// The start of a walk: the anchor, the last word of the values up to the anchor, and the mass of the anchor.
template <class L> struct WalkStart {
    lane::f64<L> anchor;
    lane::u64<L> last_word;
    lane::f64<L> mass;
};

/// Prepares the map over a lane S of one value. The public parts of the preparation work over any lane.
template <class S, bool Binomial> struct CountPreparation {
    using F = lane::f64<S>;
    using U = lane::u64<S>;
    using Terms = TermsInSpread<F, Binomial>;
    using Walk = MassWalk<BinomialRatios<Binomial>>;

    /// The variance from which the polynomial is used, and the mean from which a walk has an anchor other than 0.
    static constexpr double least_variance = 256, least_mean = 16;

    RNG_FN static F times(F a, F b) { return lane::fma(a, b, F(0.0)); }
    RNG_FN static F inverse(F x) {
        if constexpr (requires { S::bytes; })
            return lane::div(F(1.0), x);
        else
            return F(lane::one_over(x.v));
    }

    RNG_FN static CountMap<Binomial> map(const CountParameters& of) {
        CountMap<Binomial> made{};
        made.walk = Walk::of_zero();
        if (lane::is_zero(of.p) || (Binomial && of.trials - 1 >= uint64_t{1} << 62)) return made;  // 0 trials, too many
        const F p(of.p), q = Binomial ? lane::sub(F(1.0), p) : F(1.0);
        // The expansion of the quantile is symmetric in n + 1.
        const F n = Binomial ? F(lane::to_double<false>(of.trials + 1)) : F(1.0);
        const F mean = times(n, p), variance = Binomial ? times(mean, q) : mean;
        made.is_polynomial = !lane::is_from_zero_to_below(least_variance, variance.v);
        if (made.is_polynomial) {
            made.quantile = polynomial(n, p, q, mean, variance, F(0.0));
            return made;
        }
        const F trials = Binomial ? F(lane::to_double<false>(of.trials)) : F(1.0), average = times(trials, p);
        const WalkStart<S> start =
            average.v < least_mean ? walk_from_zero(trials, p, average) : walk_from_mean(trials, p, average);
        made.walk = {{trials.v, Binomial ? S::div(p.v, q.v) : average.v},
                     lane::to_integer(start.anchor).v,
                     start.last_word.v,
                     start.mass.v};
        return made;
    }

    /// The quantile function of the binomial distribution of n - 1 trials, of mean n p + shift. The other arguments are
    /// rounded: q = 1 - p, mean = n p, variance = mean q. Negative binomial distributions use the same function, with
    /// other signs.
    template <class Made = QuantilePolynomial>
    RNG_FN static Made polynomial(F n, F p, F q, F mean, F variance, F shift) {
        Made made{};
        const F low = Binomial ? lane::add(lane::fms(n, p, mean), shift) : F(0.0);  // the mean is mean + low
        // The whole part of the mean, in two halves, and the rest of the mean, without error.
        const F upper = lane::floor(times(mean, F(0x1p-32))), rest = lane::fnma(upper, F(0x1p32), mean);
        const F lower = lane::floor(rest);
        keep(made.centre, lane::shl<32>(lane::to_integer(upper)) + lane::to_integer(lower));
        const F fraction = lane::add(lane::sub(rest, lower), low);
        const F d = inverse(variance), deviation = lane::sqrt(variance), inverse_deviation = inverse(deviation);
        const F skew = lane::fnma(F(2.0), p, F(1.0));
        const Terms terms{Binomial ? times(p, q) : F(0.0)};
        keep(made.polynomial[0], lane::add(coefficient<0>(d, terms, skew), fraction));
        keep(made.polynomial[1], times(deviation, coefficient<1>(d, terms, skew)));
        keep(made.polynomial[2], coefficient<2>(d, terms, skew));
        set_coefficients<3>(made, d, terms, skew, inverse_deviation, inverse_deviation);
        return made;
    }

  private:
    /// (ln(1 + y) - y) / y^2 for |y| <= 1/32.
    RNG_FN static F short_log(F y) {
        return lane::horner(y, F(-0x1p-1), F(0x1.5555555555555p-2), F(-0x1p-2), F(0x1.999999999999ap-3),
                            F(-0x1.5555555555555p-3), F(0x1.2492492492492p-3), F(-0x1p-3), F(0x1.c71c71c71c71cp-4),
                            F(-0x1.999999999999ap-4));
    }
    /// exp(x) for x in [-1/32, 0].
    RNG_FN static F short_exp(F x) {
        return lane::horner(x, F(0x1p+0), F(0x1p+0), F(0x1p-1), F(0x1.5555555555555p-3), F(0x1.5555555555555p-5),
                            F(0x1.1111111111111p-7), F(0x1.6c16c16c16c17p-10), F(0x1.a01a01a01a01ap-13));
    }
    /// Sets a number to the lane's value, or a register to another register.
    template <class N, class R> RNG_FN static void keep(N& to, R from) {
        if constexpr (is_same<N, R>)
            to = from;
        else
            to = from.v;
    }

  public:
    /// The start of a walk from 0.
    RNG_FN static WalkStart<S> walk_from_zero(F n, F p, F mean) {
        const F log = lane::sub(F(0.0), mean);
        const F of_zero = Binomial ? times(n, lane::log1p(lane::sub(F(0.0), p))) : log;
        // 2^64 - 1, minus the words of the values above 0
        return {F(0.0), ~words_of_share(lane::sub(F(0.0), lane::expm1(of_zero))), lane::exp(of_zero)};
    }
    /// The start of a walk from the integer nearest to the mean.
    RNG_FN static WalkStart<S> walk_from_mean(F n, F p, F mean) {
        const F m = lane::floor(lane::add(mean, F(0.5))), rest = Binomial ? lane::sub(n, m) : F(0.0);
        const F t = Binomial ? lane::fms(n, p, m) : lane::sub(mean, m);
        const F u = inverse(m), v = Binomial ? inverse(rest) : F(0.0), sigma = Binomial ? lane::add(u, v) : u;
        const F square = times(t, t), part = Binomial ? inverse(n) : F(0.0);

        // The mass of the anchor, by Stirling's series: Loader, "Fast and accurate computation of binomial
        // probabilities", 2000.
        const F y = times(t, u);
        F log = times(u, short_log(y));
        F series = lane::stirling_remainder(u);
        if constexpr (Binomial) {
            const F z = lane::sub(F(0.0), times(t, v));
            log = lane::fma(v, short_log(z), log);
            series = lane::add(series, lane::sub(lane::stirling_remainder(v), lane::stirling_remainder(part)));
        }
        const F root = lane::sqrt(times(sigma, F(0x1.45f306dc9c883p-3)));  // 1 / (2 pi)
        const F mass = times(root, short_exp(lane::fms(square, log, series)));

        // (P(K <= m) - 1/2) / mass, as a power series in t = n p - m.
        const F share = times(m, part), other = times(rest, part);
        const F terms = median_terms(sigma, Terms{Binomial ? times(share, other) : F(0.0)});
        F before = Binomial ? lane::fma(lane::sub(other, share), terms, F(0.5)) : lane::add(terms, F(0.5));
        F term = lane::sub(F(0.0), t), sum = lane::add(before, term);
        const F first = times(lane::sub(v, u), t), second = times(sigma, square), third = times(times(u, v), square);
        const auto next = [&](double by_term, double by_one, double by_before) RNG_LAMBDA_INLINE {
            F factor = times(second, F(by_one));
            if (Binomial) factor = lane::fma(third, F(by_before), factor);
            const F after = lane::fma(times(first, F(by_term)), term, times(factor, before));
            before = term;
            term = after;
        };
        next(1.0 / 2, 1.0 / 2, 0.0);
        term = lane::fma(times(u, square), F(-0.5), term);
        sum = lane::add(sum, term);
        const auto add_next = [&](double by_term, double by_one, double by_before) RNG_LAMBDA_INLINE {
            next(by_term, by_one, by_before);
            sum = lane::add(sum, term);
        };
        add_next(2.0 / 3, 1.0 / 3, 1.0 / 3);
        add_next(3.0 / 4, 1.0 / 4, 2.0 / 4);
        add_next(4.0 / 5, 1.0 / 5, 3.0 / 5);
        add_next(5.0 / 6, 1.0 / 6, 4.0 / 6);
        add_next(6.0 / 7, 1.0 / 7, 5.0 / 7);
        add_next(7.0 / 8, 1.0 / 8, 6.0 / 8);
        add_next(8.0 / 9, 1.0 / 9, 7.0 / 9);
        add_next(9.0 / 10, 1.0 / 10, 8.0 / 10);
        add_next(10.0 / 11, 1.0 / 11, 9.0 / 11);
        add_next(11.0 / 12, 1.0 / 12, 10.0 / 12);
        return {m, words_of_share(lane::fma(mass, sum, F(0.5))) - U(1), mass};
    }

  private:
    /// The coefficient of z^M, without its power of the standard deviation.
    template <int M> RNG_FN static F coefficient(F d, const Terms& q, F skew) {
        const F terms = quantile_terms<M>(d, q);
        return Binomial && M % 2 == 0 ? times(skew, terms) : terms;
    }
    template <int M, class Made>
    RNG_FN static void set_coefficients(Made& made, F d, const Terms& q, F skew, F inverse_deviation, F power) {
        if constexpr (M < QuantilePolynomial::terms) {
            keep(made.polynomial[M], times(power, coefficient<M>(d, q, skew)));
            set_coefficients<M + 1>(made, d, q, skew, inverse_deviation, times(power, inverse_deviation));
        }
    }
};

/// Returns dist.map_over<L>() for the best lane L of this processor. On hosts it is out of line, because the
/// preparation of a map takes hundreds of instructions.
template <class D> RNG_FN auto map_over_best_lane(const D& dist) {
#if RNG_DEVICE_PASS
    return dist.template map_over<lane::Scalar>();
#else
    const auto make = []<class L>(type_tag<L>, const D& of) { return of.template map_over<L>(); };
#if RNG_FMA_BY_PROCESSOR
    if (__builtin_cpu_supports("fma")) [[likely]]
        return over_lane<lane::ScalarFma, decltype(make), const D&>(make, dist);
#endif
    return over_lane<lane::Scalar, decltype(make), const D&>(make, dist);
#endif
}

/// The members of poisson and binomial that concern the table: a walk has one, a polynomial does not.
template <bool Binomial> uint32_t table_words(const CountMap<Binomial>& map) {
    return map.is_polynomial ? 0 : static_cast<uint32_t>(MassTable::size);
}
template <bool Binomial> void build_table(const CountMap<Binomial>& map, uint64_t* table) {
    if (!map.is_polynomial) MassTable::build(map.walk, table);
}
template <bool Binomial> CountMap<Binomial> with_table(CountMap<Binomial> map, const uint64_t* table) {
    if (!map.is_polynomial) map.table = table;
    return map;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
