// How the CPU makes numbers: instruction set and threads. Neither changes a bit of any result.
#pragma once

#include <vector>

#include "core/error.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// avx2 means AVX2 with FMA; avx512 means AVX-512 F, DQ, BW and VL.
enum class Isa { scalar, avx2, avx512 };

[[nodiscard]] RNG_API const char* to_string(Isa isa);

/// The instruction sets that this machine can run and this build has, narrowest first.
[[nodiscard]] RNG_API std::vector<Isa> available_isas();

/// Returns the instruction set of fills: the widest available, or the choice of RNG_ISA (scalar, avx2, avx512) or
/// set_isa(). RNG_ISA is an environment variable.
/// Throws Error (unsupported) if RNG_ISA names an instruction set that is unknown or that this machine lacks.
[[nodiscard]] RNG_API Isa current_isa();

/// Forces an instruction set for later fills of the whole process. Throws Error (unsupported) if it is not available.
RNG_API void set_isa(Isa isa);

/// Returns the most threads of a fill: the processors of this process, or the value of RNG_NUM_THREADS or
/// set_num_threads().
/// Throws Error (invalid_argument) if RNG_NUM_THREADS is not a number in [1, 1024].
[[nodiscard]] RNG_API int num_threads();

/// Sets the most threads of a fill. Throws Error (invalid_argument) unless n is in [1, 1024].
RNG_API void set_num_threads(int n);

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
