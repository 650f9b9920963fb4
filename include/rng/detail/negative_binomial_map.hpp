// The map of negative_binomial: a walk over masses, a quantile function, or a Poisson variable with a gamma mean.
//
// A variance below 256, and p of at least 1/32: a walk from the mode (mass_walk.hpp).
//
// A skewness of at most 1/16: the quantile function of count_map.hpp, with -r as the number of trials and -(1 - p) / p
// as the probability. Both distribution functions are cases of one beta integral.
//
// Otherwise a gamma variable of shape r is the mean of a Poisson variable. Gamma trials read the retry stream slot by
// slot. Once one is accepted, the next two words give the Poisson variable by inversion. docs/contract.md, A.26, has
// the operations. Source: Greenwood, Yule, "An inquiry into the nature of frequency distributions", J. Royal Stat. Soc.
// 83, 1920.
#pragma once

#include "../core/retry_stream.hpp"
#include "count_map.hpp"
#include "gamma_trial.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

struct NegativeBinomialRatios {
    using S = lane::Scalar;
    double r, q;

    [[nodiscard]] RNG_FN double up(double k) const { return S::mul(S::add(r, k), q); }
    [[nodiscard]] RNG_FN double down(double k) const { return k; }
    [[nodiscard]] RNG_FN bool ends_at(double) const { return false; }
};

struct NegativeBinomialMap {
    /// With p of at least 1/32 a walk takes fewer than 1024 steps upwards.
    using Table = MassTableOf<1024>;
    enum class Method : uint64_t { walk, quantile, mixture };

    Method method;
    MassWalk<NegativeBinomialRatios> walk;
    const uint64_t* table;  // of the walk; null: there is none
    QuantilePolynomial quantile;
    GammaTrial<double> trial;
    ScaledExp<double> mean_of_one;  // its scale is the mean for r = 1
    uint64_t most;                  // the greatest value of the type

    template <class L> RNG_FN auto operator()(lane::u64<L> first, lane::u64<L>) const {
        using W = lane::u64<L>;
        const auto none = lane::lanes_below(first, W(0));
        if (method == Method::mixture) return lane::Proposal{first, ~none};
        return lane::Proposal{method == Method::quantile ? quantile(first) : values_of<Table>(first, walk, table),
                              none};
    }

    /// Computes a trial of the mixture: the mean of the Poisson variable.
    template <class L> RNG_FN auto mean(lane::u64<L> first, lane::u64<L> second) const {
        using F = lane::f64<L>;
        const auto made = trial(lane::normal_quantile(first), lane::neglog(second));
        const F value =
            trial.is_by_log() ? mean_of_one(trial.log_of(made)) : lane::fma(made.cube, F(mean_of_one.scale), F(0.0));
        return lane::Proposal{value, trial.is_rejected(made)};
    }
    /// True if a Poisson variable of this mean can be positive: otherwise the value 1 would have less than one word.
    RNG_FN static bool is_positive(double mean) { return mean > 0x1p-64; }

    /// Computes the value from its retry stream, by any method.
    template <class RetryStream> RNG_FN uint64_t count(RetryStream& retry_stream) const {
        using U = lane::u64<lane::Scalar>;
        const U first(retry_stream.word64()), second(retry_stream.word64());
        if (method != Method::mixture) return (*this)(first, second).value.v;
        auto made = mean(first, second);
        for (uint32_t left = most_proposals; made.undecided.v && --left != 0;) {
            const U normal(retry_stream.word64()), exponential(retry_stream.word64());
            made = mean(normal, exponential);
        }
        const U w(retry_stream.word64());
        if (!is_positive(made.value.v)) return 0;
        const uint64_t count = CountPreparation<lane::Scalar, false>::map({0, made.value.v})(w).v;
        return count < most ? count : most;
    }
};

/// Prepares the map over a lane L of one value.
template <class L> RNG_FN NegativeBinomialMap negative_binomial_map(double r, double p, uint64_t most) {
    using S = lane::Scalar;
    using F = lane::f64<L>;
    NegativeBinomialMap made{};
    made.walk = MassWalk<NegativeBinomialRatios>::of_zero();
    made.most = most;
    const F one(1.0), q = lane::sub(one, F(p));
    if (lane::is_zero(q.v)) return made;
    const F odds = lane::div(q, F(p));  // the mean is r times that
    const F ratio = lane::div(odds, F(p)), variance = lane::fma(ratio, F(r), F(0.0));
    const F less = lane::sub(F(r), one);
    const bool is_above_one = less.v > 0;
    if (lane::is_from_zero_to_below(256, variance.v) && !lane::is_from_zero_to_below(0x1p-5, p) &&
        lane::is_from_zero_up_to(1.0, p)) {
        made.walk.ratios = {r, q.v};
        const F mode = lane::fma(less, odds, F(0.0));
        if (is_above_one) made.walk.anchor = words_of_share(S::mul(mode.v, 0x1p-64));
        made.walk.normalise();
        return made;
    }
    const F sum = lane::add(one, q), bound = lane::fma(sum, lane::mul(sum, F(256.0)), F(0.0));
    if (is_above_one && !(lane::fma(less, q, F(0.0)).v < bound.v)) {
        made.method = NegativeBinomialMap::Method::quantile;
        // (1 - p) / p = odds + low, to twice the digits
        const F q_low = lane::sub(lane::sub(one, q), F(p));
        const F low = lane::div(lane::add(lane::fnma(odds, F(p), q), q_low), F(p));
        const F n = lane::sub(one, F(r)), minus_odds = lane::sub(F(0.0), odds), inverse = lane::add(one, odds);
        const F mean = lane::fma(n, minus_odds, F(0.0));
        made.quantile = CountPreparation<L, true>::polynomial(
            n, minus_odds, inverse, mean, lane::fma(mean, inverse, F(0.0)), lane::fma(less, low, F(0.0)));
        return made;
    }
    made.method = NegativeBinomialMap::Method::mixture;
    made.trial = GammaTrial<double>::of<L>(r);
    made.mean_of_one = made.trial.template scaled_by<L>(odds.v);
    return made;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
