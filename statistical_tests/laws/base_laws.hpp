// The standard continuous laws from which the others are made.
#pragma once

#include "continuous.hpp"

namespace rng::stats::detail {

/// Rate 1. Survival has no underflow as a logarithm, nor have the laws made from this one.
[[nodiscard]] Continuous exponential_base();
/// Mean 0, variance 1.
[[nodiscard]] Continuous normal_base();
/// The magnitude of a standard Cauchy variable.
[[nodiscard]] Continuous half_cauchy_base();
/// A triangle over [left, right] with its top at mode.
[[nodiscard]] Continuous triangular_base(double left, double mode, double right);

// Laws of special functions. With `prepare` they have a table (prepared.hpp).

/// Scale 1. Johnson, Kotz, Balakrishnan, chapter 17.
[[nodiscard]] Continuous gamma_base(double shape, bool prepare = true);
/// The logarithm of gamma_base, which also has values that a double cannot hold before the logarithm.
[[nodiscard]] Continuous log_gamma_base(double shape, bool prepare = true);
/// G / H for independent gamma variables of shapes a and b.
[[nodiscard]] Continuous beta_prime_base(double a, double b, bool prepare = true);
/// gamma_base and beta_prime_base whose shape, or a, has a Poisson variable of the given mean added.
[[nodiscard]] Continuous noncentral_gamma_base(double shape, double mean, bool prepare = true);
[[nodiscard]] Continuous noncentral_beta_prime_base(double a, double b, double mean, bool prepare = true);
/// Johnson, Kotz, Balakrishnan, chapter 15.
[[nodiscard]] Continuous inverse_gaussian_base(double mean, double lambda, bool prepare = true);
/// Z + shape E for a normal and an exponential variable. Grushka, Analytical Chemistry 44, 1972.
[[nodiscard]] Continuous exponentially_modified_normal_base(double shape, bool prepare = true);
/// A standard normal variable, given that it lies in [lo, hi]. Bounds may be infinite.
[[nodiscard]] Continuous truncated_base(double lo, double hi, bool prepare = true);
/// Angles of [-pi, pi] with the density exp(kappa cos(x - mu)) / (2 pi I0(kappa)).
[[nodiscard]] Continuous von_mises_base(double mu, double kappa, bool prepare = true);

/// Returns exp(t^2) erfc(t) for t >= 0, with the precision of long double.
[[nodiscard]] long double scaled_erfc(long double t);

}  // namespace rng::stats::detail
