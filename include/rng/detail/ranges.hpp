// Limits of parameters, and parts of maps, that several distributions share.
#pragma once

#include "../lane/functions.hpp"
#include "../lane/prepare.hpp"
#include "real.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// True for results in float arithmetic, whose limits are narrower.
template <class T> inline constexpr bool in_float = sizeof(arithmetic_t<T>) == 4;

/// [2^least, 2^most].
struct Powers {
    int least, most;
};
template <class P> [[nodiscard]] constexpr P power_of_two(int exponent) {
    if constexpr (sizeof(P) == 4)
        return __builtin_bit_cast(float, static_cast<uint32_t>(exponent + 127) << 23);
    else
        return __builtin_bit_cast(double, static_cast<uint64_t>(exponent + 1023) << 52);
}
/// The range of a parameter of type P: `narrow` for a distribution of narrow values, otherwise `wide`.
template <class P> [[nodiscard]] constexpr ParameterRange<P> powers(bool is_narrow, Powers narrow, Powers wide) {
    const Powers powers = is_narrow ? narrow : wide;
    return {power_of_two<P>(powers.least), power_of_two<P>(powers.most)};
}
/// The range of a real parameter of a distribution of V: `f32` if V has float arithmetic, otherwise `f64`.
template <class V> [[nodiscard]] constexpr ParameterRange<arithmetic_t<V>> powers(Powers f32, Powers f64) {
    return powers<arithmetic_t<V>>(in_float<V>, f32, f64);
}
/// The numbers of magnitude up to `most`.
template <class T> [[nodiscard]] constexpr ParameterRange<T> up_to(T most) { return {-most, most}; }

/// The range of a scale. What a map multiplies by the scale and adds to a location stays normal.
template <class V> [[nodiscard]] constexpr ParameterRange<arithmetic_t<V>> scale_range() {
    return powers<V>(is_same<V, float16> ? Powers{-14, 10} : Powers{-76, 90}, {-900, 900});
}
template <class V> [[nodiscard]] constexpr ParameterRange<arithmetic_t<V>> location_range() {
    using T = arithmetic_t<V>;
    return up_to(is_same<V, float16> ? T(0x1p14) : in_float<V> ? T(0x1p126) : T(0x1p1022));
}

/// True if the number is in the range. Compares bits, so that it is false for NaN under -ffast-math too.
template <class T> [[nodiscard]] bool is_in(const ParameterRange<T>& range, T x) {
    if (range.takes_all()) return true;
    if constexpr (integer<T>)
        return x >= range.least && x <= range.most;
    else if (range.least > 0)
        return x > 0 && lane::magnitude_within(x, range.least, range.most);
    else if (range.least < 0)
        return lane::is_up_to(range.most, x);
    else
        return lane::is_from_zero_up_to(range.most, x);
}

/// The text of a range in messages: "must be in [2^-76, 2^90]".
struct RangeText {
    char text[64]{};
    int length = 0;

    template <class T> static constexpr RangeText of(const ParameterRange<T>& range) {
        RangeText made;
        if (range.takes_all()) return made;
        if (range.least < 0) {
            made.add("must be of magnitude ");
            made.add_number(range.most);
            made.add(" at most");
        } else {
            made.add("must be in [");
            made.add_number(range.least);
            made.add(", ");
            made.add_number(range.most);
            made.add("]");
        }
        return made;
    }

  private:
    constexpr void add(const char* more) {
        while (*more) text[length++] = *more++;
    }
    constexpr void add_digits(uint64_t x) {
        if (x >= 10) add_digits(x / 10);
        text[length++] = static_cast<char>('0' + x % 10);
    }
    constexpr void add_power(int exponent) {
        add(exponent < 0 ? "2^-" : "2^");
        add_digits(static_cast<uint64_t>(exponent < 0 ? -exponent : exponent));
    }
    /// The exponent of a positive power of two; no_power for other numbers.
    static constexpr int no_power = 4096;
    static constexpr int exponent_of(double x) {
        const auto bits = __builtin_bit_cast(uint64_t, x);
        return bits << 12 == 0 && bits != 0 ? static_cast<int>(bits >> 52) - 1023 : no_power;
    }
    /// Is not constexpr, so a call is a compile error where a text is made: add_number() would print another number.
    /// NVRTC has neither exceptions nor __builtin_trap.
    static void no_text() {}
    /// Adds a number of a kind that ranges have: a short decimal, a power of two, a power of two minus 1, 1 minus a
    /// power of two, or pi.
    template <class T> constexpr void add_number(T x) {
        constexpr double pi = sizeof(T) == 4 ? 0x1.921fb4p+1 : 0x1.921fb54442d18p+1;
        const auto real = static_cast<double>(x);
        const int exponent = exponent_of(real), below_one = exponent_of(1 - real);
        if (exponent != no_power && (exponent < 0 || exponent >= 10)) {
            add_power(exponent);
        } else if (below_one < -10) {
            add("1 - ");
            add_power(below_one);
        } else if (integer<T> && exponent == no_power && exponent_of(real + 1) >= 10 && real > 1000) {
            add_power(exponent_of(real + 1));
            add(" - 1");
        } else if (!(real < pi) && !(pi < real)) {
            add("pi");
        } else {
            const auto hundredths = static_cast<uint64_t>(real * 100 + 0.5);
            const T printed = static_cast<T>(hundredths) / T(100);
            if (!integer<T> && (printed < x || x < printed)) no_text();
            add_digits(hundredths / 100);
            if (hundredths % 100 != 0) {
                text[length++] = '.';
                text[length++] = static_cast<char>('0' + hundredths / 10 % 10);
                if (hundredths % 10 != 0) text[length++] = static_cast<char>('0' + hundredths % 10);
            }
        }
    }
};
template <class D> struct RangeTexts { RangeText of[static_cast<unsigned>(D::fields().size() + 1)]; };
template <class D>
inline constexpr auto range_texts = [] {
    RangeTexts<D> all{};
    int i = 0;
    D::fields().each([&](const auto& field) { all.of[i++] = RangeText::of(field.range); });
    return all;
}();

/// Returns the fault of the first parameter outside its range. It is out of line, because nearly all parameters are in
/// their ranges.
template <class D> __attribute__((noinline)) ParameterFault first_outside(const D& dist) {
    ParameterFault found;
    int i = 0;
    D::fields().each([&](const auto& field) {
        const auto x = dist.*field.member;
        const char* text = range_texts<D>.of[i++].text;
        if (found || is_in(field.range, x)) return;
        if constexpr (integer<decltype(dist.*field.member + 0)>)
            found = ParameterFault::of_integer(field.name, x, text);
        else
            found = {field.name, static_cast<double>(x), text};
    });
    return found;
}
/// Returns the fault of the first parameter outside its range, if there is one.
template <class D> [[nodiscard]] ParameterFault range_fault(const D& dist) {
    constexpr auto fields = D::fields();
    bool all_in = true;
    fields.each([&](const auto& field) { all_in = all_in && is_in(field.range, dist.*field.member); });
    return all_in ? ParameterFault{} : first_outside(dist);
}

/// The location as maps take it: magnitudes below 2^-76 (float arithmetic) or 2^-900 count as 0.
template <class T> [[nodiscard]] RNG_FN T location(T x) {
    return lane::zero_below(sizeof(T) == 4 ? T(0x1p-76) : T(0x1p-900), x);
}
/// as_result() of a positive number, which stays positive: float16 would round small ones to 0.
template <class T, class F> RNG_FN auto as_positive_result(F x) {
    if constexpr (is_same<T, float16>)
        return as_result<T>(lane::select_greater(x, F(0x1p-24f)));
    else
        return as_result<T>(x);
}

/// scale exp(x), never 0, subnormal or infinite: x is first moved into the bounds between which the product is normal.
template <class T> struct ScaledExp {
    T scale, least, greatest;  // the bounds of x

    template <class L = lane::Scalar> [[nodiscard]] RNG_FN static ScaledExp of(T scale) {
        using F = lane::real_t<L, T>;
        const F log_scale = lane::ln(F(scale)), zero(0);
        return {scale, lane::sub(F(lane::exp_least<T>), lane::select_less(log_scale, zero)).v,
                lane::sub(F(lane::exp_greatest<T>), lane::select_greater(log_scale, zero)).v};
    }
    /// of(scale) for a constant scale of at least 1, with the bound that of() computes: nvcc would combine operations
    /// on constants.
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
    static constexpr bool is_long = true;
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
