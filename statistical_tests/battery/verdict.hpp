// From p-values to a verdict: weighted Bonferroni.
//
// A run looks at its tests at 64 sizes at most (powers of two up to 2^63 bytes). Each look, each test in it and each
// part of a test gets an equal share of the family-wise rate, so a part counts 1 / (looks * tests * parts). That holds
// under any dependence, and a test with many parts takes nothing from the others. Source: Dunn, J. Am. Stat. Assoc. 56,
// 1961.
#pragma once

#include <rng/stats/battery.hpp>

#include <span>

#include "../checks/test.hpp"

namespace rng::stats {

inline constexpr int looks_at_most = 64;

/// The results of these tests as they stand; `tests_in_all` and `looks` are what each p-value is multiplied by, with
/// the number of its test's parts.
[[nodiscard]] std::vector<Result> read_off(std::span<const NamedTest> tests, std::size_t tests_in_all,
                                           int looks = looks_at_most);

[[nodiscard]] Verdict verdict_of(std::span<const Result> results, const Policy& policy);
[[nodiscard]] Verdict verdict_of(std::span<const Look> looks, const Policy& policy);

/// Tests with a suspicious part in any look, in their order.
[[nodiscard]] std::vector<std::string> suspicious_tests(std::span<const Look> looks, const Policy& policy);

}  // namespace rng::stats
