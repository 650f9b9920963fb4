// geometric{p}: the number of failures before the first success, by inversion.
//
//     const std::vector<int> failures = rng::sample(rng::geometric{0.25}, 1000, gen);
//
// std, Boost and torch also count the failures; numpy.random.Generator.geometric counts the trials, one more. p = 1
// gives 0.
// A greater word never gives a greater value. The exponential before the rounding has a relative error of 3 ulp.
// Source: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, chapter X.2.
// Oracle: of p = 1/2, the words from 2^63 on give 0, those from 2^62 to there 1, to within 2^-52.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/functions.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The geometric distribution: integers from 0, k with probability p (1 - p)^k.
template <class T> struct geometric {
    static_assert(detail::is_count<T>, "geometric is of int32_t or int64_t: write geometric<int64_t>{1e-9}");
    using result_type = T;
    double p = 0.5;

    static constexpr const char* name = "geometric";
    static constexpr const char* support = "{0, 1, ...}";
    static constexpr const char* summary = "geometric: failures before a success, by inversion";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;
    static constexpr bool has_real_arithmetic = true;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"p", &geometric::p, "probability of success",
                            detail::powers<double>(sizeof(T) == 4, {-25, 0}, {-44, 0})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        double scale;  // -1 / ln(1 - p)

        template <class L> RNG_FN lane::u64<L> operator()(lane::u64<L> w) const {
            return lane::floor_to_integer(lane::fma(lane::neglog(w), lane::f64<L>(scale), lane::f64<L>(0.0)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return map_over<lane::Scalar>(); }
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        if (!(p < 1.0)) return {0.0};
        using F = lane::f64<L>;
        return {lane::one_over(lane::sub(F(0.0), lane::log1p(lane::sub(F(0.0), F(p)))).v)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_GUIDE geometric(double)->geometric<int>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
