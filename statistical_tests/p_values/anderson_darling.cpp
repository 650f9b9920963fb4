#include "anderson_darling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "require.hpp"

namespace rng::stats {

namespace {

using detail::require;
constexpr double ln10 = std::numbers::ln10, pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The lower and upper series meet here, where both need few terms.
constexpr double middle = 1.2;

// Returns ln P(A^2 < z) for small z, by Anderson and Darling's series:
//     sqrt(2 pi) / z * sum over j of binomial(-1/2, j) (4j + 1) exp(-c) I,   c = (4j + 1)^2 pi^2 / (8z),
//     I = integral from 0 of exp(z / (8 (w^2 + 1)) - c w^2) dw.
// The integrand is even and analytic for |Im w| < 1, so that the trapezoidal rule converges exponentially. At w = v /
// sqrt(c) with steps of 1/8 the rule is exact to rounding for c > 3.
double log_lower(double z) {
    const double c0 = pi * pi / (8 * z);
    double sum = 0, coefficient = 1;
    for (int j = 0;; ++j) {
        const double m = 4 * j + 1, c = m * m * c0;
        const double relative = std::exp(c0 - c);  // in units of exp(-c0)
        if (relative < 1e-20) break;
        double integral = 0;
        for (int i = 0; i <= 52; ++i) {
            const double v = i / 8.0, weight = i == 0 ? 0.5 : 1;
            integral += weight * std::exp(z / (8 * (v * v / c + 1)) - v * v);
        }
        sum += coefficient * m * relative * integral / (8 * std::sqrt(c));
        coefficient *= -(j + 0.5) / (j + 1);
    }
    return -c0 + std::log(std::sqrt(2 * pi) / z * sum);
}

// Returns ln P(A^2 >= z). A^2 is the sum of independent chi-squares (of one degree) over j (j + 1). The product of 1 -
// u / (j (j + 1)) over j is cos(pi s / 2) / (-pi u) with s = sqrt(1 + 4u). Smirnov's inversion for such sums is
//     1/pi * sum over k of (-1)^(k + 1) * integral from (2k - 1) 2k to 2k (2k + 1) of
//         exp(-z u / 2) sqrt(pi u / |cos(pi s / 2)|) / u du.
// Here s runs over [4k - 1, 4k + 1], with inverse square roots at the ends: Gauss and Chebyshev's rule.
double log_upper(double z) {
    constexpr int nodes = 64;
    double sum = 0, sign = 1;  // in units of exp(-z)
    for (int k = 1;; ++k, sign = -sign) {
        if (z * (k * (2 * k - 1) - 1) > 50) break;
        double integral = 0;
        for (int i = 0; i < nodes; ++i) {
            const double angle = (2 * i + 1) * pi / (2 * nodes), v = std::cos(angle), s = 4 * k + v;
            const double u = (s * s - 1) / 4, root = std::sin(angle);  // root^2 = 1 - v^2
            const double cosine = std::sin(pi / 2 * (1 - std::abs(v)));
            integral += std::exp(z - z * u / 2) * std::sqrt(pi / (u * cosine)) * root * s / 2;
        }
        sum += sign * integral * pi / nodes;
    }
    return -z + std::log(sum / pi);
}

// Returns P(A_n^2 < z) less the limit x = P(A^2 < z): Marsaglia and Marsaglia, section 3.
double correction(double x, double n) {
    if (x > 0.8)
        return (-130.2137 + (745.2337 - (1705.091 - (1950.646 - (1116.360 - 255.7844 * x) * x) * x) * x) * x) / n;
    const double c = 0.01265 + 0.1757 / n;
    if (x < c) {
        const double t = x / c;
        return std::sqrt(t) * (1 - t) * (49 * t - 102) * (0.0037 / (n * n) + 0.00078 / n + 0.00006) / n;
    }
    const double t = (x - c) / (0.8 - c);
    return (-0.00022633 + (6.54034 - (14.6538 - (14.458 - (8.259 - 1.91864 * t) * t) * t) * t) * t) *
           (0.04213 + 0.01365 / n) / n;
}

}  // namespace

double anderson_darling(std::span<const double> u) {
    require(!u.empty(), "anderson_darling", "there must be at least one value", u.size());
    const auto n = static_cast<double>(u.size());
    double sum = 0, last = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        require(u[i] >= 0 && u[i] <= 1, "anderson_darling", "values must be in [0, 1]", u[i]);
        require(u[i] >= last, "anderson_darling", "values must ascend", u[i]);
        last = u[i];
        const auto below = static_cast<double>(2 * i + 1);
        sum += below * std::log(u[i]) + (2 * n - below) * std::log1p(-u[i]);
    }
    return std::max(0.0, -n - sum / n);
}

PValue anderson_darling_limit_p_value(double a2) {
    require(a2 >= 0, "anderson_darling_limit_p_value", "a2 must be at least 0", a2);
    if (a2 == 0) return {-infinity, 0};
    if (a2 == infinity) return {0, -infinity};
    if (a2 < middle) {
        const double lower = log_lower(a2);
        return {lower / ln10, log10_probability(-std::expm1(lower), std::exp(lower))};
    }
    const double upper = log_upper(a2);
    return {log10_probability(-std::expm1(upper), std::exp(upper)), upper / ln10};
}

PValue anderson_darling_p_value(double a2, uint64_t n) {
    require(a2 >= 0, "anderson_darling_p_value", "a2 must be at least 0", a2);
    require(n > 0, "anderson_darling_p_value", "n must be at least 1", n);
    if (n == 1) {  // A^2 = -1 - ln(u (1 - u))
        const double rest = 4 * std::exp(-1 - a2), lower = rest < 1 ? std::sqrt(1 - rest) : 0;
        const double log_upper = std::log(4 / (1 + lower)) - 1 - a2;
        return {log10_probability(lower, std::exp(log_upper)), rest < 1 ? log_upper / ln10 : 0};
    }
    // Nearer to 0 and to 1 the fitted polynomials' own error would prevail, so the tail keeps the ratio of its
    // correction there. For fewer than the fit's eight values the correction could exceed the tail itself, so it is
    // clamped.
    constexpr double least_lower = 1e-3, least_upper = 0.01;
    const PValue limit = anderson_darling_limit_p_value(a2);
    const double x = std::clamp(limit.lower(), least_lower, 1 - least_upper);
    const double added = std::clamp(correction(x, static_cast<double>(n)), -x / 2, (1 - x) / 2);
    if (limit.lower() < least_lower) {
        const double log10_lower = limit.log10_lower + std::log1p(added / x) / ln10;
        return {log10_lower, std::log1p(-std::pow(10.0, log10_lower)) / ln10};
    }
    if (limit.upper() < least_upper) {
        const double log10_upper = limit.log10_upper + std::log1p(-added / (1 - x)) / ln10;
        return {std::log1p(-std::pow(10.0, log10_upper)) / ln10, log10_upper};
    }
    return {log10_probability(x + added, 1 - x - added), log10_probability(1 - x - added, x + added)};
}

}  // namespace rng::stats
