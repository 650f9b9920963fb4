// Limits that the parameters of several distributions share, and maps in parts that several of them are made of.
#pragma once

#include "../lane/functions.hpp"
#include "../lane/prepare.hpp"
#include "real.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// True for results in float arithmetic, whose limits are narrower.
template <class T> inline constexpr bool in_float = sizeof(arithmetic_t<T>) == 4;

/// A range of a parameter, in its type, with the words of the message.
template <class T> struct Range {
    T least, most;
    const char* text;
    /// Returns the fault of a parameter that must be in the range.
    [[nodiscard]] ParameterFault fault_of(const char* field, T x) const {
        if (x > 0 && lane::magnitude_within(x, least, most)) return {};
        return {field, static_cast<double>(x), text};
    }
};

/// The range of a scale. Whatever a map multiplies by it and adds to a location stays normal.
template <class V> [[nodiscard]] constexpr Range<arithmetic_t<V>> scale_range() {
    using T = arithmetic_t<V>;
    if constexpr (is_same<V, float16>)
        return {T(0x1p-14), T(0x1p10), "must be in [2^-14, 2^10]"};
    else if constexpr (in_float<V>)
        return {T(0x1p-76), T(0x1p90), "must be in [2^-76, 2^90]"};
    else
        return {T(0x1p-900), T(0x1p900), "must be in [2^-900, 2^900]"};
}
template <class V> [[nodiscard]] ParameterFault scale_fault(const char* field, arithmetic_t<V> x) {
    return scale_range<V>().fault_of(field, x);
}
template <class V> [[nodiscard]] ParameterFault location_fault(const char* field, arithmetic_t<V> x) {
    using T = arithmetic_t<V>;
    constexpr bool f16 = is_same<V, float16>, f32 = in_float<V>;
    if (lane::is_up_to(f16 ? T(0x1p14) : f32 ? T(0x1p126) : T(0x1p1022), x)) return {};
    return {field, static_cast<double>(x),
            f16   ? "must be of magnitude 2^14 at most"
            : f32 ? "must be of magnitude 2^126 at most"
                  : "must be of magnitude 2^1022 at most"};
}
/// The location as maps take it: what is below 2^-76 (float arithmetic) or 2^-900 in magnitude counts as 0.
template <class T> [[nodiscard]] RNG_FN T location(T x) {
    return lane::zero_below(sizeof(T) == 4 ? T(0x1p-76) : T(0x1p-900), x);
}
/// The fault of a number that may be 0, or as small as it likes.
template <class T> [[nodiscard]] ParameterFault small_fault(const char* field, T x, T most, const char* limit) {
    return lane::is_from_zero_up_to(most, x) ? ParameterFault{} : ParameterFault{field, static_cast<double>(x), limit};
}
/// as_result() of a positive number, which stays positive: float16 would round small ones to 0.
template <class T, class F> RNG_FN auto as_positive_result(F x) {
    if constexpr (is_same<T, float16>)
        return as_result<T>(lane::select_greater(x, F(0x1p-24f)));
    else
        return as_result<T>(x);
}

/// The first of several faults.
[[nodiscard]] inline ParameterFault first_fault(const ParameterFault& a, const ParameterFault& b) { return a ? a : b; }

/// scale exp(x), never 0, subnormal or infinite: x is first moved into the bounds between which the product is normal.
template <class T> struct ScaledExp {
    T scale, least, greatest;  // the bounds of x

    template <class L = lane::Scalar> [[nodiscard]] RNG_FN static ScaledExp of(T scale) {
        using F = lane::real_t<L, T>;
        const F log_scale = lane::ln(F(scale)), zero(0);
        return {scale, lane::sub(F(lane::exp_least<T>), lane::select_less(log_scale, zero)).v,
                lane::sub(F(lane::exp_greatest<T>), lane::select_greater(log_scale, zero)).v};
    }
    /// of(scale) for a known scale of at least 1, given what of() finds: nvcc would join operations on known numbers.
    [[nodiscard]] RNG_FN static constexpr ScaledExp known(T scale, T greatest) {
        return {scale, lane::exp_least<T>, greatest};
    }
    template <class F> [[nodiscard]] RNG_FN F operator()(F x) const { return lane::fma(F(scale), power(x), F(0)); }
    /// exp(x) alone.
    template <class F> [[nodiscard]] RNG_FN F power(F x) const {
        return lane::exp(lane::select_less(lane::select_greater(x, F(least)), F(greatest)));
    }
};

/// The map scale E^power, for an exponential E of mean 1.
template <class T> struct PowerOfExponential {
    T power;
    ScaledExp<T> scaled;

    template <class W> RNG_FN auto operator()(W w) const {
        const auto log = lane::ln(lane::neglog(w));
        using F = decltype(lane::neglog(w));
        return scaled(lane::fma(log, F(power), F(0)));
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
