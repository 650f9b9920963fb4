// chi_squared{nu}: the sum of nu squares of standard normal variables, for any real nu: gamma{nu / 2, 2}, to the bit.
//
//     const std::vector<double> x = rng::sample(rng::chi_squared{5.0}, 1000, gen);
//
// The error of a value is that of the gamma value, which gamma.hpp has; detail/gamma_trial.hpp has the method.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 18.
// Oracle: nu = 8/3, the words 0x80000000 and 0 (a normal value near 0) give 2 to within 2^-21.
#pragma once

#include "gamma.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The chi-squared distribution with nu degrees of freedom.
template <class T> struct chi_squared {
    static_assert(detail::is_real<T>, "chi_squared is of float or double: write chi_squared{5.0}, not chi_squared{5}");
    using result_type = T;
    T nu = 1;

    static constexpr const char* name = "chi_squared";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "chi-squared";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"nu", &chi_squared::nu, "degrees of freedom", detail::twice_gamma_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = typename gamma<T>::Map;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        constexpr T greatest = sizeof(T) == 4 ? T(0x1.601b8p+6) : T(0x1.628b1dfe4187cp+9);
        return {detail::GammaTrial<T>::template of<L>(detail::half_of(nu)), detail::ScaledExp<T>::known(2, greatest),
                detail::GammaFunction::scaled};
    }
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE chi_squared(T)->chi_squared<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
