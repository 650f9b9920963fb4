// svd_lowrank of complex matrices, and other ways to give a matrix: sparse, shards, batches.
#include "../support/svd.hpp"

#include <algorithm>
#include <complex>
#include <limits>

namespace {

using rng::Generator;
using rng::Matrix;
using support::dense;
using support::is_complex;
using support::orthogonality;
using support::orthonormal_within;
using support::random_matrix;
using support::Real;
using support::rebuilt;
using support::same;
using support::Shape;
using support::spectrum;

template <class T> class SvdOfAnyElement : public testing::Test {};
using Elements = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdOfAnyElement, Elements);

TYPED_TEST(SvdOfAnyElement, ComplexIsAsAccurateAsEigen) {
    if constexpr (is_complex<TypeParam>) {
        using T = Real<TypeParam>;
        const double unit = std::numeric_limits<T>::epsilon();
        for (const Shape& shape :
             std::vector<Shape>{{300, 60, 12}, {60, 300, 12}, {64, 64, 64}, {129, 70, 17}, {5, 1, 1}, {1, 7, 1}})
            for (const char* kind : {"1/k", "exponential", "pairs", "rank 4"}) {
                const std::size_t r = std::min(shape.m, shape.n);
                const std::vector<double> values = spectrum(kind, r);
                const auto a = support::with_spectrum<TypeParam>(shape.m, shape.n, values);
                Generator gen(42);
                const auto got = rng::svd_lowrank(a.view(), {.q = shape.q}, gen);
                EXPECT_EQ(gen.position(), r * static_cast<std::size_t>(shape.q) * sizeof(TypeParam) / 4);
                const std::string where =
                    std::string(kind) + ", " + std::to_string(shape.m) + " x " + std::to_string(shape.n);
                EXPECT_LT(orthogonality(dense(got.U)), orthonormal_within<T>) << where;
                EXPECT_LT(orthogonality(dense(got.V)), orthonormal_within<T>) << where;
                const auto expected = support::reference(
                    dense(a), support::test_matrix<TypeParam>(static_cast<long>(r), static_cast<long>(shape.q)), 2);
                for (long k = 0; k < shape.q; ++k)
                    EXPECT_NEAR(support::sigma(got)[k], expected.S[k], 40 * unit * values[0])
                        << where << ", value " << k;
                EXPECT_LT((dense(a) - rebuilt(got)).norm(),
                          (dense(a) - expected.rebuilt).norm() + 100 * unit * values[0])
                    << where;
            }
        // A real matrix that is given as a complex one, with signs as its test matrix.
        const auto real = random_matrix<T>(80, 60);
        Matrix<TypeParam> same_values(80, 60);
        std::copy(real.values.begin(), real.values.end(), same_values.values.begin());
        Generator g1(42), g2(42);
        const auto r1 = rng::svd_lowrank(real.view(), {.q = 5, .test_matrix = rng::TestMatrix::rademacher}, g1);
        const auto r2 = rng::svd_lowrank(same_values.view(), {.q = 5, .test_matrix = rng::TestMatrix::rademacher}, g2);
        for (std::size_t k = 0; k < 5; ++k)
            EXPECT_NEAR(static_cast<double>(r1.S[k]), static_cast<double>(r2.S[k]), 40 * unit * 20);
        for (std::size_t i = 0; i < r1.U.values.size(); ++i)
            EXPECT_LT(std::abs(std::complex<double>(r2.U.values[i]) - std::complex<double>(r1.U.values[i])),
                      1000 * unit);
    }
}

TYPED_TEST(SvdOfAnyElement, EveryPathAndAnyStridesGiveTheSameBits) {
    for (const Shape& shape : std::vector<Shape>{{300, 40, 8}, {40, 300, 8}, {129, 128, 17}, {257, 70, 33}}) {
        const auto a = random_matrix<TypeParam>(shape.m, shape.n);
        Generator first(42);
        const auto expected = rng::svd_lowrank(a.view(), {.q = shape.q}, first);
        std::vector<TypeParam> columns(a.values.size());
        for (std::size_t i = 0; i < shape.m; ++i)
            for (std::size_t j = 0; j < shape.n; ++j) columns[j * shape.m + i] = a(i, j);
        support::on_every_path({1, 2, 3}, [&](const std::string& path) {
            Generator g1(42), g2(42);
            EXPECT_TRUE(same(rng::svd_lowrank(a.view(), {.q = shape.q}, g1), expected)) << path;
            EXPECT_TRUE(
                same(rng::svd_lowrank(rng::matrix_view<const TypeParam>::column_major(columns.data(), shape.m, shape.n),
                                      {.q = shape.q}, g2),
                     expected))
                << path;
        });
    }
}

/// A matrix of which a part is 0, and its rows in compressed form, each in descending order of columns.
template <class T, class Index = int64_t> struct Sparse {
    Matrix<T> dense;
    std::vector<Index> offsets{0}, columns;
    std::vector<T> values;
    Sparse(std::size_t m, std::size_t n, unsigned one_in) : dense(random_matrix<T>(m, n)) {
        const auto word = rng::sample(rng::uniform_int<uint32_t>{0, one_in - 1}, m * n, rng::Stream<>{9});
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = n; j-- > 0;)
                if (word[i * n + j] != 0 || i == m / 2) {
                    dense(i, j) = T{};
                } else {
                    columns.push_back(static_cast<Index>(j));
                    values.push_back(dense(i, j));
                }
            offsets.push_back(static_cast<Index>(columns.size()));
        }
    }
    [[nodiscard]] rng::csr_view<T, Index> view() const { return {dense.rows, dense.cols, offsets, columns, values}; }
};

TYPED_TEST(SvdOfAnyElement, SparseIsDense) {
    for (const Shape& shape : std::vector<Shape>{{150, 400, 8}, {900, 60, 17}, {33, 33, 33}, {1, 7, 1}})
        for (const unsigned one_in : {2u, 30u, 1000u}) {
            const Sparse<TypeParam> a(shape.m, shape.n, one_in);
            const Sparse<TypeParam, int32_t> narrow(shape.m, shape.n, one_in);
            const auto mean = random_matrix<TypeParam>(1, shape.n, 3);
            Generator g1(42), g2(42), g3(42), g4(42);
            const rng::SvdOptions<TypeParam> plain{.q = shape.q}, less_mean{.q = shape.q, .M = mean.view()};
            const auto whole = rng::svd_lowrank(a.dense.view(), plain, g1);
            const auto shifted = rng::svd_lowrank(a.dense.view(), less_mean, g1);
            const auto pca = rng::pca_lowrank(a.dense.view(), {.q = shape.q}, g1);
            EXPECT_TRUE(same(rng::svd_lowrank(a.view(), plain, g2), whole)) << shape.m << ", one in " << one_in;
            EXPECT_TRUE(same(rng::svd_lowrank(a.view(), less_mean, g2), shifted)) << shape.m << ", one in " << one_in;
            EXPECT_TRUE(same(rng::pca_lowrank(a.view(), {.q = shape.q}, g2), pca)) << shape.m << ", one in " << one_in;
            EXPECT_TRUE(same(rng::svd_lowrank(narrow.view(), plain, g3), whole));
            support::on_every_path({1, 2}, [&](const std::string& path) {
                Generator gen(42);
                EXPECT_TRUE(same(rng::svd_lowrank(a.view(), plain, gen), whole)) << path;
            });
        }
}

TYPED_TEST(SvdOfAnyElement, ShardsGiveTheBitsOfTheWhole) {
    for (const Shape& shape : std::vector<Shape>{{700, 40, 9}, {150, 200, 9}, {13, 13, 6}}) {
        const auto a = random_matrix<TypeParam>(shape.m, shape.n), mean = random_matrix<TypeParam>(shape.m, shape.n, 2);
        const rng::SvdOptions<TypeParam> options{.q = shape.q, .M = mean.view()};
        Generator whole(42);
        const auto expected = rng::svd_lowrank(a.view(), {.q = shape.q}, whole);
        const auto shifted = rng::svd_lowrank(a.view(), options, whole);
        const auto pca = rng::pca_lowrank(a.view(), {.q = shape.q}, whole);
        for (std::size_t shards = 1; shards <= 13; ++shards)
            for (const bool even : {true, false}) {
                // Even parts, or parts of every kind: empty, shorter than a block, across several.
                std::vector<rng::matrix_view<const TypeParam>> parts;
                std::size_t row = 0;
                for (std::size_t i = 0; i < shards; ++i) {
                    const std::size_t uneven = i % 3 == 0 ? 0 : i % 3 == 1 ? shape.m / 2 + 1 : 3;
                    const std::size_t wanted = even ? shape.m / shards : uneven;
                    const std::size_t rows = i + 1 == shards ? shape.m - row : std::min(wanted, shape.m - row);
                    parts.push_back(
                        rng::matrix_view<const TypeParam>::row_major(a.values.data() + row * shape.n, rows, shape.n));
                    row += rows;
                }
                Generator gen(42);
                const rng::row_shards<const TypeParam> view{parts};
                EXPECT_TRUE(same(rng::svd_lowrank(view, {.q = shape.q}, gen), expected))
                    << shards << " shards of " << shape.m;
                EXPECT_TRUE(same(rng::svd_lowrank(view, options, gen), shifted)) << shards << " shards of " << shape.m;
                EXPECT_TRUE(same(rng::pca_lowrank(view, {.q = shape.q}, gen), pca))
                    << shards << " shards of " << shape.m;
            }
    }
}

TYPED_TEST(SvdOfAnyElement, ABatchHasTheBitsOfSingleCalls) {
    const std::size_t m = 50, n = 30, stride = m * n + 7;
    const auto values = random_matrix<TypeParam>(4, stride);
    const rng::batch_view<const TypeParam> batch{
        rng::matrix_view<const TypeParam>::row_major(values.values.data(), m, n), 4,
        static_cast<std::ptrdiff_t>(stride)};
    Generator gen(42);
    const auto results = rng::svd_lowrank(batch, {.q = 5}, gen);
    ASSERT_EQ(results.size(), 4u);
    EXPECT_EQ(gen.position(), n * 5 * sizeof(TypeParam) / 4);
    for (std::size_t i = 0; i < 4; ++i) {
        Generator single(42);
        EXPECT_TRUE(same(rng::svd_lowrank(batch[i], {.q = 5}, single), results[i])) << i;
    }
    const rng::batch_view<const TypeParam> none{batch.first, 0, 0};
    EXPECT_TRUE(rng::pca_lowrank(none, {.q = 5}, gen).empty());
}

// So many that each thread takes whole matrices.
TYPED_TEST(SvdOfAnyElement, ALargeBatchHasTheBitsOfSingleCalls) {
    constexpr std::size_t m = 20, n = 9, size = 30;
    auto values = random_matrix<TypeParam>(size * m, n);
    const rng::batch_view<TypeParam> batch{rng::matrix_view<TypeParam>::row_major(values.values.data(), m, n), size,
                                           static_cast<std::ptrdiff_t>(m * n)};
    std::vector<rng::LowRankSvd<TypeParam>> expected, centred;
    for (std::size_t i = 0; i < size; ++i) {
        Generator single(42);
        expected.push_back(rng::svd_lowrank(batch[i], {.q = 3}, single));
        centred.push_back(rng::pca_lowrank(batch[i], {.q = 3}, single));
    }
    support::on_every_path({1, 3}, [&](const std::string& path) {
        Generator gen(42);
        const auto results = rng::svd_lowrank(batch, {.q = 3}, gen), pca = rng::pca_lowrank(batch, {.q = 3}, gen);
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_TRUE(same(results[i], expected[i])) << i << ", " << path;
            EXPECT_TRUE(same(pca[i], centred[i])) << i << ", " << path;
        }
    });
    // The error is that of the first matrix, whichever thread is the first.
    values(11 * m + 2, 4) = values(23 * m, 0) = TypeParam(std::numeric_limits<float>::quiet_NaN());
    const support::SavedSettings saved;
    for (const int threads : {1, 4}) {
        rng::set_num_threads(threads);
        Generator gen(42);
        EXPECT_EQ(
            support::error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank(batch, {.q = 3}, gen); }),
            "svd_lowrank: A[11] must be finite, got NaN at (2, 4)");
        EXPECT_EQ(gen.position(), 0u);
    }
}

}  // namespace
