// Engines under test by name: the library's engines, and Philox and Threefry with any number of rounds.
// Few rounds show how much the battery finds, and how large the margin of the engines is.
//
//     const rng::stats::Report report = run_battery(rng::stats::engine_under_test("philox4x32-5", 42));
#pragma once

#include <string>
#include <vector>

#include "generator_under_test.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns the engine of this name as a generator under test: its stream `id` of `seed`, from 32-bit word `position`
/// on. Names are:
/// - the library's engines ("philox4x32-10"),
/// - "philox4x32-R", "threefry2x64-R" and so on: 2 or 4 words of 32 or 64 bits, and R rounds.
/// R is 1 to 16 for Philox, and 1 to 32 for Threefry.
/// Throws Error (invalid_argument) on any other name.
[[nodiscard]] GeneratorUnderTest engine_under_test(const std::string& name, uint64_t seed, uint64_t id = 0,
                                                   uint64_t position = 0);

/// Returns all names that engine_under_test takes; the library's engines come first.
[[nodiscard]] std::vector<std::string> engine_under_test_names();

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
