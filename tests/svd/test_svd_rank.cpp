// svd_lowrank where the rank is below q: low rank and noise near the unit of rounding, and the small SVD by itself.
#include "../support/svd.hpp"

#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "../../src/svd/small_svd.hpp"

namespace {

using rng::Matrix;
using support::always_orthonormal_within;
using support::dense;
using support::Dense;
using support::is_complex;
using support::orthogonality;
using support::Real;
using support::Wide;
using Complex = Dense<std::complex<double>>;
template <class T> using Computed = rng::detail::computed_t<T>;

/// Normal values, complex if T is; sub-streams by `id`.
template <class T> Dense<Wide<T>> normals(std::size_t m, std::size_t n, uint64_t seed, uint64_t id) {
    const auto values = rng::sample(rng::normal<double>{}, 2 * m * n, rng::Stream<>{seed, id});
    Dense<Wide<T>> d(m, n);
    for (std::size_t i = 0; i < m * n; ++i) {
        if constexpr (is_complex<T>)
            d.data()[i] = {values[2 * i], values[2 * i + 1]};
        else
            d.data()[i] = values[2 * i];
    }
    return d;
}

/// The unit of rounding of the elements.
template <class T> constexpr double epsilon = std::numeric_limits<T>::epsilon();
template <> constexpr double epsilon<rng::float16> = 0x1p-10;
template <> constexpr double epsilon<rng::bfloat16> = 0x1p-7;
template <class T> constexpr double epsilon<std::complex<T>> = epsilon<T>;

/// How much rounding grows in U without power iterations: |sketch| over the least singular value of the sketch's first
/// `rank` columns.
/// These columns are orthonormalised first, and span the part of U for the low rank.
/// Let E be the error of the columns.
/// The sine of the angle between exact and computed span is at most |E| over the columns' least singular value (Wedin,
/// BIT 13, 1973).
/// The same ratio, times |A|, bounds the growth of the residual. The bound has this form; its 8 units are for E.
/// Columns that fell to 2 units (4 of 2^-24 or 2^-53) are dropped.
/// If roundings are independent, a sum of 90 terms is off by sqrt(90) / 2 units (Higham and Mary, SIAM J. Sci. Comput.
/// 41, 2019).
template <class T> double condition(const Dense<Wide<T>>& a, const Dense<Wide<T>>& omega, long rank) {
    const Dense<Wide<T>> x = a.rows() >= a.cols() ? a : Dense<Wide<T>>(a.adjoint()), sketch = x * omega;
    return sketch.norm() / support::singular_values(Dense<Wide<T>>(sketch.leftCols(rank)))[rank - 1];
}

/// Returns what is wrong with the SVD of a matrix of rank 1 to 4 plus noise of 0.04 to 1000 units of rounding; empty if
/// nothing is.
/// U and V must be orthonormal, and the residual must be that of the noise.
template <class T> std::string problem(uint64_t seed, int niter, long long q) {
    constexpr double levels[] = {0.04, 0.2, 1, 4, 7, 12, 30, 1000};
    constexpr std::size_t shapes[][2] = {{60, 40}, {40, 60}, {25, 90}, {64, 64}, {130, 30}};
    const std::size_t m = shapes[seed % 5][0], n = shapes[seed % 5][1], rank = 1 + seed / 8 % 4;
    Dense<Wide<T>> left = normals<T>(m, rank, seed, 1), right = normals<T>(rank, n, seed, 2);
    if (sizeof(T) == 2 && seed % 8 == 0)  // whole numbers, or the noise of these types would never be small
        for (Dense<Wide<T>>* factor : {&left, &right})
            for (Wide<T>& x : factor->reshaped()) x = std::round(std::real(x));
    const Dense<Wide<T>> noise = normals<T>(m, n, seed, 3) * (levels[seed % 8] * epsilon<T>);
    const Matrix<T> a = support::rounded<T>(left * right + noise);
    rng::Generator gen(seed);
    const auto r = rng::svd_lowrank(a.view(), {.q = q, .niter = niter}, gen);

    const Dense<Wide<T>> d = dense(a), omega = support::test_matrix<T>(static_cast<long>(std::min(m, n)),
                                                                       static_cast<long>(q), rng::Stream<>{seed});
    constexpr double unit = epsilon<Real<Computed<T>>>, within = always_orthonormal_within<Real<Computed<T>>>;
    const double of_u = orthogonality(dense(r.U)), of_v = orthogonality(dense(r.V));
    const double residual = (d - support::rebuilt(r)).norm();
    const double units = niter == 0 ? 8 * condition<T>(d, omega, static_cast<long>(rank)) : 8;
    const double allowed = (d - support::reference(d, omega, niter).rebuilt).norm() + units * unit * d.norm();
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

// A thousandth of the cases above. An earlier Jacobi left equal columns:
// - of float in the first three cases,
// - of double in the third and the last,
// - of complex double in the third and the fourth,
// - of complex float in the fourth.
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
Complex of_tall(const rng::detail::SquareMatrix& w, const rng::detail::SvdShape& shape) {
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
    const rng::detail::SvdShape shape{q, q, q, is_complex};
    const std::size_t planes = is_complex ? 2 : 1;
    rng::detail::SquareMatrix embedded(rng::detail::padded(planes * q, rng_abi::pad));
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
            // Values of 0 except for rounding.
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
