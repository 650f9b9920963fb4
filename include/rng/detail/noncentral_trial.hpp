// One trial of a noncentral chi-squared variable, over any lane: for noncentral_chi_squared and noncentral_f.
//
// Half of such a variable is a gamma variable of shape nu / 2 + J, for a Poisson variable J of mean lambda / 2.
// J counts the arrivals up to lambda / 2. R is the time of the first one, and x = lambda / 2 - R.
//
// G is a gamma variable of shape nu / 2 + 1, by a trial. R is what the trial leaves of its exponential variable.
// - x < 0: nothing arrives. Half the variable is G exp(2 x / nu).
// - x > 0: the variable has nu + 2 degrees of freedom, and the noncentrality 2 x. Take a unit vector u of nu + 2
//   dimensions, and move sqrt(G) u by sqrt(x) along an axis. Half the variable is the square of its length.
//
// The coordinate of u is sqrt(1 - U^(2 / nu)) times the cosine of an angle, for every real nu.
// Source: Siegel, "The noncentral chi-squared distribution with zero degrees of freedom", Biometrika 66, 1979.
// Source of the coordinate: Bailey, "Polar generation of random variates with the t-distribution", 1994.
#pragma once

#include "gamma_trial.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The range of a noncentrality. A standard deviation of the values spans 2^8 numbers or more, as with gamma variables.
template <class T> [[nodiscard]] constexpr ParameterRange<T> noncentralities() {
    return {0, sizeof(T) == 4 ? T(0x1p31) : T(0x1p61)};
}

template <class T> struct NoncentralTrial {
    GammaTrial<T> trial;  // of G
    T half_lambda, two_over_nu;
    bool is_by_log;  // nu < 2: exp(-(R - lambda / 2) 2 / nu) may be too small for T
    bool is_far;     // lambda >= 512: R is always before lambda / 2, and the vector never moves to near 0

    [[nodiscard]] RNG_FN static NoncentralTrial of(T nu, T lambda) {
        using F = lane::real_t<lane::Scalar, T>;
        const F inverse(lane::one_over(nu));
        lambda = lane::zero_below(sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-900), lambda);  // less counts as 0
        return {GammaTrial<T>::of(lane::add(F(half_of(nu)), F(1)).v), lane::fma(F(lambda), F(0.5f), F(0)).v,
                lane::add(inverse, inverse).v, nu < 2, lambda >= 512};
    }

    /// Half of the variable: exp(log) where is_central (in lanes without arrivals) if is_by_log, otherwise `half`.
    template <class F, class M> struct Made {
        F half, log;
        M is_central, is_rejected;
    };
    /// Computes the trial from the words of a normal variable, of two exponential variables and of an angle.
    template <class W> [[nodiscard]] RNG_FN auto operator()(W normal, W exponential, W radius, W angle) const {
        const auto gamma = trial(lane::normal_quantile(normal), lane::neglog(exponential));
        using F = decltype(lane::neglog(normal));
        const F zero(0), x = lane::sub(F(half_lambda), gamma.rest);
        const auto is_central = ~lane::lanes_below(zero, x);
        const auto is_rejected = trial.is_rejected(gamma);
        using Result = Made<F, decltype(is_central)>;

        // The first coordinate of the unit vector. The other ones have 1 - cosine^2 together.
        const F log_power = lane::fma(lane::neglog(radius), F(-two_over_nu), zero);
        const F minus_square = lane::expm1(lane::select_greater(log_power, F(lane::exp_least<T>)));
        const auto trig = lane::cos_sin_magnitude(angle);
        const F signed_cosine = lane::flip_sign(trig.even, angle ^ lane::shl<1>(angle));
        const auto cosine = lane::mul(lane::sqrt(lane::sub(zero, minus_square)), signed_cosine);

        const F root = lane::sqrt(gamma.cube), shift = lane::sqrt(lane::select_greater(x, zero));
        if (is_far) {
            const auto twice = lane::add(shift, shift);
            return Result{lane::fma(lane::mul(root, cosine), twice, lane::add(gamma.cube, x)), x, is_central,
                          is_rejected};
        }
        const F along = lane::fma(root, cosine, shift);
        const F others = lane::fma(lane::mul(trig.even, trig.even), lane::add(minus_square, F(1)),
                                   lane::fma(trig.odd, trig.odd, zero));
        // A gamma variable below 2^-60 is never accepted; in floats its product with the squares would be subnormal.
        const F moved = lane::fma(along, along, lane::mul(lane::select_greater(gamma.cube, F(0x1p-60f)), others));
        if (!lane::any(is_central)) return Result{moved, x, is_central, is_rejected};
        if (is_by_log)
            return Result{moved, lane::fma(x, F(two_over_nu), lane::ln(gamma.cube)), is_central, is_rejected};
        const F power = lane::exp(lane::select_less(lane::fma(x, F(two_over_nu), zero), zero));
        return Result{lane::select(is_central, lane::fma(gamma.cube, power, zero), moved), x, is_central, is_rejected};
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
