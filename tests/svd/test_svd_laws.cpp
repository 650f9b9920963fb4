// svd_lowrank against theory: the law of its errors over seeds, graded and ill-conditioned matrices, and means far
// above the spread.
// Also as many singular values as the matrix has, and columns of U with elements of one magnitude.
#include "../support/svd.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace {

using rng::Generator;
using rng::Matrix;
using support::dense;
using support::Dense;
using support::is_complex;
using support::orthogonality;
using support::Real;
using support::rebuilt;
using support::same;
using support::Wide;

template <class T> constexpr double unit = std::numeric_limits<Real<T>>::epsilon();
template <class T> constexpr double orthonormal_within = support::always_orthonormal_within<Real<T>>;

template <class T> class SvdLaws : public testing::Test {};
template <class T> class SvdLawsSlow : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdLaws, Types);
TYPED_TEST_SUITE(SvdLawsSlow, Types);

// ---- The law of the error over seeds

/// The results of a call for a matrix, over seeds: one figure for each seed.
struct Figures {
    std::vector<double> error, first, last;  ///< |A - U S V^H|_F, the greatest and the least value
};

/// A test matrix from another generator and by another map: the C++ standard's Mersenne Twister, and the polar form of
/// the normal law (Box and Muller, Ann. Math. Stat. 29, 1958). A complex value has parts of variance 1/2.
template <class Scalar> Dense<Scalar> foreign_test_matrix(std::mt19937_64& engine, long rows, long q) {
    const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53; };
    Dense<Scalar> omega(rows, q);
    for (Scalar& x : omega.reshaped()) {
        const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
        if constexpr (Eigen::NumTraits<Scalar>::IsComplex)
            x = Scalar(radius * std::cos(angle), radius * std::sin(angle)) * std::sqrt(0.5);
        else
            x = radius * std::cos(angle);
    }
    return omega;
}

template <class T> Figures figures(const Matrix<T>& a, long long q, int niter, uint64_t seeds) {
    Figures f;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        Generator gen(seed);
        const auto r = rng::svd_lowrank(a.view(), {.q = q, .niter = niter}, gen);
        f.error.push_back((dense(a) - rebuilt(r)).norm());
        f.first.push_back(static_cast<double>(r.S.front()));
        f.last.push_back(static_cast<double>(r.S.back()));
    }
    return f;
}
template <class T> Figures foreign_figures(const Matrix<T>& a, long q, int niter, uint64_t seeds) {
    Figures f;
    std::mt19937_64 engine(1);
    const Dense<Wide<T>> d = dense(a);
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        const auto omega = foreign_test_matrix<Wide<T>>(engine, std::min(d.rows(), d.cols()), q);
        const auto r = support::reference(d, omega, niter);
        f.error.push_back((d - r.rebuilt).norm());
        f.first.push_back(r.S[0]);
        f.last.push_back(r.S[q - 1]);
    }
    return f;
}

/// The Kolmogorov-Smirnov distance of two samples of n, as a part of what one pair in 10^6 of one law exceeds:
/// sqrt(ln(2 / 10^-6) / n) (Smirnov, Ann. Math. Stat. 19, 1948).
double distance(std::vector<double> a, std::vector<double> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const auto n = static_cast<double>(a.size());
    double most = 0;
    for (const std::vector<double>* const values : {&a, &b})
        for (const double x : *values) {
            const auto below = [x](const std::vector<double>& v) {
                return static_cast<double>(std::upper_bound(v.begin(), v.end(), x) - v.begin());
            };
            most = std::max(most, std::fabs(below(a) - below(b)) / n);
        }
    return most / std::sqrt(std::log(2e6) / n);
}

struct LawCase {
    std::size_t m, n;
    const char* spectrum;
    int niter;
};
constexpr LawCase law_cases[] = {
    {40, 30, "1/k", 0}, {30, 40, "1/k^2", 0}, {40, 30, "exponential", 0}, {45, 20, "flat", 1}};
constexpr long law_q = 6;

std::string text(const LawCase& c) {
    return std::to_string(c.m) + " x " + std::to_string(c.n) + ", " + c.spectrum + ", niter " + std::to_string(c.niter);
}

/// No seed is better than the truncated SVD, and the mean over seeds is not above the bound of theory.
/// The bound is for each k of up to q - 2 values that matter, and p = q - k more.
/// It is sqrt(1 + k / (p - 1)) times the root of the sum of squares of the values after k.
/// (Theorem 10.5 of Halko, Martinsson, Tropp; complex normal values are better than real ones.)
/// Power iterations only help. Four standard errors are added.
void check_bounds(const std::string& what, const Figures& f, const std::vector<double>& values, double rounding) {
    const auto tail = [&](long k) {
        double sum = 0;
        for (auto j = static_cast<std::size_t>(k); j < values.size(); ++j) sum += values[j] * values[j];
        return sum;
    };
    double expected = std::numeric_limits<double>::infinity(), sum = 0, squares = 0;
    for (long k = 0; k <= law_q - 2; ++k) {
        const double more = static_cast<double>(law_q - k) - 1;
        expected = std::min(expected, std::sqrt((1 + static_cast<double>(k) / more) * tail(k)));
    }
    for (const double e : f.error) {
        EXPECT_GE(e, std::sqrt(tail(law_q)) - rounding) << what;
        sum += e;
        squares += e * e;
    }
    const auto n = static_cast<double>(f.error.size());
    const double mean = sum / n, error_of_mean = std::sqrt(std::max(0.0, squares / n - mean * mean) / n);
    EXPECT_LE(mean, expected + 4 * error_of_mean + rounding) << what;
    for (const double s : f.first) EXPECT_LE(s, values[0] + rounding) << what;
    for (const double s : f.last) EXPECT_LE(s, values[law_q - 1] + rounding) << what;
}

template <class T> void check_laws(uint64_t seeds) {
    for (const LawCase& c : law_cases) {
        const std::vector<double> values = support::spectrum(c.spectrum, std::min(c.m, c.n));
        const Matrix<T> a = support::with_spectrum<T>(c.m, c.n, values);
        const Figures ours = figures(a, law_q, c.niter, seeds), others = foreign_figures(a, law_q, c.niter, seeds);
        const double rounding = 40 * unit<T> * values[0];
        check_bounds(text(c), ours, values, rounding);
        check_bounds(text(c) + ", the reference", others, values, rounding);
        EXPECT_LT(distance(ours.error, others.error), 1) << text(c);
        // These two of the equal values are known up to rounding, which has a law of its own.
        if (c.spectrum == std::string("flat")) continue;
        EXPECT_LT(distance(ours.first, others.first), 1) << text(c);
        EXPECT_LT(distance(ours.last, others.last), 1) << text(c);
    }
}

TYPED_TEST(SvdLaws, OfTheErrorAreThoseOfAnotherGenerator) { check_laws<TypeParam>(150); }
TYPED_TEST(SvdLawsSlow, OfTheErrorAreThoseOfAnotherGenerator) { check_laws<TypeParam>(5000); }

// ---- Matrices whose values fall fast

/// U and V are orthonormal, S is that of the same algorithm with the same test matrix in more precision, and so is the
/// residual.
template <class T> void check_same_omega(const std::string& what, const Matrix<T>& a, long q, int niter) {
    using High = std::conditional_t<sizeof(Real<T>) == 4, double, long double>;
    using Scalar = std::conditional_t<is_complex<T>, std::complex<High>, High>;
    const long least = static_cast<long>(std::min(a.rows, a.cols));
    Generator gen(42);
    const auto r = rng::svd_lowrank(a.view(), {.q = q, .niter = niter}, gen);
    const std::string where = what + ", q " + std::to_string(q) + ", niter " + std::to_string(niter);
    EXPECT_LT(orthogonality(dense(r.U)), orthonormal_within<T>) << where;
    EXPECT_LT(orthogonality(dense(r.V)), orthonormal_within<T>) << where;
    const Dense<Scalar> d = dense(a).template cast<Scalar>();
    const auto expected =
        support::reference<Scalar>(d, support::test_matrix<T>(least, q).template cast<Scalar>(), niter);
    const double norm = expected.S[0];
    for (long k = 0; k < q; ++k)
        EXPECT_NEAR(support::sigma(r)[k], expected.S[k], 40 * unit<T> * norm) << where << ", value " << k;
    const Dense<Scalar> left = d - rebuilt(r).template cast<Scalar>(), left_there = d - expected.rebuilt;
    EXPECT_LT(static_cast<double>(left.norm()), static_cast<double>(left_there.norm()) + 100 * unit<T> * norm) << where;
}

/// Normal values times scale(row, column).
template <class T, class F> Matrix<T> graded(std::size_t m, std::size_t n, const F& scale) {
    Matrix<T> a = support::random_matrix<T>(m, n, 3);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
            a(i, j) *= static_cast<Real<T>>(scale(static_cast<double>(i), static_cast<double>(j)));
    return a;
}

TYPED_TEST(SvdLaws, OfGradedMatricesAreThoseOfMorePrecision) {
    for (const double step : {0.5, 0.1})
        for (const int niter : {0, 1, 2})
            for (const long q : {5L, 20L}) {
                const std::string by = "by powers of " + std::to_string(step);
                const auto power = [step](double k) { return std::pow(step, k); };
                check_same_omega("rows " + by, graded<TypeParam>(50, 30, [&](double i, double) { return power(i); }), q,
                                 niter);
                check_same_omega("columns " + by, graded<TypeParam>(50, 30, [&](double, double j) { return power(j); }),
                                 q, niter);
                check_same_omega("both " + by,
                                 graded<TypeParam>(30, 50, [&](double i, double j) { return power((i + j) / 2); }), q,
                                 niter);
            }
}

TYPED_TEST(SvdLaws, OfHilbertAndKahanMatricesAreThoseOfMorePrecision) {
    constexpr std::size_t n = 40;
    Matrix<TypeParam> hilbert(n, n), kahan(n, n);
    const double c = 0.4, s = std::sqrt(1 - c * c);  // Kahan, Canad. Math. Bull. 9, 1966
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            hilbert(i, j) = static_cast<Real<TypeParam>>(1 / static_cast<double>(i + j + 1));
            const double row = std::pow(s, static_cast<double>(i));
            kahan(i, j) = static_cast<Real<TypeParam>>(i == j ? row : i < j ? -c * row : 0);
        }
    for (const int niter : {0, 1})
        for (const long q : {10L, 36L, 39L, 40L}) {
            check_same_omega("Hilbert", hilbert, q, niter);
            check_same_omega("Kahan", kahan, q, niter);
        }
}

// ---- Means far above the spread

// The means are those of the documented sums, divided and rounded; what is decomposed is A less these.
TYPED_TEST(SvdLaws, OfPcaFarFromTheOrigin) {
    using R = Real<TypeParam>;
    constexpr std::size_t m = 700, n = 12, parts = is_complex<TypeParam> ? 2 : 1;
    for (const double offset : {1e2, 1e4, sizeof(R) == 4 ? 1e6 : 1e13}) {
        auto a = support::random_matrix<TypeParam>(m, n);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) a(i, j) += static_cast<R>(offset * (static_cast<double>(j) - 3.25));
        Matrix<TypeParam> mean(1, n);
        Dense<Wide<TypeParam>> exact = dense(a);
        double error = 0;  // of the means, as a vector
        for (std::size_t j = 0; j < n; ++j) {
            R sums[2] = {};
            double magnitude = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                // A block has 64 complex terms: (re, im) times (1, 0) or (0, 1).
                std::vector<R> terms, ones;
                for (std::size_t i = 0; i < m; ++i)
                    for (std::size_t p = 0; p < parts; ++p) {
                        terms.push_back(reinterpret_cast<const R*>(&a(i, j))[p]);
                        ones.push_back(p == part ? R{1} : R{0});
                    }
                for (const R x : terms) magnitude += std::fabs(static_cast<double>(x)) / m;
                std::size_t blocks = 1;
                while (blocks * 128 < terms.size()) blocks *= 2;
                sums[part] = support::sum_in_order(terms, ones, 0, blocks) / static_cast<R>(m);
            }
            if constexpr (is_complex<TypeParam>)
                mean(0, j) = {sums[0], sums[1]};
            else
                mean(0, j) = sums[0];
            // A chain of 128 terms, 4 levels of sums, and the division. Each sum loses half a unit at most.
            // (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2.)
            error = std::hypot(error, 133 * unit<TypeParam> / 2 * magnitude);
            std::complex<long double> sum = 0;
            for (std::size_t i = 0; i < m; ++i)
                sum += std::complex<long double>(exact(static_cast<long>(i), static_cast<long>(j)));
            const std::complex<double> centre(sum / static_cast<long double>(m));
            for (std::size_t i = 0; i < m; ++i) {
                auto& x = exact(static_cast<long>(i), static_cast<long>(j));
                if constexpr (is_complex<TypeParam>)
                    x -= centre;
                else
                    x -= centre.real();
            }
        }
        Generator g1(42), g2(42);
        const auto pca = rng::pca_lowrank(a.view(), {.q = 6}, g1);
        const std::string where = "offset " + std::to_string(offset);
        EXPECT_TRUE(same(pca, rng::svd_lowrank(a.view(), {.q = 6, .M = std::as_const(mean).view()}, g2))) << where;
        EXPECT_LT(orthogonality(dense(pca.U)), orthonormal_within<TypeParam>) << where;
        // Values move by no more than the norm of what is added (Weyl): of A less the means, and the rest of rounding.
        const auto expected = support::reference(exact, support::test_matrix<TypeParam>(n, 6), 2);
        const double allowed = std::sqrt(static_cast<double>(m)) * error + 40 * unit<TypeParam> * expected.S[0];
        for (long k = 0; k < 6; ++k) EXPECT_NEAR(support::sigma(pca)[k], expected.S[k], allowed) << where;
    }
}

// ---- As many values as there are

template <class T> void check_all_values(std::size_t m, std::size_t n) {
    const std::size_t q = std::min(m, n);
    for (const char* kind : {"flat", "1/k", "pairs"}) {
        const std::vector<double> values = support::spectrum(kind, q);
        const Matrix<T> a = support::with_spectrum<T>(m, n, values);
        Generator gen(42);
        const auto r = rng::svd_lowrank(a.view(), {.q = static_cast<long long>(q)}, gen);
        const std::string where = std::to_string(m) + " x " + std::to_string(n) + ", " + kind;
        EXPECT_LT(orthogonality(dense(r.U)), orthonormal_within<T>) << where;
        EXPECT_LT(orthogonality(dense(r.V)), orthonormal_within<T>) << where;
        EXPECT_TRUE(std::is_sorted(r.S.rbegin(), r.S.rend())) << where;
        for (std::size_t k = 0; k < q; ++k)
            EXPECT_NEAR(static_cast<double>(r.S[k]), values[k], 40 * unit<T> * values[0]) << where << ", value " << k;
        // Each of the q columns of U S is off by units of the greatest value.
        EXPECT_LT((dense(a) - rebuilt(r)).norm(), 10 * unit<T> * std::sqrt(static_cast<double>(q)) * values[0])
            << where;
    }
}

TYPED_TEST(SvdLaws, OfAsManyValuesAsThereAre) {
    check_all_values<TypeParam>(100, 90);
    check_all_values<TypeParam>(48, 120);
}
TYPED_TEST(SvdLawsSlow, OfAsManyValuesAsThereAre) {
    check_all_values<TypeParam>(256, 300);
    check_all_values<TypeParam>(512, 512);
}

// ---- Elements of one magnitude in a column of U

// Each row of A occurs again with the other sign, so two elements of each column of U differ only in their sign.
// The first element of the greatest magnitude must be positive, for any places of the rows.
template <class T> void check_signs(std::size_t half, std::size_t n, std::size_t apart) {
    const std::size_t m = 2 * half;
    const auto rows = support::random_matrix<T>(half, n, 5);
    Matrix<T> a(m, n);
    const auto first = [&](std::size_t i) { return apart == 1 ? 2 * i : i; };
    for (std::size_t i = 0; i < half; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            a(first(i), j) = rows(i, j);
            a(first(i) + apart, j) = -rows(i, j);
        }
    Generator gen(42);
    const auto expected = rng::svd_lowrank(a.view(), {.q = 9}, gen);
    for (std::size_t c = 0; c < 9; ++c) {
        std::size_t best = first(0);
        for (std::size_t i = 0; i < half; ++i) {
            EXPECT_EQ(expected.U(first(i), c), -expected.U(first(i) + apart, c)) << "row " << i << ", column " << c;
            if (std::abs(expected.U(first(i), c)) > std::abs(expected.U(best, c))) best = first(i);
        }
        EXPECT_GT(std::real(expected.U(best, c)), 0) << "column " << c << " of " << m << " x " << n;
        EXPECT_NEAR(std::imag(expected.U(best, c)), 0, unit<T>) << "column " << c << " of " << m << " x " << n;
    }
    const std::size_t cut = m / 3;
    const rng::matrix_view<const T> parts[] = {
        rng::matrix_view<const T>::row_major(a.values.data(), cut, n),
        rng::matrix_view<const T>::row_major(a.values.data() + cut * n, m - cut, n)};
    support::on_every_path({1, 4}, [&](const std::string& path) {
        Generator g1(42), g2(42);
        EXPECT_TRUE(same(rng::svd_lowrank(a.view(), {.q = 9}, g1), expected)) << path;
        EXPECT_TRUE(same(rng::svd_lowrank(rng::row_shards<const T>{parts}, {.q = 9}, g2), expected)) << path;
    });
}

TYPED_TEST(SvdLaws, OfSignsAreThoseOfTheFirstOfEqualElements) {
    for (const bool neighbours : {true, false}) {  // or in other blocks, shards and threads
        check_signs<TypeParam>(150, 25, neighbours ? 1 : 150);
        check_signs<TypeParam>(30, 100, neighbours ? 1 : 30);
    }
}

}  // namespace
