// Fills of CUDA memory have the bits of the CPU on every GPU of the machine, and wrong calls are refused.
// Without a GPU, every call is refused with a reason.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::Device;
using rng::ErrorCode;
using support::error_of;

std::vector<Device> gpus() {
    std::vector<Device> all = rng::devices();
    all.erase(all.begin());  // the CPU
    return all;
}

#define NEEDS_A_GPU() \
    if (gpus().empty()) GTEST_SKIP() << "no GPU on this machine"

TEST(Device, TheCpuComesFirst) {
    ASSERT_FALSE(rng::devices().empty());
    EXPECT_EQ(rng::devices()[0], rng::cpu());
    EXPECT_TRUE(rng::has_cuda_backend() || gpus().empty());
}

TEST(Device, WhatIsNotThereIsRefused) {
    const std::string text = error_of(ErrorCode::unsupported, [] { rng::Generator(rng::cuda(4096), 1); });
    EXPECT_EQ(text.find("Generator: cuda:4096 is not available: "), 0u) << text;
    EXPECT_EQ(error_of(ErrorCode::unsupported, [] { (void)rng::default_generator(rng::cuda(4096)); })
                  .find("default_generator: cuda:4096 is not available: "),
              0u);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [] {
                           rng::Generator(Device{rng::DeviceType::cuda, -1}, 1);
                       }),
              "Generator: no such device: index -1 of cuda:-1");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [] {
                           rng::Generator(Device{rng::DeviceType::cpu, 1}, 1);
                       }),
              "Generator: no such device: index 1 of cpu");
    if (!gpus().empty()) return;
    const std::string why = error_of(ErrorCode::unsupported, [] { rng::Generator(rng::cuda(0), 1); });
    if (rng::has_cuda_backend()) {
        EXPECT_EQ(why.find("Generator: cuda:0 is not available: cudaGetDeviceCount: "), 0u) << why;
    } else {
        EXPECT_EQ(why, "Generator: cuda:0 is not available: rng was built without its CUDA backend");
    }
    EXPECT_EQ(rng::devices(), std::vector<Device>{rng::cpu()});
    EXPECT_EQ(error_of(ErrorCode::unsupported,
                       [] { (void)rng::sample_on(rng::cuda(0), rng::bits<uint32_t>{}, 3, rng::Stream<>{1}); })
                  .find("sample_on: cuda:0 is not available: "),
              0u);
}

// Every error of a fill is found before anything moves.
TEST(Device, RefusedFillsChangeNothing) {
    std::vector<float> host(8, 7.0f);
    rng::Generator on_cpu(42);
    const rng::device_span<float> out(host.data(), host.size());
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(out, rng::normal<float>{}, on_cpu); }),
              "fill: normal: the destination is device memory but the generator is on cpu");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(out, rng::normal{0.0f, -1.0f}, on_cpu);
                       }),
              "fill: normal: stddev must be in [0, 2^120], got -1");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { rng::fill(rng::device_span<float>(nullptr, 3), rng::normal<float>{}, on_cpu); }),
              "fill: normal: the destination is null but 3 values were asked for");
    EXPECT_EQ(
        error_of(
            ErrorCode::end_of_stream,
            [&] { rng::fill(out, rng::normal<float>{}, rng::Stream<>(1).at_position(rng::Stream<>::size_words - 4)); })
            .find("fill: "),
        0u);
    EXPECT_EQ(on_cpu.position(), 0u);
    EXPECT_EQ(host, std::vector<float>(8, 7.0f));
    if (!gpus().empty()) return;
    const auto no_device = [&](const auto& fill) {
        const std::string text = error_of(ErrorCode::unsupported, fill);
        EXPECT_EQ(text.find("fill: normal: "), 0u) << text;
    };
    no_device([&] { rng::fill(out, rng::normal<float>{}); });
    no_device([&] { rng::fill(out, rng::normal<float>{}, rng::Stream<>{1}); });
    no_device([&] { rng::fill(rng::device_matrix<float>{host.data(), 2, 2, 1, 2}, rng::normal<float>{}); });
    rng::fill(rng::device_span<float>(nullptr, 0), rng::normal<float>{}, rng::Stream<>{1});  // nothing to do
}

TEST(Device, RefusedBytesAndMatricesChangeNothing) {
    std::vector<std::byte> host(8);
    rng::Generator on_cpu(42);
    const rng::device_span<std::byte> out(host.data(), host.size());
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill_bytes(out, on_cpu); }),
              "fill: bytes: the destination is device memory but the generator is on cpu");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { rng::fill_bytes(rng::device_span<std::byte>(nullptr, 3), on_cpu); }),
              "fill: bytes: the destination is null but 3 values were asked for");
    const rng::Stream<> end = rng::Stream<>(1).at_position(rng::Stream<>::size_words - 1);
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { rng::fill_bytes(out, end); }).find("fill: "), 0u);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(rng::device_matrix<float>{nullptr, 2, 3, 1, 2}, rng::normal<float>{}, on_cpu);
                       }),
              "fill: normal: the destination is null but 6 values were asked for");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(rng::device_matrix<float>{nullptr, size_t{1} << 40, size_t{1} << 40},
                                     rng::normal<float>{}, on_cpu);
                       }),
              "fill: normal: a matrix of 1099511627776 x 1099511627776 elements is too large");
    EXPECT_EQ(on_cpu.position(), 0u);
    if (!gpus().empty()) return;
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { rng::fill_bytes(out); }).find("fill: bytes: "), 0u);
}

TEST(Device, ManualSeedReachesEveryDefaultGenerator) {
    const rng::ScopedGenerators saved;
    rng::manual_seed(7);
    for (const Device device : rng::devices()) {
        EXPECT_EQ(rng::default_generator(device).initial_seed(), 7u);
        EXPECT_EQ(rng::default_generator(device).device(), device);
    }
}

/// Without types: fills of every type would take minutes to compile.
bool gpu_has_the_bits_of_the_cpu(Device device, const rng::AnyDistribution& dist, const rng::AnyStream& stream,
                                 std::size_t n) {
    std::vector<std::byte> by_gpu(n * dist.info().value_bytes), by_cpu(by_gpu);
    dist.fill(by_gpu.data(), n, stream, 0, {.device = device});
    dist.fill(by_cpu.data(), n, stream);
    return by_gpu == by_cpu;
}

TEST(Gpu, EveryDistributionHasTheBitsOfTheCpu) {
    NEEDS_A_GPU();
    for (const Device device : gpus())
        support::for_each_case(3, [&](const auto& dist, const std::string& name) {
            for (const uint64_t position : {uint64_t{0}, uint64_t{5}, (uint64_t{1} << 34) - 8})
                for (const std::size_t n : {1u, 37u, 100'003u}) {
                    const rng::AnyStream stream = rng::AnyStream(42, rng::Engine::philox4x32_10, 7);
                    ASSERT_TRUE(gpu_has_the_bits_of_the_cpu(device, dist, stream.at_position(position), n))
                        << name << " from word " << position;
                }
        });
}

TEST(Gpu, EveryGoldenOfEveryEngine) {
    NEEDS_A_GPU();
    const auto rows = rng::verify(gpus());
    EXPECT_GT(rows.size(), 100u);
    for (const auto& row : rows) EXPECT_TRUE(row.ok()) << row.engine << " " << row.distribution << " " << row.dtype;
}

TEST(Gpu, EveryEngineMakesEveryKind) {
    NEEDS_A_GPU();
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        const rng::AnyStream stream = rng::Stream<E>(42, 7, 5);
        support::for_each_kind([&stream](const rng::AnyDistribution& dist, const std::string& name) {
            EXPECT_TRUE(gpu_has_the_bits_of_the_cpu(rng::cuda(0), dist, stream, 100'003)) << name << ", " << E::name;
        });
    });
}

}  // namespace
