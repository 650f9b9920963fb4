// Loops over lanes, for the compiler to turn into vectors. They are compiled for each instruction set (isa_<ISA>.cpp),
// and the program chooses when it starts. Each of those files uses a namespace named after its instruction set. So the
// linker never merges inline code for AVX-512 into code that every machine runs (tests/check_isa_symbols.py).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rng::stats {

struct LaneKernels {
    using Cipher = void (*)(int rounds, std::size_t lanes, const uint32_t* inputs, uint32_t* outputs);
    Cipher ciphers[2][2][2];  ///< by Philox or Threefry, 2 or 4 words, 32 or 64 bits

    /// Adds to counts[32 * w + b] the number of n lanes that have bit b of word w set. Word w of lane l is lanes[w * n
    /// + l]. Requires n to be a multiple of 128.
    void (*count_bits)(const uint32_t* lanes, std::size_t n, int words, uint32_t* counts);
    /// Stores the number of bits set in each of n lanes. Requires n to be a multiple of 16.
    void (*weights)(const uint32_t* lanes, std::size_t n, int words, uint32_t* to);
    /// to[i] ^= from[i] for n words. Requires n to be a multiple of 16.
    void (*exclusive_or)(uint32_t* to, const uint32_t* from, std::size_t n);
};

/// Returns the kernels for this machine.
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
