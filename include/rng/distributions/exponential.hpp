// exponential{rate}: -ln((w + 1/2) / 2^n) / rate, by inversion of the distribution function of the midpoint.
//
//     const std::vector<double> waits = rng::sample(rng::exponential{2.0}, 1000, gen);       // their mean is 1/2
//
// The quotient is correctly rounded (Markstein's division by a correctly rounded reciprocal). Largest errors seen at
// rate 1: 1.25 ulp (f32), 1.18 ulp (f64); any other rate adds half an ulp. Values lie in (1.1e-10, 22.88) / rate (f32).
// Oracle: the word 0x80000000 gives ln 2 = 0.69314718 to within 2^-32.
#pragma once

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
        return FieldList<exponential, T, 1>{{{"rate", &exponential::rate, "events per unit, the inverse of the mean"}}};
    }
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = sizeof(T) == 4;
        if (!(rate > 0 && lane::magnitude_within(rate, f32 ? T(0x1p-120) : T(0x1p-1000), f32 ? T(0x1p90) : T(0x1p900))))
            return {"rate", static_cast<double>(rate),
                    f32 ? "must be in [2^-120, 2^90]" : "must be in [2^-1000, 2^900]"};
        return {};
    }

    struct Map {
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
