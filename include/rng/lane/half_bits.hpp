// Rounding of a float to 16 bits, in integer arithmetic over any lane: to nearest, ties to even.
#pragma once

#include "lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

// Kernels round two numbers by one instruction, if the processor has it.
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
#define RNG_HALVES_BY_INSTRUCTION 1
#endif
#endif
#if !defined(RNG_HALVES_BY_INSTRUCTION)
#define RNG_HALVES_BY_INSTRUCTION 0
#endif

namespace detail {

#if defined(__CUDA_ARCH__)
/// The binary16 number with these bits, exactly. The GPU determines which NaN a NaN becomes.
RNG_FN float binary16_number(uint16_t bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
/// The bits of the binary16 number nearest to x, ties to even. The GPU determines which NaN a NaN becomes.
RNG_FN uint16_t binary16_rounded(float x) {
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
#endif

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

#if RNG_HALVES_BY_INSTRUCTION
/// Two results of binary16_bits() for numbers in its range; `low` is in the lower half. The sum turns -0 into +0.
RNG_FN uint32_t two_binary16(float low, float high) {
    uint32_t two;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(high), "f"(low));
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(two) : "r"(0u));
    return two;
}
RNG_FN uint32_t two_bfloat16(float low, float high) {
    uint32_t two;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(high), "f"(low));
    return two;
}
#endif

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
