// What run_battery() and the calls for parts of a run share: the checks of a run's options, and its course.
#pragma once

#include <rng/stats/battery.hpp>

#include <optional>
#include <string>

#include "run.hpp"
#include "state.hpp"

namespace rng::stats {

/// The options of a run, checked.
struct Plan {
    Effort effort;
    uint64_t asked;  ///< the requested bytes, a multiple of 8
    uint64_t bytes;  ///< those that the source has of them
};

/// Throws Error (invalid_argument) on an unknown test and on too few bytes.
[[nodiscard]] Plan checked_plan(const GeneratorUnderTest& generator, const Options& options);

/// Returns a text that identifies the run: the generator, the options that change results, and `tests`.
[[nodiscard]] std::string identity(const GeneratorUnderTest& generator, const Options& options, const Plan& plan,
                                   const std::string& tests);

/// Does what run_battery() does; from a state if there is one, as if it had been read from a checkpoint.
[[nodiscard]] Report run_from(const GeneratorUnderTest& generator, const Options& options, std::optional<State> from);

}  // namespace rng::stats
