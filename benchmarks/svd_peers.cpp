// Compiled for this machine (RNG_BENCH_PEER_FLAGS), so it includes nothing of rng.
#include "svd_peers.hpp"

#include <Eigen/Dense>

#if defined(RNG_BENCH_OPENBLAS)
// Declared here, since the place of cblas.h differs from system to system.
extern "C" {
void openblas_set_num_threads(int threads);
void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double* a,
                 int lda, const double* b, int ldb, double beta, double* c, int ldc);
}
#endif

namespace bench {
namespace {

template <class T>
void svd_lowrank(const T* data, std::size_t rows, std::size_t cols, std::size_t columns, int niter, const T* omega,
                 T* u_out, T* s_out, T* v_out) {
    using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto m = static_cast<Eigen::Index>(rows), n = static_cast<Eigen::Index>(cols);
    const auto q = static_cast<Eigen::Index>(columns);
    const Eigen::Map<const Dense> a(data, m, n);
    const auto run = [&](const auto& tall, T* left, T* right) {
        const auto basis = [q](const Dense& y) {
            const Eigen::HouseholderQR<Dense> qr(y);
            return Dense(qr.householderQ() * Dense::Identity(y.rows(), q));
        };
        Dense x = basis(tall * Eigen::Map<const Dense>(omega, tall.cols(), q));
        for (int i = 0; i < niter; ++i) {
            const Dense z = basis(tall.transpose() * x);
            x = basis(tall * z);
        }
        const Dense z = tall.transpose() * x;
        const Eigen::BDCSVD<Dense> svd(z, Eigen::ComputeThinU | Eigen::ComputeThinV);
        Eigen::Map<Dense>(left, tall.rows(), q).noalias() = x * svd.matrixV();
        Eigen::Map<Dense>(right, tall.cols(), q) = svd.matrixU();
        Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>(s_out, q) = svd.singularValues();
    };
    if (m >= n)
        run(a, u_out, v_out);
    else
        run(a.transpose(), v_out, u_out);
}

#if defined(RNG_BENCH_OPENBLAS)
template <class Gemm, class T>
void product(Gemm gemm, const T* a, std::size_t m, std::size_t n, std::size_t q, bool transposed, const T* x, T* out,
             int threads) {
    constexpr int row_major = 101, plain = 111, transpose = 112;
    const auto rows = static_cast<int>(transposed ? n : m), terms = static_cast<int>(transposed ? m : n);
    openblas_set_num_threads(threads);
    gemm(row_major, transposed ? transpose : plain, plain, rows, static_cast<int>(q), terms, T{1}, a,
         static_cast<int>(n), x, static_cast<int>(q), T{0}, out, static_cast<int>(q));
}
#endif

}  // namespace

void eigen_svd_lowrank(const float* a, std::size_t m, std::size_t n, std::size_t q, int niter, const float* omega,
                       float* u, float* s, float* v) {
    svd_lowrank(a, m, n, q, niter, omega, u, s, v);
}
void eigen_svd_lowrank(const double* a, std::size_t m, std::size_t n, std::size_t q, int niter, const double* omega,
                       double* u, double* s, double* v) {
    svd_lowrank(a, m, n, q, niter, omega, u, s, v);
}

#if defined(RNG_BENCH_OPENBLAS)
bool have_openblas() { return true; }
void openblas_product(const float* a, std::size_t m, std::size_t n, std::size_t q, bool transposed, const float* x,
                      float* out, int threads) {
    product(cblas_sgemm, a, m, n, q, transposed, x, out, threads);
}
void openblas_product(const double* a, std::size_t m, std::size_t n, std::size_t q, bool transposed, const double* x,
                      double* out, int threads) {
    product(cblas_dgemm, a, m, n, q, transposed, x, out, threads);
}
#else
bool have_openblas() { return false; }
void openblas_product(const float*, std::size_t, std::size_t, std::size_t, bool, const float*, float*, int) {}
void openblas_product(const double*, std::size_t, std::size_t, std::size_t, bool, const double*, double*, int) {}
#endif

}  // namespace bench
