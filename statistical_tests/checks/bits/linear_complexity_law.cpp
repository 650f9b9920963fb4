#include <algorithm>
#include <cmath>
#include <limits>

#include "linear_complexity.hpp"

namespace rng::stats {

namespace {

/// Returns the p-value of a sum of `count` independent values. Each is not 0 with probability q, and then geometric:
/// P(j) = 3/4 4^(1-j).
PValue sum_p_value(uint64_t sum, uint64_t count, double q) {
    // The number b of values that are not 0 is binomial. The sum of b geometric variables is s or more if fewer than b
    // of s - 1 trials succeed.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double log10_q = std::log10(q), log10_rest = std::log10(1 - q);
    const auto log10_add = [](double a, double b) {
        const double larger = std::max(a, b);
        return larger == -infinity ? larger
                                   : larger + std::log10(std::pow(10.0, a - larger) + std::pow(10.0, b - larger));
    };
    double upper = -infinity, lower = -infinity;
    for (uint64_t b = 0; b <= count; ++b) {
        const auto n = static_cast<double>(count), k = static_cast<double>(b);
        const double log10_pmf = (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(10.0) +
                                 k * log10_q + (n - k) * log10_rest;
        // P(sum >= s) and P(sum <= s) if b values are not 0.
        double at_least = 0, at_most = 0;
        if (b == 0) {
            if (sum > 0) at_least = -infinity;
        } else {
            if (sum > 0) at_least = binomial_p_value(std::min(b - 1, sum - 1), sum - 1, 0.75).log10_lower;
            at_most = b > sum ? -infinity : binomial_p_value(b, sum, 0.75).log10_upper;
        }
        upper = log10_add(upper, log10_pmf + at_least);
        lower = log10_add(lower, log10_pmf + at_most);
    }
    return {std::min(lower, 0.0), std::min(upper, 0.0)};
}

}  // namespace

PValue deficits_p_value(uint64_t sum, uint64_t count) { return sum_p_value(sum, count, 1.0 / 6); }
PValue excesses_p_value(uint64_t sum, uint64_t count) { return sum_p_value(sum, count, 1.0 / 3); }

}  // namespace rng::stats
