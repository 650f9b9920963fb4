// What the tests of svd_lowrank share: matrices, spectra, and the same algorithm by Eigen.
#pragma once

// Eigen is an oracle here, on small matrices: plain loops compile several times as fast as its vectors.
#define EIGEN_DONT_VECTORIZE
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "paths.hpp"

namespace support {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T> constexpr bool is_complex = rng::detail::SvdElement<T>::is_complex;
template <class T> using Real = rng::detail::real_t<T>;
/// An element of T in double precision: what the oracles compute with.
template <class T> using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// m x n normal values.
template <class T> rng::Matrix<T> random_matrix(std::size_t m, std::size_t n, uint64_t seed = 1) {
    rng::Matrix<T> a(m, n);
    if constexpr (is_complex<T>)
        rng::fill(a.values, rng::complex_normal<Real<T>>{}, rng::Stream<>{seed});
    else
        rng::fill(a.values, rng::normal<T>{}, rng::Stream<>{seed});
    return a;
}

template <class T> Dense<Wide<T>> dense(const rng::Matrix<T>& a) {
    Dense<Wide<T>> d(a.rows, a.cols);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        if constexpr (is_complex<T>)
            d.data()[i] = Wide<T>(a.values[i]);
        else
            d.data()[i] = static_cast<double>(static_cast<Real<T>>(a.values[i]));
    }
    return d;
}
/// The elements of a, rounded to T.
template <class T> rng::Matrix<T> rounded(const Dense<Wide<T>>& a) {
    rng::Matrix<T> result(static_cast<std::size_t>(a.rows()), static_cast<std::size_t>(a.cols()));
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        if constexpr (is_complex<T>)
            result.values[i] = T(a.data()[i]);
        else
            result.values[i] = T(static_cast<Real<T>>(a.data()[i]));
    }
    return result;
}

// Eigen's decompositions take long to compile: svd.cpp does that once, for double and long double and complex ones.

/// By Jacobi rotations in long double: in double they lose more bits than these tests allow.
template <class Scalar> Eigen::VectorXd singular_values(const Dense<Scalar>& a);
/// The greatest element of |u^H u - I|.
template <class Scalar> double orthogonality(const Dense<Scalar>& u);
/// u diag(s) v^H.
template <class Scalar> Dense<Scalar> product(const Dense<Scalar>& u, const Eigen::VectorXd& s, const Dense<Scalar>& v);
/// m x n with orthonormal columns, made of normal values by Gram-Schmidt, twice.
template <class Scalar> Dense<Scalar> orthonormal(std::size_t m, std::size_t n, uint64_t seed);

template <class Scalar> struct Reference {
    Eigen::VectorXd S;
    Dense<Scalar> rebuilt;
};
/// Algorithms 4.4 and 5.1 of Halko, Martinsson and Tropp with the test matrix omega (min(m, n) x q), by Householder QR
/// in the precision of a.
template <class Scalar> Reference<Scalar> reference(const Dense<Scalar>& a, const Dense<Scalar>& omega, int niter);

/// The test matrix that svd_lowrank draws for a matrix of T.
template <class T> Dense<Wide<T>> test_matrix(long rows, long q, const rng::Stream<>& stream = rng::Stream<>{42}) {
    Dense<Wide<T>> omega(rows, q);
    const auto count = static_cast<std::size_t>(rows * q);
    using C = Real<rng::detail::computed_t<T>>;
    if constexpr (is_complex<T>) {
        const auto values = rng::sample(rng::complex_normal<C>{}, count, stream);
        for (std::size_t i = 0; i < count; ++i)
            omega.data()[i] = {static_cast<double>(values[i].re), static_cast<double>(values[i].im)};
    } else {
        const auto values = rng::sample(rng::normal<C>{}, count, stream);
        for (std::size_t i = 0; i < count; ++i) omega.data()[i] = static_cast<double>(values[i]);
    }
    return omega;
}

template <class T> Eigen::VectorXd sigma(const rng::LowRankSvd<T>& r) {
    Eigen::VectorXd s(static_cast<long>(r.S.size()));
    for (std::size_t k = 0; k < r.S.size(); ++k) s[static_cast<long>(k)] = static_cast<double>(r.S[k]);
    return s;
}
template <class T> Dense<Wide<T>> rebuilt(const rng::LowRankSvd<T>& r) {
    return product(dense(r.U), sigma(r), dense(r.V));
}
/// A matrix with these singular values.
template <class T> rng::Matrix<T> with_spectrum(std::size_t m, std::size_t n, const std::vector<double>& values) {
    const Eigen::VectorXd s = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<long>(values.size()));
    return rounded<T>(
        product(orthonormal<Wide<T>>(m, values.size(), 11), s, orthonormal<Wide<T>>(n, values.size(), 12)));
}

/// The sum of a[k] * b[k] in the order of docs/svd.md, by recursion: node (level, i) covers 2^level blocks.
template <class T>
T sum_in_order(const std::vector<T>& a, const std::vector<T>& b, std::size_t first, std::size_t blocks) {
    if (blocks == 1) {
        T sum = 0;
        for (std::size_t k = first; k < std::min(a.size(), first + 128); ++k) sum = std::fma(a[k], b[k], sum);
        return sum;
    }
    const std::size_t half = blocks / 2, middle = first + half * 128;
    const T left = sum_in_order(a, b, first, half);
    return middle < a.size() ? left + sum_in_order(a, b, middle, half) : left;
}

template <class T> testing::AssertionResult same(const rng::LowRankSvd<T>& a, const rng::LowRankSvd<T>& b) {
    if (auto u = same_bits(a.U.values, b.U.values); !u) return u << " of U";
    if (auto s = same_bits(a.S, b.S); !s) return s << " of S";
    if (auto v = same_bits(a.V.values, b.V.values); !v) return v << " of V";
    return testing::AssertionSuccess();
}

/// How far U^H U and V^H V may be from I, for most matrices and for any.
/// Each element of the last products, X W and X Uh, is off by gamma_q |x| |w| at most.
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1.)
/// By Cauchy and Schwarz an element of U^H U is off by 4 gamma_q sqrt(q): 2e-5 for float with q = 20.
/// Errors of both signs average out over the rows. So these limits are measured, with a margin; the greatest observed
/// error is in docs/svd.md.
template <class T> constexpr double orthonormal_within = sizeof(T) == 4 ? 4e-7 : 1e-14;
template <class T> constexpr double always_orthonormal_within = sizeof(T) == 4 ? 6e-7 : 1e-14;

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
