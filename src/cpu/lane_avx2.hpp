// Avx2: lanes of 8 words or 4 double words (AVX2, FMA).
#pragma once

#include <immintrin.h>

#include <rng/lane/lane.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

struct Avx2 {
    using u32_reg = __m256i;
    using u64_reg = __m256i;
    using f32_reg = __m256;
    using f64_reg = __m256d;
    static constexpr int bytes = 32, registers = 16;

    RNG_FN static __m256i set(uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }
    RNG_FN static __m256i set64(uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
    RNG_FN static __m256 set(float x) { return _mm256_set1_ps(x); }
    RNG_FN static __m256d set(double x) { return _mm256_set1_pd(x); }

    RNG_FN static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
    RNG_FN static __m256i sub(__m256i a, __m256i b) { return _mm256_sub_epi32(a, b); }
    RNG_FN static __m256i bit_xor(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
    RNG_FN static __m256i bit_and(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
    RNG_FN static __m256i bit_or(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
    template <int S> RNG_FN static __m256i shl(__m256i a) { return _mm256_slli_epi32(a, S); }
    template <int S> RNG_FN static __m256i shr(__m256i a) { return _mm256_srli_epi32(a, S); }
    template <int S> RNG_FN static __m256i sar(__m256i a) { return _mm256_srai_epi32(a, S); }
    RNG_FN static __m256i abs_signed(__m256i a) { return _mm256_abs_epi32(a); }

    RNG_FN static __m256i mul_low(__m256i a, __m256i b) { return _mm256_mullo_epi32(a, b); }
    RNG_FN static __m256i mul_high(__m256i a, __m256i b) {
        const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(a, b), 32);
        const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
        return _mm256_blend_epi32(even, odd, 0xAA);
    }
    RNG_FN static __m256i is_below(__m256i a, __m256i b) {  // AVX2 compares signed numbers
        const __m256i top = set(0x80000000u);
        return _mm256_cmpgt_epi32(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));
    }

    RNG_FN static __m256i lanes_below(__m256i a, __m256i b) { return is_below(a, b); }
    RNG_FN static __m256i lanes_below64(__m256i a, __m256i b) { return is_below64(a, b); }
    RNG_FN static __m256i lanes_less(__m256 a, __m256 b) { return bits(_mm256_cmp_ps(a, b, _CMP_LT_OQ)); }
    RNG_FN static __m256i lanes_less(__m256d a, __m256d b) { return bits(_mm256_cmp_pd(a, b, _CMP_LT_OQ)); }
    RNG_FN static __m256i mask_and(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
    RNG_FN static __m256i mask_or(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
    RNG_FN static __m256i mask_not(__m256i a) { return _mm256_xor_si256(a, _mm256_set1_epi32(-1)); }
    RNG_FN static __m256 select(__m256i m, __m256 a, __m256 b) { return _mm256_blendv_ps(b, a, from_bits(m)); }
    RNG_FN static __m256d select(__m256i m, __m256d a, __m256d b) { return _mm256_blendv_pd(b, a, from_bits64(m)); }

    static constexpr bool has_mul_wide = false;
    RNG_FN static __m256i mul_halves(__m256i a, __m256i b) { return _mm256_mul_epu32(a, b); }
    RNG_FN static __m256i is_below64(__m256i a, __m256i b) {
        const __m256i top = set64(0x8000000000000000u);
        return _mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));
    }
    RNG_FN static __m256i add64(__m256i a, __m256i b) { return _mm256_add_epi64(a, b); }
    RNG_FN static __m256i sub64(__m256i a, __m256i b) { return _mm256_sub_epi64(a, b); }
    RNG_FN static __m256i bit_xor64(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
    RNG_FN static __m256i bit_and64(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
    RNG_FN static __m256i bit_or64(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
    template <int S> RNG_FN static __m256i shl64(__m256i a) { return _mm256_slli_epi64(a, S); }
    template <int S> RNG_FN static __m256i shr64(__m256i a) { return _mm256_srli_epi64(a, S); }
    RNG_FN static __m256i shr_each64(__m256i a, __m256i n) { return _mm256_srlv_epi64(a, n); }
    RNG_FN static __m256i abs_signed64(__m256i a) {
        const __m256i negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
        return _mm256_sub_epi64(_mm256_xor_si256(a, negative), negative);
    }

    RNG_FN static __m256 signed_to_f32(__m256i a) { return _mm256_cvtepi32_ps(a); }
    RNG_FN static __m256d small_to_f64(__m256i a) {
        // 2^84 + high * 2^32 and 2^52 + low, minus 2^84 + 2^52: every step is exact below 2^53.
        const __m256d high = from_bits64(_mm256_or_si256(_mm256_srli_epi64(a, 32), bits(set(0x1p84))));
        const __m256d low = from_bits64(_mm256_blend_epi32(a, bits(set(0x1p52)), 0xAA));
        return _mm256_add_pd(_mm256_sub_pd(high, set(0x1p84 + 0x1p52)), low);
    }
    RNG_FN static __m256i bits(__m256 a) { return _mm256_castps_si256(a); }
    RNG_FN static __m256i bits(__m256d a) { return _mm256_castpd_si256(a); }
    RNG_FN static __m256 from_bits(__m256i a) { return _mm256_castsi256_ps(a); }
    RNG_FN static __m256d from_bits64(__m256i a) { return _mm256_castsi256_pd(a); }

    RNG_FN static __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
    RNG_FN static __m256 fms(__m256 a, __m256 b, __m256 c) { return _mm256_fmsub_ps(a, b, c); }
    RNG_FN static __m256 fnma(__m256 a, __m256 b, __m256 c) { return _mm256_fnmadd_ps(a, b, c); }
    RNG_FN static __m256 mul(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
    RNG_FN static __m256 add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
    RNG_FN static __m256 sub(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
    RNG_FN static __m256 div(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
    RNG_FN static __m256 sqrt(__m256 a) { return _mm256_sqrt_ps(a); }
    RNG_FN static __m256 select_less(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
    RNG_FN static __m256 select_greater(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
    RNG_FN static __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
    RNG_FN static __m256d fms(__m256d a, __m256d b, __m256d c) { return _mm256_fmsub_pd(a, b, c); }
    RNG_FN static __m256d fnma(__m256d a, __m256d b, __m256d c) { return _mm256_fnmadd_pd(a, b, c); }
    RNG_FN static __m256d mul(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
    RNG_FN static __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
    RNG_FN static __m256d sub(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
    RNG_FN static __m256d div(__m256d a, __m256d b) { return _mm256_div_pd(a, b); }
    RNG_FN static __m256d sqrt(__m256d a) { return _mm256_sqrt_pd(a); }
    RNG_FN static __m256d select_less(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
    RNG_FN static __m256d select_greater(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }

    RNG_FN static __m256 flip_sign(__m256 x, __m256i w) {
        return _mm256_xor_ps(x, _mm256_and_ps(from_bits(w), set(-0.0f)));
    }
    RNG_FN static __m256d flip_sign(__m256d x, __m256i w) {
        return _mm256_xor_pd(x, _mm256_and_pd(from_bits64(w), set(-0.0)));
    }
    // A variable blend reads only the top bit, so a shift replaces the comparison.
    template <int B> RNG_FN static __m256 select_bit(__m256i w, __m256 a, __m256 b) {
        return _mm256_blendv_ps(b, a, from_bits(_mm256_slli_epi32(w, 31 - B)));
    }
    template <int B> RNG_FN static __m256d select_bit(__m256i w, __m256d a, __m256d b) {
        return _mm256_blendv_pd(b, a, from_bits64(_mm256_slli_epi64(w, 63 - B)));
    }

    template <int B> RNG_FN static bool any_bit(__m256i w) { return _mm256_testz_si256(w, set(1u << B)) == 0; }
    template <int B> RNG_FN static bool any_bit64(__m256i w) {
        return _mm256_testz_si256(w, set64(uint64_t{1} << B)) == 0;
    }

    RNG_FN static __m256i load(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    RNG_FN static __m256 load(const float* p) { return _mm256_loadu_ps(p); }
    RNG_FN static __m256d load(const double* p) { return _mm256_loadu_pd(p); }
    /// Loads words, each into a lane of 64 bits.
    RNG_FN static __m256i load_widened(const uint32_t* p) {
        return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }
    /// Floats as doubles, and back: the lanes of two registers of doubles in one of floats.
    RNG_FN static __m256d load_widened(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
    RNG_FN static __m256 narrowed(__m256d a, __m256d b) {
        return _mm256_set_m128(_mm256_cvtpd_ps(b), _mm256_cvtpd_ps(a));
    }
    RNG_FN static void store_narrowed(float* p, __m256d a) { _mm_storeu_ps(p, _mm256_cvtpd_ps(a)); }
    RNG_FN static void store(void* p, __m256i a) { _mm256_storeu_si256(static_cast<__m256i*>(p), a); }
    RNG_FN static void store(void* p, __m256 a) { _mm256_storeu_ps(static_cast<float*>(p), a); }
    RNG_FN static void store(void* p, __m256d a) { _mm256_storeu_pd(static_cast<double*>(p), a); }

    template <int Lane, int Bytes> RNG_FN static void store_low(void* p, __m256i a) {
        if constexpr (Lane == 8) {
            const __m256i packed = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
            _mm_storeu_si128(static_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
        } else if constexpr (Bytes == 2) {
            const __m256i low = _mm256_and_si256(a, set(0xffffu));
            const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
            _mm_storeu_si128(static_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
        } else {
            const __m256i low = _mm256_and_si256(a, set(0xffu)), words = _mm256_packus_epi32(low, low);
            const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, words),
                                                               _mm256_setr_epi32(0, 4, 0, 0, 0, 0, 0, 0));
            _mm_storel_epi64(static_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
        }
    }
    RNG_FN static uint64_t lanes_set(__m256i a) {
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
    }
    RNG_FN static uint64_t lanes_set64(__m256i a) {
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(a)));
    }

    // Pairs: within each 128-bit part, even slots of a then of b. merge_low and merge_high undo it.
    using U32 = lane::u32<Avx2>;
    using U64 = lane::u64<Avx2>;
    RNG_FN static U32 even_slots(U32 a, U32 b) { return {shuffle<0x88>(a.v, b.v), 0}; }
    RNG_FN static U32 odd_slots(U32 a, U32 b) { return {shuffle<0xDD>(a.v, b.v), 0}; }
    RNG_FN static U64 even_slots(U64 a, U64 b) { return {_mm256_unpacklo_epi64(a.v, b.v), 0}; }
    RNG_FN static U64 odd_slots(U64 a, U64 b) { return {_mm256_unpackhi_epi64(a.v, b.v), 0}; }
    RNG_FN static __m256 merge_low(__m256 even, __m256 odd) { return _mm256_unpacklo_ps(even, odd); }
    RNG_FN static __m256 merge_high(__m256 even, __m256 odd) { return _mm256_unpackhi_ps(even, odd); }
    RNG_FN static __m256i merge_low(__m256i even, __m256i odd) {
        return bits(merge_low(from_bits(even), from_bits(odd)));
    }
    RNG_FN static __m256i merge_high(__m256i even, __m256i odd) {
        return bits(merge_high(from_bits(even), from_bits(odd)));
    }
    RNG_FN static __m256d merge_low(__m256d even, __m256d odd) { return _mm256_unpacklo_pd(even, odd); }
    RNG_FN static __m256d merge_high(__m256d even, __m256d odd) { return _mm256_unpackhi_pd(even, odd); }
    // Puts the result of even_slots or odd_slots into stream order; by_parts undoes it.
    RNG_FN static __m256i in_order(__m256i a) { return _mm256_permute4x64_epi64(a, 0xD8); }
    RNG_FN static __m256i by_parts(__m256i a) { return _mm256_permute4x64_epi64(a, 0xD8); }
    RNG_FN static __m256 by_parts(__m256 a) { return from_bits(by_parts(bits(a))); }
    RNG_FN static __m256d by_parts(__m256d a) { return _mm256_permute4x64_pd(a, 0xD8); }

  private:
    template <int M> RNG_FN static __m256i shuffle(__m256i a, __m256i b) {
        return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), M));
    }
};

}  // namespace wide
RNG_END_NAMESPACE
