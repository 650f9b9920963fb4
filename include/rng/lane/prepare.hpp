// Functions for the preparation of a map, once for each fill: reciprocals, neighbouring numbers, integers as doubles,
// comparisons by bits.
#pragma once

#include "scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

/// Returns 1 / b, correctly rounded, for a normal positive b whose reciprocal is normal, by Newton steps from an
/// integer seed. The last step rounds correctly for every significand except that of all ones, whose result is known.
/// Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000", 1990.
RNG_FN float reciprocal(float b) {
    using S = Scalar;
    const uint32_t word = S::bits(b), significand = word & 0x7fffffu;
    const float m = S::from_bits(significand | 0x3f800000u);
    float y = S::from_bits(0x7ef311c7u - S::bits(m));
    for (int step = 0; step < 4; ++step) y = S::fma(y, S::fnma(m, y, 1.0f), y);
    const uint32_t result = significand == 0x7fffffu ? 0x3f000001u : S::bits(y);
    return S::from_bits(result - ((word & 0xff800000u) - 0x3f800000u));
}
RNG_FN double reciprocal(double b) {
    using S = Scalar;
    const uint64_t word = S::bits(b), significand = word & 0xfffffffffffffu;
    const double m = S::from_bits64(significand | 0x3ff0000000000000u);
    double y = S::from_bits64(0x7fde623822fc16e6u - S::bits(m));
    for (int step = 0; step < 5; ++step) y = S::fma(y, S::fnma(m, y, 1.0), y);
    const uint64_t result = significand == 0xfffffffffffffu ? 0x3fe0000000000001u : S::bits(y);
    return S::from_bits64(result - ((word & 0xfff0000000000000u) - 0x3ff0000000000000u));
}

/// Returns 1 / b by the processor's division, for maps that are prepared for single values. Kernels use reciprocal(),
/// because there 1 / b would be another instruction than a quotient.
template <class T> RNG_FN T one_over(T b) {
#if RNG_DEVICE_PASS
    return reciprocal(b);
#else
    return Scalar::div(T(1), b);
#endif
}

/// n + 1/2 for Half, else n, as a double: rounded once.
template <bool Half> RNG_FN double to_double(uint64_t n) {
    using S = Scalar;
    const double low = S::small_to_f64(n & 0xffffffffu);
    return S::fma(S::small_to_f64(n >> 32), 0x1p32, Half ? S::add(low, 0.5) : low);
}

/// Returns true for +0 and -0, and false for a subnormal in all modes of the processor. From version 17 on clang makes
/// comparisons of floating-point numbers out of such tests of bits, and then a processor that takes subnormals for 0
/// takes them for 0 here; so the bits' origin is hidden from it.
template <class T> RNG_FN bool is_zero(T x) {
    auto magnitude = Scalar::bits(x) << 1;
#if defined(__clang__) && !RNG_DEVICE_PASS
    __asm__("" : "+r"(magnitude));
#endif
    return magnitude == 0;
}

/// Returns the next number towards minus infinity, for finite x; for either zero, the smallest negative subnormal.
RNG_FN float next_below(float x) {
    const uint32_t b = Scalar::bits(x);
    return Scalar::from_bits(is_zero(x) ? 0x80000001u : b >> 31 ? b + 1 : b - 1);
}
RNG_FN double next_below(double x) {
    const uint64_t b = Scalar::bits(x);
    return Scalar::from_bits64(is_zero(x) ? 0x8000000000000001u : b >> 63 ? b + 1 : b - 1);
}

/// Returns the next number towards plus infinity, for finite x; for either zero, the smallest positive subnormal.
/// Works in integers: under --use_fast_math, a negation in floating point would flush the subnormal.
RNG_FN float next_above(float x) {
    const uint32_t b = Scalar::bits(x);
    return Scalar::from_bits(is_zero(x) ? 1u : b >> 31 ? b - 1 : b + 1);
}
RNG_FN double next_above(double x) {
    const uint64_t b = Scalar::bits(x);
    return Scalar::from_bits64(is_zero(x) ? 1u : b >> 63 ? b - 1 : b + 1);
}

/// Returns x; -0 becomes +0.
template <class T> RNG_FN T without_negative_zero(T x) { return is_zero(x) ? T(0) : x; }

/// Returns true if x is finite and not NaN, under -ffast-math too (where a compiler may assume that x - x is 0).
RNG_FN bool is_finite(float x) { return (Scalar::bits(x) & 0x7f800000u) != 0x7f800000u; }
RNG_FN bool is_finite(double x) { return (Scalar::bits(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u; }

/// Returns true if x is infinite, under -ffast-math too.
RNG_FN bool is_infinite(float x) { return (Scalar::bits(x) & 0x7fffffffu) == 0x7f800000u; }
RNG_FN bool is_infinite(double x) { return (Scalar::bits(x) & 0x7fffffffffffffffu) == 0x7ff0000000000000u; }

// These functions compare bits, which have the order of positive numbers. So the results for subnormal numbers are the
// same in all modes of the processor, and NaN is above all numbers, under -ffast-math too.

/// Returns x, or +0 if its magnitude is below `least`.
template <class T> RNG_FN T zero_below(T least, T x) {
    return Scalar::bits(x) << 1 < Scalar::bits(least) << 1 ? T(0) : x;
}
/// Returns true if x is a number of magnitude up to `most`.
template <class T> RNG_FN bool is_up_to(T most, T x) { return Scalar::bits(x) << 1 <= Scalar::bits(most) << 1; }
/// Returns true if x is below a positive `bound`, and not negative. It is false for NaN.
RNG_FN bool is_from_zero_to_below(double bound, double x) { return Scalar::bits(x) < Scalar::bits(bound); }
/// Returns true if x is a number from 0 up to `most`; -0 counts as 0.
template <class T> RNG_FN bool is_from_zero_up_to(T most, T x) {
    return is_zero(x) || Scalar::bits(x) <= Scalar::bits(most);
}

/// Returns true if x is finite with low <= |x| <= high.
template <class T> RNG_FN bool magnitude_within(T x, T low, T high) {
    return is_finite(x) && (x < 0 ? -x : x) >= low && (x < 0 ? -x : x) <= high;
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
