// The intrinsics of AVX-512 on any x86 processor, by SIMDe. Before the compiler's own header on the path of includes.
// SIMDe 0.7.4 lacks what follows its include. Values are taken by memcpy, since the types are SIMDe's.
#pragma once

#include_next <immintrin.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <stdint.h>
#include <string.h>

namespace emulated {

/// Each of N numbers of type From as one of type To, by a conversion of C++.
template <class To, class From, int N, class Result, class Register> Result converted(const Register& a) {
    From from[N];
    To to[N];
    memcpy(from, &a, sizeof from);
    for (int i = 0; i < N; ++i) to[i] = static_cast<To>(from[i]);
    Result result;
    memcpy(&result, to, sizeof to);
    return result;
}

/// Bit i says whether lane i of a is less than that of b.
template <class Lane, class Mask> Mask less(const simde__m512i& a, const simde__m512i& b) {
    constexpr unsigned lanes = 64 / sizeof(Lane);
    Lane x[lanes], y[lanes];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    unsigned mask = 0;
    for (unsigned i = 0; i < lanes; ++i) mask |= (x[i] < y[i] ? 1u : 0u) << i;
    return static_cast<Mask>(mask);
}

/// Word i is of(words, i), for each word that the mask has; the other ones are those of `source`.
template <class Of> simde__m512i words(const simde__m512i& source, unsigned mask, const simde__m512i& a, const Of& of) {
    int32_t x[16], made[16];
    memcpy(x, &a, sizeof x);
    memcpy(made, &source, sizeof made);
    for (int i = 0; i < 16; ++i)
        if (mask >> i & 1) made[i] = of(x, i);
    simde__m512i result;
    memcpy(&result, made, sizeof made);
    return result;
}
template <int Order> simde__m512i shuffled(const simde__m512i& source, unsigned mask, const simde__m512i& a) {
    return words(source, mask, a, [](const int32_t* x, int i) { return x[(i & ~3) + (Order >> 2 * (i & 3) & 3)]; });
}

}  // namespace emulated

#define _mm512_cmplt_epu32_mask(a, b) (emulated::less<uint32_t, simde__mmask16>(a, b))
#define _mm512_cmplt_epu64_mask(a, b) (emulated::less<uint64_t, simde__mmask8>(a, b))
#define _mm512_cvtepi32_epi16(a) (emulated::converted<int16_t, int32_t, 16, simde__m256i>(a))
#define _mm512_cvtepi32_epi8(a) (emulated::converted<int8_t, int32_t, 16, simde__m128i>(a))
#define _mm512_cvtepi32_ps(a) (emulated::converted<float, int32_t, 16, simde__m512>(a))
#define _mm512_cvtepi64_pd(a) (emulated::converted<double, int64_t, 8, simde__m512d>(a))
#define _mm512_cvtepu32_epi64(a) (emulated::converted<uint64_t, uint32_t, 8, simde__m512i>(a))
#define _mm512_cvtpd_ps(a) (emulated::converted<float, double, 8, simde__m256>(a))
#define _mm512_cvtps_pd(a) (emulated::converted<double, float, 8, simde__m512d>(a))
#define _mm512_shuffle_epi32(a, order) (emulated::shuffled<static_cast<int>(order)>(a, 0xffff, a))
#define _mm512_mask_shuffle_epi32(source, mask, a, order) (emulated::shuffled<static_cast<int>(order)>(source, mask, a))
#define _mm512_srai_epi32(a, n) (emulated::words(a, 0xffff, a, [](const int32_t* x, int i) { return x[i] >> (n); }))
#define _mm512_undefined_epi32() simde_mm512_setzero_si512()
