// Tables of binomial counts: how often each output bit was set (columns) under each of many conditions (rows). All
// cells have the same number of trials, each with probability 1/2.
// Null: all cells are independent and binomial.
// Statistic: the sum of standardised squares over all cells, over the worst row and over the worst column; the farthest
// cell.
// Derivation: docs/statistics/bit_table.md.
#pragma once

#include <rng/stats/p_value.hpp>

#include <cstdint>
#include <span>
#include <string>

#include "../test.hpp"

namespace rng::stats {

/// Adds to counts[32 * w + b] the number of n lanes that have bit b of word w set. Word w of lane l is lanes[w * n +
/// l]. Requires n to be a multiple of 128.
void count_bits(const uint32_t* lanes, std::size_t n, std::size_t words, uint32_t* counts);

/// Adds the parts "all", "row", "column" and "cell" of a table with n trials a cell, each after `name`. Adds nothing if
/// n < 256.
void add_bit_table(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                   uint64_t n);

/// Adds the parts "row" and "cell" alone, for tables in which cells of different rows are not independent.
void add_bit_rows(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                  uint64_t n);

/// Adds part `name`: chi-square of a histogram of weights 0..bits against the binomial distribution. Adds nothing if
/// few cells would be left.
void add_weights(Results& results, const std::string& name, std::span<const uint64_t> histogram);

}  // namespace rng::stats
