// Neon: lanes of 4 words or 2 double words (Advanced SIMD of AArch64, which has FMA).
//
// Integers of both widths have one register type, as on x86: load() and store() do not tell them apart.
#pragma once

#include <arm_neon.h>

#include <rng/lane/lane.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

struct Neon {
    using I = uint32x4_t;
    using F = float32x4_t;
    using D = float64x2_t;
    using u32_reg = I;
    using u64_reg = I;
    using f32_reg = F;
    using f64_reg = D;
    static constexpr int bytes = 16, registers = 32;

    RNG_FN static I set(uint32_t x) { return vdupq_n_u32(x); }
    RNG_FN static I set64(uint64_t x) { return narrow(vdupq_n_u64(x)); }
    RNG_FN static F set(float x) { return vdupq_n_f32(x); }
    RNG_FN static D set(double x) { return vdupq_n_f64(x); }

    RNG_FN static I add(I a, I b) { return vaddq_u32(a, b); }
    RNG_FN static I sub(I a, I b) { return vsubq_u32(a, b); }
    RNG_FN static I bit_xor(I a, I b) { return veorq_u32(a, b); }
    RNG_FN static I bit_and(I a, I b) { return vandq_u32(a, b); }
    RNG_FN static I bit_or(I a, I b) { return vorrq_u32(a, b); }
    template <int S> RNG_FN static I shl(I a) { return vshlq_n_u32(a, S); }
    template <int S> RNG_FN static I shr(I a) {
        if constexpr (S == 0)
            return a;
        else
            return vshrq_n_u32(a, S);
    }
    template <int S> RNG_FN static I sar(I a) {
        return vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(a), S));
    }
    RNG_FN static I abs_signed(I a) { return vreinterpretq_u32_s32(vabsq_s32(vreinterpretq_s32_u32(a))); }

    RNG_FN static I mul_low(I a, I b) { return vmulq_u32(a, b); }
    RNG_FN static I mul_high(I a, I b) {
        const uint64x2_t low = vmull_u32(vget_low_u32(a), vget_low_u32(b)), high = vmull_high_u32(a, b);
        return vuzp2q_u32(narrow(low), narrow(high));
    }
    RNG_FN static I is_below(I a, I b) { return vcltq_u32(a, b); }

    RNG_FN static I lanes_below(I a, I b) { return vcltq_u32(a, b); }
    RNG_FN static I lanes_below64(I a, I b) { return is_below64(a, b); }
    RNG_FN static I lanes_less(F a, F b) { return vcltq_f32(a, b); }
    RNG_FN static I lanes_less(D a, D b) { return narrow(vcltq_f64(a, b)); }
    RNG_FN static I mask_and(I a, I b) { return vandq_u32(a, b); }
    RNG_FN static I mask_or(I a, I b) { return vorrq_u32(a, b); }
    RNG_FN static I mask_not(I a) { return vmvnq_u32(a); }
    RNG_FN static F select(I m, F a, F b) { return vbslq_f32(m, a, b); }
    RNG_FN static D select(I m, D a, D b) { return vbslq_f64(wide(m), a, b); }

    static constexpr bool has_mul_wide = false;
    RNG_FN static I mul_halves(I a, I b) { return narrow(vmull_u32(vmovn_u64(wide(a)), vmovn_u64(wide(b)))); }
    RNG_FN static I is_below64(I a, I b) { return narrow(vcltq_u64(wide(a), wide(b))); }
    RNG_FN static I add64(I a, I b) { return narrow(vaddq_u64(wide(a), wide(b))); }
    RNG_FN static I sub64(I a, I b) { return narrow(vsubq_u64(wide(a), wide(b))); }
    RNG_FN static I bit_xor64(I a, I b) { return veorq_u32(a, b); }
    RNG_FN static I bit_and64(I a, I b) { return vandq_u32(a, b); }
    RNG_FN static I bit_or64(I a, I b) { return vorrq_u32(a, b); }
    template <int S> RNG_FN static I shl64(I a) { return narrow(vshlq_n_u64(wide(a), S)); }
    template <int S> RNG_FN static I shr64(I a) {
        if constexpr (S == 0)
            return a;
        else
            return narrow(vshrq_n_u64(wide(a), S));
    }
    RNG_FN static I shr_each64(I a, I n) {  // the instruction reads only the lowest byte of the number
        const uint64x2_t shifted = vshlq_u64(wide(a), vnegq_s64(vreinterpretq_s64_u32(n)));
        return narrow(vandq_u64(shifted, vcltq_u64(wide(n), vdupq_n_u64(64))));
    }
    RNG_FN static I abs_signed64(I a) { return vreinterpretq_u32_s64(vabsq_s64(vreinterpretq_s64_u32(a))); }

    RNG_FN static F signed_to_f32(I a) { return vcvtq_f32_s32(vreinterpretq_s32_u32(a)); }
    RNG_FN static D small_to_f64(I a) { return vcvtq_f64_u64(wide(a)); }
    RNG_FN static I bits(F a) { return vreinterpretq_u32_f32(a); }
    RNG_FN static I bits(D a) { return vreinterpretq_u32_f64(a); }
    RNG_FN static F from_bits(I a) { return vreinterpretq_f32_u32(a); }
    RNG_FN static D from_bits64(I a) { return vreinterpretq_f64_u32(a); }

    // fms is no negated fnma: -(c - a b) is -0 where a b - c is +0.
    RNG_FN static F fma(F a, F b, F c) { return vfmaq_f32(c, a, b); }
    RNG_FN static F fms(F a, F b, F c) { return vfmaq_f32(vnegq_f32(c), a, b); }
    RNG_FN static F fnma(F a, F b, F c) { return vfmsq_f32(c, a, b); }
    RNG_FN static F mul(F a, F b) { return vmulq_f32(a, b); }
    RNG_FN static F add(F a, F b) { return vaddq_f32(a, b); }
    RNG_FN static F sub(F a, F b) { return vsubq_f32(a, b); }
    RNG_FN static F div(F a, F b) { return vdivq_f32(a, b); }
    RNG_FN static F sqrt(F a) { return vsqrtq_f32(a); }
    // Not vminq and vmaxq, which put -0 below +0.
    RNG_FN static F select_less(F a, F b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
    RNG_FN static F select_greater(F a, F b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
    RNG_FN static D fma(D a, D b, D c) { return vfmaq_f64(c, a, b); }
    RNG_FN static D fms(D a, D b, D c) { return vfmaq_f64(vnegq_f64(c), a, b); }
    RNG_FN static D fnma(D a, D b, D c) { return vfmsq_f64(c, a, b); }
    RNG_FN static D mul(D a, D b) { return vmulq_f64(a, b); }
    RNG_FN static D add(D a, D b) { return vaddq_f64(a, b); }
    RNG_FN static D sub(D a, D b) { return vsubq_f64(a, b); }
    RNG_FN static D div(D a, D b) { return vdivq_f64(a, b); }
    RNG_FN static D sqrt(D a) { return vsqrtq_f64(a); }
    RNG_FN static D select_less(D a, D b) { return vbslq_f64(vcltq_f64(a, b), a, b); }
    RNG_FN static D select_greater(D a, D b) { return vbslq_f64(vcgtq_f64(a, b), a, b); }

    RNG_FN static F flip_sign(F x, I w) { return from_bits(bit_xor(bits(x), bit_and(w, set(0x80000000u)))); }
    RNG_FN static D flip_sign(D x, I w) {
        return from_bits64(bit_xor(bits(x), bit_and(w, set64(0x8000000000000000u))));
    }
    template <int B> RNG_FN static F select_bit(I w, F a, F b) { return vbslq_f32(vtstq_u32(w, set(1u << B)), a, b); }
    template <int B> RNG_FN static D select_bit(I w, D a, D b) {
        return vbslq_f64(vtstq_u64(wide(w), vdupq_n_u64(uint64_t{1} << B)), a, b);
    }

    template <int B> RNG_FN static bool any_bit(I w) { return vmaxvq_u32(bit_and(w, set(1u << B))) != 0; }
    template <int B> RNG_FN static bool any_bit64(I w) { return vmaxvq_u32(bit_and(w, set64(uint64_t{1} << B))) != 0; }

    RNG_FN static I load(const uint32_t* p) { return vld1q_u32(p); }
    RNG_FN static F load(const float* p) { return vld1q_f32(p); }
    RNG_FN static D load(const double* p) { return vld1q_f64(p); }
    /// Loads words, each into a lane of 64 bits.
    RNG_FN static I load_widened(const uint32_t* p) { return narrow(vmovl_u32(vld1_u32(p))); }
    /// Floats as doubles, and back: the lanes of two registers of doubles in one of floats.
    RNG_FN static D load_widened(const float* p) { return vcvt_f64_f32(vld1_f32(p)); }
    RNG_FN static F narrowed(D a, D b) { return vcvt_high_f32_f64(vcvt_f32_f64(a), b); }
    RNG_FN static void store_narrowed(float* p, D a) { vst1_f32(p, vcvt_f32_f64(a)); }
    RNG_FN static void store(void* p, I a) { vst1q_u8(static_cast<uint8_t*>(p), vreinterpretq_u8_u32(a)); }
    RNG_FN static void store(void* p, F a) { store(p, bits(a)); }
    RNG_FN static void store(void* p, D a) { store(p, bits(a)); }
    template <int Lane, int Bytes> RNG_FN static void store_low(void* p, I a) {
        auto* const to = static_cast<uint8_t*>(p);
        if constexpr (Lane == 8) {
            vst1_u8(to, vreinterpret_u8_u32(vmovn_u64(wide(a))));
        } else if constexpr (Bytes == 2) {
            vst1_u8(to, vreinterpret_u8_u16(vmovn_u32(a)));
        } else {
            const uint16x4_t words = vmovn_u32(a);
            const uint32x2_t four = vreinterpret_u32_u8(vmovn_u16(vcombine_u16(words, words)));
            const uint32_t bytes_of_lanes = vget_lane_u32(four, 0);
            __builtin_memcpy(p, &bytes_of_lanes, 4);
        }
    }
    RNG_FN static uint64_t lanes_set(I a) {
        static constexpr uint32_t bit[4] = {1, 2, 4, 8};
        return vaddvq_u32(vandq_u32(a, vld1q_u32(bit)));
    }
    RNG_FN static uint64_t lanes_set64(I a) {
        return (vgetq_lane_u64(wide(a), 0) & 1) | (vgetq_lane_u64(wide(a), 1) & 2);
    }

    // Pairs: even slots of a then of b. merge_low and merge_high undo it.
    using U32 = lane::u32<Neon>;
    using U64 = lane::u64<Neon>;
    RNG_FN static U32 even_slots(U32 a, U32 b) { return {vuzp1q_u32(a.v, b.v), 0}; }
    RNG_FN static U32 odd_slots(U32 a, U32 b) { return {vuzp2q_u32(a.v, b.v), 0}; }
    RNG_FN static U64 even_slots(U64 a, U64 b) { return {narrow(vzip1q_u64(wide(a.v), wide(b.v))), 0}; }
    RNG_FN static U64 odd_slots(U64 a, U64 b) { return {narrow(vzip2q_u64(wide(a.v), wide(b.v))), 0}; }
    RNG_FN static F merge_low(F even, F odd) { return vzip1q_f32(even, odd); }
    RNG_FN static F merge_high(F even, F odd) { return vzip2q_f32(even, odd); }
    RNG_FN static I merge_low(I even, I odd) { return vzip1q_u32(even, odd); }
    RNG_FN static I merge_high(I even, I odd) { return vzip2q_u32(even, odd); }
    RNG_FN static D merge_low(D even, D odd) { return vzip1q_f64(even, odd); }
    RNG_FN static D merge_high(D even, D odd) { return vzip2q_f64(even, odd); }
    // A register is one part, in stream order already.
    RNG_FN static I in_order(I a) { return a; }
    template <class R> RNG_FN static R by_parts(R a) { return a; }

  private:
    RNG_FN static uint64x2_t wide(I a) { return vreinterpretq_u64_u32(a); }
    RNG_FN static I narrow(uint64x2_t a) { return vreinterpretq_u32_u64(a); }
};

}  // namespace wide
RNG_END_NAMESPACE
