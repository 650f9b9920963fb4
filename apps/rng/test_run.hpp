// rng test as a command whose battery another program runs in its own way.
#pragma once

#include <rng/stats/battery.hpp>

#include <functional>
#include <string>

#include "command.hpp"
#include "test_options.hpp"

namespace cli {

inline constexpr int exit_by_signal = 128;  ///< plus the signal that interrupted a run

/// Returns the report of a view (a name, empty if there is no choice), whose bytes are those of run_battery(generator,
/// battery). The options are those of the command line, which made generator and battery.
using BatteryOfView = std::function<rng::stats::Report(const TestOptions& options, const std::string& view,
                                                       const rng::stats::GeneratorUnderTest& generator,
                                                       const rng::stats::Options& battery)>;

/// Adds the command test, with another way to run the battery. It refuses --segments, --counts and --merge.
[[nodiscard]] Command add_test(CommandLine& program, const BatteryOfView& battery_of);

}  // namespace cli
