// half_normal{sigma}: the magnitude of a normal value of mean 0.
//
//     const std::vector<double> x = rng::sample(rng::half_normal{1.0}, 1000, gen);
//
// One word gives one value: the normal quantile of its midpoint, without the sign.
// Values lie in (2.9e-10, 6.34) sigma (f32) or (6.7e-20, 9.16) (f64). Errors at sigma 1 are those of normal_icdf.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 13.
// Oracle: the words 0xf9999999 and 0x06666666 give 1.95996.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The half-normal distribution; its mean is sigma sqrt(2 / pi).
template <class T> struct half_normal {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "half_normal is of float or double: write half_normal{1.0}, not half_normal{1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter sigma = 1;

    static constexpr const char* name = "half_normal";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "half-normal, the magnitude of a normal value";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"sigma", &half_normal::sigma, "standard deviation of the normal values", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        Parameter sigma;

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F z = lane::magnitude(lane::normal_quantile(w));
            return detail::as_positive_result<T>(lane::fma(F(sigma), z, F(0)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {sigma}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE half_normal(T)->half_normal<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
