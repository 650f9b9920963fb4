// Pearson's chi-square test of counts.
//
// Sources: Pearson, Phil. Mag. (5) 50, 1900; the least expected count: Knuth, TAOCP 2, section 3.3.1. Oracle: counts
// 44, 56 with 50 and 50 expected give X^2 = 1.44 with one degree of freedom, p = 0.2301393.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <rng/stats/p_value.hpp>

namespace rng::stats {

struct ChiSquare {
    double statistic;   ///< sum of (observed - expected)^2 / expected; infinity if something impossible happened
    std::size_t cells;  ///< after merging
    PValue p;           ///< with cells - 1 degrees of freedom
};

/// Compares counts with their expectations. From first to last, neighbouring cells are merged until each expects at
/// least `least_expected`; the rest joins the last cell. So cells that are alike should be neighbours. A count in a
/// cell that expects exactly 0 is a failure with p = 0.
///
/// The p-value is that of the limit for large expectations. Far tails need large ones. A count lies six standard
/// deviations above its mean with probability 1.0e-9 in the limit. The probability is 2.9e-9 in a Poisson cell that
/// expects 1000, 2.1e-8 for 100 and 7.6e-7 for 10.
///
/// Throws Error (invalid_argument) if one of these holds:
/// - the lengths differ;
/// - an expectation is negative or not finite;
/// - the two sums differ by more than a part of 1e-9;
/// - least_expected is not positive;
/// - fewer than two cells are left.
[[nodiscard]] ChiSquare chi_square(std::span<const uint64_t> observed, std::span<const double> expected,
                                   double least_expected = 10);

}  // namespace rng::stats
