// The Kolmogorov-Smirnov test: the greatest distance between an empirical distribution function and the true one.
//
// Marsaglia, Tsang, Wang, "Evaluating Kolmogorov's Distribution", J. Stat. Softw. 8(18), 2003; Simard, L'Ecuyer,
// "Computing the Two-Sided Kolmogorov-Smirnov Distribution", J. Stat. Softw. 39(11), 2011. Oracle (the first paper):
// P(D_10 < 0.274) = 0.6284796154565043.
#pragma once

#include <cstdint>
#include <span>

#include <rng/stats/p_value.hpp>

namespace rng::stats {

/// The distances of n values: above (D+) and below (D-) the true distribution function.
struct KolmogorovSmirnov {
    double d_plus, d_minus;
    uint64_t n;

    [[nodiscard]] double d() const { return d_plus > d_minus ? d_plus : d_minus; }
};

/// Distances of values from their continuous distribution. `u` holds the values of its distribution function, in
/// [0, 1] and ascending. Throws Error (invalid_argument) if there are none, one is outside, or they are not sorted.
[[nodiscard]] KolmogorovSmirnov kolmogorov_smirnov(std::span<const double> u);

/// D+ (or D-, of the same distribution) of n values, d in [0, 1].
///
/// The upper tail is Smirnov's finite sum of positive terms, in logarithms: relative error 1e-12, 1e-11 below 1e-100.
/// Above 2^22 values it is the expansion of Maag and Dicaire (Biometrika 58, 1971), of relative error z^4 / (160 n^2)
/// with z = 2 n d^2 (measured up to z = 800), and 1e-9 at least. The lower tail is the complement: its absolute error
/// is 1e-12. Throws Error (invalid_argument) if d is outside or n is 0.
[[nodiscard]] PValue ks_one_sided_p_value(double d, uint64_t n);

/// D = max(D+, D-) of n values, d in [0, 1]. Throws as above.
///
/// Exact by Durbin's matrix (relative error of the lower tail 1e-12) for n <= 2000, and for n d^(3/2) <= 1.4 up to
/// 10^6 values. Elsewhere the expansion of Pelz and Good (J. R. Stat. Soc. B 38, 1976), whose absolute error is
/// 0.06 / n^2 at most (measured for 250 to 4000 values); its lower tail has a relative error of 5e-5 at 1e-32 (10^6
/// values). From n d^2 = 4 on the upper tail is twice the one-sided one, relative error 1e-10.
[[nodiscard]] PValue ks_two_sided_p_value(double d, uint64_t n);

}  // namespace rng::stats
