// Structured results: one row on all ways to it, neighbours, corners, and what is refused.
#include <gtest/gtest.h>
#include <rng/detail/any_engine.hpp>
#include <rng/fill_rows.hpp>
#include <rng/isa.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/haar.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_hypergeometric.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/sphere.hpp>
#include <rng/structured/wishart.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "../support/paths.hpp"
#include "rows.hpp"

namespace {

using support::error_of;
using support::row_of;
using support::rows_of;

/// A distribution of each kind, with lists that live as long.
template <class F> void for_each_law(const F& f) {
    static const std::vector<double> alpha{0.3, 1, 2.5, 1e-9, 40}, mean{1, -2}, factor{2, 0, 1, 3}, weights{1, 0, 2, 5};
    static const std::vector<float> few{0.25f, 7, 1.5f}, single_ones(6, 1);
    static const std::vector<double> ones(5, 1);
    f(rng::dirichlet(alpha));
    f(rng::dirichlet(few));
    f(rng::dirichlet(ones));
    f(rng::dirichlet(single_ones));
    f(rng::multivariate_normal(mean, factor));
    static const std::vector<float> single_mean{0, 0.5f, -3}, single_factor{2, 0, 0, 1, 3, 0, 0, 0.25f, 1};
    f(rng::multivariate_normal(single_mean, single_factor));
    f(rng::wishart(4.5f, single_factor));
    f(rng::sphere<float>{5});
    f(rng::ball<double>{3});
    f(rng::haar_orthogonal<double>{3});
    f(rng::haar_special_orthogonal<float>{3});
    f(rng::haar_unitary<double>{2});
    f(rng::wishart(3.5, factor));
    // Walks from the mean, walks from 0, polynomials, and shares above 1/2.
    static const std::vector<double> uneven{7, 1, 2};
    f(rng::multinomial(1000, weights));
    f(rng::multinomial(9, uneven));
    f(rng::multinomial(int64_t{1} << 61, uneven));
    static const std::vector<int32_t> kinds{13, 0, 200, 4000};
    f(rng::multivariate_hypergeometric(kinds, 1000));
}

/// Fills from streams and generators give the rows of row_at(), however they are split, with any number of threads,
/// into memory of any strides.
TEST(Rows, AllWaysGiveTheSameRows) {
    for_each_law([](const auto& dist) {
        using D = std::remove_cvref_t<decltype(dist)>;
        using T = rng::result_t<D>;
        const std::size_t cols = dist.row_size();
        constexpr std::size_t n = 700;
        const rng::Stream<> stream{7, 0, 3};
        std::vector<T> expected, x(n * cols), y(n * cols);
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = row_of(stream, dist, i);
            expected.insert(expected.end(), row.begin(), row.end());
        }
        const auto all = rows_of(x, cols);
        const auto part = [&](std::size_t first, std::size_t rows) {
            return rng::matrix_view<T>{x.data() + first * cols, rows, cols, all.row_stride, 1};
        };
        support::on_every_path({1, 3}, [&](const std::string& path) {
            std::fill(x.begin(), x.end(), T{});
            rng::fill_rows(all, dist, stream);
            EXPECT_TRUE(support::same_bits(x, expected)) << D::name << ' ' << path;
        });
        for (const std::size_t split : {std::size_t{1}, std::size_t{333}}) {
            std::fill(x.begin(), x.end(), T{});
            rng::fill_rows(part(0, split), dist, stream);
            rng::fill_rows(part(split, n - split), dist, stream.at_position(4), split);
            EXPECT_TRUE(support::same_bits(x, expected)) << D::name << ' ' << split;
        }
        // The stride of the only row may be any number.
        std::vector<T> only(cols);
        rng::fill_rows(rng::matrix_view<T>{only.data(), 1, cols, std::numeric_limits<std::ptrdiff_t>::max(), 1}, dist,
                       stream);
        EXPECT_TRUE(support::same_bits(
            only, std::vector<T>(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(cols))));
        // Columns first, and rows from the last to the first.
        const auto turned = rng::matrix_view<T>::column_major(y.data(), n, cols);
        rng::fill_rows(turned, dist, stream);
        const rng::matrix_view<T> reversed{&x.back(), n, cols, -all.row_stride, -1};
        rng::fill_rows(reversed, dist, stream);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < cols; ++j) {
                ASSERT_EQ(turned(i, j), expected[i * cols + j]) << D::name;
                ASSERT_EQ(reversed(i, j), expected[i * cols + j]) << D::name;
            }
        // Generators, in two fills; they move on by four words a row.
        rng::for_each_engine([&](auto tag) {
            using E = typename decltype(tag)::type;
            rng::Generator generator(rng::cpu(), 7, E::number);
            rng::fill_rows(part(0, 5), dist, generator);
            rng::fill_rows(part(5, 2), dist, generator);
            EXPECT_EQ(generator.template stream<E>().position, 28u);
            const auto from = rng::detail::any_stream(rng::detail::record(rng::Stream<E>{7}));
            for (std::size_t i = 0; i < 7; ++i) {
                const auto row = row_of(from, dist, i);
                for (std::size_t j = 0; j < cols; ++j) ASSERT_EQ(all(i, j), row[j]) << D::name << ' ' << E::name;
            }
        });
    });
}

/// Rows that are too long for columns lie in the matrix from the beginning.
TEST(Rows, LongRowsAreTheSame) {
    std::vector<float> several(5000);
    for (std::size_t j = 0; j < several.size(); ++j) several[j] = 0.25f + static_cast<float>(j % 9);
    for (const std::vector<float>& alpha : {several, std::vector<float>(5000, 1)}) {
        const rng::dirichlet dist(alpha);
        const rng::Stream<> stream{7, 0, 3};
        std::vector<float> x(40 * alpha.size());
        rng::fill_rows(rows_of(x, alpha.size()), dist, stream);
        for (const std::size_t i : {0, 17, 39}) {
            const auto row = row_of(stream, dist, i);
            const auto made = x.begin() + static_cast<std::ptrdiff_t>(i * alpha.size());
            EXPECT_TRUE(std::equal(row.begin(), row.end(), made)) << i;
        }
    }
}

/// Two slots share a block of an engine with blocks of eight words, and still have streams of their own.
TEST(Rows, NeighboursDiffer) {
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        const rng::Stream<E> stream{42};
        const auto any = rng::detail::any_stream(rng::detail::record(stream));
        const std::vector<double> weights{1, 1};
        const rng::multinomial dist(int64_t{1} << 60, weights);
        std::set<double> first;
        std::set<int64_t> counts;
        for (uint64_t i = 0; i < 64; ++i) {
            const auto point = row_of(stream, rng::ball<double>{4}, i), same = row_of(any, rng::ball<double>{4}, i);
            EXPECT_EQ(point, same) << E::name;
            const auto count = row_of(any, dist, i);
            first.insert(point[0]);
            counts.insert(count[0]);
        }
        EXPECT_EQ(first.size(), 64u) << E::name;
        EXPECT_EQ(counts.size(), 64u) << E::name;
    });
}

TEST(Rows, MemoryOfStdComplex) {
    std::vector<std::complex<double>> x(3 * 4);
    const rng::haar_unitary<double> dist{2};
    rng::fill_rows(rows_of(x, 4), dist, rng::Stream{42});
    const auto row = row_of(rng::Stream<>{42}, dist, 2);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(x[8 + j], (std::complex<double>(row[j].re, row[j].im)));
}

TEST(Rows, Corners) {
    const rng::Stream<> stream{42};
    const std::vector<double> one{2.5}, zero{0}, two{0, 0}, null_factor{0, 0, 0, 0};
    EXPECT_EQ(row_of(stream, rng::dirichlet(one), 5), std::vector<double>{1});
    EXPECT_EQ(std::abs(row_of(stream, rng::sphere<float>{1}, 5)[0]), 1);
    EXPECT_EQ(row_of(stream, rng::haar_special_orthogonal<double>{1}, 6), std::vector<double>{1});
    std::set<double> signs;
    for (uint64_t i = 0; i < 64; ++i) signs.insert(row_of(stream, rng::haar_orthogonal<double>{1}, i)[0]);
    EXPECT_EQ(signs, (std::set<double>{-1, 1}));
    // A covariance of 0, and -0 as mean.
    const std::vector<double> mean{-0.0, 7};
    const auto x = row_of(stream, rng::multivariate_normal(mean, null_factor), 1);
    EXPECT_TRUE(x[0] == 0 && !std::signbit(x[0]));
    EXPECT_EQ(x[1], 7);
    EXPECT_EQ(row_of(stream, rng::wishart(2.5, null_factor), 1), std::vector<double>(4, 0));
    // The unit factor gives normal values.
    const std::vector<double> unit{1, 0, 0, 1};
    const auto p = stream.child(0, rng::domain::private_streams);
    EXPECT_EQ(row_of(stream, rng::multivariate_normal(two, unit), 0),
              (std::vector<double>{rng::at(p, rng::normal{0.0, 1.0}, 0), rng::at(p, rng::normal{0.0, 1.0}, 1)}));
    // No trials; all weight on one outcome; the sum and zeros.
    const std::vector<double> weights{0, 3, 0}, many{1, 0, 0x1p-300, 2, 0};
    EXPECT_EQ(row_of(stream, rng::multinomial(0, weights), 0), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(row_of(stream, rng::multinomial(2147483647, weights), 0), (std::vector<int>{0, 2147483647, 0}));
    for (uint64_t i = 0; i < 200; ++i) {
        const auto counts = row_of(stream, rng::multinomial(int64_t{1} << 62, many), i);
        int64_t sum = 0;
        for (const int64_t k : counts) {
            EXPECT_GE(k, 0);
            sum += k;
        }
        EXPECT_EQ(sum, int64_t{1} << 62);
        EXPECT_EQ(counts[1], 0);
        EXPECT_EQ(counts[4], 0);
    }
    // One mass is 1 at least, and all sum to 2^60.
    const rng::detail::WeightMasses<double> masses(many);
    EXPECT_EQ(masses[2], 1u);
    EXPECT_EQ(masses[0] + masses[2] + masses[3], uint64_t{1} << 60);
}

// Numbers of float are numbers of double: the same rows, by row_at() and by fills, of weights from end to end of float.
TEST(Rows, MultinomialOfFloatWeights) {
    const rng::Stream<> stream{42, 7, 5};
    const auto check = [&](const std::vector<float>& weights, auto trials) {
        const std::vector<double> doubles(weights.begin(), weights.end());
        const rng::multinomial of_floats(trials, weights), same(trials, std::span<const float>(weights)),
            kernels(trials, weights.data(), uint64_t{weights.size()});
        const rng::multinomial of_doubles(trials, doubles);
        using T = decltype(trials);
        std::vector<T> x(100 * weights.size()), y(x.size());
        rng::fill_rows(rows_of(x, weights.size()), of_floats, stream);
        rng::fill_rows(rows_of(y, weights.size()), of_doubles, stream);
        EXPECT_EQ(x, y);
        for (const uint64_t i : {0, 99}) {
            const auto row = row_of(stream, of_doubles, i);
            EXPECT_EQ(row_of(stream, of_floats, i), row);
            EXPECT_EQ(row_of(stream, same, i), row);
            EXPECT_EQ(row_of(stream, kernels, i), row);
        }
        T sum = 0;
        for (std::size_t j = 0; j < weights.size(); ++j) {
            sum += x[j];
            EXPECT_TRUE(weights[j] > 0 || x[j] == 0);
        }
        EXPECT_EQ(sum, trials);
    };
    check({0.1f, 0.7f, 0, 1 / 3.0f}, 1000);
    check({0.1f, 0.7f, 0, 1 / 3.0f}, int64_t{1} << 61);
    check({0x1p-126f, 0x1.fffffep127f, 1}, int64_t{1} << 61);
    check({0x1p-126f, 0, 0x1.8p-126f}, 100);
}

TEST(Cholesky, FactorsAndRefusals) {
    const std::vector<double> a{4, 2, 2, 3};
    EXPECT_EQ(rng::cholesky(a, 2), (std::vector<double>{2, 0, 1, std::sqrt(2.0)}));
    // Semi-definite: the third row is the sum of the others; a float matrix; a row of zeros.
    const std::vector<double> semi{2, 1, 3, 1, 2, 3, 3, 3, 6};
    const auto l = rng::cholesky(semi, 3);
    EXPECT_EQ(l[8], 0);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k) sum += l[3 * i + k] * l[3 * j + k];
            EXPECT_NEAR(sum, semi[3 * i + j], 1e-14);
        }
    EXPECT_EQ(rng::cholesky(std::vector<float>{0, 0, 0, 9}, 2), (std::vector<float>{0, 0, 0, 3}));
    const auto refused = [](const std::vector<double>& matrix, int d) {
        return error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::cholesky(matrix, d); });
    };
    EXPECT_EQ(refused({1, 2, 2, 1}, 2),
              "cholesky: the matrix is not positive semi-definite: pivot 1 must not be negative, got -3");
    EXPECT_EQ(refused({-1}, 1),
              "cholesky: the matrix is not positive semi-definite: element (0, 0) must not be negative, got -1");
    EXPECT_EQ(refused({1, 1, 0, 1, 1, 0, 0, 0, -1}, 3),
              "cholesky: the matrix is not positive semi-definite: element (2, 2) must not be negative, got -1");
    EXPECT_EQ(refused({0x1p-601}, 1), "cholesky: element (0, 0) must be 0 or at least 2^-600, got 1.20495993e-181");
    EXPECT_EQ(
        refused({0, 1, 1, 0}, 2),
        "cholesky: the matrix is not positive semi-definite: element (1, 0) must be 0 beside a pivot of 0, got 1");
    EXPECT_EQ(refused({1, 2, 2}, 2), "cholesky: the matrix must have 4 elements, got 3");
    EXPECT_EQ(refused({std::nan("")}, 1), "cholesky: element (0, 0) must be of magnitude up to 2^600, got nan");
    EXPECT_EQ(refused({}, 0), "cholesky: dimension must be in [1, 2^16], got 0");
    EXPECT_EQ(refused({}, -2),
              "cholesky: dimension must be in [1, 2^16], got 18446744073709551614 (which is -2 modulo 2^64)");
}

/// Covariances of points on a line under a squared exponential kernel: nearly singular, and slightly indefinite by
/// rounding.
template <class T> double error_of_kernel(int d, double width) {
    const auto n = static_cast<std::size_t>(d);
    std::vector<T> c(n * n);
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
            const double x = (i - j) * 10.0 / (d - 1) / width;
            c[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] = static_cast<T>(std::exp(-x * x / 2));
        }
    const std::vector<T> l = rng::cholesky(c, d);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = -static_cast<double>(c[i * n + j]);
            for (std::size_t k = 0; k <= j; ++k)
                sum += static_cast<double>(l[i * n + k]) * static_cast<double>(l[j * n + k]);
            error = std::max(error, std::abs(sum));
        }
    return error;
}
TEST(Cholesky, TakesWhatRoundingMadeIndefinite) {
    for (const double width : {0.3, 1.0, 3.0}) EXPECT_LT(error_of_kernel<double>(100, width), 1e-12) << width;
    EXPECT_LT(error_of_kernel<float>(50, 1), 1e-4);
    EXPECT_THROW((void)rng::cholesky(std::vector<double>{1, 1 + 1e-9, 1 + 1e-9, 1}, 2), rng::Error);
}

/// Calls f(), if asked so in the mode of a program whose subnormal numbers are flushed to 0.
template <class F> void in_mode_of_flushes([[maybe_unused]] bool flushes, const F& f) {
#if defined(__SSE2__)
    const unsigned before = _mm_getcsr();
    _mm_setcsr(flushes ? before | 0x8040 : before);
    f();
    _mm_setcsr(before);
#else
    f();
#endif
}

/// Elimination leaves 2^-52 or so where the exact element is 0. Laws of float take no such number.
TEST(Cholesky, WhatRoundingLeavesIsZero) {
    const std::vector<double> shared{3, 3, 3, 3, 5, 3, 3, 3, 7};
    const std::vector<float> single(shared.begin(), shared.end());
    const auto factor = rng::cholesky(single, 3);
    EXPECT_EQ(factor[7], 0);
    EXPECT_EQ(rng::cholesky(shared, 3)[7], 0);
    EXPECT_EQ(row_of(rng::Stream{1}, rng::wishart(7.5f, factor), 0).size(), 9u);
    const std::vector<double> correlated{1, 1e-14, 1e-14, 1};  // above what counts as 0
    EXPECT_EQ(rng::cholesky(correlated, 2)[2], 1e-14);
    // A wide range of scales, also under a caller that flushes.
    for (const int scale : {-600, -500, -300, 300, 590}) {
        std::vector<double> scaled, expected = rng::cholesky(shared, 3);
        for (const double x : shared) scaled.push_back(std::ldexp(x, scale));
        for (double& x : expected) x = std::ldexp(x, scale / 2);
        const std::vector<double> threes(9, std::ldexp(3.0, scale));
        for (const bool flushes : {false, true}) {
            std::vector<double> factor_of_scaled, factor_of_threes;
            in_mode_of_flushes(flushes, [&] {
                factor_of_scaled = rng::cholesky(scaled, 3);
                factor_of_threes = rng::cholesky(threes, 3);
            });
            EXPECT_EQ(factor_of_scaled, expected) << scale;
            EXPECT_EQ(factor_of_threes[8], 0) << scale;
        }
    }
}

/// The message of a fill that is refused; the matrix and the generator stay as they were.
template <class D> std::string refused(const D& dist, std::size_t cols) {
    using T = rng::result_t<D>;
    std::vector<T> x(2 * cols, T{});
    rng::Generator generator{42};
    const auto message =
        error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill_rows(rows_of(x, cols), dist, generator); });
    EXPECT_EQ(
        error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill_rows(rows_of(x, cols), dist, rng::Stream{42}); }),
        message);
    EXPECT_EQ(generator.stream<rng::Philox4x32_10>().position, 0u);
    EXPECT_EQ(x, std::vector<T>(2 * cols, T{}));
    return message;
}
TEST(Rows, Refusals) {
    const std::vector<double> good{1, 2}, bad{1, 0}, none, negative{1, -1}, zeros{0, 0}, unit{1, 0, 0, 1},
        nan{1, std::nan("")};
    EXPECT_EQ(refused(rng::dirichlet(bad), 2), "fill_rows: dirichlet: alpha[1] must be in [2^-40, 2^60], got 0");
    EXPECT_EQ(refused(rng::dirichlet(nan), 2), "fill_rows: dirichlet: alpha[1] must be in [2^-40, 2^60], got nan");
    EXPECT_EQ(refused(rng::dirichlet(none), 1), "fill_rows: dirichlet: alpha must have 1 to 2^24 elements, got 0");
    EXPECT_EQ(refused(rng::dirichlet(good), 3),
              "fill_rows: dirichlet: the matrix must have 2 columns, one for each element of a row, got 3");
    EXPECT_EQ(refused(rng::multivariate_normal(good, good), 2),
              "fill_rows: multivariate_normal: factor must have d x d elements, row by row, got 2");
    EXPECT_EQ(refused(rng::multivariate_normal(nan, unit), 2),
              "fill_rows: multivariate_normal: mean[1] must be 0 or of magnitude 2^-300 to 2^300, got nan");
    const std::vector<float> huge{1, 0, 0x1p91f, 1}, centre{0, 0};
    EXPECT_EQ(refused(rng::multivariate_normal(centre, huge), 2),
              "fill_rows: multivariate_normal: factor[2] must be 0 or of magnitude 2^-76 to 2^90, got 2.47588008e+27");
    EXPECT_EQ(refused(rng::sphere<double>{0}, 1), "fill_rows: sphere: dimension must be in [1, 2^24], got 0");
    EXPECT_EQ(refused(rng::ball<double>{0}, 1), "fill_rows: ball: dimension must be in [1, 2^24], got 0");
    EXPECT_EQ(refused(rng::haar_unitary<float>{65537}, 1),
              "fill_rows: haar_unitary: dimension must be in [1, 2^16], got 65537");
    EXPECT_EQ(refused(rng::wishart(1.0, unit), 4), "fill_rows: wishart: df must be in [d - 1 + 2^-39, 2^61], got 1");
    EXPECT_EQ(refused(rng::wishart(5.0, std::vector<double>{1, 2, 3}), 4),
              "fill_rows: wishart: factor must have d x d elements, row by row, got 3");
    EXPECT_EQ(refused(rng::multinomial(-1, good), 2),
              "fill_rows: multinomial: trials must be in [0, 2^31 - 1], got -1");
    EXPECT_EQ(refused(rng::multinomial(1, negative), 2),
              "fill_rows: multinomial: weights[1] must be a finite number, 0 or more, got -1");
    EXPECT_EQ(refused(rng::multinomial(1, zeros), 2), "fill_rows: multinomial: weights must not all be 0, got 0");
    const std::vector<float> below_zero{1, -0x1p-127f}, no_floats, null{0, 0};
    EXPECT_EQ(refused(rng::multinomial(1, below_zero), 2),
              "fill_rows: multinomial: weights[1] must be a finite number, 0 or more, got -5.87747175e-39");
    EXPECT_EQ(refused(rng::multinomial(1, no_floats), 1),
              "fill_rows: multinomial: weights must have 1 to 2^28 elements, got 0");
    EXPECT_EQ(refused(rng::multinomial(1, zeros.data(), (uint64_t{1} << 28) + 1), 1),
              "fill_rows: multinomial: weights must have 1 to 2^28 elements, got 268435457");
    EXPECT_EQ(refused(rng::multinomial(1, null), 2), "fill_rows: multinomial: weights must not all be 0, got 0");
    const std::vector<int> kinds{5, 3}, less{5, -3}, many{2147483647, 1};
    const std::vector<int64_t> wide{9007199254740991, 7};
    EXPECT_EQ(refused(rng::multivariate_hypergeometric(kinds, 9), 2),
              "fill_rows: multivariate_hypergeometric: draws must be in [0, the sum of counts], got 9");
    EXPECT_EQ(refused(rng::multivariate_hypergeometric(less, 1), 2),
              "fill_rows: multivariate_hypergeometric: counts[1] must be at least 0, got -3");
    EXPECT_EQ(refused(rng::multivariate_hypergeometric(many, 1), 2),
              "fill_rows: multivariate_hypergeometric: the sum of counts must be at most 2^31 - 1, got 2147483648");
    EXPECT_EQ(
        refused(rng::multivariate_hypergeometric(wide, int64_t{1}), 2),
        "fill_rows: multivariate_hypergeometric: the sum of counts must be at most 2^53 - 1, got 9007199254740998");
    EXPECT_EQ(error_of(rng::ErrorCode::end_of_stream,
                       [] {
                           std::vector<double> x(4);
                           rng::fill_rows(rows_of(x, 2), rng::sphere<double>{2},
                                          rng::Stream<>{1, 0, rng::Stream<>::size_words - 4});
                       })
                  .substr(0, 10),
              "fill_rows:");
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument,
                       [] {
                           rng::fill_rows(rng::matrix_view<double>::row_major(nullptr, 2, 2), rng::sphere<double>{2},
                                          rng::Stream<>{1});
                       }),
              "fill_rows: sphere: the destination is null but 4 values were asked for");
}

}  // namespace
