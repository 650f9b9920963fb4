// The vectors of engines on AVX2: like vector_avx512.hpp, with half the lanes.
#pragma once

#include <immintrin.h>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

RNG_FN __m256i load256(const uint32_t* in) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)); }
RNG_FN void store256(uint32_t* out, __m256i a) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), a); }

/// The bytes of every lane of `Bytes` bytes, rotated left by `By`.
template <int Bytes, int By> RNG_FN __m256i rotate_bytes(__m256i a) {
    alignas(32) char from[32];
    for (int i = 0; i < 32; ++i) from[i] = static_cast<char>(i % 16 / Bytes * Bytes + (i % Bytes + Bytes - By) % Bytes);
    return _mm256_shuffle_epi8(a, _mm256_load_si256(reinterpret_cast<const __m256i*>(from)));
}

/// 4 blocks: words of 64 bits, or (Philox4x32) words of 32 bits in the lower halves.
struct Avx2x64 {
    using reg = __m256i;
    static constexpr int lanes = 4;
    RNG_FN static reg set(uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
    RNG_FN static reg block_order() { return _mm256_setr_epi64x(0, 2, 1, 3); }
    RNG_FN static reg add(reg a, reg b) { return _mm256_add_epi64(a, b); }
    RNG_FN static reg mul(reg a, reg b) { return _mm256_mul_epu32(a, b); }
    /// low() keeps the lower halves; halves() puts those of `low` below those of `upper`.
    RNG_FN static reg low(reg a) { return _mm256_blend_epi32(a, _mm256_setzero_si256(), 0xAA); }
    RNG_FN static reg halves(reg low, reg upper) { return _mm256_blend_epi32(low, _mm256_slli_epi64(upper, 32), 0xAA); }
    RNG_FN static reg high(reg a) { return _mm256_srli_epi64(a, 32); }
    RNG_FN static reg bit_xor(reg a, reg b) { return _mm256_xor_si256(a, b); }
    RNG_FN static reg bit_xor3(reg a, reg b, reg c) { return _mm256_xor_si256(_mm256_xor_si256(a, b), c); }
    template <int N> RNG_FN static reg rotate_left(reg a) {
        if constexpr (N == 32)
            return _mm256_shuffle_epi32(a, 0xB1);
        else if constexpr (N % 8 == 0)
            return rotate_bytes<8, N / 8>(a);
        else
            return _mm256_or_si256(_mm256_slli_epi64(a, N), _mm256_srli_epi64(a, 64 - N));
    }
    RNG_FN static reg join(reg product, reg b, reg c) {
        return _mm256_blend_epi32(bit_xor3(high(product), b, c), _mm256_slli_epi64(product, 32), 0xAA);
    }
    RNG_FN static void store_joined(uint32_t* out, reg words01, reg words23) {
        store256(out, _mm256_unpacklo_epi64(words01, words23));
        store256(out + 8, _mm256_unpackhi_epi64(words01, words23));
    }
    /// Undoes store_joined().
    RNG_FN static void load_joined(const uint32_t* in, reg& words01, reg& words23) {
        const reg first = load256(in), second = load256(in + 8);
        words01 = _mm256_unpacklo_epi64(first, second);
        words23 = _mm256_unpackhi_epi64(first, second);
    }
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        const reg even01 = _mm256_unpacklo_epi64(x0, x1), odd01 = _mm256_unpackhi_epi64(x0, x1);
        const reg even23 = _mm256_unpacklo_epi64(x2, x3), odd23 = _mm256_unpackhi_epi64(x2, x3);
        store256(out, _mm256_permute2x128_si256(even01, even23, 0x20));
        store256(out + 8, _mm256_permute2x128_si256(even01, even23, 0x31));
        store256(out + 16, _mm256_permute2x128_si256(odd01, odd23, 0x20));
        store256(out + 24, _mm256_permute2x128_si256(odd01, odd23, 0x31));
    }
};

/// 8 blocks of 32-bit words.
struct Avx2x32 {
    using reg = __m256i;
    static constexpr int lanes = 8;
    RNG_FN static reg set(uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }
    RNG_FN static reg block_order() { return _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7); }
    RNG_FN static reg add(reg a, reg b) { return _mm256_add_epi32(a, b); }
    RNG_FN static reg bit_xor(reg a, reg b) { return _mm256_xor_si256(a, b); }
    template <int N> RNG_FN static reg rotate_left(reg a) {
        if constexpr (N % 8 == 0)
            return rotate_bytes<4, N / 8>(a);
        else
            return _mm256_or_si256(_mm256_slli_epi32(a, N), _mm256_srli_epi32(a, 32 - N));
    }
    RNG_FN static void store(uint32_t* out, reg x0, reg x1, reg x2, reg x3) {
        const reg low01 = _mm256_unpacklo_epi32(x0, x1), high01 = _mm256_unpackhi_epi32(x0, x1);
        const reg low23 = _mm256_unpacklo_epi32(x2, x3), high23 = _mm256_unpackhi_epi32(x2, x3);
        store256(out, _mm256_unpacklo_epi64(low01, low23));
        store256(out + 8, _mm256_unpackhi_epi64(low01, low23));
        store256(out + 16, _mm256_unpacklo_epi64(high01, high23));
        store256(out + 24, _mm256_unpackhi_epi64(high01, high23));
    }
};

}  // namespace wide
RNG_END_NAMESPACE
