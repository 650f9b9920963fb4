// rng calibrate as a command whose batteries another program runs in its own way.
#pragma once

#include <rng/stats/calibration.hpp>

#include <functional>

#include "calibrate_options.hpp"
#include "command.hpp"

namespace cli {

/// Returns what rng::stats::calibrate(run) returns. The options are those of the command line, which made `run`.
using CalibrationOf =
    std::function<rng::stats::Calibration(const CalibrateOptions& options, const rng::stats::CalibrationOptions& run)>;

/// Adds the command calibrate, with another way to run the batteries. It refuses --part, --counts and --merge, and
/// takes
/// --checkpoint and --resume.
[[nodiscard]] Command add_calibrate(CommandLine& program, const CalibrationOf& calibration_of);

}  // namespace cli
