// laplace{loc, scale}: an exponential with a random sign (double exponential distribution), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::laplace{0.0, 1.0}, 1000, gen);
//
// A greater word never gives a smaller value; a word's complement mirrors the value about loc.
// Values lie within 22.2 (f32) or 44.4 (f64) scales of loc. Error at loc 0: 1.3 ulp and half an ulp for the scale.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 24.
// Oracle: the word 0x40000000 (p = 1/4) gives -ln 2 = -0.69314718.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Laplace distribution, of density exp(-|x - loc| / scale) / (2 scale).
template <class T> struct laplace {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "laplace is of float or double: write laplace{0.0, 1.0}, not laplace{0, 1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter loc = 0;
    Parameter scale = 1;

    static constexpr const char* name = "laplace";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "Laplace (double exponential), by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"loc", &laplace::loc, "location", detail::location_range<T>()},
                      Field{"scale", &laplace::scale, "scale; the standard deviation is sqrt(2) times as large",
                            detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        Parameter loc, scale;

        template <class W> RNG_FN auto operator()(W w) const {
            const auto z = lane::laplace_quantile(w);
            using F = decltype(lane::neglog(w));
            return detail::as_result<T>(lane::fma(F(scale), z, F(loc)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {detail::location(loc), scale}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE laplace(A, B)->laplace<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
