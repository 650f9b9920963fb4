// Compiler, device and ABI configuration: the one place for the differences between compilers.
//
// RNG_FN marks a function that runs on the host and, under nvcc or as HIP, inside kernels. It never depends on
// RNG_DEVICE_PASS, so that both passes of such a compiler see the same declarations.
//
// A build with sanitizers defines RNG_NO_INLINE and RNG_NO_UNROLL, which keep calls as calls and loops as loops.
// Otherwise the sanitizers' checks make functions so long that they take minutes to compile. Clang compiles the
// library's kernels with RNG_NO_INLINE too, and inlines by a limit (cmake/compiler.cmake).
#pragma once

#if __cplusplus < 202002L
#error "rng needs C++20: compile with -std=c++20 (nvcc too), or target_compile_features(app PRIVATE cxx_std_20)"
#include "rng stops here"  // there is no such file: only the line above matters to the reader
#endif

#if defined(__CUDACC_RTC__)
#include <cuda/std/cstdint>  // NVRTC has no stdint.h: name the folder of CCCL by -I
#else
#include <stdint.h>
#endif

#define RNG_VERSION_MAJOR 0
#define RNG_VERSION_MINOR 1
#define RNG_VERSION_PATCH 0
#define RNG_VERSION "0.1.0"

// RNG_DEVICE_PASS is 1 while kernels are compiled, and 0 for the host. (The headers compile as HIP, and
// tests/headers/hip_lint.py reads the assembly; no such kernel was run.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define RNG_DEVICE_PASS 1
#else
#define RNG_DEVICE_PASS 0
#endif

// RNG_TRAP() ends a kernel.
#if defined(__CUDACC__)
#define RNG_TRAP() __trap()
#else
#define RNG_TRAP() __builtin_trap()
#endif

#if defined(__CUDACC__)
#define RNG_HOST_DEVICE __host__ __device__
#define RNG_FN __host__ __device__ __forceinline__
#elif defined(__HIP__)
#define RNG_HOST_DEVICE __attribute__((host, device))
#define RNG_FN inline __attribute__((host, device, always_inline))
#elif defined(RNG_NO_INLINE)
#define RNG_FN inline
#elif defined(__GNUC__)
#define RNG_FN inline __attribute__((always_inline))
#else
#error "rng needs GCC, Clang or nvcc"
#endif
// RNG_LAMBDA_INLINE, after the parameters of a lambda, inlines it always. Lambdas with much work need it: a call that
// is not inlined refers to a function that all sources share. For short lambdas it would only add to the time of
// compilation.
#if defined(RNG_HOST_DEVICE) || defined(RNG_NO_INLINE)
#define RNG_LAMBDA_INLINE
#else
#define RNG_LAMBDA_INLINE __attribute__((always_inline))
#endif

// RNG_FLATTEN, before a function of the library's kernels, inlines everything that the function calls. Where
// cmake/compiler.cmake sets RNG_FLATTENED, this replaces always_inline. g++ then simplifies the callees first, and only
// once, which takes half the time and memory for a long chain of calls. RNG_FLATTENED_FN is for callees whose values
// g++ keeps in registers only if they are always_inline nevertheless.
#if defined(RNG_FLATTENED)
#define RNG_FLATTEN __attribute__((flatten))
#define RNG_FLATTENED_FN inline __attribute__((always_inline))
#else
#define RNG_FLATTEN
#define RNG_FLATTENED_FN RNG_FN
#endif

// RNG_EXEC_CHECK_DISABLE goes before a template that may call host functions, such as an engine or a lambda of the
// caller. nvcc warns of such a call even if it is made only on hosts.
#if defined(__NVCC__)
#define RNG_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#define RNG_EXEC_CHECK_DISABLE
#endif

// RNG_GUIDE marks deduction guides that kernels use. nvcc needs no mark; clang, compiling HIP, would take them for host
// functions.
#if defined(__HIP__)
#define RNG_GUIDE RNG_HOST_DEVICE
#else
#define RNG_GUIDE
#endif

// RNG_COLD_FN marks a function that few values need, which is not inlined on hosts. Each source has its own copy,
// because sources that are compiled with different flags must not share one.
#if defined(RNG_HOST_DEVICE)
#define RNG_COLD_FN RNG_FN
#else
#define RNG_COLD_FN __attribute__((noinline, cold)) static
#endif

// x87 evaluates float and double expressions in 80 bits, which breaks every rule of docs/contract.md.
// 32-bit x86 uses x87 for double if there is no SSE2.
// With -mfpmath=both it uses x87 where the compiler chooses (evaluation method -1; clang reports -1 for fast-math).
#if defined(__i386__) && !defined(__SSE2_MATH__)
#error "rng: x87 arithmetic rounds twice; build with -msse2 -mfpmath=sse"
#elif defined(__i386__) && !defined(__clang__) && __FLT_EVAL_METHOD__ != 0
#error "rng: x87 arithmetic rounds twice; build with -mfpmath=sse, not both"
#elif defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#error "rng: float must be evaluated as float (FLT_EVAL_METHOD 0), here a wider type is used"
#endif

// Without the instruction, fma is a function of the C library. That of glibc, musl, macOS and FreeBSD rounds once. In
// place of MinGW's, which rounds twice, lane/scalar.hpp takes soft_fma. The compiled library checks fma before the
// first fill; at() in the headers alone cannot, so other systems are refused.
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__FMA__) && !RNG_DEVICE_PASS && \
    !(defined(__linux__) || defined(__APPLE__) || defined(__FreeBSD__) || defined(__MINGW32__) || defined(_MSC_VER))
#error "rng: the C library's fma is not known to round once here (if it does not: other numbers); build with -mfma"
#endif

#if defined(RNG_NO_UNROLL)
#define RNG_UNROLL
#elif defined(__CUDA_ARCH__) || defined(__clang__)
#define RNG_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define RNG_UNROLL  // nvcc's host pass accepts neither spelling
#else
#define RNG_UNROLL _Pragma("GCC unroll 32")
#endif

// RNG_ROLLED keeps a loop in kernels from being unrolled: nvcc unrolls loops of few iterations, however long their body
// is.
#if defined(__CUDA_ARCH__)
#define RNG_ROLLED _Pragma("unroll 1")
#else
#define RNG_ROLLED
#endif

// Every file that is compiled for one instruction set sets RNG_ABI_NAMESPACE to a name of its own (src/cpu).
// Otherwise the linker would merge inline functions compiled with, say, AVX-512 into code for all machines.
#ifndef RNG_ABI_NAMESPACE
#define RNG_ABI_NAMESPACE v1
#endif
#define RNG_BEGIN_NAMESPACE \
    namespace rng {         \
    inline namespace RNG_ABI_NAMESPACE {
#define RNG_END_NAMESPACE \
    }                     \
    }

#if defined(RNG_SHARED)
#define RNG_API __attribute__((visibility("default")))
#else
#define RNG_API
#endif

RNG_BEGIN_NAMESPACE

/// The version of docs/contract.md that this library implements. A change of any bit raises it.
inline constexpr int contract_version = 1;

/// The seed of a generator that was never seeded, as in C++26's std::philox4x32.
inline constexpr uint64_t default_seed = 20111115;

RNG_END_NAMESPACE
