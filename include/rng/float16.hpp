// float16 (IEEE binary16) and bfloat16: 16-bit floating-point numbers for storage, with bits that depend on no
// compiler.
//
// Conversion from float rounds to nearest, ties to even, in integer arithmetic; to float it is exact. Arithmetic is
// done in float. The bits are those of CUDA's __half and __nv_bfloat16, of _Float16 and of NumPy's float16. Oracle:
// float16(65504.0f).bits == 0x7bff, the greatest; bfloat16(3.140625f).bits == 0x4049.
#pragma once

#include "core/distribution.hpp"
#include "lane/prepare.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A floating-point type as maps see it: its precision in bits, and the type in which its arithmetic is done.
/// For any other type there is no precision here: its distribution refuses the type, and a second error would not help.
template <class T> struct Real { using arithmetic = T; };
template <> struct Real<float> {
    using arithmetic = float;
    static constexpr int precision = 24;
};
template <> struct Real<double> {
    using arithmetic = double;
    static constexpr int precision = 53;
};

/// The bits of binary16 in the lower halves. |x| must be below 65520 and must not be a subnormal float; -0 becomes +0.
template <class L> RNG_FN lane::u32<L> binary16_bits(lane::f32<L> x) {
    using U = lane::u32<L>;
    const U b = lane::bits(x), magnitude = b & U(0x7fffffffu);
    const U normal = lane::shr<13>(magnitude + U(0xfffu) + (lane::shr<13>(magnitude) & U(1u))) - U(112u << 10);
    // Below 2^-14 the last place is 2^-24, the same as for a float in [0.5, 1): the sum rounds there.
    const U tiny = lane::bits(lane::add(lane::from_bits(magnitude), lane::f32<L>(0.5f))) - U(0x3f000000u);
    const U is_tiny = lane::is_below(magnitude, U(0x38800000u));
    const U rounded = normal ^ ((normal ^ tiny) & is_tiny);
    return rounded | (lane::shr<16>(b) & U(0x8000u) & lane::is_below(U(0u), rounded));
}

/// The bits of bfloat16 in the lower halves. |x| must round to a finite number and must not be a subnormal float.
template <class L> RNG_FN lane::u32<L> bfloat16_bits(lane::f32<L> x) {
    using U = lane::u32<L>;
    const U b = lane::bits(x);
    return lane::shr<16>(b + U(0x7fffu) + (lane::shr<16>(b) & U(1u)));
}

}  // namespace detail

struct float16 {
    uint16_t bits;

    float16() = default;
    /// Rounds to nearest even. From 65520 on the result is infinity, as IEEE 754 says. NaN stays a NaN.
    RNG_FN explicit float16(float x) : bits(static_cast<uint16_t>(round(x))) {}
    [[nodiscard]] RNG_FN static constexpr float16 from_bits(uint32_t b) {
        float16 h{};
        h.bits = static_cast<uint16_t>(b);
        return h;
    }
    RNG_FN operator float() const {
        const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
        if (exponent == 31) return lane::Scalar::from_bits(sign | 0x7f800000u | fraction << 13);
        if (exponent != 0) return lane::Scalar::from_bits(sign | (exponent + 112) << 23 | fraction << 13);
        // fraction * 2^-24: the fraction below a leading one, less that one.
        const float tiny = lane::Scalar::sub(lane::Scalar::from_bits(0x46000000u | fraction), 0x1p13f);
        const uint32_t b = fraction == 0 ? 0 : lane::Scalar::bits(tiny) - (14u << 23);
        return lane::Scalar::from_bits(sign | b);
    }

  private:
    RNG_FN static uint32_t round(float x) {
        const uint32_t b = lane::Scalar::bits(x), magnitude = b & 0x7fffffffu, sign = b >> 16 & 0x8000u;
        if (magnitude > 0x7f800000u) return sign | 0x7e00u;
        if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
        if (magnitude < 0x00800000u) return sign;  // far below half of 2^-24
        return sign | detail::binary16_bits(lane::f32<lane::Scalar>(lane::Scalar::from_bits(magnitude))).v;
    }
};

struct bfloat16 {
    uint16_t bits;

    bfloat16() = default;
    /// Rounds to nearest even. Values that round above the greatest finite value become infinity. NaN stays a NaN.
    RNG_FN explicit bfloat16(float x) : bits(static_cast<uint16_t>(round(x))) {}
    [[nodiscard]] RNG_FN static constexpr bfloat16 from_bits(uint32_t b) {
        bfloat16 h{};
        h.bits = static_cast<uint16_t>(b);
        return h;
    }
    RNG_FN operator float() const { return lane::Scalar::from_bits(static_cast<uint32_t>(bits) << 16); }

  private:
    RNG_FN static uint32_t round(float x) {
        const uint32_t b = lane::Scalar::bits(x);
        if ((b & 0x7fffffffu) > 0x7f800000u) return b >> 16 | 0x40u;
        return detail::bfloat16_bits(lane::f32<lane::Scalar>(x)).v;
    }
};

namespace detail {

template <> struct Real<float16> {
    using arithmetic = float;
    static constexpr int precision = 11;
};
template <> struct Real<bfloat16> {
    using arithmetic = float;
    static constexpr int precision = 8;
};

/// The type of the parameters of distributions of T, and of their arithmetic.
template <class T> using arithmetic_t = typename Real<T>::arithmetic;

/// A result of the arithmetic as a value of T over any lane: itself, or the bits of a 16-bit number.
template <class T, class F> RNG_FN auto as_result(F x) {
    if constexpr (is_same<T, float16>)
        return binary16_bits(x);
    else if constexpr (is_same<T, bfloat16>)
        return bfloat16_bits(x);
    else
        return x;
}

/// The type's next value above or below x, a value of T.
template <class T> RNG_FN arithmetic_t<T> next_value_above(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2) {
        const T h(x);
        const uint32_t b = h.bits;
        return T::from_bits((b & 0x7fffu) == 0 ? 1u : b & 0x8000u ? b - 1 : b + 1);
    } else {
        return lane::next_above(x);
    }
}
template <class T> RNG_FN arithmetic_t<T> next_value_below(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2) {
        const T h(x);
        const uint32_t b = h.bits;
        return T::from_bits((b & 0x7fffu) == 0 ? 0x8001u : b & 0x8000u ? b + 1 : b - 1);
    } else {
        return lane::next_below(x);
    }
}

/// True if x is a value of T: any float or double; for a 16-bit T, if rounding to T does not change x.
template <class T> RNG_FN bool is_value_of(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2)
        return lane::is_finite(x) && lane::Scalar::bits(lane::without_negative_zero(static_cast<float>(T(x)))) ==
                                         lane::Scalar::bits(lane::without_negative_zero(x));
    else
        return true;
}

template <> struct Dtype<float16> { static constexpr const char* name = "f16"; };
template <> struct Dtype<bfloat16> { static constexpr const char* name = "bf16"; };

}  // namespace detail

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
