// The advice of the test "support" for values on too coarse a grid.
#pragma once

#include <rng/stats/value_law.hpp>

#include <span>
#include <string>

namespace rng::stats {

/// Returns a report's text on the grid that the values lie on, and what to do about it. Returns an empty text if the
/// results of "support" name no grid.
[[nodiscard]] std::string grid_explanation(std::span<const InterimAnalysis> analyses, const ValueLaw& law);

}  // namespace rng::stats
