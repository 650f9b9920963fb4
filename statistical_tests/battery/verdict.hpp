// From p-values to a verdict: weighted Bonferroni.
//
// A run makes at most 64 interim analyses, at powers of two up to 2^63 bytes. Each analysis, each test in an analysis
// and each part of a test gets an equal share of the family-wise rate. So a part counts 1 / (analyses * tests * parts).
// That holds under any dependence, and a test with many parts takes nothing from the others. Source: Dunn, J. Am. Stat.
// Assoc. 56, 1961.
#pragma once

#include <rng/stats/battery.hpp>

#include <span>

#include "../checks/test.hpp"

namespace rng::stats {

inline constexpr int most_analyses = 64;

/// Returns the current results of these tests. Each p-value is multiplied by `tests_in_all`, `analyses` and the number
/// of parts of its test.
[[nodiscard]] std::vector<Result> read_off(std::span<const NamedTest> tests, std::size_t tests_in_all,
                                           int analyses = most_analyses);

[[nodiscard]] Verdict verdict_of(std::span<const InterimAnalysis> analyses, const Policy& policy);

/// Returns the tests with a suspicious part in any analysis, in their order.
[[nodiscard]] std::vector<std::string> suspicious_tests(std::span<const InterimAnalysis> analyses,
                                                        const Policy& policy);

}  // namespace rng::stats
