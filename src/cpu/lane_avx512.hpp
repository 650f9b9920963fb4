// Avx512: lanes of 16 words or 8 double words (AVX-512 F, DQ, BW, VL).
#pragma once

#include <immintrin.h>

#include <rng/lane/lane.hpp>

#if defined(__GNUC__) && !defined(__clang__)
// GCC bug 105593: GCC takes the intrinsics' own _mm512_undefined_epi32() for a use of an uninitialised variable.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

RNG_BEGIN_NAMESPACE
namespace wide {

struct Avx512 {
    using u32_reg = __m512i;
    using u64_reg = __m512i;
    using f32_reg = __m512;
    using f64_reg = __m512d;
    static constexpr int bytes = 64, registers = 32;

    RNG_FN static __m512i set(uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
    RNG_FN static __m512i set64(uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
    RNG_FN static __m512 set(float x) { return _mm512_set1_ps(x); }
    RNG_FN static __m512d set(double x) { return _mm512_set1_pd(x); }

    RNG_FN static __m512i add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
    RNG_FN static __m512i sub(__m512i a, __m512i b) { return _mm512_sub_epi32(a, b); }
    RNG_FN static __m512i bit_xor(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
    RNG_FN static __m512i bit_and(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
    RNG_FN static __m512i bit_or(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
    template <int S> RNG_FN static __m512i shl(__m512i a) { return _mm512_slli_epi32(a, S); }
    template <int S> RNG_FN static __m512i shr(__m512i a) { return _mm512_srli_epi32(a, S); }
    template <int S> RNG_FN static __m512i sar(__m512i a) { return _mm512_srai_epi32(a, S); }
    RNG_FN static __m512i abs_signed(__m512i a) { return _mm512_abs_epi32(a); }

    RNG_FN static __m512i mul_low(__m512i a, __m512i b) { return _mm512_mullo_epi32(a, b); }
    RNG_FN static __m512i mul_high(__m512i a, __m512i b) {
        const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32);
        const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
        return _mm512_mask_mov_epi32(even, 0xAAAA, odd);
    }
    RNG_FN static __m512i is_below(__m512i a, __m512i b) { return _mm512_movm_epi32(_mm512_cmplt_epu32_mask(a, b)); }

    // These return mask registers: of is_below, GCC would make a vector from the mask and then a mask from the vector.
    RNG_FN static __mmask16 lanes_below(__m512i a, __m512i b) { return _mm512_cmplt_epu32_mask(a, b); }
    RNG_FN static __mmask8 lanes_below64(__m512i a, __m512i b) { return _mm512_cmplt_epu64_mask(a, b); }
    RNG_FN static __mmask16 lanes_less(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
    RNG_FN static __mmask8 lanes_less(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
    template <class M> RNG_FN static M mask_and(M a, M b) { return static_cast<M>(a & b); }
    template <class M> RNG_FN static M mask_or(M a, M b) { return static_cast<M>(a | b); }
    template <class M> RNG_FN static M mask_not(M a) { return static_cast<M>(~a); }
    RNG_FN static __m512 select(__mmask16 m, __m512 a, __m512 b) { return _mm512_mask_blend_ps(m, b, a); }
    RNG_FN static __m512d select(__mmask8 m, __m512d a, __m512d b) { return _mm512_mask_blend_pd(m, b, a); }

    static constexpr bool has_mul_wide = false;
    RNG_FN static __m512i mul_halves(__m512i a, __m512i b) { return _mm512_mul_epu32(a, b); }
    RNG_FN static __m512i is_below64(__m512i a, __m512i b) { return _mm512_movm_epi64(_mm512_cmplt_epu64_mask(a, b)); }
    RNG_FN static __m512i add64(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
    RNG_FN static __m512i sub64(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }
    RNG_FN static __m512i bit_xor64(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
    RNG_FN static __m512i bit_and64(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
    RNG_FN static __m512i bit_or64(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
    template <int S> RNG_FN static __m512i shl64(__m512i a) { return _mm512_slli_epi64(a, S); }
    template <int S> RNG_FN static __m512i shr64(__m512i a) { return _mm512_srli_epi64(a, S); }
    RNG_FN static __m512i shr_each64(__m512i a, __m512i n) { return _mm512_srlv_epi64(a, n); }
    RNG_FN static __m512i abs_signed64(__m512i a) { return _mm512_abs_epi64(a); }

    RNG_FN static __m512 signed_to_f32(__m512i a) { return _mm512_cvtepi32_ps(a); }
    RNG_FN static __m512d small_to_f64(__m512i a) { return _mm512_cvtepi64_pd(a); }
    RNG_FN static __m512i bits(__m512 a) { return _mm512_castps_si512(a); }
    RNG_FN static __m512i bits(__m512d a) { return _mm512_castpd_si512(a); }
    RNG_FN static __m512 from_bits(__m512i a) { return _mm512_castsi512_ps(a); }
    RNG_FN static __m512d from_bits64(__m512i a) { return _mm512_castsi512_pd(a); }

    RNG_FN static __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
    RNG_FN static __m512 fms(__m512 a, __m512 b, __m512 c) { return _mm512_fmsub_ps(a, b, c); }
    RNG_FN static __m512 fnma(__m512 a, __m512 b, __m512 c) { return _mm512_fnmadd_ps(a, b, c); }
    RNG_FN static __m512 mul(__m512 a, __m512 b) { return _mm512_mul_ps(a, b); }
    RNG_FN static __m512 add(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
    RNG_FN static __m512 sub(__m512 a, __m512 b) { return _mm512_sub_ps(a, b); }
    RNG_FN static __m512 div(__m512 a, __m512 b) { return _mm512_div_ps(a, b); }
    RNG_FN static __m512 sqrt(__m512 a) { return _mm512_sqrt_ps(a); }
    RNG_FN static __m512 select_less(__m512 a, __m512 b) { return _mm512_min_ps(a, b); }
    RNG_FN static __m512 select_greater(__m512 a, __m512 b) { return _mm512_max_ps(a, b); }
    RNG_FN static __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
    RNG_FN static __m512d fms(__m512d a, __m512d b, __m512d c) { return _mm512_fmsub_pd(a, b, c); }
    RNG_FN static __m512d fnma(__m512d a, __m512d b, __m512d c) { return _mm512_fnmadd_pd(a, b, c); }
    RNG_FN static __m512d mul(__m512d a, __m512d b) { return _mm512_mul_pd(a, b); }
    RNG_FN static __m512d add(__m512d a, __m512d b) { return _mm512_add_pd(a, b); }
    RNG_FN static __m512d sub(__m512d a, __m512d b) { return _mm512_sub_pd(a, b); }
    RNG_FN static __m512d div(__m512d a, __m512d b) { return _mm512_div_pd(a, b); }
    RNG_FN static __m512d sqrt(__m512d a) { return _mm512_sqrt_pd(a); }
    RNG_FN static __m512d select_less(__m512d a, __m512d b) { return _mm512_min_pd(a, b); }
    RNG_FN static __m512d select_greater(__m512d a, __m512d b) { return _mm512_max_pd(a, b); }

    // 0x78: a ^ (b & c)
    RNG_FN static __m512 flip_sign(__m512 x, __m512i w) {
        return from_bits(_mm512_ternarylogic_epi32(bits(x), w, set(0x80000000u), 0x78));
    }
    RNG_FN static __m512d flip_sign(__m512d x, __m512i w) {
        return from_bits64(_mm512_ternarylogic_epi64(bits(x), w, set64(0x8000000000000000u), 0x78));
    }
    template <int B> RNG_FN static __m512 select_bit(__m512i w, __m512 a, __m512 b) {
        return _mm512_mask_blend_ps(_mm512_test_epi32_mask(w, set(1u << B)), b, a);
    }
    template <int B> RNG_FN static __m512d select_bit(__m512i w, __m512d a, __m512d b) {
        return _mm512_mask_blend_pd(_mm512_test_epi64_mask(w, set64(uint64_t{1} << B)), b, a);
    }

    template <int B> RNG_FN static bool any_bit(__m512i w) { return _mm512_test_epi32_mask(w, set(1u << B)) != 0; }
    template <int B> RNG_FN static bool any_bit64(__m512i w) {
        return _mm512_test_epi64_mask(w, set64(uint64_t{1} << B)) != 0;
    }

    RNG_FN static __m512i load(const uint32_t* p) { return _mm512_loadu_si512(p); }
    RNG_FN static __m512 load(const float* p) { return _mm512_loadu_ps(p); }
    RNG_FN static __m512d load(const double* p) { return _mm512_loadu_pd(p); }
    /// Loads words, each into a lane of 64 bits.
    RNG_FN static __m512i load_widened(const uint32_t* p) {
        return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    }
    /// Floats as doubles, and back: the lanes of two registers of doubles in one of floats.
    RNG_FN static __m512d load_widened(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
    RNG_FN static __m512 narrowed(__m512d a, __m512d b) {
        return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a)), _mm512_cvtpd_ps(b), 1);
    }
    RNG_FN static void store_narrowed(float* p, __m512d a) { _mm256_storeu_ps(p, _mm512_cvtpd_ps(a)); }
    RNG_FN static void store(void* p, __m512i a) { _mm512_storeu_si512(p, a); }
    RNG_FN static void store(void* p, __m512 a) { _mm512_storeu_ps(p, a); }
    RNG_FN static void store(void* p, __m512d a) { _mm512_storeu_pd(p, a); }
    /// Stores the lower `Bytes` bytes of each lane of `Lane` bytes, side by side.
    template <int Lane, int Bytes> RNG_FN static void store_low(void* p, __m512i a) {
        if constexpr (Lane == 8)
            _mm256_storeu_si256(static_cast<__m256i*>(p), _mm512_cvtepi64_epi32(a));
        else if constexpr (Bytes == 2)
            _mm256_storeu_si256(static_cast<__m256i*>(p), _mm512_cvtepi32_epi16(a));
        else
            _mm_storeu_si128(static_cast<__m128i*>(p), _mm512_cvtepi32_epi8(a));
    }
    /// Returns one bit for each lane; the bit is set if all bits of the lane are ones.
    RNG_FN static uint64_t lanes_set(__m512i a) { return _mm512_movepi32_mask(a); }
    RNG_FN static uint64_t lanes_set64(__m512i a) { return _mm512_movepi64_mask(a); }
    RNG_FN static uint64_t lanes_set(__mmask16 a) { return a; }
    RNG_FN static uint64_t lanes_set64(__mmask8 a) { return a; }

    // Pairs: within each 128-bit part, even slots of a then of b. merge_low and merge_high undo it.
    using U32 = lane::u32<Avx512>;
    using U64 = lane::u64<Avx512>;
    RNG_FN static U32 even_slots(U32 a, U32 b) { return {shuffle<0x88>(a.v, b.v), 0}; }
    RNG_FN static U32 odd_slots(U32 a, U32 b) { return {shuffle<0xDD>(a.v, b.v), 0}; }
    RNG_FN static U64 even_slots(U64 a, U64 b) { return {_mm512_unpacklo_epi64(a.v, b.v), 0}; }
    RNG_FN static U64 odd_slots(U64 a, U64 b) { return {_mm512_unpackhi_epi64(a.v, b.v), 0}; }
    RNG_FN static __m512 merge_low(__m512 even, __m512 odd) { return _mm512_unpacklo_ps(even, odd); }
    RNG_FN static __m512 merge_high(__m512 even, __m512 odd) { return _mm512_unpackhi_ps(even, odd); }
    RNG_FN static __m512i merge_low(__m512i even, __m512i odd) {
        return bits(merge_low(from_bits(even), from_bits(odd)));
    }
    RNG_FN static __m512i merge_high(__m512i even, __m512i odd) {
        return bits(merge_high(from_bits(even), from_bits(odd)));
    }
    RNG_FN static __m512d merge_low(__m512d even, __m512d odd) { return _mm512_unpacklo_pd(even, odd); }
    RNG_FN static __m512d merge_high(__m512d even, __m512d odd) { return _mm512_unpackhi_pd(even, odd); }
    // Puts the result of even_slots or odd_slots into stream order; by_parts undoes it.
    RNG_FN static __m512i in_order(__m512i a) {
        return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), a);
    }
    RNG_FN static __m512i by_parts(__m512i a) {
        return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), a);
    }
    RNG_FN static __m512 by_parts(__m512 a) { return from_bits(by_parts(bits(a))); }
    RNG_FN static __m512d by_parts(__m512d a) { return from_bits64(by_parts(bits(a))); }

  private:
    template <int M> RNG_FN static __m512i shuffle(__m512i a, __m512i b) {
        return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), M));
    }
};

}  // namespace wide
RNG_END_NAMESPACE
