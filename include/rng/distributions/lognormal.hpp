// lognormal{mu, sigma}: exp of a normal value, which Box and Muller's method gives (normal.hpp).
//
//     const std::vector<double> x = rng::sample(rng::lognormal{0.0, 1.0}, 1000, gen);
//
// Relative error: 3 ulp, and 3 ulp of ln x. Values outside the range of normal numbers become about its ends, 2^-126
// and 2^128 (f32).
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 14.
// Oracle: radius word 0x80000000 and angle word 0x20000000 give exp(sqrt(ln 2)) = 2.2991841 twice.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The lognormal distribution; its median is exp(mu).
template <class T> struct lognormal {
    static_assert(detail::is_real<T>,
                  "lognormal is of float or double: write lognormal{0.0, 1.0}, not lognormal{0, 1}");
    using result_type = T;
    T mu = 0;
    T sigma = 1;

    static constexpr const char* name = "lognormal";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "lognormal: exp of a normal value";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::pair;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"mu", &lognormal::mu, "mean of the logarithm", detail::up_to(sizeof(T) == 4 ? T(80) : T(700))},
            Field{"sigma", &lognormal::sigma, "standard deviation of the logarithm; 0 gives exp(mu)", {0, 64}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T mu, sigma;

        template <class W> RNG_FN auto operator()(W radius_word, W angle_word) const {
            const auto z = lane::box_muller(radius_word, angle_word);
            using F = decltype(z.even);
            const auto value = [this](F x) RNG_LAMBDA_INLINE {
                const F log = lane::fma(F(sigma), x, F(mu));
                return lane::exp(
                    lane::select_less(lane::select_greater(log, F(lane::exp_least<T>)), F(lane::exp_greatest<T>)));
            };
            return lane::Pair<F>{value(z.even), value(z.odd)};
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        constexpr T least = sizeof(T) == 4 ? T(0x1p-70) : T(0x1p-900);  // less counts as 0
        return {lane::zero_below(least, mu), lane::zero_below(least, sigma)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE lognormal(A, B)->lognormal<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
