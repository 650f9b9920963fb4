// The element types of matrices, as a number that objects compiled for several instruction sets share.
#pragma once

#include "../core/config.hpp"

namespace rng_abi {

/// The elements of a matrix in memory: of the type that is computed in, or of a half type.
enum class ElementType { same, f16, bf16 };

}  // namespace rng_abi
