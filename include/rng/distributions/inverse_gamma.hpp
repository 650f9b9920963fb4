// inverse_gamma{shape, scale}: scale / G for a gamma variable G of scale 1.
//
//     const std::vector<double> x = rng::sample(rng::inverse_gamma{3.0, 2.0}, 1000, gen);
//
// For shape below 1, values above the greatest number become about that number. Its mean is scale / (shape - 1).
// Largest error seen of an accepted value: 14 ulp for shapes of 1 to 30, 4 beyond; for shape below 1, as for gamma.
// detail/gamma_trial.hpp has the method.
// Oracle: shape = 1/3, scale = 1, twice the word 0x80000000 give 8.
#pragma once

#include "../detail/gamma_trial.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The inverse gamma distribution, of density scale^shape x^(-shape - 1) exp(-scale / x) / Gamma(shape).
template <class T> struct inverse_gamma {
    static_assert(detail::is_real<T>,
                  "inverse_gamma is of float or double: write inverse_gamma{3.0, 2.0}, not inverse_gamma{3, 2}");
    using result_type = T;
    T shape = 1;
    T scale = 1;

    static constexpr const char* name = "inverse_gamma";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "inverse gamma: scale / gamma";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &inverse_gamma::shape, "shape", detail::gamma_shapes<T>()},
                      Field{"scale", &inverse_gamma::scale, "scale", detail::powers<T>({-90, 50}, {-900, 800})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaMap<T>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        const auto trial = detail::GammaTrial<T>::template of<L>(shape);
        return {trial, trial.template scaled_by<L>(scale), detail::GammaFunction::inverse};
    }
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE inverse_gamma(A, B)->inverse_gamma<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
