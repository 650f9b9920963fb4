// The p-value of the statistical tests: both tails of the null distribution at the observed statistic.
// They are logarithms to base 10, so p = 1e-300, 1e-5000 and 1 - 1e-20 all have full precision.
//
//     const rng::stats::PValue p = rng::stats::chi_square_p_value(312.5, 255);
//     std::cout << rng::stats::probability_text(p.log10_two_sided()) << "\n";
//
// Oracle: normal_p_value(40).log10_upper is -349.43701 (Abramowitz and Stegun, table 26.2).
#pragma once

#include <cstdint>

#include <rng/core/config.hpp>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The p-values of a statistic T with the observed value t. A tail of probability 0 has the logarithm -infinity.
struct PValue {
    double log10_lower = 0;  ///< log10 P(T <= t)
    double log10_upper = 0;  ///< log10 P(T >= t); for a discrete T both tails include t itself

    [[nodiscard]] double lower() const;  ///< P(T <= t); 0 below 1e-308
    [[nodiscard]] double upper() const;  ///< P(T >= t); 0 below 1e-308

    /// Returns log10 of twice the smaller tail, at most 1; verdicts use this value. It is conservative if T is
    /// discrete.
    [[nodiscard]] double log10_two_sided() const;
    [[nodiscard]] double two_sided() const;  ///< twice the smaller tail, at most 1

    /// Returns P(T > t) + u P(T = t): uniform on [0, 1] under the null for a uniform u in [0, 1], for a discrete T too.
    /// For plots and second-level tests; the error is absolute, 1e-16.
    [[nodiscard]] double randomised(double u) const;
};

/// Returns log10 p of a probability p with the complement q = 1 - p. Uses the smaller of p and q, so both ends are
/// exact.
[[nodiscard]] double log10_probability(double p, double q);

/// Standard normal: T >= z. The absolute error of the logarithms is 1e-13, the relative error 1e-14.
/// Throws Error (invalid_argument) if z is NaN. The other functions here throw it too, on parameters out of range.
[[nodiscard]] PValue normal_p_value(double z);

/// Gamma distribution with shape a > 0 and scale 1, x >= 0: regularised incomplete gamma functions.
/// The relative error of either tail is about 1e-13 (Boost.Math); below 1e-280 about 1e-15 (a + x).
[[nodiscard]] PValue gamma_p_value(double x, double a);

/// Chi-square distribution with `degrees` > 0 degrees of freedom (real), x >= 0.
[[nodiscard]] PValue chi_square_p_value(double x, double degrees);

/// Binomial distribution: `count` of `n` independent events of probability p in [0, 1] happened. Exact tails, errors as
/// gamma's.
[[nodiscard]] PValue binomial_p_value(uint64_t count, uint64_t n, double p);

/// Poisson distribution: `count` events, with this mean > 0. Exact tails, errors as gamma's.
[[nodiscard]] PValue poisson_p_value(uint64_t count, double mean);

/// The p-value of the largest of m > 0 independent statistics: 1 - (1 - p)^m.
/// One statistic reaches the observed value with probability 10^log10_reached, and exceeds it with 10^log10_exceeded.
/// Both are the same for a continuous statistic. Source: Sidak, J. Am. Stat. Assoc. 62, 1967.
/// The upper tail is below m p, Bonferroni's bound, for any dependence.
[[nodiscard]] PValue largest_of(double m, double log10_reached, double log10_exceeded);

namespace detail {

/// ln(n!) - ln(sqrt(2 pi n) (n / e)^n) for whole n >= 1.
[[nodiscard]] double stirling_error(double n);

/// Returns ln of the binomial probability of k among n with p = (k + excess) / n, 0 <= k <= n. Returns -infinity if p
/// >= 1 > k / n.
/// This is the saddle-point form, without cancellation (Loader, "Fast and Accurate Computation of Binomial
/// Probabilities", 2000).
[[nodiscard]] double log_binomial_pmf(double k, double n, double excess);

/// Returns log10 P(Z <= z) for the standard normal.
[[nodiscard]] double log10_normal_cdf(double z);

}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
