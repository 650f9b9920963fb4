// The table of the summing kernels of one instruction set: plain data, as kernels.hpp explains.
#pragma once

#include <cstddef>

namespace rng_abi {

/// A leaf of a sum: 1024 elements in 128 lanes. Lane j adds elements j, j + 128, j + 256 and so on.
inline constexpr std::size_t sum_lanes = 128, sum_leaf = 1024;

/// The terms of a sum: x; x - shift; its square; or x times y.
enum class Term { value, deviation, square, product };
inline constexpr int terms_of_sums = 4;

/// Adds up contiguous elements of float or double, each of one or two numbers. Pushes the leaves, the last of which may
/// be shorter, to a TreeNodes<Parts>. `shift` has a number for each part of an element. `from_memory`: the elements are
/// not in a cache. The bits do not depend on it.
using SumFunction = void (*)(const void* x, const void* y, const void* shift, std::size_t elements, bool from_memory,
                             void* tree);

struct SumFunctions {
    SumFunction f32[terms_of_sums][2], f64[terms_of_sums][2];
};  // by Term, and by the numbers of an element - 1

}  // namespace rng_abi
