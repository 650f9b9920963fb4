// Parts of a word as floats. GPUs have shorter instruction sequences for some of them (docs/decisions/cuda.md).
#pragma once

#include "lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

#if defined(__CUDA_ARCH__)
/// The lowest 8 or 16 bits of w as a number. GPUs convert parts of a register by a pipe that little else uses.
template <int Bits, class L> RNG_FN f32<L> low_bits_to_f32(u32<L> w) {
    static_assert(Bits == 8 || Bits == 16);
    float number;
    if constexpr (Bits == 8)
        asm("cvt.rn.f32.u8 %0, %1;" : "=f"(number) : "r"(w.v));
    else
        number = __uint2float_rn(static_cast<uint16_t>(w.v));
    return number;
}
/// The upper 16 bits of w as a signed number.
template <class L> RNG_FN f32<L> upper_half_to_f32(u32<L> w) {
    uint16_t low, high;
    float number;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(w.v));
    asm("cvt.rn.f32.s16 %0, %1;" : "=f"(number) : "h"(high));
    return number;
}
#endif
/// The upper Bits bits of w as a number, plus `more`, which is 0 or 1.
template <int Bits, int more = 0, class L> RNG_FN f32<L> upper_bits_to_f32(u32<L> w) {
#if defined(__CUDA_ARCH__)
    if constexpr (Bits <= 22) {  // put into the last places of 2^23 by one instruction
        const u32<L> in_place{__funnelshift_r(w.v, 0x4b000000u >> Bits, 32 - Bits), 0};
        return {L::sub(from_bits(in_place).v, L::set(0x1p23f - more)), 0};
    }
#endif
    const u32<L> top = shr<32 - Bits>(w);
    return signed_to_f32(more == 0 ? top : top + u32<L>(1u));
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
