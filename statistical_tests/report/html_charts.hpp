// The plots of a report.
#pragma once

#include <rng/stats/battery.hpp>

#include <string>
#include <vector>

namespace rng::stats::html {

/// Returns the results of the last interim analysis of each stage.
[[nodiscard]] std::vector<const Result*> last_results(const Report& report);

/// Returns three cards: a histogram of the p-values of the last analyses, and two plots of their order statistics
/// against those of uniform numbers. One plot has even axes, one has logarithmic axes. Returns an empty text if there
/// are no results.
[[nodiscard]] std::string p_value_cards(const Report& report);

/// Returns a card for each stage with analyses: the p-values of the six worst tests by size, with the levels at which
/// the verdict changes.
[[nodiscard]] std::string by_size_cards(const Report& report);

}  // namespace rng::stats::html
