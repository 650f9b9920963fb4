// The oracles of support/svd.hpp.
#include "svd.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace support {
namespace {

Eigen::VectorXd of_real(const Dense<long double>& a) {
    return Eigen::JacobiSVD<Dense<long double>, Eigen::HouseholderQRPreconditioner>(a).singularValues().cast<double>();
}

/// The orthogonal factor of y.
template <class Scalar> Dense<Scalar> basis(const Dense<Scalar>& y) {
    const Eigen::HouseholderQR<Dense<Scalar>> qr(y);
    return qr.householderQ() * Dense<Scalar>::Identity(y.rows(), y.cols());
}

}  // namespace

template <class Scalar> Eigen::VectorXd singular_values(const Dense<Scalar>& a) {
    if constexpr (!Eigen::NumTraits<Scalar>::IsComplex) {
        return of_real(a.template cast<long double>());
    } else {
        // A complex matrix has the singular values of the real one [[re, -im], [im, re]], each of which is there twice.
        const long m = a.rows(), n = a.cols();
        Dense<long double> both(2 * m, 2 * n);
        for (long i = 0; i < m; ++i)
            for (long j = 0; j < n; ++j) {
                both(i, j) = both(m + i, n + j) = a(i, j).real();
                both(i, n + j) = -a(i, j).imag();
                both(m + i, j) = a(i, j).imag();
            }
        const Eigen::VectorXd twice = of_real(both);
        Eigen::VectorXd values(std::min(m, n));
        for (long k = 0; k < values.size(); ++k) values[k] = twice[2 * k];
        return values;
    }
}

template <class Scalar> double orthogonality(const Dense<Scalar>& u) {
    const Dense<Scalar> gram = u.adjoint() * u;
    double most = 0;
    for (long i = 0; i < gram.rows(); ++i)
        for (long j = 0; j < gram.cols(); ++j)
            most = std::max(most, static_cast<double>(std::abs(gram(i, j) - Scalar(i == j ? 1 : 0))));
    return most;
}

template <class Scalar>
Dense<Scalar> product(const Dense<Scalar>& u, const Eigen::VectorXd& s, const Dense<Scalar>& v) {
    Dense<Scalar> scaled = u;
    for (long i = 0; i < u.rows(); ++i)
        for (long j = 0; j < u.cols(); ++j) scaled(i, j) *= s[j];
    return scaled * v.adjoint();
}

template <class Scalar> Dense<Scalar> orthonormal(std::size_t m, std::size_t n, uint64_t seed) {
    return basis(dense(random_matrix<Scalar>(m, n, seed)));
}

template <class Scalar> Reference<Scalar> reference(const Dense<Scalar>& a, const Dense<Scalar>& omega, int niter) {
    const bool tall = a.rows() >= a.cols();
    const Dense<Scalar> x = tall ? a : Dense<Scalar>(a.adjoint()), x_h = x.adjoint();
    Dense<Scalar> u = basis<Scalar>(x * omega);
    for (int i = 0; i < niter; ++i) u = basis<Scalar>(x * basis<Scalar>(x_h * u));
    const Dense<Scalar> projected = u.adjoint() * x, near = u * projected;
    return {singular_values(projected), tall ? near : Dense<Scalar>(near.adjoint())};
}

template Dense<double> orthonormal(std::size_t, std::size_t, uint64_t);
template Dense<std::complex<double>> orthonormal(std::size_t, std::size_t, uint64_t);
#define RNG_TEST_ORACLES(Scalar)                                                                        \
    template Eigen::VectorXd singular_values(const Dense<Scalar>&);                                     \
    template double orthogonality(const Dense<Scalar>&);                                                \
    template Dense<Scalar> product(const Dense<Scalar>&, const Eigen::VectorXd&, const Dense<Scalar>&); \
    template Reference<Scalar> reference(const Dense<Scalar>&, const Dense<Scalar>&, int);
RNG_TEST_ORACLES(double)
RNG_TEST_ORACLES(std::complex<double>)
RNG_TEST_ORACLES(long double)
RNG_TEST_ORACLES(std::complex<long double>)
#undef RNG_TEST_ORACLES

}  // namespace support
