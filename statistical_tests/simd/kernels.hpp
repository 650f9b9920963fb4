// Loops over lanes that the compiler is to make vectors of, compiled for each instruction set (isa_<ISA>.cpp) and
// chosen when the program starts. What those files hold is in namespaces that say which, so that the linker never
// merges inline code for AVX-512 into what every machine runs (tests/check_isa_symbols.py).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rng::stats {

struct LaneKernels {
    using Cipher = void (*)(int rounds, std::size_t lanes, const uint32_t* inputs, uint32_t* outputs);
    Cipher ciphers[2][2][2];  ///< by Philox or Threefry, 2 or 4 words, 32 or 64 bits

    /// Adds to counts[32 * w + b] how many of n lanes (a multiple of 128) have bit b of word w set; word w of lane l is
    /// lanes[w * n + l].
    void (*count_bits)(const uint32_t* lanes, std::size_t n, int words, uint32_t* counts);
    /// The number of bits set in each of n lanes (a multiple of 16).
    void (*weights)(const uint32_t* lanes, std::size_t n, int words, uint32_t* to);
    /// to[i] ^= from[i] for n words (a multiple of 16).
    void (*exclusive_or)(uint32_t* to, const uint32_t* from, std::size_t n);
};

/// Those for this machine.
[[nodiscard]] const LaneKernels& lane_kernels();

namespace v1_scalar {
const LaneKernels& lane_kernels();
}
namespace v1_avx2 {
const LaneKernels& lane_kernels();
}
namespace v1_avx512 {
const LaneKernels& lane_kernels();
}

}  // namespace rng::stats
