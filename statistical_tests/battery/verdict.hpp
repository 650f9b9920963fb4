// From p-values to a verdict: weighted Bonferroni.
//
// A run looks at its tests at most 64 times, at powers of two up to 2^63 bytes. Each look, each test in a look and each
// part of a test gets an equal share of the family-wise rate. So a part counts 1 / (looks * tests * parts). That holds
// under any dependence, and a test with many parts takes nothing from the others. Source: Dunn, J. Am. Stat. Assoc. 56,
// 1961.
#pragma once

#include <rng/stats/battery.hpp>

#include <span>

#include "../checks/test.hpp"

namespace rng::stats {

inline constexpr int looks_at_most = 64;

/// Returns the current results of these tests. Each p-value is multiplied by `tests_in_all`, `looks` and the number of
/// parts of its test.
[[nodiscard]] std::vector<Result> read_off(std::span<const NamedTest> tests, std::size_t tests_in_all,
                                           int looks = looks_at_most);

[[nodiscard]] Verdict verdict_of(std::span<const Look> looks, const Policy& policy);

/// Returns the tests with a suspicious part in any look, in their order.
[[nodiscard]] std::vector<std::string> suspicious_tests(std::span<const Look> looks, const Policy& policy);

}  // namespace rng::stats
