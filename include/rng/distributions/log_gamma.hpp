// log_gamma{shape}: the logarithm of a gamma variable of scale 1, also where that variable is too small for any number.
//
//     const std::vector<double> x = rng::sample(rng::log_gamma{0.001}, 1000, gen);
//
// A Dirichlet vector with small parameters, for instance, is computed from such values. detail/gamma_trial.hpp has the
// method.
// Largest error seen of an accepted value: 9 ulp of the greater of 1 and |x|. For a shape below 1 it is 36 ulp of the
// greatest term of x.
// Oracle: shape = 1/3, twice the word 0x80000000 give -3 ln 2 = -2.0794415.
#pragma once

#include "../detail/gamma_trial.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The logarithm of a gamma variable of scale 1.
template <class T> struct log_gamma {
    static_assert(detail::is_real<T>, "log_gamma is of float or double: write log_gamma{0.5}, not log_gamma{1}");
    using result_type = T;
    T shape = 1;

    static constexpr const char* name = "log_gamma";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "logarithm of a gamma variable";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &log_gamma::shape, "shape of the gamma variable", detail::gamma_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaMap<T>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        return {detail::GammaTrial<T>::template of<L>(shape), {}, detail::GammaFunction::log};
    }
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE log_gamma(T)->log_gamma<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
