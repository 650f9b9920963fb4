// Thrust's algorithms on this library's values, and its distributions on this library's engines: the same bits under
// every execution policy. The CPU's systems run here; for CUDA the header is compiled (cuda_header.interop_thrust).
#include <gtest/gtest.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <rng/interop/thrust.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/paths.hpp"

#if defined(_OPENMP)
#include <thrust/system/omp/execution_policy.h>
#endif

namespace {

using rng::interop::ThrustEngine;
using rng::interop::value_iterator;
using rng::interop::ValueAt;

/// Calls f(policy, name) for each system there is.
template <class F> void for_each_policy(const F& f) {
    f(thrust::seq, "seq");
    f(thrust::cpp::par, "cpp");
#if defined(_OPENMP)
    f(thrust::omp::par, "omp");
#endif
}

constexpr std::size_t n = 10'007;

TEST(Thrust, EveryKindUnderEveryPolicyIsWhatFillWrites) {
    for_each_policy([](const auto& policy, const std::string& system) {
        support::for_each_kind([&](const auto& dist, const std::string& name) {
            const rng::Stream<> stream(42, 7, 5);
            const auto expected = rng::sample(dist, n, stream);
            auto got = expected;
            std::fill(got.begin(), got.end(), typename decltype(got)::value_type{});
            const auto values = value_iterator(stream, dist);
            thrust::copy_n(policy, values, n, got.begin());
            EXPECT_TRUE(support::same_bits(got, expected)) << name << ", copy_n, " << system;
            std::fill(got.begin(), got.end(), typename decltype(got)::value_type{});
            thrust::tabulate(policy, got.begin(), got.end(), ValueAt(stream, dist));
            EXPECT_TRUE(support::same_bits(got, expected)) << name << ", tabulate, " << system;
        });
    });
}

TEST(Thrust, IteratorsBeginAnywhere) {
    const rng::Stream<rng::Threefry4x64_20> stream(42, 7, 3);
    const rng::normal<double> dist{1, 2};
    const auto values = value_iterator(stream, dist, 1000);
    EXPECT_EQ(values[5], rng::at(stream, dist, 1005));
    EXPECT_EQ(*(values + 6), rng::at(stream, dist, 1006));
    EXPECT_EQ((values + 10) - values, 10);
}

TEST(Thrust, ASumInFixedOrderAndCounts) {
    const auto heads = value_iterator(rng::Stream<>{3}, rng::bernoulli{0.25});
    const auto faces = value_iterator(rng::Stream<>{3}, rng::uniform_int<int>{1, 6});
    std::size_t expected_heads = 0;
    long long expected_sum = 0;
    for (std::size_t i = 0; i < 50'000; ++i) {
        expected_heads += heads[static_cast<std::ptrdiff_t>(i)];
        expected_sum += faces[static_cast<std::ptrdiff_t>(i)];
    }
    EXPECT_NEAR(static_cast<double>(expected_heads), 12'500, 500);
    EXPECT_NEAR(static_cast<double>(expected_sum), 175'000, 2'000);
    for_each_policy([&](const auto& policy, const std::string& system) {
        // Integers: the order of addition does not show.
        EXPECT_EQ(static_cast<std::size_t>(thrust::count(policy, heads, heads + 50'000, true)), expected_heads)
            << system;
        EXPECT_EQ(thrust::reduce(policy, faces, faces + 50'000, 0LL), expected_sum) << system;
    });
}

TEST(Thrust, PastTheEndThrows) {
    const rng::Stream<> last = rng::Stream<>{1}.at_position(rng::Stream<>::size_words - 4);
    const ValueAt value(last, rng::normal<double>{});
    (void)value(1);
    EXPECT_EQ(support::error_of(rng::ErrorCode::end_of_stream, [&] { (void)value(2); }).find("ValueAt: "), 0u);
}

/// Thrust's uniform distributions on an engine, given the words that it should use.
template <class E> void check_thrust_distributions() {
    using Engine = ThrustEngine<E>;
    const rng::Stream<E> stream(42, 7, 8);
    Engine engine(stream), words(stream);
    static_assert(Engine::min == rng::block_engine<E>::min() && Engine::max == rng::block_engine<E>::max());

    thrust::uniform_real_distribution<double> uniform(-1.0, 3.0);
    thrust::uniform_int_distribution<int> die(1, 6);
    for (int i = 0; i < 1000; ++i) {
        // Source: thrust/random/detail/uniform_real_distribution.inl, word / (1 + max - min), in the result's type.
        const double unit = static_cast<double>(words()) / (1.0 + static_cast<double>(Engine::max));
        EXPECT_DOUBLE_EQ(uniform(engine), unit * 4.0 - 1.0) << i;
    }
    for (int i = 0; i < 1000; ++i) {
        const int face = die(engine);
        EXPECT_TRUE(1 <= face && face <= 6) << face;
    }
    thrust::normal_distribution<double> normal(10, 2);
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) sum += normal(engine);
    EXPECT_NEAR(sum / 10'000, 10, 6 * 2 / 100.0);
}

TEST(Thrust, ItsDistributionsTakeOurEngines) {
    check_thrust_distributions<rng::Philox4x32_10>();
    check_thrust_distributions<rng::Threefry4x64_20>();
}

// Element i of a parallel algorithm has its own engine, where a fill would have it.
TEST(Thrust, EnginesInsideFunctors) {
    const rng::Stream<> stream{42};
    const auto fourth_word = [stream](uint64_t i) {
        ThrustEngine<rng::Philox4x32_10> engine(stream.at_position(4 * i));
        engine.discard(3);
        return engine();
    };
    for_each_policy([&](const auto& policy, const std::string& system) {
        std::vector<uint32_t> got(n);
        thrust::tabulate(policy, got.begin(), got.end(), fourth_word);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], rng::word(stream, 4 * i + 3)) << system << " " << i;
    });
}

}  // namespace
