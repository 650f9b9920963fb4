// exponential{rate}: -ln((w + 1/2) / 2^n) / rate, by inversion of the distribution function at the midpoint.
//
//     const std::vector<double> waits = rng::sample(rng::exponential{2.0}, 1000, gen);       // their mean is 1/2
//
// The quotient is correctly rounded (Markstein's division by a correctly rounded reciprocal). Largest errors seen at
// rate 1: 1.25 ulp (f32), 1.18 ulp (f64); any other rate adds half an ulp. Values lie in (1.1e-10, 22.88) / rate (f32).
// Oracle: the word 0x80000000 gives ln 2 = 0.69314718 to within 2^-32.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/math_f32.hpp"
#include "../lane/math_f64.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The exponential distribution, whose mean is 1 / rate.
template <class T> struct exponential {
    static_assert(detail::is_real<T>,
                  "exponential is of float or double: write exponential{2.0} or exponential{2.0f}, not exponential{2}");
    using result_type = T;
    T rate = 1;

    static constexpr const char* name = "exponential";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "exponential; its mean is 1 / rate";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"rate", &exponential::rate, "events per unit, the inverse of the mean",
                            detail::powers<T>({-120, 90}, {-1000, 900})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = sizeof(T) == 8;
        T rate, scale;  // scale = 1 / rate, correctly rounded

        template <class W> RNG_FN auto operator()(W w) const {
            const auto e = lane::neglog(w);
            using F = decltype(lane::neglog(w));
            const auto quotient = lane::mul(e, F(scale));
            return lane::fma(lane::fnma(F(rate), quotient, e), F(scale), quotient);
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {rate, lane::one_over(rate)}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE exponential(T)->exponential<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
