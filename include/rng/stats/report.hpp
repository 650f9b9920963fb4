// Reports of the battery as web pages and as JSON, the bytes that `rng test` writes, and their numbers as people read
// them.
//
//     const rng::stats::Report report = rng::stats::test(my_generator, "mine");
//     std::ofstream("report.html") << rng::stats::html_report({&report, 1}, "./my_tests --seed 1");
//     std::ofstream("report.json") << rng::stats::json_report({&report, 1});
//
// A page is one file without scripts and without anything from elsewhere, for light and dark, for phones and wide
// screens.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// One run, or several (the views of a generator) with a summary of them on top: the verdict in words, the p-values as
/// histogram and QQ plots, the worst tests by size, a table, and `command`, which repeats the run (left out if empty).
[[nodiscard]] std::string html_report(std::span<const Report> reports, const std::string& command = {});

/// One JSON object with every look and every p-value (logarithms to base 10 of both tails; null for a tail of
/// probability 0). It depends on what was tested alone: no times, no dates, no number of threads, so that a resumed run
/// gives the same bytes as one that was not interrupted. The verdict is "none" where no test had enough data; the whole
/// run's also if it gave too little data to be trusted, unless that failed.
[[nodiscard]] std::string json_report(std::span<const Report> reports, bool is_too_little = false);

/// The probability 10^x: "0.31", "0.0042", "3.1e-07", "10^-312".
[[nodiscard]] std::string probability_text(double log10);

/// "8 KiB", "1.25 GiB", "8200 bytes": exact, or three digits.
[[nodiscard]] std::string bytes_text(uint64_t bytes);

/// The size of a look of this stage: "16 MiB" or "4096 units".
[[nodiscard]] std::string size_text(const std::string& stage, uint64_t size);

/// How little a verdict is of: " on 8 KiB of 1 MiB asked"; empty if it is of everything.
[[nodiscard]] std::string part_text(const Report& report);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
