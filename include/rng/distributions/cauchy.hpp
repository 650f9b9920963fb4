// cauchy{loc, scale}: loc + scale tan(pi (u - 1/2)), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::cauchy{0.0, 1.0}, 1000, gen);
//
// A word's complement mirrors the value about loc. |x| <= 2.74e9 scales (f32), 1.18e19 (f64): a midpoint is never 0 or
// 1.
// Largest error at loc 0, scale 1: 2.6 ulp.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 16.
// Oracle: the word 0xc0000000 (p = 3/4) gives 1 to within 2^-29.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Cauchy distribution, of density 1 / (pi scale (1 + ((x - loc) / scale)^2)). It has no mean.
template <class T> struct cauchy {
    static_assert(detail::is_real<T>, "cauchy is of float or double: write cauchy{0.0, 1.0}, not cauchy{0, 1}");
    using result_type = T;
    T loc = 0;
    T scale = 1;

    static constexpr const char* name = "cauchy";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "Cauchy (Lorentz), by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"loc", &cauchy::loc, "location", detail::location_range<T>()},
                      Field{"scale", &cauchy::scale, "scale", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        T loc, scale;

        template <class W> RNG_FN auto operator()(W w) const {
            const auto z = lane::tan_of_half_turn(w);
            using F = decltype(lane::neglog(w));
            return lane::fma(F(scale), z, F(loc));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {detail::location(loc), scale}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE cauchy(A, B)->cauchy<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
