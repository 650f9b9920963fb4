// at() of TableEngine in a loop, without types: a source of its own, which is optimised.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table_engine.hpp"

namespace parity {

/// out[i] = at(stream, dist, first + i) for i < n.
using TableLoop = void (*)(const rng::Stream<TableEngine>& stream, const void* dist, std::uint64_t first, void* out,
                           std::size_t n);
/// Returns the loop for the distribution at that index of the catalogue.
TableLoop table_loop(int distribution);

}  // namespace parity
