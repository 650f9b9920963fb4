// The table of cipher functions that each instruction set has one of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rng::stats {

struct CipherKernels {
    using Function = void (*)(int rounds, std::size_t lanes, const uint32_t* inputs, uint32_t* outputs);
    Function functions[2][2][2];  ///< by Philox or Threefry, 2 or 4 words, 32 or 64 bits
};

namespace v1_scalar {
const CipherKernels& cipher_kernels();
}
namespace v1_avx2 {
const CipherKernels& cipher_kernels();
}
namespace v1_avx512 {
const CipherKernels& cipher_kernels();
}

}  // namespace rng::stats
