// rng test over ranks: they count segments, and rank 0 makes the report of all counts.
#pragma once

#include <rng/ranks.hpp>

#include <string>
#include <vector>

#include "apps/rng/test_run.hpp"
#include "rank_counts.hpp"

namespace cli {

/// Returns what runs the battery of rank 0. `ranks` must stay where it is. A call throws what run_battery(),
/// merge_counts() and counted_by_ranks() throw, and UsageError
/// - if the source cannot be read from the middle,
/// - if the source, or an output, lies in the folder of --checkpoint.
[[nodiscard]] BatteryOfView battery_over(rng::Ranks& ranks);

/// Returns what counts segments of the run of rng test with these arguments.
[[nodiscard]] CountRange segment_counter(std::vector<std::string> arguments);

}  // namespace cli
