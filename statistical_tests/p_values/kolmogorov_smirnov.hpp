// The Kolmogorov-Smirnov test: the greatest distance between an empirical distribution function and the true one.
//
// Sources: Marsaglia, Tsang, Wang, "Evaluating Kolmogorov's Distribution", J. Stat. Softw. 8(18), 2003; Simard,
// L'Ecuyer, "Computing the Two-Sided Kolmogorov-Smirnov Distribution", J. Stat. Softw. 39(11), 2011. Oracle (the first
// paper): P(D_10 < 0.274) = 0.6284796154565043.
#pragma once

#include <cstdint>
#include <span>

#include <rng/stats/p_value.hpp>

namespace rng::stats {

/// The greatest distances of n values above (D+) and below (D-) the true distribution function.
struct KolmogorovSmirnov {
    double d_plus, d_minus;
    uint64_t n;

    [[nodiscard]] double d() const { return d_plus > d_minus ? d_plus : d_minus; }
};

/// Returns the distances of values from their continuous distribution. `u` holds the values of its distribution
/// function, in [0, 1] and ascending. Throws Error (invalid_argument) if one of these holds:
/// - there are no values;
/// - a value is outside [0, 1];
/// - the values are not sorted.
[[nodiscard]] KolmogorovSmirnov kolmogorov_smirnov(std::span<const double> u);

/// Returns the p-value of D+ (or of D-, which has the same distribution) of n values.
///
/// The upper tail is Smirnov's finite sum of positive terms, in logarithms. Its relative error is 1e-12, and 1e-11
/// below 1e-100. Above 2^22 values the upper tail is the expansion of Maag and Dicaire (Biometrika 58, 1971). The
/// relative error is then z^4 / (160 n^2) with z = 2 n d^2 (measured up to z = 800), and 1e-9 at least. The lower tail
/// is the complement, with an absolute error of 1e-12. Throws Error (invalid_argument) if d is outside [0, 1] or n is
/// 0.
[[nodiscard]] PValue ks_one_sided_p_value(double d, uint64_t n);

/// Returns the p-value of D = max(D+, D-) of n values. Throws Error (invalid_argument) if d is outside [0, 1] or n is
/// 0.
///
/// For n <= 2000, and for n d^(3/2) <= 1.4 up to 10^6 values, the p-value is exact by Durbin's matrix. The lower tail
/// then has a relative error of 1e-12. Elsewhere the p-value is the expansion of Pelz and Good (J. R. Stat. Soc. B 38,
/// 1976). Its absolute error is 0.06 / n^2 at most (measured for 250 to 4000 values). Its lower tail has a relative
/// error of 5e-5 at 1e-32 (10^6 values). From n d^2 = 4 on the upper tail is twice the one-sided one, with a relative
/// error of 1e-10.
[[nodiscard]] PValue ks_two_sided_p_value(double d, uint64_t n);

}  // namespace rng::stats
