// The state of a run in a file: what it is a run of, how far it is, its looks, and every counter.
#pragma once

#include <rng/stats/battery.hpp>

#include <array>
#include <span>
#include <string>

#include "../tests/test.hpp"

namespace rng::stats {

/// Units (of functional tests, or segments of the stream) that are in the tests' counts, by stage.
using UnitsDone = std::array<uint64_t, 2>;

/// Writes `file` anew, whole or not at all. `run` says what this is a run of: subject, tests, options. Throws Error
/// (bad_state) with the system's reason.
void save_state(const std::string& file, const std::string& run, const UnitsDone& done, const Report& report,
                std::span<const NamedTest* const> tests);

/// Reads what save_state wrote: the report's looks and sizes, and the tests' counts. Throws Error (bad_state) if the
/// file is missing, damaged, or of another run; then nothing is changed.
[[nodiscard]] UnitsDone load_state(const std::string& file, const std::string& run, Report& report,
                                   std::span<const NamedTest* const> tests);

}  // namespace rng::stats
