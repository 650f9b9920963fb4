// Reports of the battery as web pages and as JSON, the bytes that `rng test` writes. Also their numbers as text for
// people.
//
//     const rng::stats::Report report = rng::stats::test(my_generator, "mine");
//     std::ofstream("report.html") << rng::stats::html_report({&report, 1}, "./my_tests --seed 1");
//     std::ofstream("report.json") << rng::stats::json_report({&report, 1});
//
// A page is one file without scripts and without parts from elsewhere. It suits light and dark modes, phones and wide
// screens.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns the web page of one run, or of several (the views of a generator) with a summary of them on top. It shows:
/// - the verdict in words,
/// - the p-values as histogram and QQ plots,
/// - the worst tests by size,
/// - a table,
/// - `command`, which repeats the run (left out if empty).
[[nodiscard]] std::string html_report(std::span<const Report> reports, const std::string& command = {});

/// Returns one JSON object with every interim analysis and every p-value: log10 of both tails; null for a tail of
/// probability 0. It depends only on what was tested: it has no times, no dates and no number of threads. So a resumed
/// run gives the same bytes as a run without interruption. The verdict is "none" if no test had enough data. The
/// verdict of the whole run is also "none" if `is_too_little` is true, unless the run failed.
[[nodiscard]] std::string json_report(std::span<const Report> reports, bool is_too_little = false);

/// Returns the probability 10^x as text: "0.31", "0.0042", "3.1e-07", "10^-312".
[[nodiscard]] std::string probability_text(double log10);

/// Returns a number of bytes as text, exact or with three digits: "8 KiB", "1.25 GiB", "8200 bytes".
[[nodiscard]] std::string bytes_text(uint64_t bytes);

/// Returns the size of an interim analysis of this stage as text: "16 MiB" or "4096 cases".
[[nodiscard]] std::string size_text(const std::string& stage, uint64_t size);

/// Returns " on 8 KiB of 1 MiB asked" if the verdict covers less than was asked; empty if it covers everything.
[[nodiscard]] std::string part_text(const Report& report);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
