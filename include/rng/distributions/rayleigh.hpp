// rayleigh{sigma}: sigma sqrt(-2 ln u), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::rayleigh{1.0}, 1000, gen);
//
// The length of a vector of two normal values of standard deviation sigma.
// Values lie in (1.5e-5, 6.77) sigma (f32) or (2.3e-10, 9.50) (f64). Largest error seen at sigma 1: 1.2 ulp.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 18.
// Oracle: the word 0x80000000 gives sqrt(2 ln 2) = 1.1774100.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Rayleigh distribution; its mean is sigma sqrt(pi / 2).
template <class T> struct rayleigh {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "rayleigh is of float or double: write rayleigh{1.0}, not rayleigh{1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter sigma = 1;

    static constexpr const char* name = "rayleigh";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "Rayleigh, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"sigma", &rayleigh::sigma, "scale: the value of greatest density", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        Parameter sigma;

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F e = lane::neglog(w), z = lane::sqrt_in_range(lane::add(e, e));
            return detail::as_positive_result<T>(lane::fma(F(sigma), z, F(0)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {sigma}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE rayleigh(T)->rayleigh<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
