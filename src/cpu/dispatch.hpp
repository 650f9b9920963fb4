// The kernels of the instruction set in use.
#pragma once

#include <rng/detail/fill_sizes.hpp>
#include <rng/isa.hpp>

#include <cstddef>

#include "kernel_table.hpp"

namespace rng_cpu {

/// Returns the kernels of current_isa().
[[nodiscard]] const rng_abi::KernelTable& current_kernels();

/// The effect of 512-bit arithmetic on the code around it, on Intel processors.
enum class WideVectors {
    harmless,         ///< nothing that was measured
    slow_for_100_us,  ///< the clock falls for about 0.1 ms: measured on a Xeon of the Sapphire Rapids kind
    slow_for_1_ms     ///< and for about a millisecond: Skylake-SP, Cascade Lake and Cooper Lake
};
/// Returns the effect by the numbers of cpuid. Skylake-SP, Cascade Lake and Cooper Lake have the same ones.
[[nodiscard]] constexpr WideVectors effect_of_wide_vectors(bool is_intel, unsigned family, unsigned model) {
    if (!is_intel) return WideVectors::harmless;
    return family == 6 && model == 0x55 ? WideVectors::slow_for_1_ms : WideVectors::slow_for_100_us;
}

/// True if a call that writes `bytes` bytes should use 256 bits, for the sake of the code around it. Between the draws
/// of an engine, which a refill serves, the program does other work. An effect of a millisecond also matters after
/// fills. From 256 KiB on a fill gains more from wide vectors than the code after it loses in a millisecond.
[[nodiscard]] constexpr bool prefers_256_bits(WideVectors effect, std::size_t bytes, bool is_refill) {
    if (effect == WideVectors::slow_for_1_ms) return is_refill || bytes < rng::detail::wide_vectors_bytes;
    return effect == WideVectors::slow_for_100_us && is_refill;
}

/// True if RNG_ISA or set_isa() has chosen current_isa(), for calls of any size.
[[nodiscard]] bool is_isa_chosen();
/// Returns the kernels for a call: those of current_isa(). Unless is_isa_chosen(), avx2 replaces avx512 where
/// prefers_256_bits() is true.
[[nodiscard]] const rng_abi::KernelTable& kernels_for(std::size_t bytes, bool is_refill);

}  // namespace rng_cpu
