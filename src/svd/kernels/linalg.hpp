// The fixed-order kernels of the low-rank SVD, over the lane type: products, Cholesky, triangles, the small SVD.
//
// Every inner product has one order of summation on every path (docs/svd.md):
// - The terms form blocks of 128. The sum of a block is a chain of fma from +0 in ascending order.
// - +0 is added to each block's sum, so that no sum is -0.
// - The blocks' sums are added in a binary tree, aligned to the first block.
// Vectors run across results, never along a sum, so lanes, tiles, panels and threads are free choices.
// Terms with a factor of 0 may be left out.
//
// This file includes no std templates, like all files that are compiled per instruction set (kernels.hpp).
#pragma once

#include "jacobi.hpp"
#include "product.hpp"
#include "sparse_product.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Linalg : Products<L>, SparseProducts<L>, Jacobi<L> {
    static constexpr rng_abi::LinalgFunctions functions{
        Vector<L, double>::lanes * sizeof(double),
        &Products<L>::template product<float>,
        &Products<L>::template product<double>,
        &SparseProducts<L>::template sparse_product<float>,
        &SparseProducts<L>::template sparse_product<double>,
        &Jacobi<L>::cholesky,
        &Jacobi<L>::invert_upper,
        &Jacobi<L>::multiply_upper,
        &Jacobi<L>::rotate_pairs,
        [](const double* f, const double* x, size_t ld, size_t rows, double* y, size_t n) {
            Jacobi<L>::add_rows(f, x, ld, rows, y, n);
        },
        [](const double* x, const double* y, size_t ld, size_t rows, size_t n, double* sums) {
            Jacobi<L>::multiply_rows(x, y, ld, rows, n, sums);
        }};
};

}  // namespace wide
RNG_END_NAMESPACE
