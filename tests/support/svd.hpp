// What the tests of svd_lowrank share: matrices, spectra, and singular values by Eigen.
#pragma once

// Eigen is an oracle here, on small matrices: plain loops compile several times as fast as its vectors.
#define EIGEN_DONT_VECTORIZE
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paths.hpp"

namespace support {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T> constexpr bool is_complex = rng::detail::SvdElement<T>::is_complex;
template <class T> using Real = rng::detail::real_t<T>;

/// m x n normal values.
template <class T> rng::Matrix<T> random_matrix(std::size_t m, std::size_t n, uint64_t seed = 1) {
    rng::Matrix<T> a(m, n);
    if constexpr (is_complex<T>)
        rng::fill(a.values, rng::complex_normal<Real<T>>{}, rng::Stream<>{seed});
    else
        rng::fill(a.values, rng::normal<T>{}, rng::Stream<>{seed});
    return a;
}

/// By real Jacobi rotations in long double: they compile in a third of the time of BDCSVD, and in double lose more bits
/// than these tests allow.
inline Eigen::VectorXd singular_values(const Dense<long double>& a) {
    return Eigen::JacobiSVD<Dense<long double>, Eigen::HouseholderQRPreconditioner>(a).singularValues().cast<double>();
}
inline Eigen::VectorXd singular_values(const Dense<double>& a) {
    return singular_values(Dense<long double>(a.cast<long double>()));
}
/// A complex matrix has the singular values of the real one [[re, -im], [im, re]], each of which stands there twice.
inline Eigen::VectorXd singular_values(const Dense<std::complex<double>>& a) {
    const long m = a.rows(), n = a.cols();
    Dense<long double> both(2 * m, 2 * n);
    for (long i = 0; i < m; ++i)
        for (long j = 0; j < n; ++j) {
            both(i, j) = both(m + i, n + j) = a(i, j).real();
            both(i, n + j) = -a(i, j).imag();
            both(m + i, j) = a(i, j).imag();
        }
    const Eigen::VectorXd twice = singular_values(both);
    Eigen::VectorXd values(std::min(m, n));
    for (long k = 0; k < values.size(); ++k) values[k] = twice[2 * k];
    return values;
}

template <class T> testing::AssertionResult same(const rng::LowRankSvd<T>& a, const rng::LowRankSvd<T>& b) {
    if (auto u = same_bits(a.U.values, b.U.values); !u) return u << " of U";
    if (auto s = same_bits(a.S, b.S); !s) return s << " of S";
    if (auto v = same_bits(a.V.values, b.V.values); !v) return v << " of V";
    return testing::AssertionSuccess();
}

template <class T> constexpr double orthonormal_within = sizeof(T) == 4 ? 4e-7 : 1e-14;

struct Shape {
    std::size_t m, n;
    long long q;
};

/// r singular values of a kind.
inline std::vector<double> spectrum(const std::string& kind, std::size_t r) {
    std::vector<double> s(r);
    for (std::size_t k = 0; k < r; ++k) {
        const auto x = static_cast<double>(k);
        if (kind == "flat") s[k] = 1;
        if (kind == "1/k") s[k] = 1 / (x + 1);
        if (kind == "1/k^2") s[k] = 1 / ((x + 1) * (x + 1));
        if (kind == "exponential") s[k] = std::exp(-x);
        if (kind == "step") s[k] = k < 6 ? 1 : 1e-3;
        if (kind == "pairs") s[k] = std::pow(0.5, std::floor(x / 2));
        if (kind == "rank 4") s[k] = k < 4 ? 4 - x : 0;
        if (kind == "low rank + noise") s[k] = k < 5 ? 10 - x : 1e-4;
    }
    return s;
}

}  // namespace support
