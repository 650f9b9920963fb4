#include <rng/stats/p_value.hpp>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "require.hpp"

namespace rng::stats {

namespace {

using detail::require;
constexpr double ln10 = std::numbers::ln10, infinity = std::numeric_limits<double>::infinity();

// Tails below this are computed as logarithms: doubles lose precision under 1e-308.
constexpr double least_plain = 1e-280;

// Returns ln of P(a, x) far below the mean: x^a e^-x / Gamma(a + 1) times the series of Abramowitz and Stegun, 6.5.29.
double log_gamma_lower(double x, double a) {
    double term = 1, sum = 1;
    for (double k = a + 1; term > sum * 1e-17; ++k) sum += term *= x / k;
    return a * std::log(x) - x - std::lgamma(a + 1) + std::log(sum);
}

// Returns ln of Q(a, x) far above the mean: x^a e^-x / Gamma(a) times the continued fraction 6.5.31 in its even form.
// Uses Lentz's method (Lentz, Appl. Opt. 15, 1976).
double log_gamma_upper(double x, double a) {
    double b = x + 1 - a, c = infinity, d = 1 / b, f = d;
    for (double k = 1;; ++k) {
        const double numerator = k * (a - k);
        b += 2;
        d = 1 / (b + numerator * d);
        c = b + numerator / c;
        f *= c * d;
        if (std::abs(c * d - 1) < 1e-16 || k > 1e6) break;
    }
    return a * std::log(x) - x - std::lgamma(a) + std::log(f);
}

// True if P(a, x) is below least_plain, by the first term of its series. Boost 1.74 overflows in an intermediate gamma
// function if x is tiny and a is large.
bool is_lower_tail_tiny(double x, double a) {
    return x > 0 && x < a / 2 && a * std::log(x) - x - std::lgamma(a + 1) < std::log(least_plain);
}

double log10_gamma_lower(double x, double a) {
    if (is_lower_tail_tiny(x, a)) return log_gamma_lower(x, a) / ln10;
    const double p = boost::math::gamma_p(a, x);
    if (p < least_plain) return x == 0 ? -infinity : log_gamma_lower(x, a) / ln10;
    return log10_probability(p, boost::math::gamma_q(a, x));
}
double log10_gamma_upper(double x, double a) {
    if (is_lower_tail_tiny(x, a)) return 0;
    const double q = boost::math::gamma_q(a, x);
    if (q < least_plain) return x == infinity ? -infinity : log_gamma_upper(x, a) / ln10;
    return log10_probability(q, boost::math::gamma_p(a, x));
}

// Returns log10 of P(X >= k) for binomial X. Requires 1 <= k <= n.
double log10_binomial_upper(double k, double n, double p, double q) {
    const double tail = boost::math::ibeta(k, n - k + 1, p);
    if (tail >= least_plain) return log10_probability(tail, boost::math::ibetac(k, n - k + 1, p));
    double term = 1, sum = 1;  // in units of P(X = k); k is far above the mean, so that terms fall
    for (double i = k; i < n && term > sum * 1e-17; ++i) sum += term *= (n - i) / (i + 1) * (p / q);
    const double log_pmf = k < n ? detail::log_binomial_pmf(k, n, n * p - k) : n * std::log(p);
    return (log_pmf + std::log(sum)) / ln10;
}

}  // namespace

namespace detail {

double stirling_error(double n) {
    if (n < 16) {  // the series has too few terms here, so the plain difference is used
        static const auto small = [] {
            std::array<double, 16> table{};
            for (std::size_t i = 1; i < table.size(); ++i) {
                const auto x = static_cast<long double>(i);
                table[i] = static_cast<double>(std::lgamma(x + 1) - (x + 0.5L) * std::log(x) + x -
                                               std::log(2 * std::numbers::pi_v<long double>) / 2);
            }
            return table;
        }();
        return small[static_cast<std::size_t>(n)];
    }
    const double s = 1 / (n * n);
    return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / n;
}

double log_binomial_pmf(double k, double n, double excess) {
    if (k == 0) return n * std::log1p(-excess / n);
    if (k == n) return n * std::log1p(excess / n);
    if (excess >= n - k) return -infinity;
    const double rest = n - k;
    return 0.5 * std::log(n / (2 * std::numbers::pi * k * rest)) + stirling_error(n) - stirling_error(k) -
           stirling_error(rest) + k * boost::math::log1pmx(excess / k) + rest * boost::math::log1pmx(-excess / rest);
}

double log10_normal_cdf(double z) {
    const double t = -z / std::numbers::sqrt2;
    if (t < 0) return std::log1p(-std::erfc(-t) / 2) / ln10;
    if (t < 25) return std::log10(std::erfc(t) / 2);
    if (t == infinity) return -infinity;
    const double s = 1 / (2 * t * t);  // Abramowitz and Stegun, 7.1.23: the next term is below 3e-15
    const double series = 1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s * (1 - 9 * s))));
    return (-t * t + std::log(series / (2 * t * std::sqrt(std::numbers::pi)))) / ln10;
}

}  // namespace detail

double PValue::lower() const { return std::pow(10.0, log10_lower); }
double PValue::upper() const { return std::pow(10.0, log10_upper); }
double PValue::log10_two_sided() const { return std::min(0.0, std::log10(2.0) + std::min(log10_lower, log10_upper)); }
double PValue::two_sided() const { return std::pow(10.0, log10_two_sided()); }
double PValue::randomised(double u) const {
    require(u >= 0 && u <= 1, "PValue::randomised", "u must be in [0, 1]", u);
    const double above = -std::expm1(ln10 * log10_lower);  // P(T > t)
    return (1 - u) * above + u * upper();
}

PValue largest_of(double m, double log10_reached, double log10_exceeded) {
    require(m > 0 && m < infinity, "largest_of", "m must be positive and finite", m);
    const auto log_none = [m](double log10_p) { return m * std::log1p(-std::pow(10, std::min(log10_p, 0.0))); };
    constexpr double log10_tiny = -30;  // for smaller p, 1 - (1 - p)^m is m p to the last digit
    return {log_none(log10_exceeded) / ln10, log10_reached < log10_tiny
                                                 ? std::min(0.0, std::log10(m) + log10_reached)
                                                 : std::log10(-std::expm1(log_none(log10_reached)))};
}

double log10_probability(double p, double q) { return p <= 0.5 ? std::log10(p) : std::log1p(-q) / ln10; }

PValue normal_p_value(double z) {
    require(!std::isnan(z), "normal_p_value", "z must be a number", z);
    return {detail::log10_normal_cdf(z), detail::log10_normal_cdf(-z)};
}

PValue gamma_p_value(double x, double a) {
    require(x >= 0, "gamma_p_value", "x must be at least 0", x);
    require(a > 0 && a < infinity, "gamma_p_value", "a must be positive and finite", a);
    if (x == 0) return {-infinity, 0};
    if (x == infinity) return {0, -infinity};
    return {log10_gamma_lower(x, a), log10_gamma_upper(x, a)};
}

PValue chi_square_p_value(double x, double degrees) {
    require(x >= 0, "chi_square_p_value", "x must be at least 0", x);
    require(degrees > 0 && degrees < infinity, "chi_square_p_value", "degrees must be positive and finite", degrees);
    return gamma_p_value(x / 2, degrees / 2);
}

PValue binomial_p_value(uint64_t count, uint64_t n, double p) {
    require(count <= n, "binomial_p_value", "count must be at most n", count);
    require(p >= 0 && p <= 1, "binomial_p_value", "p must be in [0, 1]", p);
    if (p == 0) return {0, count == 0 ? 0 : -infinity};
    if (p == 1) return {count == n ? 0 : -infinity, 0};
    const auto k = static_cast<double>(count), m = static_cast<double>(n);
    return {count == n ? 0 : log10_binomial_upper(m - k, m, 1 - p, p),
            count == 0 ? 0 : log10_binomial_upper(k, m, p, 1 - p)};
}

PValue poisson_p_value(uint64_t count, double mean) {
    require(mean > 0 && mean < infinity, "poisson_p_value", "mean must be positive and finite", mean);
    const auto k = static_cast<double>(count);
    return {log10_gamma_upper(mean, k + 1), count == 0 ? 0 : log10_gamma_lower(mean, k)};
}

}  // namespace rng::stats
