// ElementType: the element type of a matrix, for object files that are compiled for different instruction sets.
#pragma once

#include "../core/config.hpp"

namespace rng_abi {

/// The type of a matrix's elements in memory: that of the computation, or a 16-bit type.
enum class ElementType { same, f16, bf16 };

}  // namespace rng_abi
