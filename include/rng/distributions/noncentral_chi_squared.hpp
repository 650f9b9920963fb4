// noncentral_chi_squared{nu, lambda}: the sum of nu squares of normal variables, for any real nu. Their variance is 1,
// and the squares of their means add up to lambda.
//
//     const std::vector<double> x = rng::sample(rng::noncentral_chi_squared{5.0, 2.0}, 1000, gen);
//
// NumPy, SciPy and Boost have the same parameters. lambda = 0 is the distribution of chi_squared, from other words.
// For nu below 2, values too small for a normal number become about 2^-126 (f32) or 2^-1022.
// detail/noncentral_trial.hpp has the method, and its sources.
// Largest error seen of an accepted value: 19 ulp, 3 with nu or lambda from 30 on. Values near 0 have the error of
// their greatest term.
// Oracle: nu = lambda = 2. Three words 0x80000000 (a normal value near 0, then ln 2) and 0x40000000 (a right angle)
// give 2 (5/3 + 1 - ln 2) = 3.947039.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/noncentral_trial.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The noncentral chi-squared distribution with nu degrees of freedom and the noncentrality lambda.
template <class T> struct noncentral_chi_squared {
    static_assert(detail::is_real<T>,
                  "noncentral_chi_squared is of float or double: write "
                  "noncentral_chi_squared{5.0, 2.0}, not noncentral_chi_squared{5, 2}");
    using result_type = T;
    T nu = 1;
    T lambda = 1;

    static constexpr const char* name = "noncentral_chi_squared";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "noncentral chi-squared: the square of a shifted vector";
    static constexpr int slot_words = sizeof(T);
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"nu", &noncentral_chi_squared::nu, "degrees of freedom", detail::twice_gamma_shapes<T>()},
                      Field{"lambda", &noncentral_chi_squared::lambda, "noncentrality: the sum of squares of the means",
                            detail::noncentralities<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr uint32_t most_proposals = detail::most_proposals;
        detail::NoncentralTrial<T> trial;
        detail::ScaledExp<T> scaled;

        template <class W> RNG_FN auto operator()(W normal, W exponential, W radius, W angle) const {
            const auto made = trial(normal, exponential, radius, angle);
            const auto value = lane::add(made.half, made.half);
            if (!trial.is_by_log || !lane::any(made.is_central)) return lane::Proposal{value, made.is_rejected};
            return lane::Proposal{lane::select(made.is_central, scaled(made.log), value), made.is_rejected};
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        constexpr T greatest = sizeof(T) == 4 ? T(0x1.601b8p+6) : T(0x1.628b1dfe4187cp+9);
        return {detail::NoncentralTrial<T>::of(nu, lambda), detail::ScaledExp<T>::known(2, greatest)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE noncentral_chi_squared(A, B)->noncentral_chi_squared<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
