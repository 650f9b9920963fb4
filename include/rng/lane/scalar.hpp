// Scalar: the lane of width one. It is the reference for the wide lanes, and the lane of CUDA kernels.
#pragma once

#include "../core/block.hpp"
#include "lane.hpp"

// RNG_SOFT_FMA is 1 if fma is computed from integers: where the compiler has no instruction for it and the C library's
// is wrong (MinGW's rounds twice) or not known (MSVC's). It is never the silent replacement of another C library's.
#if !defined(RNG_SOFT_FMA)  // tests define it as 1, to reach it on any system
#if (defined(__MINGW32__) || defined(_MSC_VER)) && (defined(__x86_64__) || defined(__i386__)) && !defined(__FMA__) && \
    !RNG_DEVICE_PASS
#define RNG_SOFT_FMA 1
#else
#define RNG_SOFT_FMA 0
#endif
#endif
#if RNG_SOFT_FMA
#include "soft_fma.hpp"
#endif

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {
// RNG_VALUE_CHANGING_MATH is 1 if a compiler may change values: reassociate, or drop signs of zero.
// GCC's macros report any flag that allows this; those of clang report -ffast-math and -Ofast only.
// With single flags, clang 19 obeys float_control (below); older versions are assumed to have such flags.
// Sources that are compiled without such flags can define RNG_STRICT_MATH: the hiding below prevents loops from being
// vectorised.
#if RNG_DEVICE_PASS || defined(RNG_STRICT_MATH)
#define RNG_VALUE_CHANGING_MATH 0
#elif defined(__clang__)
#if defined(__FAST_MATH__) || __clang_major__ < 19
#define RNG_VALUE_CHANGING_MATH 1
#else
#define RNG_VALUE_CHANGING_MATH 0
#endif
#elif defined(__GCC_IEC_559) && __GCC_IEC_559 > 0
#define RNG_VALUE_CHANGING_MATH 0
#else
#define RNG_VALUE_CHANGING_MATH 1
#endif

// The registers of real numbers, for inline assembly. x86-64 has those of SSE2 even if a test undefines __SSE2__.
#if defined(__SSE2__) || defined(__x86_64__)
#define RNG_REAL_REGISTER "x"
#elif defined(__aarch64__)
#define RNG_REAL_REGISTER "w"
#elif defined(__riscv_flen) || defined(__s390x__)
#define RNG_REAL_REGISTER "f"
#else
#define RNG_REAL_REGISTER "m"
#endif

/// Returns x. If the compiler may change values, it hides the origin of x from the optimiser, which then cannot combine
/// the operations on either side. For example, clang's fast-math combines fma(a * b, c, d) into fma(a, b * c, d) if b
/// and c are known, and turns fma(a, b, 0) into a product that fuses with the user's next sum. The function costs no
/// instruction. A value that is known at compile time stays known.
template <class F> RNG_FN F opaque(F x) {
#if RNG_VALUE_CHANGING_MATH
    if (!__builtin_constant_p(x)) __asm__("" : "+" RNG_REAL_REGISTER(x));
#endif
    return x;
}
/// opaque() for a divisor, even one that is known. The optimiser then does not see that two divisions have the same
/// divisor, and does not replace them by products with its reciprocal.
template <class F> RNG_FN F opaque_divisor(F x) {
#if RNG_VALUE_CHANGING_MATH
    __asm__ volatile("" : "+" RNG_REAL_REGISTER(x));
#endif
    return x;
}
#undef RNG_REAL_REGISTER

#if RNG_SOFT_FMA
#define RNG_HOST_FMAF detail::soft_fma
#define RNG_HOST_FMA detail::soft_fma
#elif defined(__clang__) && !RNG_DEVICE_PASS && (defined(__x86_64__) || defined(__i386__)) && !defined(__FMA__)
// Without FMA hardware, clang -ffast-math splits __builtin_fma into mul + add; a call by another name survives.
#if defined(__APPLE__)  // names of C have an underscore in front there
extern "C" float rng_libm_fmaf(float, float, float) __asm__("_fmaf");
extern "C" double rng_libm_fma(double, double, double) __asm__("_fma");
#else
extern "C" float rng_libm_fmaf(float, float, float) __asm__("fmaf");
extern "C" double rng_libm_fma(double, double, double) __asm__("fma");
#endif
#define RNG_HOST_FMAF detail::rng_libm_fmaf
#define RNG_HOST_FMA detail::rng_libm_fma
#else
#define RNG_HOST_FMAF __builtin_fmaf
#define RNG_HOST_FMA __builtin_fma
#endif
}  // namespace detail

#if defined(__clang__) && __clang_major__ >= 19 && !RNG_DEVICE_PASS && !defined(__wasm__)
#pragma float_control(push)
#pragma float_control(precise, on)
#endif

struct Scalar {
    using u32_reg = uint32_t;
    using u64_reg = uint64_t;
    using f32_reg = float;
    using f64_reg = double;
    static constexpr int width32 = 1;
    static constexpr int width64 = 1;

    RNG_FN static uint32_t set(uint32_t x) { return x; }
    RNG_FN static uint64_t set64(uint64_t x) { return x; }
    RNG_FN static float set(float x) { return detail::opaque(x); }
    RNG_FN static double set(double x) { return detail::opaque(x); }

    RNG_FN static uint32_t add(uint32_t a, uint32_t b) { return a + b; }
    RNG_FN static uint32_t sub(uint32_t a, uint32_t b) { return a - b; }
    RNG_FN static uint32_t bit_xor(uint32_t a, uint32_t b) { return a ^ b; }
    RNG_FN static uint32_t bit_and(uint32_t a, uint32_t b) { return a & b; }
    RNG_FN static uint32_t bit_or(uint32_t a, uint32_t b) { return a | b; }
    template <int S> RNG_FN static uint32_t shl(uint32_t a) { return a << S; }
    template <int S> RNG_FN static uint32_t shr(uint32_t a) { return a >> S; }
    template <int S> RNG_FN static uint32_t sar(uint32_t a) {
        return static_cast<uint32_t>(static_cast<int32_t>(a) >> S);
    }
    RNG_FN static uint32_t abs_signed(uint32_t a) { return a >> 31 ? 0u - a : a; }

    RNG_FN static uint32_t mul_low(uint32_t a, uint32_t b) { return a * b; }
    RNG_FN static uint32_t mul_high(uint32_t a, uint32_t b) { return rng::detail::mulhi32(a, b); }
    RNG_FN static uint32_t is_below(uint32_t a, uint32_t b) { return a < b ? ~0u : 0u; }

    RNG_FN static bool lanes_below(uint32_t a, uint32_t b) { return a < b; }
    RNG_FN static bool lanes_below64(uint64_t a, uint64_t b) { return a < b; }
    RNG_FN static bool lanes_less(float a, float b) { return a < b; }
    RNG_FN static bool lanes_less(double a, double b) { return a < b; }
    RNG_FN static bool mask_and(bool a, bool b) { return a && b; }
    RNG_FN static bool mask_or(bool a, bool b) { return a || b; }
    RNG_FN static bool mask_not(bool a) { return !a; }
    RNG_FN static uint64_t lanes_set(bool a) { return a ? 1 : 0; }
    RNG_FN static uint64_t lanes_set64(bool a) { return a ? 1 : 0; }
    RNG_FN static float select(bool m, float a, float b) { return m ? a : b; }
    RNG_FN static double select(bool m, double a, double b) { return m ? a : b; }

    static constexpr bool has_mul_wide = true;
    RNG_FN static uint64_t mul_high64(uint64_t a, uint64_t b) { return rng::detail::mulhi64(a, b); }
    RNG_FN static uint64_t mul_low64(uint64_t a, uint64_t b) { return a * b; }
    RNG_FN static uint64_t mul_halves(uint64_t a, uint64_t b) { return (a & 0xffffffffu) * (b & 0xffffffffu); }
    RNG_FN static uint64_t is_below64(uint64_t a, uint64_t b) { return a < b ? ~uint64_t{0} : 0; }
    RNG_FN static uint64_t add64(uint64_t a, uint64_t b) { return a + b; }
    RNG_FN static uint64_t sub64(uint64_t a, uint64_t b) { return a - b; }
    RNG_FN static uint64_t bit_xor64(uint64_t a, uint64_t b) { return a ^ b; }
    RNG_FN static uint64_t bit_and64(uint64_t a, uint64_t b) { return a & b; }
    RNG_FN static uint64_t bit_or64(uint64_t a, uint64_t b) { return a | b; }
    template <int S> RNG_FN static uint64_t shl64(uint64_t a) { return a << S; }
    template <int S> RNG_FN static uint64_t shr64(uint64_t a) { return a >> S; }
    RNG_FN static uint64_t shr_each64(uint64_t a, uint64_t n) { return n < 64 ? a >> n : 0; }
    RNG_FN static uint64_t abs_signed64(uint64_t a) { return a >> 63 ? 0u - a : a; }

#if defined(__CUDA_ARCH__)
    // The intrinsics with _rn never fuse. They ignore --use_fast_math except for .ftz, and maps make no subnormals.
    RNG_FN static float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
    RNG_FN static double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
    RNG_FN static float mul(float a, float b) { return __fmul_rn(a, b); }
    RNG_FN static double mul(double a, double b) { return __dmul_rn(a, b); }
    RNG_FN static float add(float a, float b) { return __fadd_rn(a, b); }
    RNG_FN static double add(double a, double b) { return __dadd_rn(a, b); }
    RNG_FN static float sub(float a, float b) { return __fsub_rn(a, b); }
    RNG_FN static double sub(double a, double b) { return __dsub_rn(a, b); }
    RNG_FN static float div(float a, float b) { return __fdiv_rn(a, b); }
    RNG_FN static double div(double a, double b) { return __ddiv_rn(a, b); }
    RNG_FN static float sqrt(float a) { return __fsqrt_rn(a); }
    RNG_FN static double sqrt(double a) { return __dsqrt_rn(a); }
    // The operations into which nvcc compiles sqrt.rn for these arguments, without its branch for others.
    // parity.roots compares the two in the machine code; test_gpu_roots compares results on a GPU.
    RNG_FN static float sqrt_in_range(float a) {
        float inverse;
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
        return root_from_inverse(a, inverse);
    }
    RNG_FN static double sqrt_in_range(double a) {
        double inverse;
        asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(a));
        // The approximation has 32 bits. The code of nvcc leaves the result of its range check in the others.
        const auto checked = static_cast<uint32_t>(bits(a) >> 32) - 0x03500000u;
        return root_from_inverse(a, from_bits64((bits(inverse) & ~uint64_t{0xffffffff}) | checked));
    }
    RNG_FN static float select_less(float a, float b) { return fminf(a, b); }
    RNG_FN static float select_greater(float a, float b) { return fmaxf(a, b); }
    RNG_FN static float signed_to_f32(uint32_t a) { return __int2float_rn(static_cast<int>(a)); }
    RNG_FN static double small_to_f64(uint64_t a) {
        // Two exact halves: GPUs convert 64-bit integers slowly.
        const double hi = sub(from_bits64((a >> 32) | 0x4330000000000000u), 0x1p52);
        const double lo = sub(from_bits64((a & 0xffffffffu) | 0x4330000000000000u), 0x1p52);
        return fma(hi, 0x1p32, lo);
    }
    RNG_FN static uint32_t bits(float a) { return __float_as_uint(a); }
    RNG_FN static uint64_t bits(double a) { return static_cast<uint64_t>(__double_as_longlong(a)); }
    RNG_FN static float from_bits(uint32_t a) { return __uint_as_float(a); }
    RNG_FN static double from_bits64(uint64_t a) { return __longlong_as_double(static_cast<long long>(a)); }
#else
    RNG_FN static float fma(float a, float b, float c) { return detail::opaque(RNG_HOST_FMAF(a, b, c)); }
    RNG_FN static double fma(double a, double b, double c) { return detail::opaque(RNG_HOST_FMA(a, b, c)); }
    RNG_FN static float mul(float a, float b) { return detail::opaque(a * b); }
    RNG_FN static double mul(double a, double b) { return detail::opaque(a * b); }
    RNG_FN static float add(float a, float b) { return detail::opaque(a + b); }
    RNG_FN static double add(double a, double b) { return detail::opaque(a + b); }
    RNG_FN static float sub(float a, float b) { return detail::opaque(a - b); }
    RNG_FN static double sub(double a, double b) { return detail::opaque(a - b); }
    // Instructions by name on x86, because -Ofast turns roots and quotients into approximations there.
#if defined(__AVX__) && !RNG_DEVICE_PASS
    RNG_FN static float sqrt(float a) {
        __asm__("vsqrtss %0, %0, %0" : "+x"(a));
        return a;
    }
    RNG_FN static double sqrt(double a) {
        __asm__("vsqrtsd %0, %0, %0" : "+x"(a));
        return a;
    }
    RNG_FN static float div(float a, float b) {
        __asm__("vdivss %1, %0, %0" : "+x"(a) : "xm"(b));
        return a;
    }
    RNG_FN static double div(double a, double b) {
        __asm__("vdivsd %1, %0, %0" : "+x"(a) : "xm"(b));
        return a;
    }
#elif defined(__SSE2__) && !RNG_DEVICE_PASS
    RNG_FN static float sqrt(float a) {
        __asm__("sqrtss %0, %0" : "+x"(a));
        return a;
    }
    RNG_FN static double sqrt(double a) {
        __asm__("sqrtsd %0, %0" : "+x"(a));
        return a;
    }
    RNG_FN static float div(float a, float b) {
        __asm__("divss %1, %0" : "+x"(a) : "x"(b));
        return a;
    }
    RNG_FN static double div(double a, double b) {
        __asm__("divsd %1, %0" : "+x"(a) : "x"(b));
        return a;
    }
#else
    RNG_FN static float sqrt(float a) { return detail::opaque(__builtin_sqrtf(a)); }
    RNG_FN static double sqrt(double a) { return detail::opaque(__builtin_sqrt(a)); }
    RNG_FN static float div(float a, float b) { return detail::opaque(a / detail::opaque_divisor(b)); }
    RNG_FN static double div(double a, double b) { return detail::opaque(a / detail::opaque_divisor(b)); }
#endif
    RNG_FN static float select_less(float a, float b) { return a < b ? a : b; }
    RNG_FN static float select_greater(float a, float b) { return a > b ? a : b; }
    RNG_FN static float signed_to_f32(uint32_t a) { return static_cast<float>(static_cast<int32_t>(a)); }
    RNG_FN static double small_to_f64(uint64_t a) { return static_cast<double>(static_cast<int64_t>(a)); }
    RNG_FN static uint32_t bits(float a) {
        uint32_t r;
        __builtin_memcpy(&r, &a, 4);
        return r;
    }
    RNG_FN static uint64_t bits(double a) {
        uint64_t r;
        __builtin_memcpy(&r, &a, 8);
        return r;
    }
    RNG_FN static float from_bits(uint32_t a) {
        float r;
        __builtin_memcpy(&r, &a, 4);
        return r;
    }
    RNG_FN static double from_bits64(uint64_t a) {
        double r;
        __builtin_memcpy(&r, &a, 8);
        return r;
    }
#endif
    RNG_FN static float fms(float a, float b, float c) { return fma(a, b, -c); }
    RNG_FN static double fms(double a, double b, double c) { return fma(a, b, -c); }
    RNG_FN static float fnma(float a, float b, float c) { return fma(-a, b, c); }
    RNG_FN static double fnma(double a, double b, double c) { return fma(-a, b, c); }
    /// The root of a, given about 1 / sqrt(a): one Newton step for a float; for a double, a step of third order before
    /// it (P. Markstein, IA-64 and Elementary Functions, 2000, chapter 9). Rounded correctly if the inverse is.
    RNG_FN static float root_from_inverse(float a, float inverse) {
        const float root = mul(a, inverse);
        return fma(fnma(root, root, a), mul(inverse, 0.5f), root);
    }
    RNG_FN static double root_from_inverse(double a, double inverse) {
        const double error = fnma(a, mul(inverse, inverse), 1.0);
        const double better = fma(fma(error, 0.375, 0.5), mul(error, inverse), inverse);
        const double root = mul(a, better);
        return fma(fnma(root, root, a), mul(better, 0.5), root);
    }
    RNG_FN static double select_less(double a, double b) { return a < b ? a : b; }
    RNG_FN static double select_greater(double a, double b) { return a > b ? a : b; }
    RNG_FN static float flip_sign(float x, uint32_t w) { return from_bits(bits(x) ^ (w & 0x80000000u)); }
    RNG_FN static double flip_sign(double x, uint64_t w) { return from_bits64(bits(x) ^ (w & 0x8000000000000000u)); }
    template <int B> RNG_FN static float select_bit(uint32_t w, float a, float b) { return (w >> B) & 1 ? a : b; }
    template <int B> RNG_FN static double select_bit(uint64_t w, double a, double b) { return (w >> B) & 1 ? a : b; }
    template <int B> RNG_FN static bool any_bit(uint32_t w) { return ((w >> B) & 1) != 0; }
    template <int B> RNG_FN static bool any_bit64(uint64_t w) { return ((w >> B) & 1) != 0; }
};

// On x86-64 a program that is compiled without -mfma calls libm for each fma. RNG_FMA_BY_PROCESSOR is 1 there:
// functions may choose the lane below at run time, if the processor has the instruction.
#if !defined(RNG_FMA_BY_PROCESSOR)  // tests define it as 0, to reach the calls of libm on any processor
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__FMA__) && !RNG_DEVICE_PASS
#define RNG_FMA_BY_PROCESSOR 1
#else
#define RNG_FMA_BY_PROCESSOR 0
#endif
#endif
#if RNG_FMA_BY_PROCESSOR
/// Scalar with the processor's fma, by name: compilers can neither split nor join it.
struct ScalarFma : Scalar {
    RNG_FN static float fma(float a, float b, float c) {
        __asm__("vfmadd213ss %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    RNG_FN static double fma(double a, double b, double c) {
        __asm__("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    RNG_FN static float fms(float a, float b, float c) {
        __asm__("vfmsub213ss %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    RNG_FN static double fms(double a, double b, double c) {
        __asm__("vfmsub213sd %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    RNG_FN static float fnma(float a, float b, float c) {
        __asm__("vfnmadd213ss %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    RNG_FN static double fnma(double a, double b, double c) {
        __asm__("vfnmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
        return a;
    }
    // Compilers would turn these selections into branches. Half of those by a word's bit would be mispredicted.
    RNG_FN static float select(bool m, float a, float b) { return blend(from_bits(0u - m), a, b); }
    RNG_FN static double select(bool m, double a, double b) { return blend(from_bits64(uint64_t{0} - m), a, b); }
    template <int B> RNG_FN static float select_bit(uint32_t w, float a, float b) {
        return blend(from_bits(w << (31 - B)), a, b);
    }
    template <int B> RNG_FN static double select_bit(uint64_t w, double a, double b) {
        return blend(from_bits64(w << (63 - B)), a, b);
    }

  private:
    /// sign < 0 ? a : b.
    RNG_FN static float blend(float sign, float a, float b) {
        __asm__("vblendvps %2, %1, %0, %0" : "+x"(b) : "x"(a), "x"(sign));
        return b;
    }
    RNG_FN static double blend(double sign, double a, double b) {
        __asm__("vblendvpd %2, %1, %0, %0" : "+x"(b) : "x"(a), "x"(sign));
        return b;
    }
};
#endif

#if defined(__clang__) && __clang_major__ >= 19 && !RNG_DEVICE_PASS && !defined(__wasm__)
#pragma float_control(pop)
#endif

/// Returns a result of the map over the scalar lane as a value of type T.
template <class T, class V> RNG_FN T to_result(V value) {
    if constexpr (rng::detail::is_same<V, float> && requires { T::from_result(value); })
        return T::from_result(value);
    else if constexpr (requires { T::from_bits(value); })
        return T::from_bits(value);
    else
        return static_cast<T>(value);
}

}  // namespace lane
RNG_END_NAMESPACE

#undef RNG_VALUE_CHANGING_MATH
#include "../core/restore_macros.inc"
