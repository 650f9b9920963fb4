// One trial of a gamma variable of scale 1, over any lane. The maps of gamma, of its functions and of its quotients use
// it.
//
// Marsaglia and Tsang's method: d (1 + y)^3 for y = c z with a normal z. It is accepted if an exponential variable E
// exceeds -ln of the probability of acceptance. The rest of E is again exponential, and independent of the value. For a
// shape below 1 it gives the power of a uniform number that the method then needs, so no third word is read. The
// logarithm of the probability, 3 d (ln(1 + y) - y + y^2 / 2 - y^3 / 3), is computed without cancellation for every
// shape.
//
// Sources: Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000.
#pragma once

#include "../core/retry_stream.hpp"
#include "../lane/quantile.hpp"
#include "ranges.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The range of shapes, and that of nu = 2 * shape.
template <class T> [[nodiscard]] constexpr ParameterRange<T> gamma_shapes() { return powers<T>({-20, 30}, {-40, 60}); }
template <class T> [[nodiscard]] constexpr ParameterRange<T> twice_gamma_shapes() {
    return powers<T>({-19, 31}, {-39, 61});
}
/// Halves nu by its exponent. A float operation might be copied into branches, which the lint of machine code would
/// report.
RNG_FN float half_of(float nu) { return lane::Scalar::from_bits(lane::Scalar::bits(nu) - (1u << 23)); }
RNG_FN double half_of(double nu) { return lane::Scalar::from_bits64(lane::Scalar::bits(nu) - (uint64_t{1} << 52)); }

template <class T> struct GammaTrial {
    T d, three_d, c, minus_inverse;  // minus_inverse: -1 / shape for a shape below 1, otherwise 0
    T least_y, z4_factor;            // where squeeze() may accept (nowhere for a shape below 1), and its factor of z^4

    template <class L = lane::Scalar> [[nodiscard]] RNG_FN static GammaTrial of(T shape) {
        using F = lane::real_t<L, T>;
        const bool is_small = shape < 1;
        constexpr T third = lane::detail::Constants<F>::third;
        const F d = lane::add(F(shape), F(is_small ? 2 * third : -third));
        const F c = lane::sqrt(F(lane::one_over(lane::fma(d, F(9), F(0)).v)));
        // 1 - exp(-h) <= h, and h / z^4 is at most 0.0157 / d for y > -1/2. Up to d = 1.2, z^4 takes Marsaglia's
        // factor.
        const bool is_wide = d.v < T(1.2f);
        return {d.v,
                lane::fma(d, F(3), F(0)).v,
                c.v,
                is_small ? -lane::one_over(shape) : T(0),
                is_small  ? T(16)
                : is_wide ? T(-1)
                          : T(-0.5),  // |y| is below 4.2: c is, at most, 0.41
                is_wide ? T(0.0331f) : lane::fma(F(T(0.0157f)), F(lane::one_over(d.v)), F(0)).v};
    }

    /// True if the shape is below 1: then the variable is exp(log_of(made)), otherwise made.cube.
    [[nodiscard]] RNG_FN bool is_by_log() const { return minus_inverse < 0; }
    /// The scale of the variable. On hosts it lacks the bounds of the logarithm if the logarithm is not used.
    template <class L> [[nodiscard]] RNG_FN ScaledExp<T> scaled_by(T scale) const {
#if !RNG_DEVICE_PASS  // nvcc would copy operations into both branches
        if (!is_by_log()) return {scale, 0, 0};
#endif
        return ScaledExp<T>::template of<L>(scale);
    }

    /// The cube, positive, and the rest of the exponential variable, which is positive if the trial is accepted.
    template <class F> struct Made { F cube, rest; };
    /// Computes the trial from a normal variable z and an exponential variable e. It is undecided where is_rejected().
    template <class F> [[nodiscard]] RNG_FN Made<F> operator()(F z, F e) const {
        const F y = y_of(z), t = lane::add(y, F(1));
        return {cube_of(y, t), lane::fma(lane::log1p_remainder(y, t), F(three_d), e)};
    }
    template <class F> [[nodiscard]] RNG_FN static auto is_rejected(const Made<F>& made) {
        return ~lane::lanes_below(F(0), made.rest);
    }
    template <class F> [[nodiscard]] RNG_FN F log_of(const Made<F>& made) const {
        return lane::fma(made.rest, F(minus_inverse), lane::ln(made.cube));
    }

    /// A cheap trial for shapes of at least 1: `accepted` is a subset of the lanes that the trial accepts, and empty
    /// for shapes below 1.
    template <class F, class M> struct Squeeze {
        F cube;
        M accepted;
    };
    template <class F, class W> [[nodiscard]] RNG_FN auto squeeze(F z, W w) const {
        const F y = y_of(z), square = lane::fma(z, z, F(0));
        const F below = lane::fnma(lane::mul(square, square), F(z4_factor), F(T(1) - margin));
        auto accepted = lane::lanes_below(lane::midpoint_fraction(w), below) & lane::lanes_below(F(least_y), y);
        return Squeeze<F, decltype(accepted)>{cube_of(y, lane::add(y, F(1))), accepted};
    }

  private:
    // The rounding errors of the trial, so that squeeze() accepts nothing that the trial rejects.
    static constexpr T margin = sizeof(T) == 4 ? T(0x1p-17) : T(0x1p-40);

    /// c z, or a number slightly above -1 if that is greater, which no exponential variable accepts.
    template <class F> [[nodiscard]] RNG_FN F y_of(F z) const {
        return lane::select_greater(lane::fma(z, F(c), F(0)), F(sizeof(T) == 4 ? T(0x1p-24 - 1) : T(0x1p-53 - 1)));
    }

    /// d t^3 for t = 1 + y: computed from y, which has more digits than t, unless t is small.
    template <class F> [[nodiscard]] RNG_FN F cube_of(F y, F t) const {
        const F by_y = lane::fma(lane::mul(F(d), y), lane::fma(lane::add(y, F(3)), y, F(3)), F(d));
        const F by_t = lane::fma(lane::mul(t, t), lane::mul(t, F(d)), F(0));
        return lane::select(lane::lanes_below(t, F(0.5f)), by_t, by_y);
    }
};

/// A function of a gamma variable X.
enum class GammaFunction : uint32_t {
    scaled,   ///< scale X
    root,     ///< sqrt(2 X)
    inverse,  ///< scale / X
    log       ///< ln X
};

/// The map of a function of one gamma variable X. For shapes below 1 it uses ln X, because X may be too small for its
/// type. All of these distributions have this map, so that they share kernels.
template <class T> struct GammaMap {
    static constexpr bool is_long = true;
    static constexpr uint32_t most_proposals = detail::most_proposals;
    GammaTrial<T> trial;
    ScaledExp<T> scaled;
    GammaFunction function;

    template <class W> [[nodiscard]] RNG_FN auto operator()(W first, W second) const {
        const auto made = trial(lane::normal_quantile(first), lane::neglog(second));
        const auto value = trial.is_by_log() ? of_log(trial.log_of(made)) : of_value(made.cube);
        return lane::Proposal{value, trial.is_rejected(made)};
    }
    [[nodiscard]] RNG_FN bool has_squeeze() const { return !trial.is_by_log(); }
    template <class W> [[nodiscard]] RNG_FN auto squeeze(W first, W second) const {
        const auto made = trial.squeeze(lane::normal_quantile(first), second);
        return lane::Proposal{of_value(made.cube), ~made.accepted};
    }

  private:
    template <class F> [[nodiscard]] RNG_FN F of_value(F x) const {
        if (function == GammaFunction::scaled) return lane::fma(x, F(scaled.scale), F(0));
        if (function == GammaFunction::root) return lane::sqrt(lane::add(x, x));
        if (function == GammaFunction::inverse) return lane::div(F(scaled.scale), x);
        return lane::ln(x);
    }
    template <class F> [[nodiscard]] RNG_FN F of_log(F log) const {
        if (function == GammaFunction::log) return log;
        const T power = function == GammaFunction::root ? T(0.5f) : function == GammaFunction::inverse ? T(-1) : T(1);
        return scaled(lane::fma(log, F(power), F(0)));
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
