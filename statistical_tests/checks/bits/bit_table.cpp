#include "bit_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "../../p_values/chi_square.hpp"

namespace rng::stats {

namespace {

constexpr uint64_t least_trials = 256;

RNG_FN void full_add(uint32_t a, uint32_t b, uint32_t c, uint32_t& sum, uint32_t& carry) {
    const uint32_t half = a ^ b, of_three = half ^ c;  // the results may be among the terms
    carry = (a & b) | (half & c);
    sum = of_three;
}

/// Sums by columns of bits: bit b of planes[p][i] is worth 2^p.
using Planes = uint32_t[8][16];

/// Adds the upper half of the words of the first P planes to the lower half.
template <std::size_t P> RNG_FN void fold(Planes& planes) {
    constexpr std::size_t half = 128 >> P;
    for (std::size_t i = 0; i < half; ++i) {
        uint32_t carry = 0;
        RNG_UNROLL
        for (std::size_t p = 0; p < P; ++p) full_add(planes[p][i], planes[p][i + half], carry, planes[p][i], carry);
        planes[P][i] = carry;
    }
}

/// Adds to counts[b] the number of 128 words that have bit b set. Full adders add the words as columns of bits.
/// Source of the adder tree: Harley and Seal's population count (Warren, Hacker's Delight, section 5-1).
RNG_FN void count_bits_of_128(const uint32_t* words, uint32_t* counts) {
    Planes planes;
    for (std::size_t i = 0; i < 16; ++i) {
        const uint32_t* const x = words + i;
        uint32_t s1, s2, s3, c1, c2, c3, twos, fours;
        full_add(x[0], x[16], x[32], s1, c1);
        full_add(x[48], x[64], x[80], s2, c2);
        full_add(s1, s2, x[96], s3, c3);
        full_add(c1, c2, c3, twos, fours);
        const uint32_t carry = s3 & x[112], carry2 = twos & carry;
        planes[0][i] = s3 ^ x[112];
        planes[1][i] = twos ^ carry;
        planes[2][i] = fours ^ carry2;
        planes[3][i] = fours & carry2;
    }
    fold<4>(planes);
    fold<5>(planes);
    fold<6>(planes);
    fold<7>(planes);
    for (std::size_t b = 0; b < 32; ++b) {
        uint32_t sum = 0;
        RNG_UNROLL
        for (std::size_t p = 0; p < 8; ++p) sum += (planes[p][0] >> b & 1) << p;
        counts[b] += sum;
    }
}

/// Sums of the standardised squares of a table's cells, by row and by column.
struct Table {
    std::vector<double> rows, columns;
    double farthest = 0;  ///< the greatest distance of a cell from n/2

    Table(std::span<const uint64_t> cells, std::size_t n_columns, uint64_t n)
        : rows(cells.size() / n_columns), columns(n_columns) {
        const double half = static_cast<double>(n) / 2, scale = 4 / static_cast<double>(n);
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t c = 0; c < n_columns; ++c) {
                const double away = std::abs(static_cast<double>(cells[r * n_columns + c]) - half);
                farthest = std::max(farthest, away);
                rows[r] += away * away * scale;
                columns[c] += away * away * scale;
            }
    }
};

PValue largest_sum(const std::vector<double>& sums, std::size_t terms) {
    const double largest = *std::ranges::max_element(sums);
    const double reached = chi_square_p_value(largest, static_cast<double>(terms)).log10_upper;
    return largest_of(static_cast<double>(sums.size()), reached, reached);
}

PValue farthest_cell(double away, std::size_t cells, uint64_t n) {
    // Both sides of n/2 are alike, so the p-value is twice a tail. The next cell above lies one half or one whole
    // further away.
    const auto both_tails = [n](double distance) {
        if (distance <= 0) return 0.0;
        const auto least = static_cast<uint64_t>(std::ceil(static_cast<double>(n) / 2 + distance));
        if (least > n) return -std::numeric_limits<double>::infinity();
        return std::min(0.0, std::log10(2.0) + binomial_p_value(least, n, 0.5).log10_upper);
    };
    return largest_of(static_cast<double>(cells), both_tails(away), both_tails(away + 1));
}

}  // namespace

RNG_STATS_CLONES void count_bits(const uint32_t* lanes, std::size_t n, std::size_t words, uint32_t* counts) {
    for (std::size_t w = 0; w < words; ++w)
        for (std::size_t at = 0; at < n; at += 128) count_bits_of_128(lanes + w * n + at, counts + 32 * w);
}

void add_bit_rows(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                  uint64_t n) {
    if (n < least_trials) return;
    const Table table(cells, columns, n);
    results.add(name + "row", largest_sum(table.rows, columns));
    results.add(name + "cell", farthest_cell(table.farthest, cells.size(), n));
}

void add_bit_table(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                   uint64_t n) {
    if (n < least_trials) return;
    const Table table(cells, columns, n);
    results.add(name + "all", chi_square_p_value(std::accumulate(table.rows.begin(), table.rows.end(), 0.0),
                                                 static_cast<double>(cells.size())));
    results.add(name + "row", largest_sum(table.rows, columns));
    results.add(name + "column", largest_sum(table.columns, table.rows.size()));
    results.add(name + "cell", farthest_cell(table.farthest, cells.size(), n));
}

void add_weights(Results& results, const std::string& name, std::span<const uint64_t> histogram) {
    const auto bits = static_cast<double>(histogram.size() - 1);
    double n = 0, largest = 0;
    for (const uint64_t count : histogram) n += static_cast<double>(count);
    std::vector<double> expected(histogram.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const auto weight = static_cast<double>(k);
        expected[k] = n * std::exp(std::lgamma(bits + 1) - std::lgamma(weight + 1) - std::lgamma(bits - weight + 1) -
                                   bits * std::numbers::ln2);
        largest = std::max(largest, expected[k]);
    }
    constexpr double least = 1000;  // verdicts act far out in the tail
    if (largest < 2 * least) return;
    results.add(name, chi_square(histogram, expected, least).p);
}

}  // namespace rng::stats
