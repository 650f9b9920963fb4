// zipf{a, most}: integers from 1 with probabilities proportional to k^-a, up to `most`.
//
//     const std::vector<int> ranks = rng::sample(rng::zipf{1.25}, 1000, gen);
//     const std::vector<int> words = rng::sample(rng::zipf{0.8, 50'000}, 1000, gen);
//
// Without `most`, values go up to 2^31 - 1 (int32_t) or 2^45 (int64_t), and a must be above 1. The latter is where
// neighbours would have less than eight of a double's numbers. With `most`, any a of at least 0 is allowed. The
// integral of x^-a is inverted, and rounded to the nearest integer. More than 90 of 100 values are accepted, all of one
// word. Above 2^16, where less than one in 2^36 / a^2 values would be rejected, none is.
// Source: Hoermann, Derflinger, "Rejection-inversion to generate variates from monotone discrete distributions", ACM
// TOMACS 6, 1996.
// Oracle: of a = 2, the words above 2^63 give 1, for values are 1 with a probability of 0.6079.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/functions.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The trial of zipf, in terms of an increasing or decreasing function g(x) of the integral of x^-a.
/// - Far from a = 1, g(x) = x^(1 - a): values far out have all their digits.
/// - Near a = 1 (flat), g(x) = (x^(1 - a) - 1) / (1 - a), or ln x for a = 1.
/// A value k has the numbers between g(k + 1/2) and g(k - 1/2), and keeps those whose share is k^-a.
struct ZipfMap {
    static constexpr uint32_t most_proposals = detail::most_proposals;
    double exponent, inverse, power;  // 1 - a, its reciprocal, -a
    double end, width;                // g at most + 1/2, and from there to the least value
    double factor, most;              // of k^-a in terms of g
    bool is_flat;

    template <class L> RNG_FN auto operator()(lane::u64<L> w) const {
        using F = lane::f64<L>;
        const F y = lane::fma(lane::midpoint_fraction(w), F(width), F(end));
        const F x = lane::exp(bounded(log_of(y)));
        const F nearest = lane::floor(lane::add(x, F(0.5)));
        const F k = lane::select_less(lane::select_greater(nearest, F(1.0)), F(most));
        const F mass = lane::exp(bounded(lane::fma(lane::ln(k), F(power), F(0.0))));
        const F bar = lane::fnma(mass, F(factor), of_log(lane::ln(lane::add(k, F(0.5)))));
        const F beyond = lane::flip_sign(lane::sub(y, bar), lane::bits(F(factor)));
        const auto rejected = lane::lanes_below(beyond, F(0.0)) & lane::lanes_below(k, F(0x1p16));
        return lane::Proposal{lane::to_integer(k), rejected};
    }

    /// Returns g(exp(log)).
    template <class F> [[nodiscard]] RNG_FN F of_log(F log) const {
        const F t = lane::fma(log, F(exponent), F(0.0));
        if (!is_flat) return lane::exp(bounded(t));
        const auto is_tiny = near_0(t);
        const F quotient = lane::div(lane::expm1(t), lane::select(is_tiny, F(1.0), t));
        return lane::fma(log, lane::select(is_tiny, lane::fma(t, F(0.5), F(1.0)), quotient), F(0.0));
    }

  private:
    /// Returns ln x for g(x) = y.
    template <class F> RNG_FN F log_of(F y) const {
        if (!is_flat) return lane::fma(lane::ln(y), F(inverse), F(0.0));
        const F t = lane::fma(y, F(exponent), F(0.0));
        const auto is_tiny = near_0(t);
        const F quotient = lane::div(lane::log1p(t), lane::select(is_tiny, F(1.0), t));
        return lane::fma(y, lane::select(is_tiny, lane::fma(t, F(-0.5), F(1.0)), quotient), F(0.0));
    }
    template <class F> RNG_FN static auto near_0(F t) { return lane::lanes_below(lane::magnitude(t), F(0x1p-27)); }
    template <class F> RNG_FN static F bounded(F x) {
        return lane::select_less(lane::select_greater(x, F(lane::exp_least<double>)), F(64.0));
    }
};

}  // namespace detail

/// Zipf's distribution: k from 1 to `most` with a probability proportional to k^-a.
template <class T> struct zipf {
    static_assert(detail::is_count<T>, "zipf is of int32_t or int64_t: write zipf<int64_t>{1.25}");
    using result_type = T;
    double a = 2;
    T most = 0;

    static constexpr const char* name = "zipf";
    static constexpr const char* support = "{1, ..., most}";
    static constexpr const char* summary = "Zipf, by rejection and inversion";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::sampler;
    static constexpr bool has_real_arithmetic = true;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"a", &zipf::a, "exponent", {0, 0x1p10}},
                      Field{"most", &zipf::most, "greatest value; 0: none", {0, greatest}}};
    }
    [[nodiscard]] ParameterFault fault() const {
        if (const ParameterFault wrong = detail::range_fault(*this)) return wrong;
        if (most == 0 && !(a > 1.0)) return {"a", a, "must be above 1 if most is 0"};
        return {};
    }

    /// Returns the same distribution with a `most` of 0 replaced by the greatest value.
    [[nodiscard]] RNG_FN zipf in_full() const { return {a, most == 0 ? greatest : most}; }

    using Map = detail::ZipfMap;
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::f64<lane::Scalar>;
        const double power = lane::zero_below(0x1p-60, a);  // less counts as 0
        const F one(1.0), exponent = lane::sub(one, F(power));
        const auto last = lane::Scalar::small_to_f64(static_cast<uint64_t>(in_full().most));
        const F log_of_end = lane::ln(lane::add(F(last), F(0.5)));
        Map made{exponent.v, 0, -power, 0, 0, 1, last, true};
        if (lane::fma(lane::magnitude(exponent), log_of_end, F(0.0)).v > 0.6875) {
            made.is_flat = false;
            made.factor = exponent.v;
            const double size = lane::one_over(lane::magnitude(exponent).v);
            made.inverse = exponent.v < 0 ? -size : size;
        }
        // The least value has the numbers from g(3/2) on, as many as its mass, 1.
        const F end = made.of_log(log_of_end), least = lane::sub(made.of_log(F(0x1.9f323ecbf984cp-2)), F(made.factor));
        made.end = end.v;
        made.width = lane::sub(least, end).v;
        return made;
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }

  private:
    static constexpr T greatest = static_cast<T>(sizeof(T) == 4 ? (int64_t{1} << 31) - 1 : int64_t{1} << 45);
};

RNG_GUIDE zipf(double)->zipf<int>;
template <class T> RNG_GUIDE zipf(double, T)->zipf<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
