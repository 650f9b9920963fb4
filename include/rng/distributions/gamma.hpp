// gamma{shape, scale}: the gamma distribution, by Marsaglia and Tsang's method.
//
//     const std::vector<double> x = rng::sample(rng::gamma{2.5, 1.0}, 1000, gen);
//
// Its mean is shape * scale. For shape below 1, values too small for a normal number become about 2^-126 (f32) or
// 2^-1022; log_gamma represents them all. detail/gamma_trial.hpp has the method, and its source.
// Error of an accepted value: at most 14 ulp for shapes of 1 to 30 (12 were seen in f32, 11 in f64), 4 beyond. Values
// below d / 8, d = shape - 1/3, have the absolute error of that number. For shape below 1: 36 ulp of the greatest term
// of ln x.
// Oracle: shape = 4/3, the words 0x80000000 and 0 (a normal value near 0) give 1 to within 2^-22; shape = 1/3, twice
// the word 0x80000000, 1/8.
#pragma once

#include "../detail/gamma_trial.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The gamma distribution, of density x^(shape - 1) exp(-x / scale) / (scale^shape Gamma(shape)).
template <class T> struct gamma {
    static_assert(detail::is_real<T>, "gamma is of float or double: write gamma{2.5, 1.0}, not gamma{2, 1}");
    using result_type = T;
    T shape = 1;
    T scale = 1;

    static constexpr const char* name = "gamma";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "gamma, by Marsaglia and Tsang's method";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &gamma::shape, "shape", detail::gamma_shapes<T>()},
                      Field{"scale", &gamma::scale, "scale; the mean is shape * scale",
                            detail::powers<T>({-50, 90}, {-800, 900})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaMap<T>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        const auto trial = detail::GammaTrial<T>::template of<L>(shape);
        return {trial, trial.template scaled_by<L>(scale), detail::GammaFunction::scaled};
    }
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE gamma(A, B)->gamma<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
