// The oracles of support/svd.hpp. Products are plain loops (lazyProduct), which compile fast.
#include "svd.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace support {
namespace {

/// [[re, -im], [im, re]]: sums, products and adjoints are those of the complex matrices, and each singular value is
/// there twice. Eigen's decompositions of complex numbers would take as long to compile again.
template <class R> Dense<R> embedded(const Dense<std::complex<R>>& a) {
    const long m = a.rows(), n = a.cols();
    Dense<R> both(2 * m, 2 * n);
    for (long i = 0; i < m; ++i)
        for (long j = 0; j < n; ++j) {
            both(i, j) = both(m + i, n + j) = a(i, j).real();
            both(i, n + j) = -a(i, j).imag();
            both(m + i, j) = a(i, j).imag();
        }
    return both;
}
Eigen::VectorXd every_second(const Eigen::VectorXd& twice) {
    Eigen::VectorXd values(twice.size() / 2);
    for (long k = 0; k < values.size(); ++k) values[k] = twice[2 * k];
    return values;
}

/// The orthogonal factor of y.
template <class R> Dense<R> basis(const Dense<R>& y) {
    const Eigen::HouseholderQR<Dense<R>> qr(y);
    return qr.householderQ() * Dense<R>::Identity(y.rows(), y.cols());
}

}  // namespace

template <class Scalar> Eigen::VectorXd singular_values(const Dense<Scalar>& a) {
    if constexpr (Eigen::NumTraits<Scalar>::IsComplex)
        return every_second(singular_values(embedded(a)));
    else
        return Eigen::JacobiSVD<Dense<long double>, Eigen::HouseholderQRPreconditioner>(a.template cast<long double>())
            .singularValues()
            .template cast<double>();
}

template <class Scalar> double orthogonality(const Dense<Scalar>& u) {
    const Dense<Scalar> gram = u.adjoint().lazyProduct(u);
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
    return scaled.lazyProduct(v.adjoint());
}

template <class Scalar> Dense<Scalar> orthonormal(std::size_t m, std::size_t n, uint64_t seed) {
    Dense<Scalar> q = dense(random_matrix<Scalar>(m, n, seed));
    for (long j = 0; j < q.cols(); ++j) {
        for (int twice = 0; twice < 2; ++twice)  // is enough (Giraud and others, Numer. Math. 101, 2005)
            for (long k = 0; k < j; ++k) {
                const Scalar part = q.col(k).dot(q.col(j));
                q.col(j) -= part * q.col(k);
            }
        q.col(j) /= q.col(j).norm();
    }
    return q;
}

template <class Scalar> Reference<Scalar> reference(const Dense<Scalar>& a, const Dense<Scalar>& omega, int niter) {
    if constexpr (Eigen::NumTraits<Scalar>::IsComplex) {
        const auto both = reference(embedded(a), embedded(omega), niter);
        Dense<Scalar> rebuilt(a.rows(), a.cols());
        for (long i = 0; i < a.rows(); ++i)
            for (long j = 0; j < a.cols(); ++j) rebuilt(i, j) = {both.rebuilt(i, j), both.rebuilt(a.rows() + i, j)};
        return {every_second(both.S), rebuilt};
    } else {
        const bool tall = a.rows() >= a.cols();
        const Dense<Scalar> x = tall ? a : Dense<Scalar>(a.transpose());
        Dense<Scalar> u = basis<Scalar>(x.lazyProduct(omega));
        for (int i = 0; i < niter; ++i) u = basis<Scalar>(x.lazyProduct(basis<Scalar>(x.transpose().lazyProduct(u))));
        const Dense<Scalar> projected = u.transpose().lazyProduct(x), near = u.lazyProduct(projected);
        return {singular_values(projected), tall ? near : Dense<Scalar>(near.transpose())};
    }
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
