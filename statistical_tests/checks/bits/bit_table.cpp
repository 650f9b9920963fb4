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
