// beta{a, b}: X / (X + Y) for independent gamma variables X and Y of shapes a and b, of scale 1.
//
//     const std::vector<double> x = rng::sample(rng::beta{2.0, 3.0}, 1000, gen);
//
// Both variables come from one trial, so a value is a function of its slots. With a shape below 1 the quotient is
// computed by logarithms, so that no parameters give NaN, 0 or 1. Values lie between about 2^-126 (f32) or 2^-1022 and
// the greatest number below 1.
//
// Largest error seen of an accepted value: 13 ulp, 3 for shapes from 40 on. With a shape below 1 it is 14 ulp of the
// greatest term of the logarithm of x / (1 - x).
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 25.
// Oracle: a = b, the words w, 0x20000000, v, v (two equal normal values) give 1/2.
#pragma once

#include "../detail/gamma_quotient.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The beta distribution, of density x^(a - 1) (1 - x)^(b - 1) / B(a, b).
template <class T> struct beta {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "beta is of float or double: write beta{2.0, 3.0}, not beta{2, 3}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter a = 1;
    Parameter b = 1;

    static constexpr const char* name = "beta";
    static constexpr const char* support = "(0, 1)";
    static constexpr const char* summary = "beta, by two gamma variables";
    static constexpr int slot_words = sizeof(Parameter);
    static constexpr int operand_words = sizeof(Parameter) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"a", &beta::a, "first shape", detail::quotient_shapes<T>()},
                      Field{"b", &beta::b, "second shape", detail::quotient_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaQuotientMap<Parameter, T>;
    [[nodiscard]] RNG_FN Map map() const { return Map::share(a, b); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE beta(A, B)->beta<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
