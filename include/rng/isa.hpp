// How the CPU computes numbers: instruction set and threads. Neither changes a bit of any result.
//
//     rng::set_num_threads(4);                        // as RNG_NUM_THREADS=4 in the environment
//     std::puts(rng::to_string(rng::current_isa()));  // "avx512"
#pragma once

#include <vector>

#include "core/error.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The instruction sets of fills: avx2 means AVX2 with FMA, avx512 means AVX-512 F, DQ, BW and VL, neon means the
/// vectors of 64-bit Arm (Advanced SIMD).
enum class Isa { scalar, avx2, avx512, neon };

/// Returns the name of an instruction set: "scalar", "avx2", "avx512" or "neon".
[[nodiscard]] RNG_API const char* to_string(Isa isa);

/// Returns the instruction sets that this machine can run and this build has, narrowest first.
[[nodiscard]] RNG_API std::vector<Isa> available_isas();

/// Returns the instruction set of fills: the choice of set_isa() or of the environment variable RNG_ISA (scalar, avx2,
/// avx512, neon), or else the widest available.
/// Throws Error (unsupported) if RNG_ISA names an instruction set that is unknown or that this machine lacks.
[[nodiscard]] RNG_API Isa current_isa();

/// Selects an instruction set for all later calls of the process. Throws Error (unsupported) if it is not available.
/// Without a choice by set_isa() or RNG_ISA, avx2 replaces avx512 on Intel processors where AVX-512 would slow the
/// program's other work:
/// - avx2 refills the buffers of engines;
/// - on Skylake-SP, Cascade Lake and Cooper Lake, it also computes fills below 256 KiB.
RNG_API void set_isa(Isa isa);

/// Undoes the choice of set_isa(): RNG_ISA and the machine decide again.
RNG_API void reset_isa();

/// Returns the greatest number of threads of a fill: the processors of this process, or the value of RNG_NUM_THREADS or
/// set_num_threads().
/// Throws Error (invalid_argument) if RNG_NUM_THREADS is not a number in [1, 1024].
[[nodiscard]] RNG_API int num_threads();

/// Sets the greatest number of threads of a fill. Throws Error (invalid_argument) unless n is in [1, 1024].
RNG_API void set_num_threads(int n);

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
