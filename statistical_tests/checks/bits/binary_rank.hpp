// Rank of square matrices over GF(2), and its law.
//
// Null: P(rank = n - d) = 2^(-d^2) prod_(i=d+1..n) (1 - 2^-i)^2 / prod_(i=1..n-d) (1 - 2^-i) for n x n uniform bits
// (Marsaglia and Tsay, Linear Algebra Appl. 67, 1985).
// Oracle: deficiencies 0, 1 and 2 or more have the probabilities 0.2888, 0.5776, 0.1336 for 32 x 32 matrices
// (Marsaglia's DIEHARD).
// Derivation: docs/statistics/rank.md.
#pragma once

#include <cstdint>
#include <span>

namespace rng::stats {

/// Returns the rank of an n x n matrix, and destroys the matrix. Requires n to be a multiple of 64; each row has n / 64
/// words.
[[nodiscard]] int binary_rank(std::span<uint64_t> rows, int n);

/// Returns log10 of P(deficiency >= d) for an n x n matrix, 0 <= d <= n; -infinity for greater d. The relative error of
/// P is 1e-13 n.
[[nodiscard]] double log10_deficiency_tail(int d, int n);

}  // namespace rng::stats
