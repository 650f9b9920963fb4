// The elementary functions of the f32 maps, of a block of successive words, compiled for one lane each (path_*.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace exhaustive {

inline constexpr std::size_t block_size = 4096;
inline constexpr int functions = 4;
inline constexpr const char* function_names[functions] = {"-ln", "cosine", "sine", "quantile"};

/// value[function][k]: of the word first + k; cosine and sine as magnitudes, as the maps use them.
struct Block {
    alignas(64) float value[functions][block_size];
};
using Evaluate = void(uint32_t first, Block& block);

Evaluate scalar, avx2, avx512, neon;

}  // namespace exhaustive
