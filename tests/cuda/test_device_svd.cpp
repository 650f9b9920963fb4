// svd_lowrank on CUDA: the bits of the CPU on every GPU there is; and what is refused, with and without one.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::Device;
using rng::ErrorCode;
using support::error_of;
using support::same_bits;

std::vector<Device> gpus() {
    std::vector<Device> all = rng::devices();
    all.erase(all.begin());  // the CPU
    return all;
}

template <class T> void expect_same(const rng::LowRankSvd<T>& a, const rng::LowRankSvd<T>& b, const std::string& what) {
    EXPECT_TRUE(same_bits(a.S, b.S)) << what << ": S";
    EXPECT_TRUE(same_bits(a.U.values, b.U.values)) << what << ": U";
    EXPECT_TRUE(same_bits(a.V.values, b.V.values)) << what << ": V";
}

template <class T> T element(double re, double im) {
    if constexpr (rng::detail::SvdElement<T>::is_complex)
        return {static_cast<rng::detail::real_t<T>>(re), static_cast<rng::detail::real_t<T>>(im)};
    else
        return T(static_cast<rng::detail::real_t<T>>(re));
}
template <class T> rng::Matrix<T> matrix(std::size_t rows, std::size_t cols) {
    const auto values = rng::sample(rng::normal<double>{}, 2 * rows * cols, rng::Stream<>{7});
    rng::Matrix<T> a(rows, cols);
    for (std::size_t i = 0; i < rows * cols; ++i) a.values[i] = element<T>(values[2 * i], values[2 * i + 1]);
    return a;
}

template <class T> class DeviceSvd : public testing::Test {};
using Elements = testing::Types<float, double, rng::float16, rng::bfloat16, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DeviceSvd, Elements);

TYPED_TEST(DeviceSvd, HasTheBitsOfTheCpu) {
    using T = TypeParam;
    const rng::Generator from(42);
    std::vector<Device> devices = rng::devices();  // the CPU as well: the call itself must change nothing
    const rng::Matrix<T> a = matrix<T>(3000, 257), wide = matrix<T>(90, 5001), row = matrix<T>(1, 257);
    for (const Device device : devices) {
        const auto compare = [&](const rng::matrix_view<const T>& view, const rng::SvdOptions<T>& options) {
            rng::Generator g = from.clone();
            expect_same(rng::svd_lowrank_on(device, view, options, from), rng::svd_lowrank(view, options, g),
                        to_string(device) + ", q = " + std::to_string(options.q.value_or(6)));
        };
        compare(a.view(), {});
        for (const long long q : {16, 17, 50, 100, 128}) compare(a.view(), {.q = q, .niter = 1});
        compare(wide.view(), {.q = 20, .niter = 0});
        compare(rng::matrix_view<const T>::column_major(wide.values.data(), 5001, 90), {.q = 9});
        compare(a.view(), {.q = 8, .niter = 1, .M = row.view()});
        compare(a.view(), {.q = 8, .niter = 1, .M = a.view()});  // of zeros
        compare(a.view(), {.q = 8, .niter = 1, .test_matrix = rng::TestMatrix::rademacher});
        rng::Generator g = from.clone();
        expect_same(rng::pca_lowrank_on(device, a.view(), {.q = 12}, from), rng::pca_lowrank(a.view(), {.q = 12}, g),
                    to_string(device) + ", pca");
    }
    EXPECT_EQ(from.position(), 0u);
    if (gpus().empty()) GTEST_SKIP() << "no GPU on this machine: compared with the CPU itself";
}

/// The elements of a matrix that a number of their place chooses; the columns of each row descend.
template <class T> struct Csr {
    std::size_t rows, cols;
    std::vector<std::int32_t> offsets{0}, columns{};
    std::vector<T> values{};

    explicit Csr(const rng::Matrix<T>& a) : rows(a.rows), cols(a.cols) {
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = cols; j-- > 0;)
                if ((7 * i + 13 * j + i * j) % 11 < 3) {
                    columns.push_back(static_cast<std::int32_t>(j));
                    values.push_back(a(i, j));
                }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }
    [[nodiscard]] rng::csr_view<T, std::int32_t> view() const { return {rows, cols, offsets, columns, values}; }
};

TYPED_TEST(DeviceSvd, OfSparseMatricesHasTheBitsOfTheCpu) {
    using T = TypeParam;
    const rng::Generator from(42);
    const Csr<T> tall(matrix<T>(3000, 257)), wide(matrix<T>(90, 5001));
    const rng::Matrix<T> row = matrix<T>(1, 257);
    for (const Device device : rng::devices()) {
        const auto compare = [&](const Csr<T>& a, const rng::SvdOptions<T>& options) {
            rng::Generator g = from.clone();
            expect_same(rng::svd_lowrank_on(device, a.view(), options, from), rng::svd_lowrank(a.view(), options, g),
                        to_string(device) + ", q = " + std::to_string(options.q.value_or(6)));
        };
        compare(tall, {});
        compare(wide, {.q = 40, .niter = 1});
        compare(tall, {.q = 8, .niter = 1, .M = row.view()});
        for (const Csr<T>& a : {tall, wide}) {
            rng::Generator g = from.clone();
            expect_same(rng::pca_lowrank_on(device, a.view(), {.q = 5}, from), rng::pca_lowrank(a.view(), {.q = 5}, g),
                        to_string(device) + ", pca");
        }
        Csr<T> twice = tall;
        twice.columns[2000] = twice.columns[2001];
        const auto error_on = [&](Device where) {
            return error_of(ErrorCode::invalid_argument,
                            [&] { (void)rng::svd_lowrank_on(where, twice.view(), {}, from); });
        };
        EXPECT_EQ(error_on(device), error_on(rng::cpu())) << to_string(device);
    }
    if (gpus().empty()) GTEST_SKIP() << "no GPU on this machine: compared with the CPU itself";
}

TYPED_TEST(DeviceSvd, OfBatchesHasTheBitsOfTheCpu) {
    using T = TypeParam;
    constexpr std::size_t m = 400, n = 70, size = 5;
    const rng::Generator from(42);
    rng::Matrix<T> values = matrix<T>(size, m * n + 3);
    const rng::batch_view<const T> batch{rng::matrix_view<const T>::row_major(values.values.data(), m, n), size,
                                         m * n + 3};
    for (const Device device : rng::devices()) {
        const auto compare = [&](const auto& got, const auto& expected) {
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < size; ++i) expect_same(got[i], expected[i], to_string(device));
        };
        rng::Generator g = from.clone(), h = from.clone();
        compare(rng::svd_lowrank_on(device, batch, {.q = 9}, from), rng::svd_lowrank(batch, {.q = 9}, g));
        compare(rng::pca_lowrank_on(device, batch, {.q = 9}, from), rng::pca_lowrank(batch, {.q = 9}, h));
        rng::Matrix<T> bad = values;
        bad(3, 2 * n + 1) = element<T>(std::numeric_limits<double>::infinity(), 0);
        const rng::batch_view<const T> with_bad{rng::matrix_view<const T>::row_major(bad.values.data(), m, n), size,
                                                m * n + 3};
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank_on(device, with_bad, {}, from); }),
                  "svd_lowrank: A[3] must be finite, got infinity at (2, 1)");
    }
    if (gpus().empty()) GTEST_SKIP() << "no GPU on this machine: compared with the CPU itself";
}

TEST(DeviceSvdErrors, RowShardsAreForTheCpu) {
    const rng::Matrix<float> a = matrix<float>(30, 8);
    const rng::matrix_view<const float> parts[] = {rng::matrix_view<const float>::row_major(a.values.data(), 10, 8),
                                                   rng::matrix_view<const float>::row_major(&a.values[80], 20, 8)};
    const rng::row_shards<const float> shards{parts};
    const rng::Generator from(42);
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { (void)rng::svd_lowrank_on(rng::cuda(0), shards, {}, from); }),
              "svd_lowrank: row shards are for the cpu, got cuda:0");
    rng::Generator g = from.clone();
    expect_same(rng::svd_lowrank_on(rng::cpu(), shards, {}, from), rng::svd_lowrank(a.view(), {}, g), "shards");
}

TEST(DeviceSvdErrors, OfSparseMatricesAndBatchesAreFoundBeforeAnythingMoves) {
    float memory = 7;
    std::int64_t index = 0;
    rng::Generator on_cpu(42);
    std::byte work{};
    const rng::device_matrix<float> u{&memory, 3, 2, 2, 1}, v{&memory, 2, 2, 2, 1};
    const rng::device_span<float> s{&memory, 2};
    const rng::device_span<std::byte> workspace{&work, 1};
    rng::device_csr<float> a{3, 2, {&index, 4}, {&index, 1}, {&memory, 1}};
    const auto refused = [&](ErrorCode code, const rng::DeviceSvdOptions<float>& options) {
        return error_of(code, [&] { rng::svd_lowrank(a, options, {u, s, v}, workspace, on_cpu); });
    };
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {.q = 3}),
              "svd_lowrank: q must be in [0, 2] for a matrix of 3 x 2, got 3");
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {}),
              "svd_lowrank: the matrix is in device memory but the generator is on cpu");
    a.cols = std::size_t{1} << 32;
    EXPECT_EQ(
        refused(ErrorCode::unsupported, {}),
        "svd_lowrank: a sparse matrix on a GPU may have 4294967295 rows, columns and elements each, got 4294967296");
    const rng::device_batch<float> batch{{&memory, 3, 2, 2, 1}, 2, 6};
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::svd_lowrank(batch, {}, {{u, {&memory, 1}, v}, 6, 2, 4}, workspace, on_cpu);
                       }),
              "svd_lowrank: S must have 2 values, got 1");
    EXPECT_EQ(on_cpu.position(), 0u);
    EXPECT_EQ(memory, 7);
}

TEST(DeviceSvdErrors, ANumberThatIsNoneIsNamed) {
    rng::Matrix<float> a = matrix<float>(300, 40);
    a(250, 3) = a(120, 7) = std::numeric_limits<float>::quiet_NaN();
    const rng::Generator from(42);
    for (const Device device : rng::devices())
        EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                           [&] { (void)rng::svd_lowrank_on(device, std::as_const(a).view(), {}, from); }),
                  "svd_lowrank: A must be finite, got NaN at (120, 7)")
            << to_string(device);
}

TEST(DeviceSvdErrors, WhatIsWrongIsFoundBeforeAnythingMoves) {
    float memory = 7;
    rng::Generator on_cpu(42);
    std::byte work{};
    const rng::device_matrix<float> a{&memory, 3, 2, 2, 1}, u{&memory, 3, 2, 2, 1}, v{&memory, 2, 2, 2, 1};
    const rng::device_span<float> s{&memory, 2};
    const rng::device_span<std::byte> workspace{&work, 1};
    const auto refused = [&](const rng::DeviceSvdOptions<float>& options, const rng::DeviceSvd<float>& result) {
        return error_of(ErrorCode::invalid_argument, [&] { rng::svd_lowrank(a, options, result, workspace, on_cpu); });
    };
    EXPECT_EQ(refused({.q = 3}, {u, s, v}), "svd_lowrank: q must be in [0, 2] for a matrix of 3 x 2, got 3");
    EXPECT_EQ(refused({.niter = -1}, {u, s, v}), "svd_lowrank: niter must be 0 or more, got -1");
    EXPECT_EQ(refused({.oversampling = -1}, {u, s, v}), "svd_lowrank: oversampling must be 0 or more, got -1");
    EXPECT_EQ(refused({.q = 1, .oversampling = 1}, {u, s, v}), "svd_lowrank: U must be 3 x 1, got 3 x 2");
    EXPECT_EQ(refused({.M = {&memory, 2, 2, 2, 1}}, {u, s, v}),
              "svd_lowrank: M must be 3 x 2, 1 x 2 or 3 x 1, got 2 x 2");
    EXPECT_EQ(refused({}, {v, s, v}), "svd_lowrank: U must be 3 x 2, got 2 x 2");
    EXPECT_EQ(refused({}, {u, s, u}), "svd_lowrank: V must be 2 x 2, got 3 x 2");
    EXPECT_EQ(refused({}, {u, {&memory, 1}, v}), "svd_lowrank: S must have 2 values, got 1");
    EXPECT_EQ(refused({}, {u, s, v}), "svd_lowrank: the matrix is in device memory but the generator is on cpu");
    EXPECT_EQ(error_of(ErrorCode::unsupported,
                       [&] {
                           rng::pca_lowrank(a, {.fast = true}, {u, s, v}, workspace, on_cpu);
                       }),
              "pca_lowrank: fast is for matrices in host memory");
    EXPECT_EQ(on_cpu.position(), 0u);
    EXPECT_EQ(memory, 7);
}

TEST(DeviceSvdErrors, WithoutAGpuEachCallSaysWhy) {
    const rng::device_matrix<float> shape{nullptr, 1000, 100, 100, 1};
    if (rng::has_cuda_backend()) {  // the size of the workspace needs no GPU
        EXPECT_GT(rng::svd_lowrank_workspace(shape, {.q = 6}), (2 * 1000 + 100) * 16 * sizeof(float));
        EXPECT_LT(rng::svd_lowrank_workspace(shape, {.q = 16}), rng::svd_lowrank_workspace(shape, {.q = 17}));
        EXPECT_EQ(rng::pca_lowrank_workspace(shape, {.q = 16}), rng::svd_lowrank_workspace(shape, {.q = 16}));
        EXPECT_EQ(rng::svd_lowrank_workspace(shape, {.q = 7, .oversampling = 10}),
                  rng::svd_lowrank_workspace(shape, {.q = 17}));
        EXPECT_EQ(rng::svd_lowrank_workspace(rng::device_batch<float>{shape, 9, 0}, {.q = 16}),
                  rng::svd_lowrank_workspace(shape, {.q = 16}));
        // 10^6 elements of a square matrix: far from the memory of a dense one. Both orders of the elements take 8
        // bytes.
        const rng::device_csr<float> sparse{
            1'000'000, 1'000'000, {nullptr, 1'000'001}, {nullptr, 1'000'000}, {nullptr, 1'000'000}};
        const std::size_t tall = std::size_t{1'000'000} * 16 * sizeof(float);
        EXPECT_GT(rng::svd_lowrank_workspace(sparse, {.q = 6}), 3 * tall + 2 * 1'000'000 * 8);
        EXPECT_LT(rng::svd_lowrank_workspace(sparse, {.q = 6}), 3 * tall + 2 * 1'000'000 * 8 + 16'000'000);
        EXPECT_LE(rng::pca_lowrank_workspace(sparse, {.q = 6}), 5 * tall);
    } else {
        EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { (void)rng::svd_lowrank_workspace(shape, {.q = 6}); }),
                  "svd_lowrank: there is no device memory: rng was built without its CUDA backend");
    }
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank_workspace(shape, {.q = 101}); }),
              "svd_lowrank: q must be in [0, 100] for a matrix of 1000 x 100, got 101");
    if (!gpus().empty()) return;
    const rng::Matrix<float> a = matrix<float>(5, 4);
    const rng::Generator from(42);
    const std::string why =
        error_of(ErrorCode::unsupported, [&] { (void)rng::svd_lowrank_on(rng::cuda(0), a.view(), {}, from); });
    EXPECT_EQ(why.find("Generator: cuda:0 is not available: "), 0u) << why;
}

}  // namespace
