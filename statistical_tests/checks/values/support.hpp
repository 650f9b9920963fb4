// What the test "support" says of values on too coarse a grid.
#pragma once

#include <rng/stats/value_law.hpp>

#include <span>
#include <string>

namespace rng::stats {

/// What a report says of the grid that the values lie on, by the results of "support", and what to do about it; empty
/// if there is none.
[[nodiscard]] std::string grid_explanation(std::span<const Look> looks, const ValueLaw& law);

}  // namespace rng::stats
