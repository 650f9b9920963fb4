// The q x q part of the low-rank SVD, in double precision on the host. A complex matrix is held as the real matrix in
// which a + ib is the 2 x 2 block (a, -b; b, a). Sums, products and Cholesky factors of such real matrices are those of
// the complex ones.
#pragma once

#include <vector>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns X^H X of a tall matrix, from the products of its width() real columns.
[[nodiscard]] SquareMatrix embedded_gram(const SquareMatrix& real, const SvdShape& shape);
/// Returns W in the form that multiply_right takes.
[[nodiscard]] SquareMatrix for_tall(const SquareMatrix& embedded, const SvdShape& shape);

/// R^H = Uh diag(sigma) Vh^H for upper R (embedded). Uh and Vh have the form that multiply_right takes; sigma descends.
/// Pairs of columns count as orthogonal up to `tolerance`.
struct SmallSvd {
    SquareMatrix uh, vh;
    std::vector<double> sigma;
};
[[nodiscard]] SmallSvd small_svd(const SquareMatrix& r, const SvdShape& shape, double tolerance);

}  // namespace detail
RNG_END_NAMESPACE
