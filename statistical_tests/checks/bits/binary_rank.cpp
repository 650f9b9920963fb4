#include "binary_rank.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "../../p_values/require.hpp"
#include "../test.hpp"

namespace rng::stats {

namespace {

/// Adds to each row the sum that its bits from `start` on choose.
RNG_STATS_CLONES void add_sums(uint64_t* row, std::size_t rows, std::size_t stride, std::size_t width,
                               const uint64_t* table, const uint16_t* sum_of, std::size_t start, unsigned mask) {
    for (; rows > 0; --rows, row += stride) {
        const uint64_t* const sum = table + sum_of[*row >> start & mask] * width;
        for (std::size_t w = 0; w < width; ++w) row[w] ^= sum[w];
    }
}

/// Eliminates a block of up to 8 neighbouring columns from all rows at once. A block has at most 8 pivot rows. All sums
/// of pivot rows are tabulated, so that each row takes one addition.
class Elimination {
  public:
    Elimination(std::span<uint64_t> rows, int n)
        : rows_(rows.data()),
          n_(static_cast<std::size_t>(n)),
          words_(n_ / 64),
          block_(n_ <= 256 ? 4 : 8),
          table_((std::size_t{1} << block_) * words_) {}

    int rank() {
        for (std::size_t column = 0; column < n_ && rank_ < n_; column += block_) {
            find_pivots(column);
            clear_below(column);
            rank_ += pivots_;
        }
        return static_cast<int>(rank_);
    }

  private:
    [[nodiscard]] uint64_t* row(std::size_t i) const { return rows_ + i * words_; }
    [[nodiscard]] bool bit(std::size_t i, std::size_t column) const { return row(i)[column / 64] >> column % 64 & 1; }
    void add_row(std::size_t from, std::size_t to, std::size_t first) const {
        for (std::size_t w = first; w < words_; ++w) row(to)[w] ^= row(from)[w];
    }

    /// Moves rows with independent bits in the block's columns up to row rank_ and the following ones. Makes these bits
    /// the identity in the columns pivot_[0], pivot_[1], ...
    void find_pivots(std::size_t column) {
        const std::size_t first = column / 64;
        pivots_ = 0;
        for (std::size_t c = column; c < column + block_; ++c)
            for (std::size_t i = rank_ + pivots_; i < n_; ++i) {
                for (std::size_t p = 0; p < pivots_; ++p)
                    if (bit(i, pivot_[p])) add_row(rank_ + p, i, first);
                if (!bit(i, c)) continue;
                const std::size_t at = rank_ + pivots_;
                std::swap_ranges(row(i), row(i) + words_, row(at));
                for (std::size_t p = 0; p < pivots_; ++p)
                    if (bit(rank_ + p, c)) add_row(at, rank_ + p, first);
                pivot_[pivots_++] = c;
                break;
            }
    }

    void clear_below(std::size_t column) {
        if (pivots_ == 0) return;
        const std::size_t first = column / 64, width = words_ - first, start = column % 64;
        std::fill_n(table_.begin(), width, 0);
        for (std::size_t p = 0; p < pivots_; ++p)
            for (std::size_t k = 0; k < std::size_t{1} << p; ++k)
                for (std::size_t w = 0; w < width; ++w)
                    table_[(k | std::size_t{1} << p) * width + w] = table_[k * width + w] ^ row(rank_ + p)[first + w];
        std::array<uint16_t, 256> sum_of{};  // the sum of pivot rows that has these bits in the block
        for (std::size_t bits = 0; bits < std::size_t{1} << block_; ++bits)
            for (std::size_t p = 0; p < pivots_; ++p)
                sum_of[bits] |= static_cast<uint16_t>((bits >> (pivot_[p] - column) & 1) << p);
        add_sums(row(rank_ + pivots_) + first, n_ - rank_ - pivots_, words_, width, table_.data(), sum_of.data(), start,
                 (1u << block_) - 1);
    }

    uint64_t* rows_;
    std::size_t n_, words_, block_;
    std::vector<uint64_t> table_;
    std::array<std::size_t, 8> pivot_{};
    std::size_t pivots_ = 0, rank_ = 0;
};

/// Returns ln prod_(i=from..to) (1 - 2^-i).
double log_product(int from, int to) {
    double sum = 0;
    for (int i = from; i <= std::min(to, 1100); ++i) sum += std::log1p(-std::ldexp(1.0, -i));
    return sum;
}

double log10_pmf(int d, int n) {
    return (2 * log_product(d + 1, n) - log_product(1, n - d)) / std::numbers::ln10 -
           static_cast<double>(d) * d * std::log10(2.0);
}

}  // namespace

int binary_rank(std::span<uint64_t> rows, int n) {
    detail::require(n > 0 && n % 64 == 0, "binary_rank", "n must be a positive multiple of 64", n);
    detail::require(rows.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n) / 64, "binary_rank",
                    "there must be n * n / 64 words", rows.size());
    return Elimination(rows, n).rank();
}

double log10_deficiency_tail(int d, int n) {
    if (d <= 0) return 0;
    if (d > n) return -std::numeric_limits<double>::infinity();
    const double first = log10_pmf(d, n);
    double sum = 1;  // in units of the first term; P(d + 1) / P(d) is about 2^-(2 d + 1)
    for (int next = d + 1; next <= n; ++next) {
        const double term = std::pow(10.0, log10_pmf(next, n) - first);
        sum += term;
        if (term < 1e-18) break;
    }
    return first + std::log10(sum);
}

}  // namespace rng::stats
