// inverse_gaussian{mean, lambda}: the Wald distribution, by Michael, Schucany and Haas's transformation.
//
//     const std::vector<double> x = rng::sample(rng::inverse_gaussian{1.0, 2.0}, 1000, gen);
//
// The first word gives a normal value, the second chooses between the two roots. All terms are positive, so no digits
// are lost.
// Largest error seen: 6 ulp.
// Source: Michael, Schucany, Haas, "Generating random variates using transformations with multiple roots", Amer.
// Statist. 30, 1976.
// Oracle: mean = lambda = 1, the words 0xf9999999 (z = 1.95996) and 0 give 1 / (1 + t + sqrt(t (t + 2))), t = z^2 / 2:
// 0.176525.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The inverse Gaussian (Wald) distribution.
template <class T> struct inverse_gaussian {
    static_assert(
        detail::is_real<T>,
        "inverse_gaussian is of float or double: write inverse_gaussian{1.0, 2.0}, not inverse_gaussian{1, 2}");
    using result_type = T;
    T mean = 1;
    T lambda = 1;

    static constexpr const char* name = "inverse_gaussian";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "inverse Gaussian (Wald)";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"mean", &inverse_gaussian::mean, "mean", detail::powers<T>({-60, 60}, {-400, 400})},
                      Field{"lambda", &inverse_gaussian::lambda, "shape; the variance is mean^3 / lambda",
                            detail::powers<T>({-60, 60}, {-400, 400})}};
    }
    [[nodiscard]] ParameterFault fault() const {
        if (const ParameterFault wrong = detail::range_fault(*this)) return wrong;
        constexpr bool f32 = sizeof(T) == 4;
        constexpr T ratio = f32 ? T(0x1p40) : T(0x1p100);
        if (lambda < mean / ratio || lambda > mean * ratio)
            return {"lambda", static_cast<double>(lambda),
                    f32 ? "must be in [2^-40, 2^40] times mean" : "must be in [2^-100, 2^100] times mean"};
        return {};
    }

    struct Map {
        static constexpr bool is_long = true;
        T mean, half_ratio;

        template <class W> RNG_FN auto operator()(W first, W second) const {
            using F = decltype(lane::neglog(first));
            const F z = lane::normal_quantile(first);
            const F t = lane::fma(z, lane::mul(z, F(half_ratio)), F(0));
            const F root = lane::sqrt(lane::fma(t, t, lane::add(t, t)));
            const F large = lane::add(lane::add(F(1), t), root);  // the greater root; the other is its reciprocal
            const F u = lane::midpoint_fraction(second);
            const auto takes_small = lane::lanes_below(lane::fms(u, lane::add(large, F(1)), large), F(0));
            return lane::select(takes_small, lane::div(F(mean), large), lane::fma(F(mean), large, F(0)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, T>;
        return {mean, lane::div(F(mean), lane::add(F(lambda), F(lambda))).v};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE inverse_gaussian(A, B)->inverse_gaussian<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
