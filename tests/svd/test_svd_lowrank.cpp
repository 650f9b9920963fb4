// svd_lowrank: the same bits on every path and from every view of a matrix, accuracy against Eigen, corner cases.
#include "../support/svd.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <latch>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "../../src/svd/kernels/linalg.hpp"

namespace {

using rng::ErrorCode;
using rng::Generator;
using rng::Matrix;
using support::dense;
using support::Dense;
using support::error_of;
using support::orthogonality;
using support::orthonormal_within;
using support::random_matrix;
using support::rebuilt;
using support::reference;
using support::same;
using support::same_bits;
using support::Shape;
using support::spectrum;
using support::sum_in_order;
using support::test_matrix;
using support::with_spectrum;

template <class T> class SvdLowRank : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SvdLowRank, Types);

const std::vector<Shape> shapes{{300, 40, 8},  {40, 300, 8}, {64, 64, 64}, {129, 128, 17}, {1, 1, 1},
                                {5, 1, 1},     {1, 7, 1},    {1000, 9, 9}, {257, 300, 33}, {48, 48, 5},
                                {700, 700, 3}, {5000, 2, 2}, {3, 3000, 3}, {145, 1024, 7}};

// The scalar kernel; EveryPathGivesTheSameBits holds the others to it.
TYPED_TEST(SvdLowRank, ProductsAddInTheDocumentedOrder) {
    using T = TypeParam;
    using Kernels = rng::wide::Linalg<rng::lane::Scalar>;
    for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{50, 16}, {4, 3}, {53, 3}})
        for (const std::size_t terms : {1u, 127u, 128u, 129u, 256u, 640u, 1000u, 1409u}) {
            const Matrix<T> a = random_matrix<T>(rows, terms), b = random_matrix<T>(terms, cols, 2);
            Matrix<T> out(rows, cols);
            std::vector<T> workspace(rng_abi::product_workspace(rows, terms, cols, sizeof(T)));
            const rng_abi::Operand operand{
                a.values.data(), static_cast<std::ptrdiff_t>(terms), 1, rng_abi::ElementType::same, 1, nullptr, 0, 0,
                nullptr};
            Kernels::product<T>(operand, rows, 0, terms, b.values.data(), cols, cols, out.values.data(), cols, false,
                                workspace.data());
            std::size_t whole = 1;
            while (whole * 128 < terms) whole *= 2;
            for (std::size_t i = 0; i < rows; i += 7)
                for (std::size_t c = 0; c < cols; c += cols / 3) {
                    std::vector<T> x(terms), y(terms);
                    for (std::size_t k = 0; k < terms; ++k) x[k] = a(i, k), y[k] = b(k, c);
                    ASSERT_EQ(out(i, c), sum_in_order(x, y, 0, whole)) << terms << " terms";
                }
        }
}

// More rows than are taken at a time, of a transposed matrix and of one in place; b and the result are wider than cols.
TYPED_TEST(SvdLowRank, ProductsInChunksAddInTheDocumentedOrder) {
    using T = TypeParam;
    using Kernels = rng::wide::Linalg<rng::lane::Scalar>;
    constexpr std::size_t terms = 300, cols = 34, ld = 48;
    const std::size_t rows = rng_abi::panel_rows * (rng_abi::chunk_panels(1 << 20, cols, sizeof(T)) + 1) + 7;
    const Matrix<T> a = random_matrix<T>(terms, rows), b = random_matrix<T>(terms, ld, 2);
    Matrix<T> a_t(rows, terms);
    for (std::size_t k = 0; k < terms; ++k)
        for (std::size_t i = 0; i < rows; ++i) a_t(i, k) = a(k, i);
    std::vector<T> workspace(rng_abi::product_workspace(rows, terms, cols, sizeof(T)));
    for (const bool in_place : {false, true}) {
        Matrix<T> out(rows, ld);
        const rng_abi::Operand operand{in_place ? a_t.values.data() : a.values.data(),
                                       static_cast<std::ptrdiff_t>(in_place ? terms : 1),
                                       static_cast<std::ptrdiff_t>(in_place ? 1 : rows),
                                       rng_abi::ElementType::same,
                                       1,
                                       nullptr,
                                       0,
                                       0,
                                       nullptr};
        Kernels::product<T>(operand, rows, 0, terms, b.values.data(), ld, cols, out.values.data(), ld, false,
                            workspace.data());
        for (std::size_t i = 0; i < rows; i += i + 100 < rows ? 37 : 1)
            for (const std::size_t c : {0u, 1u, 15u, 16u, 33u}) {
                std::vector<T> y(terms);
                for (std::size_t k = 0; k < terms; ++k) y[k] = b(k, c);
                const std::vector<T> x(a_t.values.begin() + static_cast<std::ptrdiff_t>(i * terms),
                                       a_t.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * terms));
                ASSERT_EQ(out(i, c), sum_in_order(x, y, 0, 4)) << "row " << i << (in_place ? ", in place" : "");
            }
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t c = cols; c < ld; ++c) ASSERT_EQ(out(i, c), T{0});
    }
}

// A product that underflows is the one way to a sum of -0, which a term of 0 after it would change: it becomes +0.
TYPED_TEST(SvdLowRank, SumsOfZeroHaveNoSign) {
    using T = TypeParam;
    using Kernels = rng::wide::Linalg<rng::lane::Scalar>;
    constexpr std::size_t terms = 3, cols = 16;
    const T tiny = std::numeric_limits<T>::min();
    const std::vector<T> a{-tiny, 0, 0};
    const std::vector<T> b(terms * cols, tiny);
    const std::vector<std::size_t> offsets{0, 1}, columns{0};
    std::vector<T> workspace(rng_abi::product_workspace(1, terms, cols, sizeof(T))), dense(cols, T{1}),
        sparse(cols, T{1});
    for (const std::size_t count : {1u, 3u}) {
        Kernels::product<T>({a.data(), 3, 1, rng_abi::ElementType::same, 1, nullptr, 0, 0, nullptr}, 1, 0, count,
                            b.data(), cols, cols, dense.data(), cols, false, workspace.data());
        Kernels::sparse_product<T>({offsets.data(), columns.data(), a.data()}, 0, 1, b.data(), cols, cols,
                                   sparse.data(), cols);
        EXPECT_TRUE(same_bits(dense, std::vector<T>(cols, T{0}))) << count;
        EXPECT_TRUE(same_bits(sparse, std::vector<T>(cols, T{0}))) << count;
    }
}

TYPED_TEST(SvdLowRank, EveryPathGivesTheSameBits) {
    for (const Shape& shape : shapes) {
        const auto a = random_matrix<TypeParam>(shape.m, shape.n);
        Generator first(42);
        const auto expected = rng::svd_lowrank(a.view(), {.q = shape.q}, first);
        EXPECT_EQ(first.position(),
                  std::min(shape.m, shape.n) * static_cast<std::size_t>(shape.q) * sizeof(TypeParam) / 4);
        support::on_every_path({1, 2, 3}, [&](const std::string& path) {
            Generator generator(42);
            EXPECT_TRUE(same(rng::svd_lowrank(a.view(), {.q = shape.q}, generator), expected))
                << shape.m << " x " << shape.n << ", q " << shape.q << ", " << path;
        });
    }
}

// Only a large q gives the rotations to threads.
TEST(SvdLowRankRotations, OnThreadsGiveTheSameBits) {
    const auto a = random_matrix<double>(330, 320);
    const auto run = [&] {
        Generator generator(42);
        return rng::svd_lowrank(a.view(), {.q = 320, .niter = 0}, generator);
    };
    const support::SavedSettings saved;
    rng::set_num_threads(1);
    const auto expected = run();
    for (const int threads : {2, 3}) {
        rng::set_num_threads(threads);
        EXPECT_TRUE(same(run(), expected)) << threads << " threads";
    }
}

TYPED_TEST(SvdLowRank, AnyStridesGiveTheSameBits) {
    const std::size_t m = 131, n = 70;
    const auto a = random_matrix<TypeParam>(m, n);
    Generator g1(42), g2(42), g3(42);
    const auto expected = rng::svd_lowrank(a.view(), {.q = 7}, g1);
    std::vector<TypeParam> columns(m * n), sparse(2 * (m * (n + 3)));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            columns[j * m + i] = a(i, j);
            sparse[2 * (i * (n + 3) + j)] = a(i, j);
        }
    EXPECT_TRUE(
        same(rng::svd_lowrank(rng::matrix_view<const TypeParam>::column_major(columns.data(), m, n), {.q = 7}, g2),
             expected));
    const rng::matrix_view<TypeParam> wide{sparse.data(), m, n, 2 * (static_cast<std::ptrdiff_t>(n) + 3), 2};
    EXPECT_TRUE(same(rng::svd_lowrank(wide, {.q = 7}, g3), expected));
}

// The stride reaches no element. UndefinedBehaviorSanitizer sees it multiplied.
TYPED_TEST(SvdLowRank, TheStrideOfASingleRowOrColumnMayBeAnyNumber) {
    constexpr auto far = std::numeric_limits<std::ptrdiff_t>::max();
    const auto a = random_matrix<TypeParam>(1, 70);
    const rng::matrix_view<const TypeParam> row{a.values.data(), 1, 70, far, 1},
        column{a.values.data(), 70, 1, 1, -far};
    Generator g1(42), g2(42), g3(42), g4(42);
    EXPECT_TRUE(same(rng::svd_lowrank(row, {.q = 1}, g1), rng::svd_lowrank(a.view(), {.q = 1}, g2)));
    const auto as_column = rng::matrix_view<const TypeParam>::row_major(a.values.data(), 70, 1);
    EXPECT_TRUE(same(rng::svd_lowrank(column, {.q = 1}, g3), rng::svd_lowrank(as_column, {.q = 1}, g4)));
}

TYPED_TEST(SvdLowRank, SubtractsM) {
    const std::size_t m = 90, n = 130;
    const auto a = random_matrix<TypeParam>(m, n), full = random_matrix<TypeParam>(m, n, 2),
               row = random_matrix<TypeParam>(1, n, 3), column = random_matrix<TypeParam>(m, 1, 4);
    for (const Matrix<TypeParam>* mean : {&full, &row, &column}) {
        Matrix<TypeParam> difference(m, n);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j)
                difference(i, j) = a(i, j) - (*mean)(mean->rows == 1 ? 0 : i, mean->cols == 1 ? 0 : j);
        Generator g1(5), g2(5);
        EXPECT_TRUE(same(rng::svd_lowrank(a.view(), {.q = 6, .M = mean->view()}, g1),
                         rng::svd_lowrank(difference.view(), {.q = 6}, g2)))
            << mean->rows << " x " << mean->cols;
    }
}

TYPED_TEST(SvdLowRank, PcaCentresTheColumns) {
    auto a = random_matrix<TypeParam>(200, 12);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.cols; ++j) a(i, j) += static_cast<TypeParam>(10 * j);
    Generator gen(42);
    const auto pca = rng::pca_lowrank(a.view(), {.q = 4}, gen);
    const Dense<double> d = dense(a), centred = d.rowwise() - d.colwise().mean();
    const auto expected = reference(centred, test_matrix<TypeParam>(12, 4), 2);
    const double unit = std::numeric_limits<TypeParam>::epsilon();
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(static_cast<double>(pca.S[k]), expected.S[static_cast<long>(k)], 1000 * unit * expected.S[0]);
    EXPECT_LT((rebuilt(pca) - expected.rebuilt).cwiseAbs().maxCoeff(), 1000 * unit * expected.S[0]);
    Generator again(42);
    EXPECT_FALSE(same(rng::pca_lowrank(a.view(), {.q = 4, .center = false}, again), pca));
}

TYPED_TEST(SvdLowRank, IsAsAccurateAsTheTruncatedSvdAllows) {
    const double unit = std::numeric_limits<TypeParam>::epsilon();
    for (const auto& [m, n] : std::vector<std::pair<std::size_t, std::size_t>>{
             {300, 60}, {60, 300}, {128, 128}, {1000, 20}, {257, 129}, {65, 64}})
        for (const char* kind :
             {"flat", "1/k", "1/k^2", "exponential", "step", "pairs", "rank 4", "low rank + noise"}) {
            const auto sigma = spectrum(kind, std::min(m, n));
            const auto a = with_spectrum<TypeParam>(m, n, sigma);
            const std::size_t q = 12;
            Generator gen(42);
            const auto r = rng::svd_lowrank(a.view(), {.q = static_cast<long long>(q), .niter = 4}, gen);
            const std::string where = std::string(kind) + ", " + std::to_string(m) + " x " + std::to_string(n);
            EXPECT_LT(orthogonality(dense(r.U)), orthonormal_within<TypeParam>) << where;
            EXPECT_LT(orthogonality(dense(r.V)), orthonormal_within<TypeParam>) << where;
            EXPECT_TRUE(std::is_sorted(r.S.rbegin(), r.S.rend())) << where;
            const auto expected =
                reference(dense(a), test_matrix<TypeParam>(static_cast<long>(sigma.size()), static_cast<long>(q)), 4);
            const double norm = sigma[0];
            for (std::size_t k = 0; k < q; ++k)
                EXPECT_NEAR(static_cast<double>(r.S[k]), expected.S[static_cast<long>(k)], 40 * unit * norm)
                    << where << ", value " << k;
            EXPECT_LT((dense(a) - rebuilt(r)).norm(), (dense(a) - expected.rebuilt).norm() + 100 * unit * norm)
                << where;
        }
}

TYPED_TEST(SvdLowRank, HardMatrices) {
    const std::size_t n = 40;
    std::vector<std::pair<std::string, Matrix<TypeParam>>> cases;
    const auto add = [&](const char* name, auto&& element) {
        Matrix<TypeParam> a(n, n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                a(i, j) = static_cast<TypeParam>(element(static_cast<double>(i), static_cast<double>(j)));
        cases.emplace_back(name, std::move(a));
    };
    add("Hilbert", [](double i, double j) { return 1 / (i + j + 1); });
    add("Kahan", [](double i, double j) { return i == j ? std::pow(0.9, i) : i < j ? -0.4 * std::pow(0.9, i) : 0; });
    add("Vandermonde", [](double i, double j) { return std::pow((i + 1) / 40, j); });
    add("graded", [](double i, double j) { return std::pow(10.0, -(i + j) / 4); });
    add("all ones", [](double, double) { return 1; });
    add("duplicate columns", [](double i, double j) { return std::sin(i * 3 + std::fmod(j, 3)); });
    add("zero", [](double, double) { return 0; });
    const double unit = std::numeric_limits<TypeParam>::epsilon();
    for (const auto& [name, a] : cases) {
        Generator gen(42);
        const auto r = rng::svd_lowrank(a.view(), {.q = 10}, gen);
        EXPECT_LT(orthogonality(dense(r.U)), orthonormal_within<TypeParam>) << name;
        EXPECT_LT(orthogonality(dense(r.V)), orthonormal_within<TypeParam>) << name;
        const auto expected = reference(dense(a), test_matrix<TypeParam>(static_cast<long>(n), 10), 2);
        for (std::size_t k = 0; k < 10; ++k)
            EXPECT_NEAR(static_cast<double>(r.S[k]), expected.S[static_cast<long>(k)], 20 * unit * expected.S[0])
                << name << ", value " << k;
        EXPECT_LE((dense(a) - rebuilt(r)).norm(), (dense(a) - expected.rebuilt).norm() + 100 * unit * expected.S[0])
            << name;
    }
}

// Powers of two move nothing but exponents, as far as they reach.
TYPED_TEST(SvdLowRank, ExtremeScales) {
    const auto a = with_spectrum<double>(80, 30, spectrum("rank 4", 30));
    const std::vector<double> scales =
        sizeof(TypeParam) == 4 ? std::vector<double>{1e30, 1e-33, 1e-41} : std::vector<double>{1e250, 1e-290, 1e-316};
    for (const double scale : scales) {
        Matrix<TypeParam> scaled(80, 30);
        for (std::size_t i = 0; i < a.values.size(); ++i)
            scaled.values[i] = static_cast<TypeParam>(a.values[i] * scale);
        Generator gen(42);
        const auto r = rng::svd_lowrank(scaled.view(), {.q = 5}, gen);
        EXPECT_LT(orthogonality(dense(r.U)), orthonormal_within<TypeParam>) << scale;
        EXPECT_LT(orthogonality(dense(r.V)), orthonormal_within<TypeParam>) << scale;
        const bool subnormal = scale < static_cast<double>(std::numeric_limits<TypeParam>::min());
        for (std::size_t k = 0; k < 5; ++k)
            EXPECT_NEAR(static_cast<double>(r.S[k]) / scale, k < 4 ? 4 - static_cast<double>(k) : 0,
                        subnormal ? 0.01 : 40 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon()))
                << scale << ", value " << k;
    }
}

TYPED_TEST(SvdLowRank, TheGreatestElementOfEachColumnOfUIsPositive) {
    const auto a = random_matrix<TypeParam>(70, 50);
    Generator gen(42);
    const auto r = rng::svd_lowrank(a.view(), {.q = 9}, gen);
    for (std::size_t c = 0; c < 9; ++c) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < 70; ++i)
            if (std::fabs(r.U(i, c)) > std::fabs(r.U(best, c))) best = i;
        EXPECT_GT(r.U(best, c), 0);
    }
}

TYPED_TEST(SvdLowRank, CallsInARowDifferAndReseedingRepeats) {
    const auto a = random_matrix<TypeParam>(60, 60);
    rng::ScopedGenerators saved;
    rng::manual_seed(3);
    const auto first = rng::svd_lowrank(a.view()), second = rng::svd_lowrank(a.view());
    EXPECT_FALSE(same(first, second));
    EXPECT_EQ(first.S.size(), 6u);
    rng::manual_seed(3);
    EXPECT_TRUE(same(rng::svd_lowrank(a.view()), first));
    // The test matrix is a plain fill.
    Generator gen(3);
    gen.skip_words(60 * 6 * sizeof(TypeParam) / 4);
    EXPECT_TRUE(same(rng::svd_lowrank(a.view(), gen), second));
}

TYPED_TEST(SvdLowRank, RademacherTakesAWordPerElement) {
    const auto a = with_spectrum<TypeParam>(100, 50, spectrum("exponential", 50));
    Generator gen(42);
    const auto r = rng::svd_lowrank(a.view(), {.q = 8, .test_matrix = rng::TestMatrix::rademacher}, gen);
    EXPECT_EQ(gen.position(), 50u * 8u);
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_NEAR(static_cast<double>(r.S[k]), std::exp(-static_cast<double>(k)), 1e-3);
}

template <class T> class SvdOversampling : public testing::Test {};
using RealAndComplex = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdOversampling, RealAndComplex);

/// Returns the q leading values and vectors of a result.
template <class T> rng::LowRankSvd<T> leading(const rng::LowRankSvd<T>& all, std::size_t q) {
    rng::LowRankSvd<T> part{Matrix<T>(all.U.rows, q), all.S, Matrix<T>(all.V.rows, q)};
    part.S.resize(q);
    for (std::size_t c = 0; c < q; ++c) {
        for (std::size_t i = 0; i < all.U.rows; ++i) part.U(i, c) = all.U(i, c);
        for (std::size_t i = 0; i < all.V.rows; ++i) part.V(i, c) = all.V(i, c);
    }
    return part;
}

// 5000 x 2 and 3 x 3000 have rows without gaps if A is real. The greatest oversampling must not overflow.
TYPED_TEST(SvdOversampling, GivesTheLeadingPartOfTheLargerCall) {
    using T = TypeParam;
    const struct {
        std::size_t m, n;
        long long q, oversampling, larger_q;
    } cases[] = {{300, 40, 8, 10, 18},
                 {40, 300, 5, 3, 8},
                 {64, 64, 60, 10, 64},
                 {5000, 2, 1, 1, 2},
                 {3, 3000, 1, std::numeric_limits<long long>::max(), 3},
                 {90, 70, 17, 1, 18},
                 {20, 9, 0, 4, 4}};
    for (const auto& c : cases) {
        Matrix<T> a = random_matrix<T>(c.m, c.n);
        std::vector<int64_t> offsets{0}, columns;
        std::vector<T> values;
        for (std::size_t i = 0; i < c.m; ++i) {
            for (std::size_t j = 0; j < c.n; ++j) {
                if ((i + j) % 3 == 1) a(i, j) = T(0);
                if (a(i, j) == T(0)) continue;
                columns.push_back(static_cast<int64_t>(j));
                values.push_back(a(i, j));
            }
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
        const std::string what = std::to_string(c.m) + " x " + std::to_string(c.n);
        const auto q = static_cast<std::size_t>(c.q), half = c.m / 2;
        const rng::csr_view<T> sparse{c.m, c.n, offsets, columns, values};
        const std::vector<rng::matrix_view<T>> parts{
            rng::matrix_view<T>::row_major(a.values.data(), half, c.n),
            rng::matrix_view<T>::row_major(a.values.data() + half * c.n, c.m - half, c.n)};
        const auto compare = [&](const auto& call, auto options) {
            options.q = c.larger_q;
            Generator larger(42), with_oversampling(42), of_sparse(42), of_shards(42);
            const auto expected = leading(call(a.view(), options, larger), q);
            options.q = c.q;
            options.oversampling = c.oversampling;
            EXPECT_TRUE(same(call(a.view(), options, with_oversampling), expected)) << what;
            EXPECT_EQ(with_oversampling.get_state(), larger.get_state()) << what;
            EXPECT_TRUE(same(call(sparse, options, of_sparse), expected)) << what << " sparse";
            EXPECT_TRUE(same(call(rng::row_shards<T>{parts}, options, of_shards), expected)) << what << " in shards";
        };
        const auto svd = [](const auto& m, const auto& options, Generator& g) {
            return rng::svd_lowrank(m, options, g);
        };
        const auto pca = [](const auto& m, const auto& options, Generator& g) {
            return rng::pca_lowrank(m, options, g);
        };
        compare(svd, rng::SvdOptions<T>{.niter = 1});
        compare(svd, rng::SvdOptions<T>{.niter = 0, .test_matrix = rng::TestMatrix::rademacher});
        compare(pca, rng::PcaOptions{});
    }
    const Matrix<T> many = random_matrix<T>(30 * 5, 20);
    const rng::batch_view<const T> batch{rng::matrix_view<const T>::row_major(many.values.data(), 30, 20), 5, 30 * 20};
    Generator larger(42), with_oversampling(42);
    const auto expected = rng::svd_lowrank(batch, {.q = 9}, larger);
    const auto results = rng::svd_lowrank(batch, {.q = 4, .oversampling = 5}, with_oversampling);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same(results[i], leading(expected[i], 4))) << i;
    EXPECT_EQ(with_oversampling.get_state(), larger.get_state());
}

// Calls that share a generator take turns: each result is that of one of the sequence's places.
TEST(SvdLowRankShared, CallsTakeTurns) {
    const auto a = random_matrix<float>(4000, 300);
    Generator in_turn(42), shared(42);
    std::vector<rng::LowRankSvd<float>> expected, got(8);
    for (std::size_t i = 0; i < got.size(); ++i) expected.push_back(rng::svd_lowrank(a.view(), {.q = 4}, in_turn));
    std::latch all_are_here(static_cast<std::ptrdiff_t>(got.size()));  // so that calls overtake each other
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < got.size(); ++i)
        threads.emplace_back([&, i] {
            all_are_here.arrive_and_wait();
            got[i] = rng::svd_lowrank(a.view(), {.q = 4}, shared);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(shared.position(), in_turn.position());
    for (const auto& one : expected)
        EXPECT_EQ(std::count_if(got.begin(), got.end(), [&](const auto& r) { return bool(same(r, one)); }), 1);
}

TEST(SvdLowRankHalf, IsThatOfTheWidenedMatrix) {
    const auto a = random_matrix<float>(120, 33);
    std::vector<rng::float16> half(a.values.size());
    std::vector<rng::bfloat16> brain(a.values.size());
    Matrix<float> from_half(120, 33), from_brain(120, 33);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        half[i] = rng::float16(a.values[i]);
        brain[i] = rng::bfloat16(a.values[i]);
        from_half.values[i] = half[i];
        from_brain.values[i] = brain[i];
    }
    Generator g1(1), g2(1), g3(1), g4(1), g5(1), g6(1);
    EXPECT_TRUE(same(rng::svd_lowrank(rng::matrix_view<rng::float16>::row_major(half.data(), 120, 33), {.q = 5}, g1),
                     rng::svd_lowrank(from_half.view(), {.q = 5}, g2)));
    EXPECT_TRUE(same(rng::svd_lowrank(rng::matrix_view<rng::bfloat16>::row_major(brain.data(), 120, 33), {.q = 5}, g3),
                     rng::svd_lowrank(from_brain.view(), {.q = 5}, g4)));
    EXPECT_TRUE(same(rng::pca_lowrank(rng::matrix_view<rng::float16>::row_major(half.data(), 120, 33), {.q = 5}, g5),
                     rng::pca_lowrank(from_half.view(), {.q = 5}, g6)));
}

TEST(SvdLowRankErrors, NameTheArgumentAndChangeNothing) {
    auto a = random_matrix<float>(8, 5);
    const auto m = random_matrix<float>(5, 8);
    Generator gen(42);
    const auto refused = [&](const rng::SvdOptions<float>& options) {
        return error_of(ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank(a.view(), options, gen); });
    };
    EXPECT_EQ(refused({.q = 6}), "svd_lowrank: q must be in [0, 5] for a matrix of 8 x 5, got 6");
    EXPECT_EQ(refused({.q = -1}), "svd_lowrank: q must be in [0, 5] for a matrix of 8 x 5, got -1");
    EXPECT_EQ(refused({.niter = -2}), "svd_lowrank: niter must be 0 or more, got -2");
    EXPECT_EQ(refused({.oversampling = -1}), "svd_lowrank: oversampling must be 0 or more, got -1");
    EXPECT_EQ(
        error_of(ErrorCode::invalid_argument, [&] { (void)rng::pca_lowrank(a.view(), {.oversampling = -7}, gen); }),
        "pca_lowrank: oversampling must be 0 or more, got -7");
    EXPECT_EQ(refused({.M = m.view()}), "svd_lowrank: M must be 8 x 5, 1 x 5 or 8 x 1, got 5 x 8");
    a(3, 2) = std::numeric_limits<float>::quiet_NaN();
    a(4, 1) = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refused({}), "svd_lowrank: A must be finite, got NaN at (3, 2)");
    EXPECT_EQ(refused({.q = 0}), "svd_lowrank: A must be finite, got NaN at (3, 2)");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::pca_lowrank(a.view(), {}, gen); }),
              "pca_lowrank: A must be finite, got NaN at (3, 2)");
    a(3, 2) = 0;
    EXPECT_EQ(refused({}), "svd_lowrank: A must be finite, got infinity at (4, 1)");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           (void)rng::svd_lowrank(rng::matrix_view<float>{nullptr, 2, 2, 2, 1}, gen);
                       }),
              "svd_lowrank: A is null but has elements");
    EXPECT_EQ(gen.position(), 0u);
}

// One block of rows adds up to infinity, the others to -infinity, and all together to NaN.
TEST(SvdLowRankErrors, PcaOfAColumnWhoseSumOverflows) {
    auto a = random_matrix<float>(512, 4);
    for (std::size_t i = 0; i < a.rows; ++i) a(i, 1) = i < 128 ? 3e38f : -3e38f;
    Generator gen(42);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::pca_lowrank(a.view(), {}, gen); }),
              "pca_lowrank: A less its column means overflows, or the sum of a column does");
    EXPECT_EQ(gen.position(), 0u);
}

TEST(SvdLowRankErrors, OfSparseShardsAndBatches) {
    Generator gen(42);
    const std::vector<float> values{1, 2, 3};
    const auto sparse = [&](std::vector<int64_t> offsets, std::vector<int64_t> columns,
                            std::vector<float> v = {1, 2, 3}) {
        return error_of(ErrorCode::invalid_argument, [&] {
            (void)rng::svd_lowrank(rng::csr_view<float>{2, 4, offsets, columns, v}, {.q = 1}, gen);
        });
    };
    EXPECT_EQ(sparse({0, 3}, {0, 1, 2}), "svd_lowrank: A must have 3 row offsets for 2 rows, got 2");
    EXPECT_EQ(sparse({0, 2, 3}, {0, 1}), "svd_lowrank: A has 3 values but 2 column indices");
    EXPECT_EQ(sparse({0, 2, 2}, {0, 1, 2}),
              "svd_lowrank: A must have row offsets that ascend from 0 to 3, the number of values; offset 2 is 2");
    EXPECT_EQ(sparse({0, 4, 3}, {0, 1, 2}),
              "svd_lowrank: A must have row offsets that ascend from 0 to 3, the number of values; offset 1 is 4");
    EXPECT_EQ(sparse({1, 2, 3}, {0, 1, 2}),
              "svd_lowrank: A must have row offsets that ascend from 0 to 3, the number of values; offset 0 is 1");
    EXPECT_EQ(sparse({0, 2, 3}, {0, 4, 2}), "svd_lowrank: A must have column indices in [0, 4), index 1 is 4");
    EXPECT_EQ(sparse({0, 2, 3}, {0, -1, 2}), "svd_lowrank: A must have column indices in [0, 4), index 1 is -1");
    EXPECT_EQ(sparse({0, 2, 3}, {3, 3, 2}), "svd_lowrank: A has element (0, 3) twice");
    EXPECT_EQ(sparse({0, 2, 3}, {3, 1, 2}, {1, 2, std::numeric_limits<float>::infinity()}),
              "svd_lowrank: A must be finite, got infinity at (1, 2)");

    const auto a = random_matrix<float>(4, 3), b = random_matrix<float>(4, 2);
    const std::vector<rng::matrix_view<const float>> uneven{a.view(), b.view()};
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { (void)rng::svd_lowrank(rng::row_shards<const float>{uneven}, {.q = 1}, gen); }),
              "svd_lowrank: row shard 1 has 2 columns, the first has 3");
    auto bad = random_matrix<float>(6, 3);
    bad(4, 1) = std::numeric_limits<float>::quiet_NaN();
    const std::vector<rng::matrix_view<const float>> parts{a.view(), std::as_const(bad).view()};
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { (void)rng::svd_lowrank(rng::row_shards<const float>{parts}, {.q = 1}, gen); }),
              "svd_lowrank: A must be finite, got NaN at (8, 1)");
    const rng::batch_view<float> batch{rng::matrix_view<float>::row_major(bad.values.data(), 2, 3), 3, 6};
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank(batch, {.q = 1}, gen); }),
              "svd_lowrank: A[2] must be finite, got NaN at (0, 1)");
    EXPECT_EQ(gen.position(), 0u);
}

// `fast` is for those who ask for it, and not under use_deterministic_algorithms(true).
TEST(SvdLowRankFast, IsRefusedWhereResultsHaveToBeDeterministic) {
    const auto a = random_matrix<float>(30, 20);
    Generator gen(42);
    rng::use_deterministic_algorithms(true);
    EXPECT_TRUE(rng::are_deterministic_algorithms_enabled());
    EXPECT_EQ(
        error_of(ErrorCode::unsupported, [&] { (void)rng::svd_lowrank(a.view(), {.q = 3, .fast = true}, gen); }),
        "svd_lowrank: fast has results of this machine only, and use_deterministic_algorithms(true) is set; leave "
        "fast off, or call use_deterministic_algorithms(false)");
    EXPECT_NO_THROW((void)rng::svd_lowrank(a.view(), {.q = 3}, gen));
    rng::use_deterministic_algorithms(false);
    Generator g1(42), g2(42);
    try {
        const auto fast = rng::pca_lowrank(a.view(), {.q = 3, .fast = true}, g1);
        const auto exact = rng::pca_lowrank(a.view(), {.q = 3}, g2);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(fast.S[k], exact.S[k], 1e-4);
        EXPECT_EQ(g1.position(), g2.position());
    } catch (const rng::Error& e) {
        EXPECT_STREQ(e.what(),
                     "pca_lowrank: fast needs a BLAS, which this build of the library has not; leave fast off, or "
                     "configure with -DRNG_ENABLE_BLAS=ON");
    }
}

TEST(SvdLowRankErrors, NothingOfNothing) {
    Generator gen(42);
    gen.skip_words(1);
    const auto a = random_matrix<double>(7, 3);
    const auto r = rng::svd_lowrank(a.view(), {.q = 0}, gen);
    EXPECT_EQ(r.U.rows, 7u);
    EXPECT_EQ(r.U.cols, 0u);
    EXPECT_EQ(r.V.rows, 3u);
    EXPECT_TRUE(r.S.empty());
    const auto empty = rng::svd_lowrank(rng::matrix_view<double>{nullptr, 0, 4, 4, 1}, gen);
    EXPECT_EQ(empty.V.rows, 4u);
    EXPECT_EQ(empty.V.cols, 0u);
    EXPECT_EQ(gen.position(), 1u);
}

}  // namespace
