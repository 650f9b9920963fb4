#include "linear_complexity.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "../gof/require.hpp"
#include "test.hpp"

namespace rng::stats {

namespace {

using Vector __attribute__((vector_size(32))) = uint64_t;
constexpr std::size_t lanes = sizeof(Vector) / 8;

/// to[0, words) ^= from shifted up by `shift` < 64 bits. from[-1] must be 0; both are rounded up to whole vectors.
RNG_STATS_CLONES void xor_shifted(uint64_t* to, const uint64_t* from, std::size_t words, unsigned shift) {
    const unsigned back = 63 - shift;  // and one more, so that a shift by 0 is none
    for (std::size_t i = 0; i < words; i += lanes) {
        Vector here, below, sum;
        std::memcpy(&here, from + i, sizeof here);
        std::memcpy(&below, from + i - 1, sizeof below);
        std::memcpy(&sum, to + i, sizeof sum);
        sum ^= here << shift | below >> 1 >> back;
        std::memcpy(to + i, &sum, sizeof sum);
    }
}

/// A polynomial over GF(2): word 0 of `words` is padding.
struct Polynomial {
    std::vector<uint64_t> words;
    int64_t degree;  // -1 of 0

    explicit Polynomial(std::size_t n) : words(n / 64 + 2 + 2 * lanes), degree(-1) {}

    void find_degree(int64_t from) {
        for (int64_t w = from / 64; from >= 0 && w >= 0; --w)
            if (const uint64_t word = words[static_cast<std::size_t>(w) + 1]; word != 0) {
                degree = w * 64 + std::bit_width(word) - 1;
                return;
            }
        degree = -1;
    }
    /// The remainder of this by another one that is not 0.
    void reduce(const Polynomial& by) {
        const std::size_t size = static_cast<std::size_t>(by.degree) / 64 + 2;
        while (degree >= by.degree) {
            const auto shift = static_cast<std::size_t>(degree - by.degree);
            xor_shifted(words.data() + 1 + shift / 64, by.words.data() + 1, size, shift % 64);
            find_degree(degree - 1);
        }
    }
};

/// Of a sum of `count` independent values that are 0 but with probability q, and then geometric: P(j) = 3/4 4^(1-j).
PValue sum_p_value(uint64_t sum, uint64_t count, double q) {
    // b of them are not 0: binomial. b geometric variables add up to s or more if fewer than b of s - 1 trials succeed.
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
        // P(sum >= s) and P(sum <= s) of b of them.
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

std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n) {
    detail::require(bits.size() >= (n + 63) / 64, "linear_complexity", "there must be n bits", n);
    // Euclid's algorithm on x^n and s_0 x^(n-1) + ... + s_(n-1): the denominators of the convergents of their quotient
    // are feedback polynomials, of degrees n - deg r[k-1], and the first whose remainder r[k] has a lower degree than
    // itself makes all of the sequence (Mills, Math. Comput. 29, 1975).
    Polynomial r0(n), r1(n);
    r0.words[n / 64 + 1] = uint64_t{1} << n % 64;
    r0.degree = static_cast<int64_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = n - 1 - i;
        r1.words[at / 64 + 1] |= (bits[i / 64] >> i % 64 & 1) << at % 64;
    }
    r1.find_degree(static_cast<int64_t>(n) - 1);
    while (r0.degree + r1.degree >= static_cast<int64_t>(n)) {
        r0.reduce(r1);
        std::swap(r0, r1);
    }
    return n - static_cast<std::size_t>(r0.degree);
}

PValue deficits_p_value(uint64_t sum, uint64_t count) { return sum_p_value(sum, count, 1.0 / 6); }
PValue excesses_p_value(uint64_t sum, uint64_t count) { return sum_p_value(sum, count, 1.0 / 3); }

}  // namespace rng::stats
