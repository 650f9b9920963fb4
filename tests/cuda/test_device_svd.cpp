// svd_lowrank on CUDA: the bits of the CPU on every GPU there is; and what is refused, with and without one.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <complex>
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
        for (const long long q : {16, 17, 50, 100}) compare(a.view(), {.q = q, .niter = 1});
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
