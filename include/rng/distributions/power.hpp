// power{shape}: u^(1 / shape), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::power{2.5}, 1000, gen);
//
// A greater word never gives a smaller value by more than a rounding error. Values below the normal numbers become
// about 2^-126 (f32) or 2^-1022, and the greatest value is the greatest number below 1. Relative error: 2 ulp, and an
// ulp of ln x.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 25 (beta with b = 1).
// Oracle: shape 2 and the word 0x80000000 give sqrt(1/2) = 0.70710678.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The power function distribution, whose distribution function is x^shape.
template <class T> struct power {
    static_assert(detail::is_real<T>, "power is of float or double: write power{2.5}, not power{2}");
    using result_type = T;
    T shape = 1;

    static constexpr const char* name = "power";
    static constexpr const char* support = "(0, 1)";
    static constexpr const char* summary = "power function, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &power::shape, "shape", detail::powers<T>({-20, 60}, {-40, 60})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T minus_inverse;  // -1 / shape

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F x = lane::fma(lane::neglog(w), F(minus_inverse), F(0));
            return lane::select_less(lane::exp(lane::select_greater(x, F(lane::exp_least<T>))),
                                     F(lane::next_below(T(1))));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {-lane::one_over(shape)}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE power(T)->power<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
