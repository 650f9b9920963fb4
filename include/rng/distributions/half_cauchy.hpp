// half_cauchy{scale}: the magnitude of a Cauchy value.
//
//     const std::vector<double> x = rng::sample(rng::half_cauchy{1.0}, 1000, gen);
//
// Values lie in (7e-10, 2.74e9) scales (f32) or (1.7e-19, 1.18e19) (f64). Largest error at scale 1: 2.6 ulp.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 16.
// Oracle: the word 0xc0000000 gives 1 to within 2^-29.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The half-Cauchy distribution. It has no mean.
template <class T> struct half_cauchy {
    static_assert(detail::is_real<T>, "half_cauchy is of float or double: write half_cauchy{1.0}, not half_cauchy{1}");
    using result_type = T;
    T scale = 1;

    static constexpr const char* name = "half_cauchy";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "half-Cauchy, the magnitude of a Cauchy value";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"scale", &half_cauchy::scale, "scale", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        T scale;

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F z = lane::magnitude(lane::tan_of_half_turn(w));
            return lane::fma(F(scale), z, F(0));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {scale}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE half_cauchy(T)->half_cauchy<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
