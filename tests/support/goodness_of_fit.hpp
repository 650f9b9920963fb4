// Tests of fit. Each returns a p-value, an upper bound of the probability that a sound sequence looks so bad; where it
// rests on a mean of many values being nearly normal, it is doubled: that holds while the normal tail is right to a
// factor of two.
#pragma once

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

/// Two-sided normal tail of a standardised mean, doubled.
inline double p_of_z(double z) {
    return std::min(1.0, 2 * 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::abs(z))));
}

/// Kolmogorov-Smirnov: P(D > d) <= 2 exp(-2 n d^2) for every n (Massart, Ann. Probab. 18, 1990). `step` is how far the
/// values' own granularity may move the distribution function.
template <class T, class Reference>
double kolmogorov_smirnov(std::vector<T> values, const Reference& reference, double step) {
    std::sort(values.begin(), values.end());
    const double n = static_cast<double>(values.size());
    double d = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double u = boost::math::cdf(reference, static_cast<double>(values[i]));
        d = std::max({d, u - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - u});
    }
    d = std::max(0.0, d - step);
    return std::min(1.0, 2 * std::exp(-2 * n * d * d));
}

/// How many of n independent events of probability p happen: exact binomial tails, two-sided.
inline double binomial_p(std::size_t count, std::size_t n, double p) {
    const boost::math::binomial law(static_cast<double>(n), p);
    const double k = static_cast<double>(count);
    const double low = boost::math::cdf(law, k);
    const double high = count == 0 ? 1.0 : boost::math::cdf(boost::math::complement(law, k - 1));
    return std::min(1.0, 2 * std::min(low, high));
}

/// The correlation of two sequences of known means and standard deviations, bounded and independent.
struct Standardised {
    double mean, stddev;
    std::vector<double> values;
};
inline double correlation_p(const Standardised& a, const Standardised& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) sum += (a.values[i] - a.mean) * (b.values[i] - b.mean);
    return p_of_z(sum / (a.stddev * b.stddev * std::sqrt(static_cast<double>(a.values.size()))));
}

/// For each bit, how often it is set in w[i], in w[i] ^ w[i + 1] and in w[i] ^ w[i + 2]: the least p-value times the
/// number of counts.
template <class W> double bits_p(const std::vector<W>& words) {
    constexpr int bits = 8 * sizeof(W), lags = 3;
    double least = 1;
    for (std::size_t lag = 0; lag < lags; ++lag) {
        // Pairs (i, i + lag) share words but their XORs are independent: each lag's counts are binomial.
        const std::size_t n = words.size() - lag;
        std::size_t set[bits] = {};
        for (std::size_t i = 0; i < n; ++i) {
            const W w = lag == 0 ? words[i] : words[i] ^ words[i + lag];
            for (int b = 0; b < bits; ++b) set[b] += (w >> b) & 1;
        }
        for (const std::size_t count : set) least = std::min(least, binomial_p(count, n, 0.5));
    }
    return std::min(1.0, least * bits * lags);
}

}  // namespace support
