// Reports as web pages: one file each, without scripts and without anything from elsewhere, for light and dark, for
// phones and wide screens.
#pragma once

#include <rng/stats/battery.hpp>

#include <span>
#include <string>

#include "../zoo/matrix.hpp"

namespace rng::stats {

/// One run, or several (the views of a generator) with a summary of them on top: the verdict in words, the p-values as
/// histogram and QQ plots, the worst tests by size, a table, and `command`, which repeats the run (left out if empty).
[[nodiscard]] std::string html_report(std::span<const Report> reports, const std::string& command = {});

/// The matrix of generators and tests, and what caught each of them. A row's cells may be in any order.
[[nodiscard]] std::string html_zoo(std::span<const ZooRow> rows, const Policy& policy = {},
                                   const std::string& command = {});

}  // namespace rng::stats
