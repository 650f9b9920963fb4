// The continuous laws of the catalogue's distributions, by name.
//
//     const Continuous law = named_law("gamma", {{"shape", 2.5}, {"scale", 1}});
#pragma once

#include <rng/stats/value_law.hpp>

#include <string>

#include "continuous.hpp"

namespace rng::stats::detail {

/// Returns the law of a distribution's real values. Parameters are matched by their names.
/// Throws Error (invalid_argument) if no law has this name or these parameters. The caller has checked their ranges.
[[nodiscard]] Continuous named_law(const std::string& name, std::span<const Parameter> parameters);
/// Returns true if named_law knows the name.
[[nodiscard]] bool has_named_law(const std::string& name);

}  // namespace rng::stats::detail
