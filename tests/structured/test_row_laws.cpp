// The laws of structured results, beside Boost.Math and exact moments. Each check has a twin: a wrong law that it
// finds.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each of about 90 checks fails with a
// probability of at most 1e-9. A twin is found with a p-value below 1e-12.
#include <gtest/gtest.h>
#include <rng/fill_rows.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/haar.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_hypergeometric.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/sphere.hpp>
#include <rng/structured/wishart.hpp>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "../support/goodness_of_fit.hpp"
#include "statistical_tests/p_values/chi_square.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

constexpr double share = 1e-9, of_twin = 1e-12;
constexpr std::size_t n = std::size_t{1} << 16;

/// n rows of a distribution.
template <class D> struct Sample {
    using T = rng::result_t<D>;
    std::size_t cols;
    std::vector<T> x;

    explicit Sample(const D& dist, uint64_t seed = 1) : cols(dist.row_size()), x(n * cols) {
        rng::fill_rows(rng::matrix_view<T>::row_major(x.data(), n, cols), dist, rng::Stream{seed});
    }
    [[nodiscard]] const T* row(std::size_t i) const { return x.data() + i * cols; }
    /// f(row) of each row.
    template <class F> [[nodiscard]] std::vector<double> each(const F& f) const {
        std::vector<double> values;
        values.reserve(n);
        for (std::size_t i = 0; i < n; ++i) values.push_back(f(row(i)));
        return values;
    }
};

/// The p-value of values beside a continuous distribution function.
template <class Cdf> double ks_p(const std::vector<double>& values, const Cdf& cdf_of) {
    std::vector<double> u;
    for (const double x : values) u.push_back(std::clamp(cdf_of(x), 0.0, 1.0));
    std::sort(u.begin(), u.end());
    return rng::stats::ks_two_sided_p_value(rng::stats::kolmogorov_smirnov(u).d(), u.size()).upper();
}
/// The p-value of a mean of values of that mean and variance.
double mean_p(const std::vector<double>& values, double mean, double variance) {
    const double sum =
        std::accumulate(values.begin(), values.end(), 0.0, [&](double s, double x) { return s + (x - mean); });
    return support::p_of_z(sum / std::sqrt(variance * static_cast<double>(values.size())));
}
/// The same, with the variance of the values themselves.
double mean_p(const std::vector<double>& values, double mean) {
    double square = 0;
    for (const double x : values) square += (x - mean) * (x - mean);
    return mean_p(values, mean, square / static_cast<double>(values.size()));
}
/// Of the first 2^14 values: Boost takes microseconds for each.
double beta_p(std::vector<double> values, double a, double b) {
    const boost::math::beta_distribution<> law(a, b);
    values.resize(std::size_t{1} << 14);
    return ks_p(values, [&](double x) { return cdf(law, std::clamp(x, 0.0, 1.0)); });
}
double normal_cdf(double z) { return std::erfc(-z * 0.70710678118654752) / 2; }

template <class T> void expect_dirichlet(const std::vector<T>& alpha) {
    const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    const Sample sample{rng::dirichlet(alpha)};
    for (std::size_t j = 0; j < 4; ++j) {
        const auto x = sample.each([j](const T* row) { return static_cast<double>(row[j]); });
        EXPECT_GT(beta_p(x, alpha[j], sum - alpha[j]), share) << j;
        EXPECT_LT(beta_p(x, 1.25 * alpha[j], sum - 1.25 * alpha[j]), of_twin) << j;
        for (std::size_t k = 0; k < j; ++k) {
            const auto both = sample.each([=](const T* row) { return static_cast<double>(row[j] + row[k]); });
            EXPECT_GT(beta_p(both, alpha[j] + alpha[k], sum - alpha[j] - alpha[k]), share) << j << k;
        }
    }
    const auto wholes = sample.each([](const T* row) { return double(row[0]) + row[1] + row[2] + row[3]; });
    for (const double whole : wholes) ASSERT_NEAR(whole, 1, 4 * std::numeric_limits<T>::epsilon());
}
TEST(RowLaws, Dirichlet) {
    expect_dirichlet<float>({0.25f, 1, 2.5f, 7});
    expect_dirichlet<double>({0.25, 1, 2.5, 7});
    expect_dirichlet<float>({1, 1, 1, 1});
    expect_dirichlet<double>({1, 1, 1, 1});
}

TEST(RowLaws, MultivariateNormal) {
    const std::vector<double> mean{1, -2, 0}, covariance{4, 2, -1, 2, 3, 0.5, -1, 0.5, 2};
    auto factor = rng::cholesky(covariance, 3);
    const auto least_p = [&] {
        const Sample sample{rng::multivariate_normal(mean, factor)};
        double least = 1;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const double c = covariance[3 * i + j], square = covariance[4 * i] * covariance[4 * j] + c * c;
                const auto products = sample.each([&](const double* x) { return (x[i] - mean[i]) * (x[j] - mean[j]); });
                least = std::min(least, mean_p(products, c, square));
                if (i != j) continue;
                const auto x = sample.each([i](const double* row) { return row[i]; });
                const double p = ks_p(x, [&](double v) { return normal_cdf((v - mean[i]) / std::sqrt(c)); });
                least = std::min(least, p);
            }
        return least;
    };
    EXPECT_GT(9 * least_p(), share);
    std::swap(factor[3], factor[6]);
    EXPECT_LT(9 * least_p(), of_twin);
}

TEST(RowLaws, Sphere) {
    constexpr std::size_t d = 5;
    const Sample sample{rng::sphere<float>{d}};
    for (std::size_t j = 0; j < d; ++j) {
        const auto u = sample.each([j](const float* x) { return (1.0 + x[j]) / 2; });
        EXPECT_GT(beta_p(u, (d - 1) / 2.0, (d - 1) / 2.0), share) << j;
        EXPECT_LT(beta_p(u, (d + 1) / 2.0, (d + 1) / 2.0), of_twin) << j;
        // E x_j^2 = 1 / d, and E x_j x_k = 0 with the variance 1 / (d (d + 2)).
        const auto product = sample.each([j](const float* x) { return double(x[j]) * x[(j + 1) % d]; });
        EXPECT_GT(mean_p(product, 0, 1.0 / (d * (d + 2))), share) << j;
    }
    const auto squares = sample.each([](const float* x) {
        double s = 0;
        for (std::size_t j = 0; j < d; ++j) s += double(x[j]) * x[j];
        return s;
    });
    for (const double s : squares) ASSERT_NEAR(s, 1, 0x1p-22);
}

TEST(RowLaws, Ball) {
    constexpr std::size_t d = 3;
    const Sample sample{rng::ball<double>{d}};
    const auto radii = sample.each([](const double* x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); });
    const auto power = [](double k) { return [k](double r) { return std::pow(r, k); }; };
    EXPECT_GT(ks_p(radii, power(d)), share);
    EXPECT_LT(ks_p(radii, power(d + 1)), of_twin);
    EXPECT_LE(*std::max_element(radii.begin(), radii.end()), 1 + 0x1p-51);
    // A coordinate is one of the sphere in d + 2 dimensions (Archimedes).
    const auto u = sample.each([](const double* x) { return (1 + x[1]) / 2; });
    EXPECT_GT(beta_p(u, (d + 1) / 2.0, (d + 1) / 2.0), share);
    // The radius does not depend on the direction.
    const auto with_sign = sample.each([](const double* x) { return x[0] > 0 ? 1 : -1; });
    std::vector<double> products;
    for (std::size_t i = 0; i < n; ++i) products.push_back(with_sign[i] * radii[i]);
    EXPECT_GT(mean_p(products, 0), share);
}

/// The trace of the matrix after a cyclic shift of its rows.
template <class T> auto trace(const T* q, std::size_t d, std::size_t shift) {
    T sum{};
    for (std::size_t i = 0; i < d; ++i) sum += q[(i + shift) % d * d + i];
    return sum;
}
template <class D> void expect_orthogonal(const Sample<D>& sample, std::size_t d) {
    using T = rng::result_t<D>;
    double worst = 0;
    for (std::size_t r = 0; r < 2000; ++r)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < d; ++k) sum += double(sample.row(r)[i * d + k]) * sample.row(r)[j * d + k];
                worst = std::max(worst, std::abs(sum - (i == j ? 1 : 0)));
            }
    EXPECT_LT(worst, 8 * std::numeric_limits<T>::epsilon());
}

TEST(RowLaws, HaarOrthogonal) {
    constexpr std::size_t d = 4;
    auto sample = Sample{rng::haar_orthogonal<double>{d}};
    expect_orthogonal(sample, d);
    for (std::size_t j = 0; j < d * d; ++j) {
        const auto u = sample.each([j](const double* q) { return (1 + q[j]) / 2; });
        EXPECT_GT(beta_p(u, (d - 1) / 2.0, (d - 1) / 2.0), share) << j;
    }
    // Diaconis, Evans, "Linear functionals of eigenvalues of random matrices", 2001: E tr = 0, E tr^2 = 1, E tr^4 = 3,
    // E tr(Q^2) = 1. The law of P Q is that of Q.
    const auto least_p = [&] {
        double least = 1;
        for (std::size_t shift = 0; shift < d; ++shift) {
            const auto t = sample.each([=](const double* q) { return trace(q, d, shift); });
            const auto power = [&t](int k) {
                std::vector<double> powers;
                for (const double x : t) powers.push_back(std::pow(x, k));
                return powers;
            };
            least = std::min({least, mean_p(t, 0), mean_p(power(2), 1), mean_p(power(4), 3)});
        }
        const auto of_square = sample.each([=](const double* q) {
            double sum = 0;
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t k = 0; k < d; ++k) sum += q[i * d + k] * q[k * d + i];
            return sum;
        });
        return std::min(least, mean_p(of_square, 1));
    };
    EXPECT_GT(13 * least_p(), share);
    // Without the signs of R in a QR decomposition, diagonal elements have one sign.
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < d; ++k)
            if (sample.row(i)[k * d + k] < 0)
                for (std::size_t j = 0; j < d; ++j) sample.x[(i * d + k) * d + j] *= -1;
    EXPECT_LT(13 * least_p(), of_twin);
}

double determinant3(const float* q) {
    const auto minor = [q](int a, int b) { return double(q[3 + a]) * q[6 + b] - double(q[3 + b]) * q[6 + a]; };
    return q[0] * minor(1, 2) - q[1] * minor(0, 2) + q[2] * minor(0, 1);
}
TEST(RowLaws, HaarSpecialOrthogonal) {
    const Sample sample{rng::haar_special_orthogonal<float>{3}};
    const Sample all{rng::haar_orthogonal<float>{3}};
    expect_orthogonal(sample, 3);
    for (const double det : sample.each(determinant3)) ASSERT_NEAR(det, 1, 1e-5);
    uint64_t positive = 0;
    for (const double det : all.each(determinant3)) {
        ASSERT_NEAR(std::abs(det), 1, 1e-5);
        positive += det > 0;
    }
    EXPECT_GT(rng::stats::binomial_p_value(positive, n, 0.5).two_sided(), share);
    // The angle of a rotation has the density (1 - cos) / pi.
    const auto angle_cdf = [](double t) {
        const double angle = std::acos(std::clamp((t - 1) / 2, -1.0, 1.0));
        return (angle - std::sin(angle)) / 3.14159265358979323846;
    };
    for (const std::size_t shift : {0u, 1u, 2u}) {  // a cyclic shift of three rows is a rotation
        const auto t = sample.each([=](const float* q) { return double(trace(q, 3, shift)); });
        EXPECT_GT(ks_p(t, angle_cdf), share) << shift;
    }
    EXPECT_LT(ks_p(all.each([](const float* q) { return double(trace(q, 3, 0)); }), angle_cdf), of_twin);
}

TEST(RowLaws, HaarUnitary) {
    constexpr std::size_t d = 3;
    using C = std::complex<double>;
    const Sample sample{rng::haar_unitary<double>{d}};
    const auto at = [](const rng::complex<double>* u, std::size_t i, std::size_t j) {
        return C(u[i * d + j].re, u[i * d + j].im);
    };
    double worst = 0;
    for (std::size_t r = 0; r < 2000; ++r)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) {
                C sum = i == j ? -1 : 0;
                for (std::size_t k = 0; k < d; ++k) sum += at(sample.row(r), i, k) * std::conj(at(sample.row(r), j, k));
                worst = std::max(worst, std::abs(sum));
            }
    EXPECT_LT(worst, 8 * std::numeric_limits<double>::epsilon());
    for (std::size_t j = 0; j < d * d; ++j) {
        const auto square = sample.each([=](const auto* u) { return std::norm(at(u, j / d, j % d)); });
        EXPECT_GT(beta_p(square, 1, d - 1), share) << j;
        const auto turn =
            sample.each([=](const auto* u) { return std::arg(at(u, j / d, j % d)) / 6.283185307179586 + 0.5; });
        EXPECT_GT(ks_p(turn, [](double x) { return x; }), share) << j;
    }
    // Diaconis, Shahshahani, "On the eigenvalues of random matrices", 1994: E |tr U|^2 = 1, E |tr U|^4 = 2, E |tr
    // U^2|^2 = 2; the orthogonal matrices have others.
    for (std::size_t shift = 0; shift < d; ++shift) {
        const auto t = sample.each([=](const auto* u) {
            C sum;
            for (std::size_t i = 0; i < d; ++i) sum += at(u, (i + shift) % d, i);
            return std::norm(sum);
        });
        auto squares = t;
        for (double& x : squares) x *= x;
        EXPECT_GT(mean_p(t, 1), share);
        EXPECT_GT(mean_p(squares, 2), share);
        EXPECT_LT(mean_p(squares, 3), of_twin);
    }
    const auto of_square = sample.each([=](const auto* u) {
        C sum;
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t k = 0; k < d; ++k) sum += at(u, i, k) * at(u, k, i);
        return std::norm(sum);
    });
    EXPECT_GT(mean_p(of_square, 2), share);
}

TEST(RowLaws, Wishart) {
    const std::vector<double> scale{4, 2, -1, 2, 3, 0.5, -1, 0.5, 2}, factor = rng::cholesky(scale, 3);
    constexpr double df = 5.5;
    const Sample sample{rng::wishart(df, factor)};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const double s = scale[3 * i + j], variance = df * (s * s + scale[4 * i] * scale[4 * j]);
            const auto w = sample.each([=](const double* row) { return row[3 * i + j]; });
            EXPECT_GT(mean_p(w, df * s, variance), share) << i << j;
            EXPECT_EQ(w, sample.each([=](const double* row) { return row[3 * j + i]; }));
            auto squares = w;
            for (double& x : squares) x = (x - df * s) * (x - df * s);
            EXPECT_GT(mean_p(squares, variance), share) << i << j;
        }
        const auto ratio = sample.each([&](const double* row) { return row[4 * i] / scale[4 * i]; });
        const auto chi_squared = [](double nu) {
            return [law = boost::math::chi_squared_distribution<>(nu)](double x) { return cdf(law, x); };
        };
        EXPECT_GT(ks_p(ratio, chi_squared(df)), share) << i;
        EXPECT_LT(ks_p(ratio, chi_squared(df + 0.2)), of_twin) << i;
    }
    // The determinant is a product of chi-squared variables of df, df - 1, df - 2, and the scale's determinant.
    const auto determinant = [](const double* m) {
        return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
               m[2] * (m[3] * m[7] - m[4] * m[6]);
    };
    const double mean = df * (df - 1) * (df - 2) * determinant(scale.data());
    EXPECT_GT(mean_p(sample.each(determinant), mean), share);
    EXPECT_LT(mean_p(sample.each(determinant), 1.1 * mean), of_twin);
}

TEST(RowLaws, Multinomial) {
    const std::vector<double> weights{3, 0, 1, 5, 0.5};
    constexpr int trials = 12;
    const double sum = 9.5;
    const Sample sample{rng::multinomial(trials, weights)};
    const auto p_of = [&](std::size_t j, double p) {
        const boost::math::binomial_distribution<> law(trials, p);
        std::vector<uint64_t> counts(5);
        std::vector<double> expected(5);  // values from 4 on, or up to 8, together
        const int first = p > 0.5 ? 8 : 0;
        for (int k = 0; k <= trials; ++k)
            expected[static_cast<std::size_t>(std::clamp(k - first, 0, 4))] += n * pdf(law, k);
        for (std::size_t i = 0; i < n; ++i)
            ++counts[static_cast<std::size_t>(std::clamp(sample.row(i)[j] - first, 0, 4))];
        return rng::stats::chi_square(counts, expected).p.upper();
    };
    for (const std::size_t j : {0u, 2u, 3u, 4u}) {
        const double p = weights[j] / sum;
        EXPECT_GT(p_of(j, p), share) << j;
        EXPECT_LT(p_of(j, 0.95 * p), of_twin) << j;
        for (const std::size_t k : {0u, 2u, 3u}) {
            if (k >= j) continue;
            const double q = weights[k] / sum;
            const auto products = sample.each([=](const int* x) { return (x[j] - trials * p) * (x[k] - trials * q); });
            EXPECT_GT(mean_p(products, -trials * p * q), share) << j << k;
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::accumulate(sample.row(i), sample.row(i) + 5, 0), trials);
        ASSERT_EQ(sample.row(i)[1], 0);
    }
    // Many trials: nearly normal.
    constexpr auto many = int64_t{1} << 50;
    const Sample large{rng::multinomial(many, weights)};
    const double p = 3 / sum, deviation = std::sqrt(static_cast<double>(many) * p * (1 - p));
    const auto z = large.each(
        [&](const int64_t* x) { return (static_cast<double>(x[0]) - static_cast<double>(many) * p) / deviation; });
    EXPECT_GT(ks_p(z, normal_cdf), share);
}

// Outcomes of probability 2^-55 keep it, behind frequent ones as before them.
TEST(RowLaws, MultinomialOfRareOutcomes) {
    const auto counts_of = [](std::size_t rare, const std::vector<double>& weights) {
        const Sample sample{rng::multinomial(int64_t{1} << 62, weights)};
        return sample.each([=](const int64_t* x) { return static_cast<double>(x[rare]); });
    };
    for (const auto& counts :
         {counts_of(1, {1, 0x1p-55}), counts_of(0, {0x1p-55, 1}), counts_of(2, {1, 3, 0x1p-53, 0})}) {
        EXPECT_GT(mean_p(counts, 128), share);
        EXPECT_LT(mean_p(counts, 129), of_twin);
    }
}

TEST(RowLaws, MultivariateHypergeometric) {
    const std::vector<int> kinds{6, 0, 10, 4};
    constexpr int draws = 7, all = 20;
    const Sample sample{rng::multivariate_hypergeometric(kinds, draws)};
    const auto p_of = [&](std::size_t j, unsigned good) {
        const boost::math::hypergeometric_distribution<> law(good, draws, all);
        std::vector<uint64_t> counts(6);
        std::vector<double> expected(6);  // values from 5 on together
        for (unsigned k = 0; k <= std::min(good, unsigned{draws}); ++k) expected[std::min(k, 5u)] += n * pdf(law, k);
        while (expected.back() < 20) {
            expected[expected.size() - 2] += expected.back();
            expected.pop_back();
        }
        counts.resize(expected.size());
        for (std::size_t i = 0; i < n; ++i)
            ++counts[std::min(static_cast<std::size_t>(sample.row(i)[j]), counts.size() - 1)];
        return rng::stats::chi_square(counts, expected).p.upper();
    };
    for (const std::size_t j : {0u, 2u, 3u}) {
        EXPECT_GT(p_of(j, static_cast<unsigned>(kinds[j])), share) << j;
        EXPECT_LT(p_of(j, static_cast<unsigned>(kinds[j] + 1)), of_twin) << j;
    }
    // Covariances: -draws (all - draws) / (all - 1) times the product of the shares.
    const double factor = -draws * (all - draws) / 19.0;
    const auto products = sample.each([](const int* x) { return (x[0] - draws * 0.3) * (x[2] - draws * 0.5); });
    EXPECT_GT(mean_p(products, factor * 0.3 * 0.5), share);
    for (std::size_t i = 0; i < n; ++i) {
        const int* const row = sample.row(i);
        ASSERT_EQ(std::accumulate(row, row + 4, 0), draws);
        ASSERT_EQ(row[1], 0);
        ASSERT_LE(row[3], 4);
    }
}

}  // namespace
