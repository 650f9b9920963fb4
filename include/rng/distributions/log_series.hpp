// log_series{p}: the logarithmic series distribution, on the integers from 1.
//
//     const std::vector<int> individuals = rng::sample(rng::log_series{0.9}, 1000, gen);
//
// A geometric variable with a certain random probability has this distribution. No word is rejected, however near p is
// to 1.
// Error: the quotient before it is rounded down has a relative error of about 2^-50.
// Source: Kemp, "Efficient generation of logarithmically distributed pseudo-random variables", Applied Statistics 30,
// 1981.
// Oracle: of p = 1/2, the words 0x8000000000000000 twice give 1: 1 + floor(0.693 / 1.228).
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/functions.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The logarithmic series distribution: integers from 1, k with probability -p^k / (k ln(1 - p)).
template <class T> struct log_series {
    static_assert(detail::is_count<T>, "log_series is of int32_t or int64_t: write log_series<int64_t>{0.999}");
    using result_type = T;
    double p = 0.5;

    static constexpr const char* name = "log_series";
    static constexpr const char* support = "{1, 2, ...}";
    static constexpr const char* summary = "logarithmic series, by Kemp's method";
    static constexpr int slot_words = 4;
    static constexpr int operand_words = 2;
    static constexpr Shape map_shape = Shape::value;
    static constexpr bool has_real_arithmetic = true;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"p",
                            &log_series::p,
                            "ratio of the terms of the series",
                            {0x1p-60, sizeof(T) == 4 ? 1 - 0x1p-25 : 1 - 0x1p-45}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        double log;  // ln(1 - p)

        template <class L> RNG_FN lane::u64<L> operator()(lane::u64<L> first, lane::u64<L> second) const {
            using F = lane::f64<L>;
            const F power = lane::fma(lane::midpoint_fraction(first), F(log), F(0.0));
            const F of_failure = lane::sub(F(0.0), lane::log1m_exp(power));  // of 1 - (1 - p)^u
            return lane::floor_to_integer(lane::div(lane::neglog(second), of_failure)) + lane::u64<L>(1);
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::f64<lane::Scalar>;
        return {lane::log1p(lane::sub(F(0.0), F(p))).v};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_GUIDE log_series(double)->log_series<int>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
