// What the test "support" says of values on too coarse a grid.
#pragma once

#include <rng/stats/battery.hpp>

#include <string>

namespace rng::stats {

/// The part of "support" that is a grid: followed by "2^-16" or "10^-6".
inline constexpr const char* multiples_of = "multiples of ";

/// A sentence on the grid that the values of a report lie on and what to do about it; empty if there is none.
[[nodiscard]] std::string grid_explanation(const Report& report);

}  // namespace rng::stats
