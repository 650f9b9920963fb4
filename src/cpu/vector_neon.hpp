// The vectors of engines on AArch64: a word of each of two or four blocks in a register.
#pragma once

#include <arm_neon.h>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

/// 2 blocks of 64-bit words.
struct Neonx64 {
    using reg = uint64x2_t;
    static constexpr int lanes = 2;
    RNG_FN static reg set(uint64_t x) { return vdupq_n_u64(x); }
    RNG_FN static reg block_order() { return vcombine_u64(vcreate_u64(0), vcreate_u64(1)); }
    RNG_FN static reg add(reg a, reg b) { return vaddq_u64(a, b); }
    RNG_FN static reg bit_xor(reg a, reg b) { return veorq_u64(a, b); }
    template <int N> RNG_FN static reg rotate_left(reg a) {
        if constexpr (N == 32)
            return vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(a)));
        else
            return vsriq_n_u64(vshlq_n_u64(a, N), a, 64 - N);
    }
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        put(out, vzip1q_u64(x0, x1)), put(out + 4, vzip1q_u64(x2, x3));
        put(out + 8, vzip2q_u64(x0, x1)), put(out + 12, vzip2q_u64(x2, x3));
    }

  private:
    RNG_FN static void put(uint32_t* out, reg a) { vst1q_u32(out, vreinterpretq_u32_u64(a)); }
};

/// 4 blocks of 32-bit words.
struct Neonx32 {
    using reg = uint32x4_t;
    static constexpr int lanes = 4;
    RNG_FN static reg set(uint32_t x) { return vdupq_n_u32(x); }
    RNG_FN static reg block_order() {
        static constexpr uint32_t order[4] = {0, 1, 2, 3};
        return vld1q_u32(order);
    }
    RNG_FN static reg add(reg a, reg b) { return vaddq_u32(a, b); }
    RNG_FN static reg bit_xor(reg a, reg b) { return veorq_u32(a, b); }
    template <int N> RNG_FN static reg rotate_left(reg a) {
        if constexpr (N == 16)
            return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(a)));
        else
            return vsriq_n_u32(vshlq_n_u32(a, N), a, 32 - N);
    }
    /// Writes the halves of the products x m, lane by lane.
    RNG_FN static void multiply(reg x, reg m, reg& high, reg& low) {
        const reg first = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(x), vget_low_u32(m)));
        const reg second = vreinterpretq_u32_u64(vmull_high_u32(x, m));
        high = vuzp2q_u32(first, second), low = vuzp1q_u32(first, second);
    }
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        vst4q_u32(out, (uint32x4x4_t{{x0, x1, x2, x3}}));
    }
    /// Undoes store().
    RNG_FN static void load(const uint32_t* in, reg (&x)[4]) {
        const uint32x4x4_t a = vld4q_u32(in);
        for (int i = 0; i < 4; ++i) x[i] = a.val[i];
    }
};

}  // namespace wide
RNG_END_NAMESPACE
