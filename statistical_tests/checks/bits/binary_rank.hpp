// Rank of square matrices over GF(2), and its law.
//
// Null, of n x n uniform bits: P(rank = n - d) = 2^(-d^2) prod_(i=d+1..n) (1 - 2^-i)^2 / prod_(i=1..n-d) (1 - 2^-i).
// Sources: Marsaglia and Tsay, "Matrices and the structure of random number sequences", Linear Algebra Appl. 67, 1985;
// elimination by tables: Arlazarov, Dinic, Kronrod and Faradzev, Soviet Math. Dokl. 11, 1970. Oracle: deficiencies 0, 1
// and 2 or more have the probabilities 0.2888, 0.5776, 0.1336 of 32 x 32 matrices (Marsaglia's DIEHARD).
#pragma once

#include <cstdint>
#include <span>

namespace rng::stats {

/// The rank of an n x n matrix, n a multiple of 64, row by row in n / 64 words each; destroys it.
[[nodiscard]] int binary_rank(std::span<uint64_t> rows, int n);

/// log10 of P(deficiency >= d) for an n x n matrix, 0 <= d <= n; -infinity beyond. Relative error of P 1e-13 n.
[[nodiscard]] double log10_deficiency_tail(int d, int n);

}  // namespace rng::stats
