// logistic{loc, scale}: loc + scale ln(u / (1 - u)), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::logistic{0.0, 1.0}, 1000, gen);
//
// A greater word never gives a smaller value by more than a rounding error; a word's complement mirrors the value about
// loc.
// Values lie within 22.9 (f32) or 45.1 (f64) scales of loc. Largest error at loc 0, scale 1: 3.3 ulp.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 23.
// Oracle: the word 0x40000000 (p = 1/4) gives -ln 3 = -1.0986123.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The logistic distribution, whose distribution function is 1 / (1 + exp(-(x - loc) / scale)).
template <class T> struct logistic {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "logistic is of float or double: write logistic{0.0, 1.0}, not logistic{0, 1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter loc = 0;
    Parameter scale = 1;

    static constexpr const char* name = "logistic";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "logistic, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"loc", &logistic::loc, "location", detail::location_range<T>()},
                      Field{"scale", &logistic::scale, "scale; the standard deviation is pi / sqrt(3) times as large",
                            detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        Parameter loc, scale;

        template <class W> RNG_FN auto operator()(W w) const {
            const auto z = lane::logit(w);
            using F = decltype(lane::neglog(w));
            return detail::as_result<T>(lane::fma(F(scale), z, F(loc)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {detail::location(loc), scale}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE logistic(A, B)->logistic<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
