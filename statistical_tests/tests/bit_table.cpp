#include "bit_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../gof/chi_square.hpp"

namespace rng::stats {

namespace {

// Below this, 1 - (1 - p)^m is m p to the last digit.
constexpr double log10_tiny = -30;

double log10_any_of(double m, double log10_p) {
    if (log10_p < log10_tiny) return std::log10(m) + log10_p;
    return std::log10(-std::expm1(m * std::log1p(-std::pow(10, log10_p))));
}
double log10_none_of(double m, double log10_p) {
    return m * std::log1p(-std::pow(10, std::min(log10_p, 0.0))) / std::numbers::ln10;
}

}  // namespace

PValue largest_of(double m, double log10_reached, double log10_exceeded) {
    return {log10_none_of(m, log10_exceeded), log10_any_of(m, std::min(log10_reached, 0.0))};
}

void add_bit_table(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                   uint64_t n) {
    if (n < 256) return;
    const std::size_t rows = cells.size() / columns;
    const double half = static_cast<double>(n) / 2, scale = 4 / static_cast<double>(n);
    double all = 0, largest_row = 0, farthest = 0;
    std::vector<double> of_column(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        double of_row = 0;
        for (std::size_t c = 0; c < columns; ++c) {
            const double away = std::abs(static_cast<double>(cells[row * columns + c]) - half);
            const double square = away * away * scale;
            farthest = std::max(farthest, away);
            of_row += square;
            of_column[c] += square;
        }
        all += of_row;
        largest_row = std::max(largest_row, of_row);
    }
    const auto largest_sum = [](double sum, std::size_t terms, std::size_t sums) {
        const double reached = chi_square_p_value(sum, static_cast<double>(terms)).log10_upper;
        return largest_of(static_cast<double>(sums), reached, reached);
    };
    results.add(name + "all", chi_square_p_value(all, static_cast<double>(cells.size())));
    results.add(name + "row", largest_sum(largest_row, columns, rows));
    results.add(name + "column", largest_sum(*std::ranges::max_element(of_column), rows, columns));

    // Twice a tail, as both sides of n/2 are alike.
    const auto both_tails = [n](double away) {
        if (away <= 0) return 0.0;
        const auto least = static_cast<uint64_t>(std::ceil(static_cast<double>(n) / 2 + away));
        if (least > n) return -std::numeric_limits<double>::infinity();
        return std::log10(2.0) + binomial_p_value(least, n, 0.5).log10_upper;
    };
    results.add(name + "cell",
                largest_of(static_cast<double>(cells.size()), both_tails(farthest), both_tails(farthest + 0.75)));
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
