// svd_host_workspace: what svd_lowrank takes at its peak is what was announced.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/paths.hpp"

namespace {

using support::held;
using support::most_held;

/// Compares f's peak with the announced memory: `announced()` and the result. The peak is never above it.
/// With one thread the peak is not far below it if `close` is true. With more threads, the system decides how many have
/// their workspaces at once.
template <class A, class F>
void compare(const std::string& what, const A& announced, double result, const F& f, bool close = true) {
    const support::SavedSettings saved;
    for (const int threads : {1, 4}) {
        rng::set_num_threads(threads);
        // Threads start, and the library's tables are made.
        const rng::Matrix<double> small(2000, 4);
        (void)rng::pca_lowrank(small.view());
        const std::size_t before = held;
        most_held = before;
        f();
        const auto peak = static_cast<double>(most_held - before), expected = static_cast<double>(announced()) + result;
        EXPECT_LE(peak, expected) << what << ", " << threads << " threads";
        if (threads > 1 || !close) continue;
        EXPECT_LE(expected, 1.3 * peak + 1e6) << what;  // narrow registers take less room for sums
    }
}

struct Case {
    std::size_t rows, cols;
    long long q;
    bool pca = false;
    rng::TestMatrix test_matrix = rng::TestMatrix::normal;
    long long oversampling = 0;
};

template <class T> void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        rng::Matrix<T> a(c.rows, c.cols);
        for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = T(static_cast<float>(i * 37 % 101) - 50);
        const double result =
            static_cast<double>(sizeof(T)) * static_cast<double>(c.q) * static_cast<double>(c.rows + c.cols);
        const std::string what = std::to_string(c.rows) + " x " + std::to_string(c.cols) + " q " + std::to_string(c.q);
        rng::Generator gen(1);
        if (c.pca) {
            const rng::PcaOptions options{.q = c.q, .niter = 0, .oversampling = c.oversampling};
            compare(
                what + " centred", [&] { return rng::pca_host_workspace<T>(c.rows, c.cols, options); }, result,
                [&] { (void)rng::pca_lowrank(a.view(), options, gen); });
        } else {
            const rng::SvdOptions<T> options{
                .q = c.q, .niter = 0, .test_matrix = c.test_matrix, .oversampling = c.oversampling};
            compare(
                what, [&] { return rng::svd_host_workspace<T>(c.rows, c.cols, options); }, result,
                [&] { (void)rng::svd_lowrank(a.view(), options, gen); });
        }
    }
}

template <class T> class SvdMemory : public testing::Test {};
template <class T> class SvdMemorySlow : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdMemory, Types);
TYPED_TEST_SUITE(SvdMemorySlow, Types);

TYPED_TEST(SvdMemory, IsWhatIsAnnounced) {
    check<TypeParam>({{8000, 2, 2},
                      {1, 6000, 1},
                      {20, 2000, 18, true},
                      {600, 60, 40, false, rng::TestMatrix::rademacher},
                      {200, 150, 20, true},
                      {60, 55, 35},
                      {60, 50, 6},
                      {60, 50, 6, true},
                      {600, 60, 10, false, rng::TestMatrix::normal, 30},
                      {8000, 2, 1, true, rng::TestMatrix::normal, 9}});
}

// A batch holds X and Z of each of its matrices; shards the sums of A^H X that are under way, n x width, one of a
// level.
TEST(SvdHostWorkspace, OfBatchesAndShardsIsWhatIsDocumented) {
    using T = std::complex<double>;
    constexpr std::size_t m = 1000, n = 1500, q = 5, size = 3, of_batch = 3000;
    rng::Matrix<T> a(m, n);
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = T(static_cast<float>(i * 37 % 101) - 50);
    const rng::SvdOptions<T> options{.q = q, .niter = 0};
    rng::Generator gen(1);
    const auto announced = [&](std::size_t rows, std::size_t cols) {
        return static_cast<double>(rng::svd_host_workspace<T>(rows, cols, options));
    };
    const auto result = [](std::size_t rows, std::size_t cols) {
        return static_cast<double>(q * (rows + cols) * sizeof(T));
    };
    const rng::batch_view<T> batch{rng::matrix_view<T>::row_major(a.values.data(), of_batch, 40), size,
                                   static_cast<std::ptrdiff_t>(of_batch * 40)};
    compare(
        "batch", [&] { return size * announced(of_batch, 40); }, size * result(of_batch, 40),
        [&] { (void)rng::svd_lowrank(batch, options, gen); }, false);
    std::vector<rng::matrix_view<T>> shards;
    for (std::size_t row = 0; row < m; row += 250)
        shards.push_back(rng::matrix_view<T>::row_major(a.values.data() + row * n, 250, n));
    const std::size_t width = (q + 15) / 16 * 16;
    const double sums = std::floor(std::log2(static_cast<double>(2 * m) / 128)) + 4;
    compare(
        "shards", [&] { return announced(m, n) + sums * static_cast<double>(n * width * sizeof(T)); }, result(m, n),
        [&] { (void)rng::svd_lowrank(rng::row_shards<T>{shards}, options, gen); }, false);
}

// 140,000 rows: more leaves of the Gram matrix than are kept.
TYPED_TEST(SvdMemorySlow, IsWhatIsAnnounced) {
    for (const bool pca : {false, true})
        check<TypeParam>({{140'000, 2, 2, pca},
                          {3, 100'000, 3, pca},
                          {8000, 1, 1, pca},
                          {14'000, 8, 6, pca},
                          {20, 4000, 18, pca},
                          {1200, 60, 40, pca, rng::TestMatrix::rademacher},
                          {1000, 900, 100, pca}});
}

TYPED_TEST(SvdMemory, OfSparseMatricesToo) {
    for (const auto& [rows, cols, each] :
         std::vector<std::array<std::size_t, 3>>{{200, 100, 50}, {6000, 50, 2}, {50, 6000, 100}}) {
        std::vector<int64_t> offsets{0}, columns;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < each; ++k)
                columns.push_back(static_cast<int64_t>((k * (cols / each) + i) % cols));
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
        std::vector<TypeParam> values(columns.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = TypeParam(static_cast<float>(i * 37 % 101) - 50);
        const rng::csr_view<TypeParam> a{rows, cols, offsets, columns, values};
        const rng::SvdOptions<TypeParam> options{.q = 5, .niter = 0};
        rng::Generator gen(1);
        const std::size_t entries = values.size();
        const std::size_t m = rows, n = cols;
        compare(
            std::to_string(m) + " x " + std::to_string(n) + " sparse",
            [&] { return rng::svd_host_workspace<TypeParam>(m, n, options, entries); },
            static_cast<double>(sizeof(TypeParam)) * 5 * static_cast<double>(m + n),
            [&] { (void)rng::svd_lowrank(a, options, gen); });
    }
}

TEST(SvdHostWorkspace, OfShapesThatThereIsNoMemoryFor) {
    constexpr std::size_t huge = std::size_t{9} << 60;
    EXPECT_EQ(rng::svd_host_workspace<double>(huge, huge, {.q = 100}), std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(rng::svd_host_workspace<float>(huge, 0), 0u);
    EXPECT_EQ(rng::pca_host_workspace<float>(0, huge), 0u);
    EXPECT_GT(rng::svd_host_workspace<float>(1 << 20, 1 << 20, {.q = 6}), (std::size_t{1} << 21) * 6 * 4);
    EXPECT_EQ(rng::svd_host_workspace<float>(800, 50, {.q = 6, .oversampling = 10}),
              rng::svd_host_workspace<float>(800, 50, {.q = 16}));
    EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument,
                                [] { (void)rng::svd_host_workspace<float>(8, 5, {.q = 6}); }),
              "svd_lowrank: q must be in [0, 5] for a matrix of 8 x 5, got 6");
}

}  // namespace
