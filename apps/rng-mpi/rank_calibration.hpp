// rng calibrate over ranks: they count batteries, and rank 0 makes the result of all counts.
#pragma once

#include <rng/ranks.hpp>

#include <string>
#include <vector>

#include "apps/rng/calibrate_run.hpp"
#include "rank_counts.hpp"

namespace cli {

/// Returns what runs the batteries of rank 0. `ranks` must stay where it is. A call throws what merge_batteries() and
/// counted_by_ranks() throw, and UsageError if --json lies in the folder of --checkpoint.
[[nodiscard]] CalibrationOf calibration_over(rng::Ranks& ranks);

/// Returns what counts batteries of the run of rng calibrate with these arguments.
[[nodiscard]] CountRange battery_counter(std::vector<std::string> arguments);

}  // namespace cli
