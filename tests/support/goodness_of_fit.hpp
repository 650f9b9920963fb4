// Tests of independence and of bits, beside the tests of fit of rng::stats.
// Each returns a p-value, an upper bound of the probability that a sound sequence looks so bad.
// If the p-value assumes that a mean of many values is nearly normal, it is doubled.
// That is enough as long as the normal tail is right to a factor of two.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <rng/stats/p_value.hpp>

namespace support {

/// Two-sided normal tail of a standardised mean, doubled.
inline double p_of_z(double z) { return std::min(1.0, 2 * rng::stats::normal_p_value(z).two_sided()); }

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
        for (const std::size_t count : set)
            least = std::min(least, rng::stats::binomial_p_value(count, n, 0.5).two_sided());
    }
    return std::min(1.0, least * bits * lags);
}

}  // namespace support
