// The statistical tests of points: birthday spacings, the same decimated, collisions. Counts against plain ones, the
// mean's formula against simulation, uniform p-values, flaws that must fail and their controls.
//
// False alarms: seeds are fixed, so a run repeats. Bounds on p-values are 1e-9, of 50 checks at most.
//
#include <gtest/gtest.h>

#include <rng/stats/engine.hpp>

#include <cmath>
#include <set>

#include "../support/battery.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/checks/bits/spacings.hpp"

namespace {

using namespace support;
using rng::stats::PointShape;
using rng::stats::Spacings;

template <class T> uint64_t equal_spacings(std::vector<T> points, int log2_cells) {
    return Spacings().count_equal(std::span(points), log2_cells);
}

TEST(Spacings, CountsSpacingsThatAreEqualToOthers) {
    EXPECT_EQ(equal_spacings<uint32_t>({20, 4, 23, 1, 7}, 5), 2u);  // 3, 3, 13, 3
    EXPECT_EQ(equal_spacings<uint64_t>({5, 9, 5, 5}, 44), 1u);      // 0, 0, 4
    EXPECT_EQ(equal_spacings<uint32_t>({0, 0xffffffff, 0x7fffffff}, 32), 0u);
    EXPECT_EQ(equal_spacings<uint32_t>({3, 1}, 2), 0u);
    EXPECT_EQ(equal_spacings<uint32_t>({}, 2), 0u);
    EXPECT_EQ(equal_spacings<uint32_t>(std::vector<uint32_t>(1000, 7), 32), 998u);
}

template <class T> void expect_plain_count(int bits, std::size_t n) {
    std::mt19937_64 random(static_cast<uint64_t>(bits) * 1000 + n);
    std::vector<T> points(n);
    for (T& point : points) point = static_cast<T>(random() >> (64 - bits));
    std::multiset<T> sorted(points.begin(), points.end());
    std::set<T> different;
    for (auto at = sorted.begin(); std::next(at) != sorted.end(); ++at) different.insert(*std::next(at) - *at);
    EXPECT_EQ(equal_spacings(points, bits), n - 1 - different.size()) << bits << " bits, " << n << " points";
}
TEST(Spacings, CountsWhatSetsCount) {
    for (const std::size_t n : {3u, 100u, 5000u}) {
        for (const int bits : {4, 11, 12, 22, 23, 32}) expect_plain_count<uint32_t>(bits, n);
        for (const int bits : {10, 33, 44, 64}) expect_plain_count<uint64_t>(bits, n);
    }
}

TEST(Spacings, PointsAreTheHighestOrLowestBitsOfWords) {
    const std::vector<uint32_t> words = {0x12345678, 0x9abcdef0, 0x0fedcba9, 0x87654321, 0xffffffff};
    std::vector<uint32_t> points(2);
    rng::stats::make_points(std::span(words), PointShape{2, 16, true}, std::span(points));
    EXPECT_EQ(points, (std::vector<uint32_t>{0x12349abc, 0x0fed8765}));
    rng::stats::make_points(std::span(words), PointShape{2, 12, false}, std::span(points));
    EXPECT_EQ(points, (std::vector<uint32_t>{0x678ef0, 0xba9321}));
    std::vector<uint64_t> wide(1);
    rng::stats::make_points(std::span(words), PointShape{2, 22, true}, std::span(wide));
    EXPECT_EQ(wide[0], uint64_t{0x12345678 >> 10} << 22 | 0x9abcdef0 >> 10);
    rng::stats::make_points(std::span(words), PointShape{1, 32, true}, std::span(points));
    EXPECT_EQ(points, (std::vector<uint32_t>{0x12345678, 0x9abcdef0}));
    const std::vector<uint64_t> longs = {0x123456789abcdef0, 0x0fedcba987654321};
    rng::stats::make_points(std::span(longs), PointShape{1, 32, false}, std::span(points));
    EXPECT_EQ(points, (std::vector<uint32_t>{0x9abcdef0, 0x87654321}));
}

// For 256 points n^3 / (4 m) alone is 14 standard errors off.
TEST(Spacings, TheMeanIsThatOfSimulation) {
    for (const auto& [n, bits] : {std::pair<std::size_t, int>{256, 20}, {1024, 26}}) {
        std::mt19937_64 random(5);
        Spacings spacings;
        std::vector<uint32_t> points(n);
        const int sets = n == 256 ? 80'000 : 10'000;
        uint64_t sum = 0;
        for (int i = 0; i < sets; ++i) {
            for (uint32_t& point : points) point = static_cast<uint32_t>(random() >> (64 - bits));
            sum += spacings.count_equal(std::span(points), bits);
        }
        const double mean = rng::stats::spacings_mean(static_cast<double>(n), bits);
        EXPECT_NEAR(static_cast<double>(sum) / sets, mean, 4.5 * std::sqrt(mean / sets)) << n;
        if (n == 256) {
            EXPECT_GT(std::ldexp(std::pow(n, 3), -bits - 2) - mean, 14 * std::sqrt(mean / sets));
        }
    }
}

TEST(Birthday, FailsRanduAtOnce) { EXPECT_EQ(fails_at(randu(), "birthday", 64 * KiB), 8 * KiB); }
TEST(Birthday, PassesAPrimeModulus) { EXPECT_GT(worst_of(multiplicative61(), "birthday", 8 * MiB), -3); }

/// Low bits alone, or high bits alone, are a small lattice: shapes of that end must see it, and those of the other not.
TEST(Birthday, LooksAtBothEndsOfWords) {
    for (const bool high : {true, false}) {
        std::mt19937_64 random(7);
        const auto flawed = generate<uint32_t>([random, x = 1u, high]() mutable {
            x = x * 65539 & 0x7fffffff;
            const uint32_t bits = x >> 15, sound = static_cast<uint32_t>(random() & 0xffff);
            return high ? bits << 16 | sound : sound << 16 | bits;
        });
        const auto report = run_test(generator_of(flawed), "birthday", 4 * MiB);
        ASSERT_EQ(report.verdict, rng::stats::Verdict::fail);
        for (const auto& result : report.analyses.back().results) {
            const bool is_high = result.part.find("high") != std::string::npos;
            if (is_high != high && result.part != "1x32high" && result.part.find("22") == std::string::npos) {
                EXPECT_GT(result.log10_adjusted, -3) << result.part;
            }
        }
        EXPECT_EQ(report.worst()->part.find(high ? "high" : "low") != std::string::npos, true) << report.worst()->part;
    }
}

TEST(BirthdayDecimated, FailsTheHighHalfOfLcg64WithinItsBound) {
    const uint64_t failed = fails_at(lcg64_high(), "birthday-decimated", 128 * MiB);
    EXPECT_GT(failed, 0u);
    EXPECT_LE(failed, 128 * MiB);
    // Without decimation, nothing: that is what it is for.
    EXPECT_GT(worst_of(lcg64_high(), "birthday", 8 * MiB), -3);
}
TEST(BirthdayDecimated, PassesTheSameWithASoundOutputFunction) {
    EXPECT_GT(worst_of(pcg32(), "birthday-decimated", support::sanitized ? 8 * MiB : 128 * MiB), -3);
}
/// Every 256th word alone is flawed: slots must hold those very words, over several segments and either size of word.
TEST(BirthdayDecimated, FindsAFlawOfEvery256thWordOnly) {
    const auto flawed = [](auto zero, unsigned offset) {
        return generate<decltype(zero)>([random = std::mt19937_64(1), x = 1u, i = offset]() mutable {
            const uint64_t sound = random();
            return i++ % 256 == 0 ? uint64_t{x = x * 65539 & 0x7fffffff} << (8 * sizeof(zero) - 31) : sound;
        });
    };
    const auto least_of_256 = [](auto generator) {
        double least = 0;
        const auto report = run_test(generator_of(generator), "birthday-decimated", 12 * MiB, true);
        for (const auto& analysis : report.analyses)
            for (const auto& result : analysis.results)
                if (result.part.starts_with("2^8,")) least = std::min(least, result.log10_adjusted);
        return least;
    };
    EXPECT_LT(least_of_256(flawed(uint32_t{}, 0)), -100);
    EXPECT_LT(least_of_256(flawed(uint64_t{}, 0)), -100);
    EXPECT_GT(least_of_256(flawed(uint32_t{}, 1)), -3);
}
TEST(BirthdayDecimated, DoesNotDependOnThreads) {
    rng::stats::Options options;
    options.bytes = 40 * MiB + 8 * KiB;
    options.only = {"birthday-decimated"};
    std::vector<double> worst;
    for (const int threads : {1, 3}) {
        options.threads = threads;
        const auto report = rng::stats::run_battery(generator_of(std::mt19937_64(3)), options);
        for (const auto& result : report.analyses.back().results) worst.push_back(result.p.log10_upper);
    }
    ASSERT_GT(worst.size(), 0u);
    EXPECT_TRUE(std::equal(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(worst.size() / 2),
                           worst.begin() + static_cast<std::ptrdiff_t>(worst.size() / 2)));
}

template <int rounds> double collisions_of_philox() {
    using Engine = rng::PhiloxEngine<uint32_t, rounds>;
    const auto generator = rng::stats::engine_under_test<Engine>(42, "philox", rng::Stream<Engine>(42));
    return run_test(generator, "collisions", 4 * MiB).worst()->log10_adjusted;
}
TEST(Collisions, FailsPhiloxOfFourRoundsAndPassesTen) {
    EXPECT_LT(collisions_of_philox<4>(), -6);
    EXPECT_GT(collisions_of_philox<10>(), -3);
}
TEST(Collisions, FailsRanduAndPassesAPrimeModulus) {
    EXPECT_EQ(fails_at(randu(), "collisions", 4 * MiB), 32 * KiB);
    EXPECT_GT(worst_of(multiplicative61(), "collisions", 8 * MiB), -3);
}
/// Counted plainly, with a set and with runs joined, on one set of words.
TEST(Collisions, CountsBeginningsOfRuns) {
    // Period 8,192 in all bits: every tuple after the first period has occurred, in a single run of collisions.
    const auto periodic =
        generate<uint32_t>([random = std::mt19937(9), words = std::vector<uint32_t>(), i = 0u]() mutable {
            if (words.size() < 8192) words.push_back(static_cast<uint32_t>(random()));
            return words[i++ % 8192];
        });
    const auto source = generator_of(periodic).source;
    std::vector<uint64_t> data(65536 / 2);
    source->read(0, std::as_writable_bytes(std::span(data)));
    const std::string name = "collisions";
    auto test = rng::stats::make_tests(rng::stats::Stage::stream, generator_with_words<uint32_t>(), {}, {&name, 1});
    test.at(0).test->add({0, std::as_bytes(std::span(data)), 32});
    // 2x14high: 8,192 tuples of 2^28 collide with probability 1/8; that run and the few runs before are all.
    std::set<uint32_t> seen;
    uint64_t runs = 0;
    bool before = false;
    const auto* const words = reinterpret_cast<const uint32_t*>(data.data());
    for (std::size_t i = 1; i < 65536; ++i) {
        const bool collides = !seen.insert(words[i - 1] >> 18 << 14 | words[i] >> 18).second;
        runs += collides && !before;
        before = collides;
    }
    EXPECT_LE(runs, 4u);
    EXPECT_EQ(test[0].test->counts[0], runs);
}

// 28x1 has runs of collisions of mean length 2: their number alone is Poisson.
TEST(Points, PValuesAreUniform) {
    const int repetitions = support::sanitized ? 100 : 200;
    for (const char* const test : {"birthday", "collisions"}) {
        const auto parts = p_values(std::mt19937_64(11), test, 512 * KiB, repetitions);
        EXPECT_EQ(parts.size(), test == std::string("birthday") ? 17u : 10u);
        for (const auto& [part, values] : parts) {
            EXPECT_EQ(values.size(), static_cast<std::size_t>(repetitions));
            EXPECT_GT(uniformity(values), 1e-9) << test << ' ' << part;
        }
    }
}

}  // namespace
