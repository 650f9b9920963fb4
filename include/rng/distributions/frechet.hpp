// frechet{shape, scale}: scale (-ln u)^(-1 / shape), the extreme value distribution of type II, by inversion.
//
//     const std::vector<double> x = rng::sample(rng::frechet{1.5, 1.0}, 1000, gen);
//
// A greater word never gives a smaller value by more than a rounding error.
// Relative error: 3 ulp, and an ulp of ln(x / scale). Values outside the range of normal numbers become about its ends,
// 2^-126 and 2^128 (f32).
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 22.
// Oracle: shape 2 and the word 0x80000000 give 1 / sqrt(ln 2) = 1.2011224.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Frechet distribution, whose distribution function is exp(-(x / scale)^-shape).
template <class T> struct frechet {
    static_assert(detail::is_real<T>, "frechet is of float or double: write frechet{1.5, 1.0}, not frechet{1, 1}");
    using result_type = T;
    T shape = 1;
    T scale = 1;

    static constexpr const char* name = "frechet";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "Frechet (inverse Weibull), by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &frechet::shape, "shape", detail::powers<T>({-6, 40}, {-9, 60})},
                      Field{"scale", &frechet::scale, "scale", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::PowerOfExponential<T>;
    [[nodiscard]] RNG_FN Map map() const { return {-lane::one_over(shape), detail::ScaledExp<T>::of(scale)}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE frechet(A, B)->frechet<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
