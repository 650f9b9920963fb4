// Reductions of device memory: what is refused, with and without a GPU. test_gpu_reduce.cpp has the bits on a GPU.
#include <gtest/gtest.h>
#include <rng/reduce/device_reduce.hpp>
#include <rng/rng.hpp>

#include <cmath>
#include <cstdint>
#include <string>

#include "../support/paths.hpp"

namespace {

using rng::device_matrix;
using rng::device_span;
using rng::ErrorCode;
using support::error_of;

TEST(DeviceReduceErrors, WhatIsWrongIsFoundBeforeAnyMemoryIsAskedFor) {
    float memory[12] = {7};
    double wide = 7;
    std::int32_t index[4] = {};
    const device_span<float> x{memory, 3}, one{memory, 1}, none{memory, 0}, two{memory, 2};
    const device_matrix<float> a{memory, 2, 3, 3, 1};
    const auto refused = [](const auto& call) { return error_of(ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refused([&] { rng::sum(x, two); }), "sum: out must have 1 element, got 2");
    EXPECT_EQ(refused([&] { rng::sum(a, 2, two); }), "sum: axis must be 0 or 1, got 2");
    EXPECT_EQ(refused([&] {
                  rng::sum<double>(a, 1, {&wide, 1});
              }),
              "sum: out must have 2 elements, one for each row, got 1");
    EXPECT_EQ(refused([&] { rng::mean(none, one); }), "mean: x must have at least 1 term, got 0");
    EXPECT_EQ(refused([&] { rng::mean(a, 0, two); }), "mean: out must have 3 elements, one for each column, got 2");
    EXPECT_EQ(refused([&] { rng::variance(one, one); }),
              "variance: x must have more than 1 terms, its correction, got 1");
    EXPECT_EQ(refused([&] { rng::variance(a, 1, two, -1); }), "variance: correction must be at least 0, got -1");
    EXPECT_EQ(refused([&] {
                  rng::norm2(device_span<float>{nullptr, 3}, one);
              }),
              "norm2: x must not be null, for 3 elements");
    EXPECT_EQ(refused([&] { rng::norm2(x, {nullptr, 1}); }), "norm2: out must not be null");
    EXPECT_EQ(refused([&] { rng::dot(x, two, one); }), "dot: x and y must have the same size, got 3 and 2");
    EXPECT_EQ(refused([&] { rng::vdot(x, x, none); }), "vdot: out must have 1 element, got 0");
    EXPECT_EQ(refused([&] {
                  rng::segmented_sum(x, device_span{index, 2}, two);
              }),
              "segmented_sum: offsets must have 3 elements for 2 results, got 2");
    EXPECT_EQ(refused([&] {
                  rng::index_add(two, device_span{index, 2}, x);
              }),
              "index_add: index must have 3 elements, as values, got 2");
    EXPECT_EQ(refused([&] {
                  rng::index_add(none, device_span{index, 3}, x);
              }),
              "index_add: out must have places for 3 integers of the index, got 0");
    EXPECT_EQ(refused([&] {
                  rng::scatter_add(a, 0, device_matrix<std::int32_t>{index, 2, 2, 2, 1}, a);
              }),
              "scatter_add: index must have the shape of values, 2 x 3, got 2 x 2");
    EXPECT_EQ(refused([&] {
                  rng::bincount(device_span{index, 4}, x, device_span{&wide, 1});
              }),
              "bincount: weights must have 4 elements, as index, got 3");
    EXPECT_EQ(refused([&] {
                  rng::bincount(device_span{index, 4}, device_span<std::int64_t>{});
              }),
              "bincount: out must have an element for each integer, got 0");
    EXPECT_EQ(memory[0], 7);
    EXPECT_EQ(wide, 7);
}

TEST(DeviceReduceErrors, NothingToDoNeedsNoGpu) {
    float memory = 7;
    std::int32_t index = 0;
    rng::sum(device_matrix<float>{nullptr, 3, 0, 0, 1}, 0, {});
    rng::index_add(device_span{&memory, 1}, device_span{&index, 0}, device_span{&memory, 0});
    rng::bincount(device_span{&index, 0}, device_span<std::int64_t>{});
    EXPECT_EQ(memory, 7);
}

TEST(DeviceReduceErrors, ASortCountsIn32Bits) {
    float memory = 7;
    std::int64_t index = 0;
    const std::size_t many = std::size_t{1} << 32;
    EXPECT_EQ(
        error_of(ErrorCode::unsupported,
                 [&] {
                     rng::index_add(device_span{&memory, many}, device_span{&index, 1}, device_span{&memory, 1});
                 }),
        "index_add: on a GPU, index and out may have 4294967295 places each along the axis, got 1 and 4294967296");
    EXPECT_EQ(error_of(ErrorCode::unsupported,
                       [&] {
                           const device_matrix<float> tall{&memory, many / 2, 2, 2, 1};
                           rng::scatter_add(device_matrix<float>{&memory, 5, 2, 2, 1}, 0,
                                            device_matrix<std::int64_t>{&index, many / 2, 2, 2, 1}, tall);
                       }),
              "scatter_add: on a GPU, index and out may have 4294967295 places each along the axis, got 4294967296 "
              "and 5");
}

TEST(DeviceReduceErrors, WithoutAGpuEachCallSaysWhy) {
    if (rng::devices().size() > 1) GTEST_SKIP() << "there is a GPU on this machine";
    float memory[3] = {7, 7, 7};
    std::int32_t index[3] = {};
    std::int64_t counts[1] = {7};
    double sums[1] = {7};
    const device_span<float> x{memory, 3}, one{memory, 1};
    const auto text = [](const auto& call) { return error_of(ErrorCode::unsupported, call); };
    const auto check = [](const std::string& error, const std::string& call) {
        const std::string why = rng::has_cuda_backend()
                                    ? ": cuda:0 is not available: "
                                    : ": there is no device memory: rng was built without its CUDA backend";
        EXPECT_EQ(error.find(call + why), 0u) << error;
    };
    check(text([&] { rng::sum(x, one); }), "sum");
    check(text([&] { rng::mean(device_matrix<float>{memory, 1, 3, 3, 1}, 1, one); }), "mean");
    check(text([&] { rng::variance(x, one); }), "variance");
    check(text([&] { rng::norm2(x, one); }), "norm2");
    check(text([&] { rng::dot(x, x, one); }), "dot");
    check(text([&] { rng::vdot(x, x, one); }), "vdot");
    check(text([&] { rng::segmented_sum(x, device_span{index, 2}, one); }), "segmented_sum");
    check(text([&] { rng::index_add(x, device_span{index, 3}, x); }), "index_add");
    check(text([&] { rng::bincount(device_span{index, 3}, device_span{counts, 1}); }), "bincount");
    check(text([&] { rng::bincount(device_span{index, 3}, x, device_span{sums, 1}); }), "bincount");
    EXPECT_EQ(memory[0] + memory[1], 14);
    EXPECT_EQ(counts[0], 7);
    EXPECT_EQ(sums[0], 7);
}

}  // namespace
