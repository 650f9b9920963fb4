// svd_lowrank where the rank is below q: low rank and noise near the unit of rounding, and the small SVD by itself.
// ctest-needs: rng_eigen
// ctest-case: slow SvdOfLowRankSlow/*
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "../src/linalg/small.hpp"

namespace {

using rng::Matrix;
using Complex = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> constexpr bool is_complex = rng::detail::SvdElement<T>::is_complex;
template <class T> using Real = rng::detail::real_t<T>;
template <class T> using Computed = rng::detail::computed_t<T>;

template <class T> std::complex<double> wide(T x) {
    if constexpr (is_complex<T>)
        return x;
    else
        return static_cast<double>(static_cast<Real<T>>(x));
}

template <class T> Complex dense(const Matrix<T>& a) {
    Complex d(a.rows, a.cols);
    for (std::size_t i = 0; i < a.values.size(); ++i) d.data()[i] = wide(a.values[i]);
    return d;
}

double orthogonality(const Complex& u) {
    return (u.adjoint() * u - Complex::Identity(u.cols(), u.cols())).cwiseAbs().maxCoeff();
}

/// Normal values, complex if T is; sub-streams by `id`.
template <class T> Complex normals(std::size_t m, std::size_t n, uint64_t seed, uint64_t id) {
    const auto values = rng::sample(rng::normal<double>{}, 2 * m * n, rng::Stream<>{seed, id});
    Complex d(m, n);
    for (std::size_t i = 0; i < m * n; ++i) d.data()[i] = {values[2 * i], is_complex<T> ? values[2 * i + 1] : 0.0};
    return d;
}

/// The unit of rounding of the elements.
template <class T> constexpr double epsilon = std::numeric_limits<T>::epsilon();
template <> constexpr double epsilon<rng::float16> = 0x1p-10;
template <> constexpr double epsilon<rng::bfloat16> = 0x1p-7;
template <class T> constexpr double epsilon<std::complex<T>> = epsilon<T>;

template <class T> T rounded(std::complex<double> x) {
    if constexpr (is_complex<T>)
        return {static_cast<Real<T>>(x.real()), static_cast<Real<T>>(x.imag())};
    else
        return T(static_cast<Real<T>>(x.real()));
}

/// What algorithms 4.4 and 5.1 of Halko, Martinsson and Tropp have with the same test matrix, by Householder QR in
/// double precision.
struct Reference {
    double residual;
    double condition;  ///< the sketch over the least singular value of its first `rank` columns
};
template <class T> Reference reference(const Complex& a, long rank, long q, int niter, uint64_t seed) {
    const Complex x = a.rows() >= a.cols() ? a : Complex(a.adjoint());
    const auto count = static_cast<std::size_t>(x.cols() * q);
    Complex z(x.cols(), q);
    if constexpr (is_complex<T>) {
        const auto values = rng::sample(rng::complex_normal<Real<T>>{}, count, rng::Stream<>{seed});
        for (std::size_t i = 0; i < count; ++i)
            z.data()[i] = {static_cast<double>(values[i].re), static_cast<double>(values[i].im)};
    } else {
        const auto values = rng::sample(rng::normal<Computed<T>>{}, count, rng::Stream<>{seed});
        for (std::size_t i = 0; i < count; ++i) z.data()[i] = static_cast<double>(values[i]);
    }
    const auto basis = [q](const Complex& y) {
        const Eigen::HouseholderQR<Complex> qr(y);
        return Complex(qr.householderQ() * Complex::Identity(y.rows(), q));
    };
    const Complex sketch = x * z;
    const Eigen::VectorXd first = Eigen::JacobiSVD<Complex>(sketch.leftCols(rank)).singularValues();
    Complex u = basis(sketch);
    for (int i = 0; i < niter; ++i) u = basis(x * basis(x.adjoint() * u));
    return {(x - u * (u.adjoint() * x)).norm(), sketch.norm() / first[rank - 1]};
}

/// What is wrong with the SVD of a matrix of rank 1 to 4 plus noise of 0.04 to 1000 units of rounding; empty if nothing
/// is. U and V must be orthonormal, and the residual that of the noise.
template <class T> std::string problem(uint64_t seed, int niter, long long q) {
    constexpr double levels[] = {0.04, 0.2, 1, 4, 7, 12, 30, 1000};
    constexpr std::size_t shapes[][2] = {{60, 40}, {40, 60}, {25, 90}, {64, 64}, {130, 30}};
    const std::size_t m = shapes[seed % 5][0], n = shapes[seed % 5][1], rank = 1 + seed / 8 % 4;
    Complex left = normals<T>(m, rank, seed, 1), right = normals<T>(rank, n, seed, 2);
    if (sizeof(T) == 2 && seed % 8 == 0)  // whole numbers, or the noise of these types would never be small
        for (Complex* factor : {&left, &right})
            for (std::complex<double>& x : factor->reshaped()) x = std::round(x.real());
    const Complex low = left * right;
    const Complex noise = normals<T>(m, n, seed, 3) * (levels[seed % 8] * epsilon<T>);
    Matrix<T> a(m, n);
    for (std::size_t i = 0; i < m * n; ++i) a.values[i] = rounded<T>(low.data()[i] + noise.data()[i]);
    rng::Generator gen(seed);
    const auto r = rng::svd_lowrank(a.view(), {.q = q, .niter = niter}, gen);

    const Complex d = dense(a), u = dense(r.U), v = dense(r.V);
    Eigen::VectorXd s(r.S.size());
    for (std::size_t k = 0; k < r.S.size(); ++k) s[static_cast<long>(k)] = static_cast<double>(r.S[k]);
    const double unit = epsilon<Real<Computed<T>>>, within = sizeof(Real<Computed<T>>) == 4 ? 6e-7 : 1e-14;
    const double of_u = orthogonality(u), of_v = orthogonality(v);
    const double residual = (d - u * s.asDiagonal() * v.adjoint()).norm();
    // Columns are made orthogonal in turn. Without power iterations what the first ones say of the low rank is that of
    // a sketch of `rank` columns, and rounding is magnified by its condition.
    const Reference expected = reference<T>(d, static_cast<long>(rank), static_cast<long>(q), niter, seed);
    const double units = niter == 0 ? 8 * expected.condition : 8;
    const double allowed = expected.residual + units * unit * d.norm();
    if (of_u < within && of_v < within && residual < allowed && std::is_sorted(r.S.rbegin(), r.S.rend())) return "";
    char text[300];
    std::snprintf(text, sizeof text,
                  "seed %llu niter %d q %lld, %zu x %zu of rank %zu: |U^H U - I| %.3g, |V^H V - I| %.3g, residual %.3g "
                  "of %.3g allowed\n",
                  static_cast<unsigned long long>(seed), niter, q, m, n, rank, of_u, of_v, residual, allowed);
    return text;
}

using Types = testing::Types<rng::float16, rng::bfloat16, float, double, std::complex<float>, std::complex<double>>;
template <class T> class SvdOfLowRank : public testing::Test {};
template <class T> class SvdOfLowRankSlow : public testing::Test {};
TYPED_TEST_SUITE(SvdOfLowRank, Types);
TYPED_TEST_SUITE(SvdOfLowRankSlow, Types);

TYPED_TEST(SvdOfLowRankSlow, PlusNoiseHasOrthonormalFactors) {
    std::size_t bad = 0;
    std::string all;
    for (uint64_t seed = 0; seed < 500; ++seed)
        for (const int niter : {0, 1, 2})
            for (const long long q : {6, 12, 20})
                if (const std::string what = problem<TypeParam>(seed, niter, q); !what.empty()) {
                    if (++bad <= 20) all += what;
                }
    EXPECT_EQ(bad, 0u) << all;
}

// A thousandth of the cases above. Jacobi used to leave equal columns in each: of float in the first three, of double
// in the third and the last, of complex double in the third and the fourth, of complex float in the fourth.
TYPED_TEST(SvdOfLowRank, PlusNoiseHasOrthonormalFactors) {
    struct Case {
        uint64_t seed;
        int niter;
        long long q;
    };
    for (const Case c : {Case{13, 2, 20}, {93, 2, 6}, {12, 0, 20}, {5, 0, 12}, {4, 0, 12}})
        EXPECT_EQ(problem<TypeParam>(c.seed, c.niter, c.q), "");
}

// ---- The small SVD by itself: R^H = Uh diag(sigma) Vh^H of an upper R

/// The matrix as multiply_right takes it; its second plane of rows repeats the first.
Complex of_tall(const rng::detail::Square& w, const rng::detail::TallShape& shape) {
    const std::size_t q = shape.q, ld = shape.ld();
    Complex c(q, q);
    for (std::size_t i = 0; i < q; ++i)
        for (std::size_t j = 0; j < q; ++j)
            c(static_cast<long>(i), static_cast<long>(j)) = {w(i, j), shape.complex ? w(i, ld + j) : 0.0};
    return c;
}

/// Holds small_svd of R to orthogonality, to R itself, and its singular values to those that are known.
void check_small(const std::string& what, const Complex& r, bool is_complex, const std::vector<double>& sigma = {}) {
    const auto q = static_cast<std::size_t>(r.rows());
    const rng::detail::TallShape shape{q, q, q, is_complex};
    const std::size_t planes = is_complex ? 2 : 1;
    rng::detail::Square embedded(rng::detail::padded(planes * q, rng_abi::pad));
    for (std::size_t i = 0; i < q; ++i)
        for (std::size_t j = i; j < q; ++j) {
            const std::complex<double> x = r(static_cast<long>(i), static_cast<long>(j));
            embedded(planes * i, planes * j) = x.real();
            if (!is_complex) continue;
            embedded(2 * i + 1, 2 * j + 1) = x.real();
            embedded(2 * i, 2 * j + 1) = -x.imag();
            embedded(2 * i + 1, 2 * j) = x.imag();
        }
    const rng::detail::SmallSvd svd = rng::detail::small_svd(embedded, shape, 0x1p-50);
    const Complex u = of_tall(svd.uh, shape), v = of_tall(svd.vh, shape);
    const Eigen::VectorXd s = Eigen::Map<const Eigen::VectorXd>(svd.sigma.data(), static_cast<long>(q));
    EXPECT_LT(orthogonality(u), 1e-14) << what;
    EXPECT_LT(orthogonality(v), 1e-14) << what;
    EXPECT_TRUE(std::is_sorted(svd.sigma.rbegin(), svd.sigma.rend())) << what;
    const double norm = r.cwiseAbs().maxCoeff() > 0 ? r.cwiseAbs().maxCoeff() : 1;
    EXPECT_LT((r.adjoint() / norm - u * (s / norm).asDiagonal() * v.adjoint()).cwiseAbs().maxCoeff(), 1e-13) << what;
    for (std::size_t i = 0; i < sigma.size(); ++i)
        EXPECT_NEAR(svd.sigma[i] / (sigma[i] == 0 ? 1.0 : sigma[i]), sigma[i] == 0 ? 0.0 : 1.0, 1e-14)
            << what << ", " << i;
}

TEST(SmallSvd, OfRowsThatAreParallel) {
    for (const bool is_complex : {false, true})
        for (const long q : {2, 3, 7, 8, 20, 33})
            for (uint64_t seed = 0; seed < 20; ++seed) {
                // Rows with one direction: upper, so that only the last columns are not 0.
                const std::complex<double> i{0, is_complex ? 1.0 : 0.0};
                const std::vector<double> x =
                    rng::sample(rng::normal<double>{}, static_cast<std::size_t>(8 * q), rng::Stream<>{seed});
                Complex r = Complex::Zero(q, q);
                for (long row = 0; row < q; ++row)
                    for (long col = q / 2; col < q; ++col)
                        if (col >= row)
                            r(row, col) =
                                (x[static_cast<std::size_t>(row)] + i * x[static_cast<std::size_t>(q + row)]) *
                                (x[static_cast<std::size_t>(2 * q + col)] +
                                 i * x[static_cast<std::size_t>(3 * q + col)]);
                check_small("q " + std::to_string(q) + " seed " + std::to_string(seed) + (is_complex ? " complex" : ""),
                            r, is_complex);
            }
}

TEST(SmallSvd, OfOneColumn) {
    for (const bool is_complex : {false, true})
        for (const long q : {1, 2, 9, 20}) {
            Complex r = Complex::Zero(q, q);
            for (long row = 0; row < q; ++row)
                r(row, q - 1) = {3.0 * static_cast<double>(row + 1),
                                 is_complex ? 4.0 * static_cast<double>(row + 1) : 0};
            // 5 sqrt(1 + 4 + 9 + ...) or 3 of it.
            std::vector<double> sigma(static_cast<std::size_t>(q));
            const auto n = static_cast<double>(q);
            sigma[0] = (is_complex ? 5 : 3) * std::sqrt(n * (n + 1) * (2 * n + 1) / 6);
            const std::string what = "q " + std::to_string(q) + (is_complex ? " complex" : "");
            check_small(what, r, is_complex);
            // Values of 0 but for rounding.
            check_small(what, r, is_complex, {sigma[0]});
        }
}

TEST(SmallSvd, OfGradedRows) {
    for (const bool is_complex : {false, true})
        for (const int step : {1, 50, 200, 300}) {
            constexpr long q = 12;
            Complex r = Complex::Zero(q, q);
            for (long row = 0; row < q; ++row)
                for (long col = row; col < q; ++col)
                    r(row, col) = std::complex<double>(1 + static_cast<double>(row * col % 5),
                                                       is_complex ? static_cast<double>(col) : 0.0) *
                                  std::ldexp(1.0, -step * static_cast<int>(row));
            check_small("rows by 2^-" + std::to_string(step), r, is_complex);
            // A diagonal matrix: its values, as far as they count.
            Complex d = Complex::Zero(q, q);
            std::vector<double> sigma(q);
            for (long row = 0; row < q; ++row) {
                sigma[static_cast<std::size_t>(row)] = std::ldexp(1.0, -step * static_cast<int>(row));
                d(row, row) = std::complex<double>(is_complex ? 0.6 : 1.0, is_complex ? 0.8 : 0.0) *
                              sigma[static_cast<std::size_t>(row)];
                if (step * row >= 210) sigma[static_cast<std::size_t>(row)] = 0;
            }
            check_small("diagonal by 2^-" + std::to_string(step), d, is_complex, sigma);
        }
}

}  // namespace
