// Thrust's algorithms on a GPU see the values of fills. nvcc compiles them in every build; without a GPU the tests are
// skipped.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include "../support/gpu.hpp"
#include "../support/paths.hpp"
#include "thrust_cuda.hpp"

namespace {

class ThrustOnGpu : public support::GpuTest {};

constexpr std::size_t n = 100'003;

TEST_F(ThrustOnGpu, IteratorsAreCopied) {
    const rng::Stream<> from(42, 7, 5);
    const rng::normal<float> dist{1.0f, 2.0f};
    for (const uint64_t first : {0u, 1001u}) {
        std::vector<float> expected(n);
        rng::fill(expected, dist, from, first);
        EXPECT_TRUE(support::same_bits(thrust_cuda::copied(from, dist, first, n, stream), expected)) << first;
    }
}

TEST_F(ThrustOnGpu, IteratorsAreTransformed) {
    const rng::Stream<rng::Threefry4x64_20> from(42, 7, 3);
    std::vector<double> expected = rng::sample(rng::normal<double>{}, n, from);
    for (std::size_t i = 0; i < n; ++i) expected[i] += static_cast<double>(i);
    EXPECT_TRUE(support::same_bits(thrust_cuda::added(from, {}, n, stream), expected));
}

TEST_F(ThrustOnGpu, FunctorsTabulate) {
    const rng::uniform_int<int> die{1, 6};
    EXPECT_TRUE(support::same_bits(thrust_cuda::tabulated(rng::Stream<>{3}, die, n, stream),
                                   rng::sample(die, n, rng::Stream<>{3})));
}

TEST_F(ThrustOnGpu, EnginesServeItsDistributions) {
    const rng::Stream<> from{42};
    std::vector<double> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = rng::word(from, 4 * i) * 0x1p-30 - 1;  // no product is rounded
    EXPECT_TRUE(support::same_bits(thrust_cuda::drawn(from, n, stream), expected));
}

}  // namespace
