// The vectors of engines on AVX-512: one 64-bit lane or one 32-bit lane for each of several blocks.
//
// The blocks use the lanes in the order V::block_order(), so that few shuffles put their words into stream order.
#pragma once

#include <immintrin.h>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

/// 8 blocks: words of 64 bits, or (Philox4x32) words of 32 bits in the lower halves.
struct Avx512x64 {
    using reg = __m512i;
    static constexpr int lanes = 8;
    RNG_FN static reg set(uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
    RNG_FN static reg block_order() { return _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7); }
    RNG_FN static reg add(reg a, reg b) { return _mm512_add_epi64(a, b); }
    RNG_FN static reg mul(reg a, reg b) { return _mm512_mul_epu32(a, b); }  ///< the product of the lower halves
    /// low() keeps the lower halves; halves() puts those of `low` below those of `upper`.
    RNG_FN static reg low(reg a) { return _mm512_maskz_mov_epi32(0x5555, a); }
    RNG_FN static reg halves(reg low, reg upper) {
        return _mm512_mask_shuffle_epi32(low, 0xAAAA, upper, static_cast<_MM_PERM_ENUM>(0xA0));
    }
    RNG_FN static reg high(reg a) { return _mm512_srli_epi64(a, 32); }
    RNG_FN static reg bit_xor(reg a, reg b) { return _mm512_xor_si512(a, b); }
    RNG_FN static reg bit_xor3(reg a, reg b, reg c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
    template <int N> RNG_FN static reg rotate_left(reg a) { return _mm512_rol_epi64(a, N); }
    /// { high(product) ^ b ^ c, low(product) }: two instructions do the last round's shift and join the two words.
    RNG_FN static reg join(reg product, reg b, reg c) {
        return _mm512_mask_ternarylogic_epi32(_mm512_shuffle_epi32(product, static_cast<_MM_PERM_ENUM>(0xB1)), 0x5555,
                                              b, c, 0x96);
    }
    /// Stores the four words, joined in pairs, of each block.
    RNG_FN static void store_joined(uint32_t* out, reg words01, reg words23) {
        _mm512_storeu_si512(out, _mm512_unpacklo_epi64(words01, words23));
        _mm512_storeu_si512(out + 16, _mm512_unpackhi_epi64(words01, words23));
    }
    /// Undoes store_joined().
    RNG_FN static void load_joined(const uint32_t* in, reg& words01, reg& words23) {
        const reg first = _mm512_loadu_si512(in), second = _mm512_loadu_si512(in + 16);
        words01 = _mm512_unpacklo_epi64(first, second);
        words23 = _mm512_unpackhi_epi64(first, second);
    }
    /// Stores the four 64-bit words of each block.
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        const reg even01 = _mm512_unpacklo_epi64(x0, x1), odd01 = _mm512_unpackhi_epi64(x0, x1);
        const reg even23 = _mm512_unpacklo_epi64(x2, x3), odd23 = _mm512_unpackhi_epi64(x2, x3);
        const reg first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const reg second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        _mm512_storeu_si512(out, _mm512_permutex2var_epi64(even01, first, even23));
        _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi64(even01, second, even23));
        _mm512_storeu_si512(out + 32, _mm512_permutex2var_epi64(odd01, first, odd23));
        _mm512_storeu_si512(out + 48, _mm512_permutex2var_epi64(odd01, second, odd23));
    }
};

/// The whole product of 64-bit words by the 52-bit multiply-adds of AVX-512 IFMA.
struct Avx512x64Ifma : Avx512x64 {
    struct Factor {
        reg low, high;  // bits 0-51 and 52-63
        RNG_FN explicit Factor(uint64_t m) : low(set(m & 0xfffffffffffffu)), high(set(m >> 52)) {}
    };
    struct Product {
        reg low, high;
    };

    RNG_FN static Product multiply(reg x, const Factor& m) {
        // x m = first + middle 2^52 + top 2^104, with first below 2^52 and middle not reduced.
        const reg zero = _mm512_setzero_si512(), upper = _mm512_srli_epi64(x, 52);
        const reg first = add_low(zero, x, m.low);
        const reg middle = add_low(add_low(add_high(zero, x, m.low), x, m.high), upper, m.low);
        const reg top = add_low(add_high(add_high(zero, x, m.high), upper, m.low), upper, m.high);
        return {_mm512_add_epi64(first, _mm512_slli_epi64(middle, 52)),
                _mm512_add_epi64(_mm512_srli_epi64(middle, 12), _mm512_slli_epi64(top, 40))};
    }

  private:
    // sum + the lower or upper 52 bits of a b. The instructions are written by name: otherwise the other functions of
    // this file would be compiled for IFMA, which not every processor with AVX-512 has.
    RNG_FN static reg add_low(reg sum, reg a, reg b) {
        __asm__("vpmadd52luq %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        return sum;
    }
    RNG_FN static reg add_high(reg sum, reg a, reg b) {
        __asm__("vpmadd52huq %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        return sum;
    }
};

/// 16 blocks of 32-bit words.
struct Avx512x32 {
    using reg = __m512i;
    static constexpr int lanes = 16;
    RNG_FN static reg set(uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
    RNG_FN static reg block_order() { return _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15); }
    RNG_FN static reg add(reg a, reg b) { return _mm512_add_epi32(a, b); }
    RNG_FN static reg bit_xor(reg a, reg b) { return _mm512_xor_si512(a, b); }
    template <int N> RNG_FN static reg rotate_left(reg a) { return _mm512_rol_epi32(a, N); }
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        const reg low01 = _mm512_unpacklo_epi32(x0, x1), high01 = _mm512_unpackhi_epi32(x0, x1);
        const reg low23 = _mm512_unpacklo_epi32(x2, x3), high23 = _mm512_unpackhi_epi32(x2, x3);
        _mm512_storeu_si512(out, _mm512_unpacklo_epi64(low01, low23));
        _mm512_storeu_si512(out + 16, _mm512_unpackhi_epi64(low01, low23));
        _mm512_storeu_si512(out + 32, _mm512_unpacklo_epi64(high01, high23));
        _mm512_storeu_si512(out + 48, _mm512_unpackhi_epi64(high01, high23));
    }
};

}  // namespace wide
RNG_END_NAMESPACE
