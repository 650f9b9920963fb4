// The statistical tests of words' order (permutations, runs, maxima) and of words XOR earlier words.
// Checked: counts of known words, uniform p-values, and flaws that must fail, with their controls.
//
// False alarms: seeds are fixed, so a run repeats. Bounds on p-values are 1e-9, of 20 checks at most.
//
#include <gtest/gtest.h>
#include <rng/stats/engine.hpp>

#include <cmath>
#include <tuple>

#include "../support/battery.hpp"
#include "../support/paths.hpp"

namespace {

using namespace support;

/// The counts of a test that was given these words.
template <class T> std::vector<uint64_t> counts_of(const std::string& name, const std::vector<T>& words) {
    auto test = rng::stats::make_tests(rng::stats::Stage::stream, generator_with_words<T>(), {}, {&name, 1});
    test.at(0).test->add({0, std::as_bytes(std::span(words)), 8 * sizeof(T)});
    return test[0].test->counts;
}
std::vector<uint64_t> piece(const std::vector<uint64_t>& of, std::size_t from, std::size_t size) {
    const auto at = of.begin() + static_cast<std::ptrdiff_t>(from);
    return {at, at + static_cast<std::ptrdiff_t>(size)};
}

TEST(Order, EachPermutationHasACellOfItsOwn) {
    // All orders of t words, each once, t = 3 and 5: every cell of that t has one.
    for (const auto& [t, first] : {std::pair<std::size_t, std::size_t>{3, 0}, {4, 6}, {5, 30}, {6, 150}}) {
        std::vector<uint32_t> order(t), words;
        for (std::size_t i = 0; i < t; ++i) order[i] = static_cast<uint32_t>(i) << 28 | 12345;
        do words.insert(words.end(), order.begin(), order.end());
        while (std::next_permutation(order.begin(), order.end()));
        const std::size_t cells = words.size() / t;
        EXPECT_EQ(piece(counts_of("order", words), first, cells), std::vector<uint64_t>(cells, 1)) << t;
    }
}
TEST(Order, RunsAreCutAtDescentsAndTheWordAfterIsLeftOut) {
    // 1 2 3 | (2) 5 6 7 8 9 10 11 | (4) 3 | (1) 4 | (0) 9: the last run has no end.
    const std::vector<uint32_t> words = {1, 2, 3, 2, 5, 6, 7, 8, 9, 10, 11, 4, 3, 1, 4, 0, 9};
    EXPECT_EQ(piece(counts_of("order", words), 6 + 24 + 120 + 720, 6), (std::vector<uint64_t>{2, 0, 1, 0, 0, 1}));
}
TEST(Order, TheLargestOfEightIsUniformToTheEighthPower) {
    std::vector<uint64_t> words(16, 5);
    words[3] = uint64_t{1} << 63;  // 2^-8 of all: cell 0 of 64
    words[12] = static_cast<uint64_t>(std::ldexp(std::pow(0.51, 0.125), 64));
    auto expected = std::vector<uint64_t>(64);
    expected[0] = expected[32] = 1;
    EXPECT_EQ(piece(counts_of("order", words), 6 + 24 + 120 + 720 + 6, 64), expected);
}

// x[n] = x[n-1] + x[n-2] is never between them: two of six orders do not occur (Knuth, TAOCP 2, section 3.3.2, exercise
// 27's reason for not using it).
TEST(Order, FailsTheFibonacciGeneratorAndPassesASoundOne) {
    const auto fibonacci = generate<uint32_t>([a = 123456789u, b = 362436069u]() mutable {
        const uint32_t next = a + b;
        a = b;
        return b = next;
    });
    const uint64_t failed = fails_at(fibonacci, "order", 4 * MiB);
    EXPECT_GT(failed, 0u);
    EXPECT_LE(failed, 512 * KiB);
    EXPECT_GT(worst_of(multiplicative61(), "order", 8 * MiB), -3);
    EXPECT_GT(worst_of(std::ranlux48(2), "order", 4 * MiB), -3);
}

template <int rounds> double worst_of_philox(const char* test, uint64_t bytes) {
    using Engine = rng::PhiloxEngine<uint32_t, rounds>;
    const auto generator = rng::stats::engine_under_test<Engine>(42, "philox", rng::Stream<Engine>(42));
    return run_test(generator, test, bytes).worst()->log10_adjusted;
}
TEST(Order, FailsPhiloxOfFourRoundsAndPassesTen) {
    EXPECT_LT(worst_of_philox<4>("order", 1 * MiB), -6);
    EXPECT_GT(worst_of_philox<10>("order", 8 * MiB), -3);
}

TEST(XorLags, CountsTheBitsThatDifferFromEarlierWords) {
    std::mt19937_64 random(1);
    const auto expect_counts = [](const auto& words) {
        const auto counts = counts_of("xor-lags", words);
        std::vector<std::size_t> lags(16);
        for (std::size_t i = 0; i < 16; ++i) lags[i] = i + 1;
        for (std::size_t k = 5; k < 20; ++k) lags.push_back(std::size_t{1} << k);
        ASSERT_EQ(counts.size(), 2 * lags.size());
        const std::size_t in_8_bytes = 8 / sizeof(words[0]);
        for (std::size_t i = 0; i < lags.size(); ++i) {
            const std::size_t lag = lags[i];
            uint64_t weight = 0, n = 0;
            if (2 * lag <= words.size()) n = (words.size() - lag) / in_8_bytes * in_8_bytes;
            for (std::size_t k = 0; k < n; ++k)
                weight += static_cast<uint64_t>(std::popcount(static_cast<uint64_t>(words[k] ^ words[k + lag])));
            EXPECT_EQ(counts[2 * i], n * 8 * sizeof(words[0])) << lag;
            EXPECT_EQ(counts[2 * i + 1], weight) << lag;
        }
    };
    std::vector<uint32_t> words(10006);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    expect_counts(words);
    std::vector<uint64_t> longs(9000);
    for (uint64_t& word : longs) word = random();
    expect_counts(longs);
}
TEST(XorLags, FailsLcg64AtOnceAndPassesItsHighHalf) {
    EXPECT_EQ(fails_at(lcg64(), "xor-lags", 4 * MiB), 8 * KiB);
    EXPECT_GT(worst_of(lcg64_high(), "xor-lags", 4 * MiB), -3);
}
TEST(XorLags, FailsPhiloxOfFiveRoundsAndPassesTen) {
    EXPECT_LT(worst_of_philox<5>("xor-lags", 4 * MiB), -6);
    EXPECT_GT(worst_of_philox<10>("xor-lags", 16 * MiB), -3);
}
/// A word repeated with one bit in 40 alike more often, at one lag: found there.
TEST(XorLags, FindsALagOfAPowerOfTwo) {
    const auto echo =
        generate<uint32_t>([random = std::mt19937(1), past = std::vector<uint32_t>(1024), i = 0u]() mutable {
            uint32_t word = static_cast<uint32_t>(random());
            if (random() % 16 == 0) word = past[i];
            past[i] = word;
            i = (i + 1) % 1024;
            return word;
        });
    const auto report = run_test(generator_of(echo), "xor-lags", 1 * MiB);
    EXPECT_EQ(report.verdict, rng::stats::Verdict::fail);
    EXPECT_EQ(report.worst()->part, "powers");
}

TEST(Words, PValuesAreUniform) {
    for (const auto& [test, bytes, repetitions] : {std::tuple{"order", 2 * MiB, 80}, {"xor-lags", 512 * KiB, 200}}) {
        const auto parts = p_values(std::mt19937(12), test, bytes, support::sanitized ? 40 : repetitions);
        EXPECT_EQ(parts.size(), test == std::string("order") ? 6u : 2u);
        for (const auto& [part, values] : parts) EXPECT_GT(uniformity(values), 1e-9) << test << ' ' << part;
    }
}

}  // namespace
