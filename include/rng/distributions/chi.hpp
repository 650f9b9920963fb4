// chi{nu}: the root of a chi-squared variable, for any real nu: the length of a normal vector with nu coordinates.
//
//     const std::vector<double> x = rng::sample(rng::chi{5.0}, 1000, gen);
//
// Largest error seen of an accepted value: 7 ulp for nu of 2 to 60, 2 beyond; for nu below 2, as for gamma.
// detail/gamma_trial.hpp has the method.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 18.
// Oracle: nu = 8/3, the words 0x80000000 and 0 (a normal value near 0) give sqrt(2) to within 2^-22.
#pragma once

#include "../detail/gamma_trial.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The chi distribution with nu degrees of freedom.
template <class T> struct chi {
    static_assert(detail::is_real<T>, "chi is of float or double: write chi{5.0}, not chi{5}");
    using result_type = T;
    T nu = 1;

    static constexpr const char* name = "chi";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "chi: the root of chi-squared";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"nu", &chi::nu, "degrees of freedom", detail::twice_gamma_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaMap<T>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        const T root_two = sizeof(T) == 4 ? T(0x1.6a09e6p+0f) : T(0x1.6a09e667f3bcdp+0);
        constexpr T greatest = sizeof(T) == 4 ? T(0x1.617e64p+6) : T(0x1.62b77a843f7c3p+9);
        return {detail::GammaTrial<T>::template of<L>(detail::half_of(nu)),
                detail::ScaledExp<T>::known(root_two, greatest), detail::GammaFunction::root};
    }
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE chi(T)->chi<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
