// Tables of binomial counts: how often each output bit was set (columns) under each of many conditions (rows), out of
// the same number of trials with probability 1/2 each.
//
// Under the null all cells are independent. So their standardised squares sum up to chi-square, over all cells, over
// the row or the column with the largest sum, and the cell farthest from n/2 has an exact binomial tail; the largest of
// m independent statistics exceeds what one exceeds with probability p with 1 - (1 - p)^m. Sums of squares are those of
// binomials, not of normals: their moment generating function is below the normals' (a sum of signs is sub-Gaussian),
// so upper tails are smaller than what is said.
#pragma once

#include <rng/stats/p_value.hpp>

#include <cstdint>
#include <span>
#include <string>

#include "../test.hpp"

namespace rng::stats {

/// Adds the parts "all", "row", "column" and "cell" of a table with n trials a cell, each after `name`; none if n <
/// 256.
void add_bit_table(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                   uint64_t n);

/// The parts "row" and "cell" alone, where cells of different rows are not independent.
void add_bit_rows(Results& results, const std::string& name, std::span<const uint64_t> cells, std::size_t columns,
                  uint64_t n);

/// Adds part `name`: chi-square of a histogram of weights 0..bits against the binomial distribution; nothing if that
/// would have few cells.
void add_weights(Results& results, const std::string& name, std::span<const uint64_t> histogram);

}  // namespace rng::stats
