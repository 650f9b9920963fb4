// gumbel{loc, scale}: loc - scale ln(-ln u), the extreme value distribution of type I (of maxima), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::gumbel{0.0, 1.0}, 1000, gen);
//
// A greater word never gives a smaller value by more than a rounding error.
// Values at loc 0, scale 1 lie in (-3.14, 22.9) (f32) or (-3.81, 45.1) (f64). Error there: 2 ulp of max(1, |x|).
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 22.
// Oracle: the word 0x5e2d58d8 (p = 1/e) gives 0 to within 2^-30.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Gumbel distribution, whose distribution function is exp(-exp(-(x - loc) / scale)).
template <class T> struct gumbel {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "gumbel is of float or double: write gumbel{0.0, 1.0}, not gumbel{0, 1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter loc = 0;
    Parameter scale = 1;

    static constexpr const char* name = "gumbel";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "Gumbel, the law of greatest values, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"loc", &gumbel::loc, "location", detail::location_range<T>()},
                      Field{"scale", &gumbel::scale, "scale", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        Parameter loc, minus_scale;

        template <class W> RNG_FN auto operator()(W w) const {
            const auto log = lane::ln(lane::neglog(w));
            using F = decltype(lane::neglog(w));
            return detail::as_result<T>(lane::fma(log, F(minus_scale), F(loc)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {detail::location(loc), -scale}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE gumbel(A, B)->gumbel<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
