// What rng's low-rank SVD is measured beside. Matrices are row-major and dense; results go to the caller's memory.
#pragma once

#include <cstddef>

namespace bench {

/// Computes U (m x q), S, V (n x q) of A (m x n) with Eigen, on one thread; omega is min(m, n) x q.
/// Algorithms 4.4 and 5.1 of Halko, Martinsson and Tropp (SIAM Review 53, 2011), with Eigen's products, Householder QR
/// and divide-and-conquer SVD.
void eigen_svd_lowrank(const float* a, std::size_t m, std::size_t n, std::size_t q, int niter, const float* omega,
                       float* u, float* s, float* v);
void eigen_svd_lowrank(const double* a, std::size_t m, std::size_t n, std::size_t q, int niter, const double* omega,
                       double* u, double* s, double* v);

/// False where the program was built without OpenBLAS; then the products do nothing.
[[nodiscard]] bool have_openblas();

/// out (m x q) = A x, or out (n x q) = A^T x, for A (m x n), by OpenBLAS's gemm.
void openblas_product(const float* a, std::size_t m, std::size_t n, std::size_t q, bool transposed, const float* x,
                      float* out, int threads);
void openblas_product(const double* a, std::size_t m, std::size_t n, std::size_t q, bool transposed, const double* x,
                      double* out, int threads);

}  // namespace bench
