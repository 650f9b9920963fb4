#include "kolmogorov_smirnov.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "require.hpp"

namespace rng::stats {

namespace {

using detail::require;
constexpr double ln10 = std::numbers::ln10, pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr uint64_t most_summed = uint64_t{1} << 22;  // takes a second at most
constexpr uint64_t most_by_matrix = 2000, most_by_matrix_low = 1'000'000;
constexpr double far = 4;  // n d^2: from here on D+ and D- are both great with a probability below 1e-10 of either's

// Returns ln P(D+ >= d) for 0 < d < 1. Requires n to be at most most_summed. With p = d + j / n each term of Smirnov's
// sum,
//     d C(n, j) p^(j - 1) (1 - p)^(n - j),  j = 0 ... floor(n (1 - d)),
// is d / p times a binomial probability.
double log_one_sided_sum(double d, double n) {
    const double excess = n * d;
    double greatest = -infinity, sum = 0;  // the sum is exp(greatest) * sum
    for (double j = 0; j + excess < n; ++j) {
        const double term = detail::log_binomial_pmf(j, n, excess) + std::log(excess / (excess + j));
        if (term > greatest) {
            sum *= std::exp(greatest - term);
            greatest = term;
        }
        sum += std::exp(term - greatest);
    }
    return greatest + std::log(sum);
}

double log_one_sided_expansion(double d, double n) {
    const double t = 6 * n * d + 1, z = t * t / (18 * n);
    return std::min(0.0, -z + std::log1p(-(2 * z * z - 4 * z - 1) / (18 * n)));
}

// Returns ln P(D+ >= d) for 0 < d < 1.
double log_one_sided_upper(double d, uint64_t n) {
    const auto m = static_cast<double>(n);
    return n <= most_summed ? log_one_sided_sum(d, m) : log_one_sided_expansion(d, m);
}

// A square matrix times 2^exponent.
struct Scaled {
    std::size_t size;
    std::vector<double> entries;  // row * size + column
    int exponent = 0;

    void normalise() {
        int e = 0;
        std::frexp(entries[size / 2 * size + size / 2], &e);
        if (std::abs(e) < 400) return;
        for (double& x : entries) x = std::ldexp(x, -e);
        exponent += e;
    }
};

Scaled product(const Scaled& a, const Scaled& b) {
    Scaled c{a.size, std::vector<double>(a.entries.size()), a.exponent + b.exponent};
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::size_t k = 0; k < a.size; ++k) {
            const double factor = a.entries[i * a.size + k];
            if (factor == 0) continue;
            for (std::size_t j = 0; j < a.size; ++j) c.entries[i * a.size + j] += factor * b.entries[k * a.size + j];
        }
    c.normalise();
    return c;
}

// Returns ln P(D < d) for 1/(2n) < d < 1. P is n! / n^n times the middle entry of the n-th power of Marsaglia, Tsang
// and Wang's matrix. The matrix has size 2k - 1, with d = (k - h) / n.
double log_two_sided_by_matrix(double d, uint64_t n) {
    const double nd = static_cast<double>(n) * d;
    const auto k = static_cast<std::size_t>(nd) + 1;
    const double h = static_cast<double>(k) - nd;
    const std::size_t m = 2 * k - 1;
    Scaled base{m, std::vector<double>(m * m), 0}, power = base;
    for (std::size_t i = 0; i < m; ++i) {
        power.entries[i * m + i] = 1;
        double factorial = 1;  // of i - j + 1
        for (std::size_t j = i + 1 < m ? i + 1 : i;; --j) {
            const auto order = static_cast<double>(i + 1 - j);
            if (order > 0) factorial *= order;
            double entry = 1;  // reduced below by the parts outside the band
            if (j == 0) entry -= std::pow(h, order);
            if (i == m - 1) entry -= std::pow(h, static_cast<double>(m - j));
            if (j == 0 && i == m - 1 && 2 * h > 1) entry += std::pow(2 * h - 1, static_cast<double>(m));
            base.entries[i * m + j] = entry / factorial;
            if (j == 0) break;
        }
    }
    for (uint64_t bits = n;; base = product(base, base)) {
        if (bits & 1) power = product(power, base);
        if ((bits >>= 1) == 0) break;
    }
    const auto count = static_cast<double>(n);
    const double scale = detail::stirling_error(count) + 0.5 * std::log(2 * pi * count) - count;  // ln(n! / n^n)
    return std::log(power.entries[(k - 1) * m + k - 1]) + power.exponent * std::numbers::ln2 + scale;
}

// Returns P(D < d) by four terms in powers of 1 / sqrt(n). The last sum of k3 has the factor 1 / 216, as in SciPy: so
// the error against the matrix falls as n^-2. With 1 / 108 the error falls as n^(-3/2) only.
double two_sided_expansion(double d, double n) {
    const double z = std::sqrt(n) * d, z2 = z * z, z4 = z2 * z2, z6 = z4 * z2, pi2 = pi * pi;
    double k0 = 0, k1 = 0, k2 = 0, k3 = 0;
    for (int k = 0; k < 1000; ++k) {
        const double a = pi2 * (k + 0.5) * (k + 0.5), b = pi2 * k * k;
        const double ea = 2 * std::exp(-a / (2 * z2)), eb = 2 * std::exp(-b / (2 * z2));
        if (k > 0 && eb < 1e-20) break;
        k0 += ea;
        k1 += (a - z2) * ea;
        k2 += ((6 * z6 + 2 * z4) + a * (2 * z4 - 5 * z2) + a * a * (1 - 2 * z2)) * ea - 2 * z4 * b * eb;
        k3 += (a * a * a * (5 - 30 * z2) + a * a * (212 * z4 - 60 * z2) + a * (135 * z4 - 96 * z6) - 30 * z6 -
               90 * z4 * z4) *
                  ea +
              30 * z4 * (3 * b * z2 - b * b) * eb;
    }
    const double root = std::sqrt(pi / 2), s = 1 / std::sqrt(n);
    return root * (k0 / z + s * (k1 / (6 * z4) + s * (k2 / (72 * z6 * z) + s * k3 / (6480 * z6 * z4))));
}

}  // namespace

KolmogorovSmirnov kolmogorov_smirnov(std::span<const double> u) {
    require(!u.empty(), "kolmogorov_smirnov", "there must be at least one value", u.size());
    KolmogorovSmirnov result{0, 0, u.size()};
    const auto n = static_cast<double>(u.size());
    double last = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        require(u[i] >= 0 && u[i] <= 1, "kolmogorov_smirnov", "values must be in [0, 1]", u[i]);
        require(u[i] >= last, "kolmogorov_smirnov", "values must ascend", u[i]);
        last = u[i];
        result.d_plus = std::max(result.d_plus, static_cast<double>(i + 1) / n - u[i]);
        result.d_minus = std::max(result.d_minus, u[i] - static_cast<double>(i) / n);
    }
    return result;
}

PValue ks_one_sided_p_value(double d, uint64_t n) {
    require(d >= 0 && d <= 1, "ks_one_sided_p_value", "d must be in [0, 1]", d);
    require(n > 0, "ks_one_sided_p_value", "n must be at least 1", n);
    if (d == 0) return {-infinity, 0};
    if (d == 1) return {0, -infinity};
    const auto m = static_cast<double>(n);
    if (m * d <= 1) {  // by Abel's identity: one term of the sum is missing
        const double log_lower = std::log(d) + (m - 1) * std::log1p(d);
        return {log_lower / ln10, log10_probability(-std::expm1(log_lower), std::exp(log_lower))};
    }
    const double log_upper = std::min(0.0, log_one_sided_upper(d, n)), upper = std::exp(log_upper);
    return {log10_probability(-std::expm1(log_upper), upper), log_upper / ln10};
}

PValue ks_two_sided_p_value(double d, uint64_t n) {
    require(d >= 0 && d <= 1, "ks_two_sided_p_value", "d must be in [0, 1]", d);
    require(n > 0, "ks_two_sided_p_value", "n must be at least 1", n);
    const auto m = static_cast<double>(n);
    if (2 * m * d <= 1) return {-infinity, 0};
    if (d == 1) return {0, -infinity};
    if (m * d * d >= far || d >= 0.5) {  // from 1/2 on D+ and D- cannot both reach d
        const double log_upper = std::min(0.0, std::numbers::ln2 + log_one_sided_upper(d, n));
        return {log10_probability(-std::expm1(log_upper), std::exp(log_upper)), log_upper / ln10};
    }
    if (n <= most_by_matrix || (n <= most_by_matrix_low && m * std::pow(d, 1.5) <= 1.4)) {
        const double log_lower = std::min(0.0, log_two_sided_by_matrix(d, n));
        return {log_lower / ln10, log10_probability(-std::expm1(log_lower), std::exp(log_lower))};
    }
    const double lower = std::clamp(two_sided_expansion(d, m), 0.0, 1.0);
    return {log10_probability(lower, 1 - lower), log10_probability(1 - lower, lower)};
}

}  // namespace rng::stats
