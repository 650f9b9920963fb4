// The fixed-order kernels of the low-rank SVD, over the lane type: products, Cholesky, triangles, the small SVD.
//
// Every inner product has one order of summation, whatever computes it (docs/svd.md): blocks of 128 terms, each a chain
// of fma from +0 in ascending order, and +0 added, so that no sum is -0; then the blocks' sums in a binary tree,
// aligned to the first block. Vectors run across results, never along a sum, so lanes, tiles, panels and threads are
// free choices; and terms whose factor is 0 may be left out.
//
// Like all files compiled per instruction set this one includes no std templates (kernels.hpp).
#pragma once

#include "jacobi.hpp"
#include "product.hpp"
#include "sparse_product.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Linalg : Products<L>, SparseProducts<L>, Jacobi<L> {
    using Jacobi<L>::axpy;
    using Jacobi<L>::cholesky;
    using Jacobi<L>::dot8;
    using Jacobi<L>::invert_upper;
    using Jacobi<L>::jacobi;
    using Jacobi<L>::multiply_upper;

    static constexpr rng_abi::LinalgFunctions functions{
        Vector<L, double>::lanes * sizeof(double),
        &Products<L>::template product<float>,
        &Products<L>::template product<double>,
        &SparseProducts<L>::template sparse_product<float>,
        &SparseProducts<L>::template sparse_product<double>,
        &cholesky,
        &invert_upper,
        &multiply_upper,
        &jacobi,
        [](double f, const double* x, double* y, size_t n) { axpy(f, x, y, n); },
        [](const double* x, const double* y, size_t n) { return dot8(x, y, n); }};
};

}  // namespace wide
RNG_END_NAMESPACE
