// float16 (IEEE binary16) and bfloat16: 16-bit floating-point numbers for storage, whose bits do not depend on the
// compiler.
//
//     std::vector<rng::float16> h(1000);
//     rng::fill(h, rng::uniform<rng::float16>{}, gen);
//     const float first = h[0];
//
// Conversion from float rounds to nearest, ties to even; to float it is exact. Hosts convert without special
// instructions, GPUs with theirs; the bits are the same. Arithmetic is done in float. The bits are those of CUDA's
// __half and __nv_bfloat16, of _Float16 and of NumPy's float16. Oracle: float16(65504.0f).bits == 0x7bff, the greatest;
// bfloat16(3.140625f).bits == 0x4049.
#pragma once

#include "lane/half_bits.hpp"
#include "lane/scalar.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// IEEE 754 binary16: 11 significant bits, up to 65504.
struct float16 {
    uint16_t bits;

    float16() = default;
    /// Rounds a float to nearest, ties to even. From 65520 on the result is infinity, as in IEEE 754. A NaN stays a
    /// NaN.
    RNG_FN explicit float16(float x) : bits(static_cast<uint16_t>(round(x))) {}
    /// Returns the number with these bits.
    [[nodiscard]] RNG_FN static constexpr float16 from_bits(uint32_t b) {
        float16 h{};
        h.bits = static_cast<uint16_t>(b);
        return h;
    }
#if RNG_HALVES_BY_INSTRUCTION
    /// Rounds a result of a transform in kernels, as detail::binary16_bits() does on hosts.
    [[nodiscard]] RNG_FN static float16 from_result(float x) { return from_bits(detail::two_binary16(x, x) & 0xffffu); }
    /// Returns the bits of two rounded results, those of `low` in the lower half.
    [[nodiscard]] RNG_FN static uint32_t two_from_results(float low, float high) {
        return detail::two_binary16(low, high);
    }
#endif
    /// Returns the same number as a float.
    RNG_FN operator float() const {
        const uint32_t sign = (bits & 0x8000u) << 16, fraction = bits & 0x3ffu;
        const float not_finite = lane::Scalar::from_bits(sign | 0x7f800000u | fraction << 13);
#if defined(__CUDA_ARCH__)
        return (bits & 0x7fffu) > 0x7c00u ? not_finite : detail::binary16_number(bits);
#else
        const uint32_t exponent = bits >> 10 & 31u;
        if (exponent == 31) return not_finite;
        if (exponent != 0) return lane::Scalar::from_bits(sign | (exponent + 112) << 23 | fraction << 13);
        // fraction * 2^-24: the fraction behind a leading one, minus that one.
        const float tiny = lane::Scalar::sub(lane::Scalar::from_bits(0x46000000u | fraction), 0x1p13f);
        const uint32_t b = fraction == 0 ? 0 : lane::Scalar::bits(tiny) - (14u << 23);
        return lane::Scalar::from_bits(sign | b);
#endif
    }

  private:
    RNG_FN static uint32_t round(float x) {
        const uint32_t b = lane::Scalar::bits(x), magnitude = b & 0x7fffffffu, sign = b >> 16 & 0x8000u;
        if (magnitude > 0x7f800000u) return sign | 0x7e00u;
#if defined(__CUDA_ARCH__)
        return detail::binary16_rounded(x);
#else
        if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
        if (magnitude < 0x00800000u) return sign;  // far below half of 2^-24
        return sign | detail::binary16_bits(lane::f32<lane::Scalar>(lane::Scalar::from_bits(magnitude))).v;
#endif
    }
};

/// The upper half of a float: 8 significant bits, and the range of float.
struct bfloat16 {
    uint16_t bits;

    bfloat16() = default;
    /// Rounds a float to nearest, ties to even. Values that round above the greatest finite value become infinity.
    /// A NaN stays a NaN.
    RNG_FN explicit bfloat16(float x) : bits(static_cast<uint16_t>(round(x))) {}
    /// Returns the number with these bits.
    [[nodiscard]] RNG_FN static constexpr bfloat16 from_bits(uint32_t b) {
        bfloat16 h{};
        h.bits = static_cast<uint16_t>(b);
        return h;
    }
#if RNG_HALVES_BY_INSTRUCTION
    /// Rounds a result of a transform in kernels, as detail::bfloat16_bits() does on hosts.
    [[nodiscard]] RNG_FN static bfloat16 from_result(float x) {
        return from_bits(detail::two_bfloat16(x, x) & 0xffffu);
    }
    /// Returns the bits of two rounded results, those of `low` in the lower half.
    [[nodiscard]] RNG_FN static uint32_t two_from_results(float low, float high) {
        return detail::two_bfloat16(low, high);
    }
#endif
    /// Returns the same number as a float.
    RNG_FN operator float() const { return lane::Scalar::from_bits(static_cast<uint32_t>(bits) << 16); }

  private:
    RNG_FN static uint32_t round(float x) {
        const uint32_t b = lane::Scalar::bits(x);
        if ((b & 0x7fffffffu) > 0x7f800000u) return b >> 16 | 0x40u;
        return detail::bfloat16_bits(lane::f32<lane::Scalar>(x)).v;
    }
};

namespace detail {

/// Returns the same number as a float. In kernels, a NaN may become another NaN, which saves the instructions that
/// would preserve it.
RNG_FN float number_of(float16 x) {
#if defined(__CUDA_ARCH__)
    return binary16_number(x.bits);
#else
    return x;
#endif
}
RNG_FN float number_of(bfloat16 x) { return x; }

}  // namespace detail

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
