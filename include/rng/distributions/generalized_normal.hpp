// generalized_normal{loc, scale, shape}: loc +- scale G^(1 / shape) for a gamma variable G of shape 1 / shape.
//
//     const std::vector<double> x = rng::sample(rng::generalized_normal{0.0, 1.0, 1.5}, 1000, gen);
//
// shape = 1 is a Laplace variable, 2 a normal one of standard deviation scale / sqrt(2). A large shape comes near to a
// uniform variable. The sign comes from the word of the exponential variable.
// Largest error seen of an accepted value: 13 ulp of the greatest term of ln |x|. detail/gamma_trial.hpp has the
// method.
// Source: Nadarajah, "A generalized normal distribution", J. Applied Statistics 32, 2005.
// Oracle: loc = 0, scale = 1, shape = 3: the words 0x80000000 and 0xc0000000 give 1/2.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/gamma_trial.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The generalized normal distribution, of density shape exp(-|(x - loc) / scale|^shape) / (2 scale Gamma(1 / shape)).
template <class T> struct generalized_normal {
    static_assert(detail::is_real<T>,
                  "generalized_normal is of float or double: write generalized_normal{0.0, 1.0, 1.5}, not "
                  "generalized_normal{0, 1, 1}");
    using result_type = T;
    T loc = 0;
    T scale = 1;
    T shape = 2;

    static constexpr const char* name = "generalized_normal";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "generalized normal (exponential power)";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"loc", &generalized_normal::loc, "mean", detail::location_range<T>()},
                      Field{"scale", &generalized_normal::scale, "scale", detail::powers<T>({-28, 30}, {-500, 500})},
                      Field{"shape", &generalized_normal::shape, "exponent; 1: Laplace, 2: normal",
                            detail::powers<T>({-4, 20}, {-6, 40})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        static constexpr uint32_t most_proposals = detail::most_proposals;
        detail::GammaTrial<T> trial;
        detail::ScaledExp<T> scaled;
        T loc, inverse_shape, rest_factor;  // rest_factor: -1 for a shape above 1, otherwise 0

        template <class W> RNG_FN auto operator()(W first, W second) const {
            using F = decltype(lane::neglog(first));
            const auto made = trial(lane::normal_quantile(first), lane::magnitude(lane::laplace_quantile(second)));
            // ln(G) / shape. For a shape above 1 the part of ln(G) that divides by 1 / shape is taken whole.
            const F by_cube = lane::fma(lane::ln(made.cube), F(inverse_shape), F(0));
            const F log = lane::fma(made.rest, F(rest_factor), by_cube);
            return lane::Proposal{lane::fma(F(scaled.scale), lane::flip_sign(scaled.power(log), ~second), F(loc)),
                                  trial.is_rejected(made)};
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        const T inverse = lane::one_over(shape);
        return {detail::GammaTrial<T>::of(inverse), detail::ScaledExp<T>::of(scale), detail::location(loc), inverse,
                inverse < 1 ? T(-1) : T(0)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B, class C>
RNG_GUIDE generalized_normal(A, B, C)->generalized_normal<detail::parameter_t<detail::parameter_t<A, B>, C>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
