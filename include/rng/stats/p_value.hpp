// The p-value of the statistical tests: both tails of the null distribution at the observed statistic, as logarithms to
// base 10, so that p = 1e-300, 1e-5000 and 1 - 1e-20 are all held to full precision.
//
// Oracle: normal_p_value(40).log10_upper is -349.43701 (Abramowitz and Stegun, table 26.2).
#pragma once

#include <cstdint>

#include <rng/core/config.hpp>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// P-values of a statistic T that was observed to be t. A tail of probability 0 has the logarithm -infinity.
struct PValue {
    double log10_lower = 0;  ///< log10 P(T <= t)
    double log10_upper = 0;  ///< log10 P(T >= t); of discrete T both tails include t itself

    [[nodiscard]] double lower() const;
    [[nodiscard]] double upper() const;

    /// Twice the smaller tail, at most 1: what verdicts rest on. Conservative where T is discrete.
    [[nodiscard]] double log10_two_sided() const;
    [[nodiscard]] double two_sided() const;

    /// P(T > t) + u P(T = t): uniform on [0, 1] under the null for a uniform u in [0, 1], also of discrete T. For plots
    /// and second-level tests; its error is absolute, 1e-16.
    [[nodiscard]] double randomised(double u) const;
};

/// log10 p of a probability p whose complement is q = 1 - p, from whichever of them is the smaller: exact at both ends.
[[nodiscard]] double log10_probability(double p, double q);

/// Standard normal: T >= z. Absolute error of the logarithms 1e-13, relative 1e-14. Throws Error (invalid_argument) if
/// z is NaN, as do the others here on parameters out of range.
[[nodiscard]] PValue normal_p_value(double z);

/// Gamma with shape a > 0 and scale 1, x >= 0: regularised incomplete gamma functions. Relative error of either tail
/// about 1e-13 (Boost.Math), below 1e-280 about 1e-15 (a + x).
[[nodiscard]] PValue gamma_p_value(double x, double a);

/// Chi-square with `degrees` > 0 degrees of freedom (real), x >= 0.
[[nodiscard]] PValue chi_square_p_value(double x, double degrees);

/// `count` of `n` independent events of probability p in [0, 1] happened. Exact binomial tails, errors as gamma's.
[[nodiscard]] PValue binomial_p_value(uint64_t count, uint64_t n, double p);

/// `count` events of a Poisson distribution with this mean > 0. Exact tails, errors as gamma's.
[[nodiscard]] PValue poisson_p_value(uint64_t count, double mean);

/// The largest of m > 0 independent statistics, of which one is at least as large as what was observed with probability
/// 10^log10_reached, and larger with 10^log10_exceeded (the same, of a continuous statistic): 1 - (1 - p)^m. Source:
/// Sidak, J. Am. Stat. Assoc. 62, 1967. The upper tail is below m p, Bonferroni's bound, whatever depends on what.
[[nodiscard]] PValue largest_of(double m, double log10_reached, double log10_exceeded);

namespace detail {

/// ln(n!) - ln(sqrt(2 pi n) (n / e)^n) for whole n >= 1.
[[nodiscard]] double stirling_error(double n);

/// ln of the binomial probability of k among n where p = (k + excess) / n, 0 <= k <= n: the saddle-point form, without
/// cancellation (Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000). -infinity if p >= 1 > k / n.
[[nodiscard]] double log_binomial_pmf(double k, double n, double excess);

/// log10 P(Z <= z) of the standard normal.
[[nodiscard]] double log10_normal_cdf(double z);

}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
