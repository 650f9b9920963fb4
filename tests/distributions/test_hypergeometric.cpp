// hypergeometric: masses of the walks against Boost.Math, borders of acceptance against products of ratios, the hat
// over the masses, symmetries, corners, order, tables, what bad parameters are answered.
#include <gtest/gtest.h>
#include <boost/math/distributions/hypergeometric.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../support/paths.hpp"
#include "mass_distance.hpp"

namespace {

using rng::Stream;
using support::fill_error;
using support::log2_distance;
using U64 = rng::lane::u64<rng::lane::Scalar>;
using Dist = rng::hypergeometric<int64_t>;

/// The masses of the values from `least` to `most`. Boost takes milliseconds for each of many items, and loses digits.
/// There the ratios of neighbours are multiplied, and their sum is the divisor.
std::vector<long double> masses(const Dist& d, int64_t least, int64_t most) {
    std::vector<long double> all;
    const auto good = static_cast<long double>(d.good), draws = static_cast<long double>(d.draws);
    const long double rest = static_cast<long double>(d.bad) - draws;
    if (d.good + d.bad < 1 << 9) {
        const boost::math::hypergeometric_distribution<long double> exact(
            static_cast<unsigned>(d.good), static_cast<unsigned>(d.draws), static_cast<unsigned>(d.good + d.bad));
        for (int64_t k = least; k <= most; ++k) all.push_back(boost::math::pdf(exact, static_cast<long double>(k)));
        return all;
    }
    long double sum = 0;
    for (auto k = static_cast<long double>(least); k <= static_cast<long double>(most); ++k) {
        all.push_back(all.empty() ? 1e-1000L : all.back() * ((good - k + 1) / k * ((draws - k + 1) / (rest + k))));
        sum += all.back();
    }
    for (long double& x : all) x /= sum;
    return all;
}

TEST(Hypergeometric, MassesOfWalks) {
    std::vector<Dist> all{{1, 1, 1},
                          {2, 3, 4},
                          {4, 48, 5},
                          {26, 26, 26},
                          {500, 500, 500},
                          {1000, 1000, 1000},
                          {700, 100000, 40000},
                          {30, 1'000'000, 500'000},
                          {1'000'000, 1'000'000, 900}};
    std::mt19937 engine(1);
    for (int i = 0; i < 40; ++i) {
        const auto good = static_cast<int64_t>(engine() % 1000), bad = static_cast<int64_t>(engine() % 1000);
        all.push_back({good, bad, static_cast<int64_t>(engine() % static_cast<unsigned>(good + bad + 1))});
    }
    int walks = 0;
    for (const Dist& d : all) {
        const auto map = d.map();
        if (map.has_trials) continue;
        ++walks;
        const int64_t least = std::max<int64_t>(0, d.draws - d.bad), most = std::min(d.good, d.draws);
        const std::vector<long double> exact = masses(d, least, most);
        const auto mass = [&](uint64_t count) -> long double {
            const auto k = static_cast<int64_t>((count ^ map.mirror) + map.offset);
            return k < least || k > most ? 0 : exact[static_cast<std::size_t>(k - least)];
        };
        EXPECT_LT(log2_distance(map.walk, mass), -46) << d.good << ' ' << d.bad << ' ' << d.draws;
    }
    EXPECT_GE(walks, 40);
}

/// Laws of trials, not mirrored: no more than half of the items are good, and no more than half are drawn.
const std::vector<Dist> trials{{2100, 2100, 2050},
                               {2100, 2102, 2101},
                               {2000, 5000, 3000},
                               {1100, 1'000'000, 450'000},
                               {1100, int64_t{1} << 52, int64_t{1} << 51},
                               {1'000'000, 1'000'000, 1'000'000},
                               {1'000'000'000, 3'000'000'000, 1'000'000},
                               {int64_t{1} << 51, (int64_t{1} << 52) - 1, int64_t{1} << 50},
                               {(int64_t{1} << 52) - 1, int64_t{1} << 52, int64_t{1} << 51}};

/// ln of the ratio of the masses of m + h and m, by the ratios of neighbours.
std::vector<long double> log_ratios(const Dist& d, uint64_t mode, int64_t most) {
    const auto good = static_cast<long double>(d.good), draws = static_cast<long double>(d.draws);
    const long double rest = static_cast<long double>(d.bad) - draws;
    std::vector<long double> logs(static_cast<std::size_t>(2 * most + 1), 0);
    const auto at = [&](int64_t h) -> long double& { return logs[static_cast<std::size_t>(h + most)]; };
    const auto ratio = [&](int64_t h) {  // P(m + h + 1) / P(m + h)
        const long double k = static_cast<long double>(mode) + static_cast<long double>(h);
        return std::log((good - k) / (k + 1)) + std::log((draws - k) / (rest + k + 1));
    };
    for (int64_t h = 0; h < most; ++h) at(h + 1) = at(h) + ratio(h);
    for (int64_t h = 0; h > -most; --h) at(h - 1) = at(h) - ratio(h - 1);
    return logs;
}
int64_t deviations(const Dist& d, double number) {
    const auto all = static_cast<double>(d.good + d.bad), good = static_cast<double>(d.good);
    const auto draws = static_cast<double>(d.draws);
    return static_cast<int64_t>(number * std::sqrt(draws * good / all * (1 - good / all) * (1 - draws / all)));
}

// The hat: |x - a| times the root of the mass is at most half the width, and no mass is above that of the mode.
TEST(Hypergeometric, TrialsCoverAllMasses) {
    for (const Dist& d : trials) {
        const auto map = d.map();
        ASSERT_TRUE(map.has_trials && map.mirror == 0) << d.good;
        const int64_t most = deviations(d, 8);
        if (most > 1 << 20) continue;
        const auto logs = log_ratios(d, map.walk.anchor, most);
        for (int64_t h = -most; h <= most; ++h) {
            const long double log = logs[static_cast<std::size_t>(h + most)];
            ASSERT_LE(log, 1e-12L) << d.good << ' ' << h;
            const long double low = std::fabs(static_cast<long double>(h) - map.place);
            const long double high = std::fabs(static_cast<long double>(h + 1) - map.place);
            ASSERT_LE(std::max(low, high) * std::exp(log / 2), map.width / 2) << d.good << ' ' << h;
        }
    }
}

// Beside the border, where u^2 is the ratio of the masses, a trial is accepted on one side only.
TEST(Hypergeometric, BordersOfAcceptance) {
    int borders = 0;
    for (const Dist& d : trials) {
        const auto map = d.map();
        const int64_t most = std::min<int64_t>(deviations(d, 6), 200000);
        const auto logs = log_ratios(d, map.walk.anchor, most);
        for (int64_t h = -most; h <= most; h += std::max<int64_t>(1, most / 50)) {
            const long double log = logs[static_cast<std::size_t>(h + most)];
            for (const long double side : {-1.0L, 1.0L}) {
                const long double u = std::exp(log / 2 + side * 1e-9L);
                const long double v = (static_cast<long double>(h) + 0.5L - map.place) * u / map.width + 0.5L;
                if (u >= 1 || v <= 0 || v >= 1) continue;
                const auto made = map(U64(static_cast<uint64_t>(u * 0x1p64L)), U64(static_cast<uint64_t>(v * 0x1p64L)));
                ASSERT_EQ(made.value.v, map.walk.anchor + static_cast<uint64_t>(h)) << d.good << ' ' << h;
                EXPECT_EQ(made.undecided.v, side > 0) << d.good << ' ' << h;
                ++borders;
            }
        }
    }
    EXPECT_GT(borders, 1000);
}

// All good ones are drawn or left; a good one is drawn or a bad one.
TEST(Hypergeometric, Symmetries) {
    std::mt19937_64 engine(2);
    for (const Dist& d : std::vector<Dist>{{40, 60, 30}, {700, 300, 450}, {100'000, 70'000, 90'000}}) {
        const auto map = d.map(), of_bad = Dist{d.bad, d.good, d.draws}.map();
        const auto of_left = Dist{d.good, d.bad, d.good + d.bad - d.draws}.map();
        for (int i = 0; i < 300; ++i) {
            const uint64_t w = engine(), x = engine();
            const auto made = map(U64(w), U64(x)), other = of_bad(U64(~w), U64(x)), left = of_left(U64(~w), U64(x));
            ASSERT_EQ(made.undecided.v, other.undecided.v);
            ASSERT_EQ(made.undecided.v, left.undecided.v);
            EXPECT_EQ(made.value.v + other.value.v, static_cast<uint64_t>(d.draws));
            EXPECT_EQ(made.value.v + left.value.v, static_cast<uint64_t>(d.good));
        }
    }
}

template <class F> void for_each_law(const F& f) {
    constexpr int most = std::numeric_limits<int>::max();
    for (const int good : {0, 1, 5, 300, 100'000, most})
        for (const int bad : {0, 1, 7, 900, 50'000, most})
            for (const double share : {0.0, 0.001, 0.3, 0.5, 0.8, 1.0}) {
                const double draws = share * (static_cast<double>(good) + bad);
                if (draws <= most) f(rng::hypergeometric{good, bad, static_cast<int>(draws)});
            }
    constexpr int64_t many = (int64_t{1} << 53) - 1;
    for (const int64_t good : {int64_t{3}, many / 3, many / 2, many})
        for (const int64_t draws : {int64_t{0}, int64_t{1000}, many / 2, many - 5, many})
            f(Dist{good, many - good, draws});
}

TEST(Hypergeometric, FillsAreAtOnEveryPath) {
    for_each_law([](const auto& dist) {
        const auto expected = support::by_at(Stream{9}, dist, 301);
        support::on_every_path({1, 2}, [&](const std::string& path) {
            for (const std::size_t n : {1u, 7u, 301u}) {
                const auto x = rng::sample(dist, n, Stream{9});
                EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << dist.good << ' ' << path;
            }
        });
    });
}

TEST(Hypergeometric, ValuesAreInTheSupportAndWalksInOrder) {
    std::vector<uint64_t> words{0, 1, ~uint64_t{0} - 1, ~uint64_t{0}, (uint64_t{1} << 63) - 1, uint64_t{1} << 63};
    std::mt19937_64 engine(3);
    for (int i = 0; i < 64; ++i)
        for (const uint64_t w : {engine(), engine() >> i, ~(engine() >> i)}) words.push_back(w);
    std::sort(words.begin(), words.end());
    for_each_law([&](const auto& dist) {
        const auto map = dist.map();
        int64_t before = 0;
        for (const uint64_t w : words) {
            const auto made = map(U64(w), U64(engine()));
            if (made.undecided.v) continue;
            const auto x = static_cast<int64_t>(made.value.v);
            EXPECT_TRUE(x >= 0 && x <= dist.good && x <= dist.draws && dist.draws - x <= dist.bad)
                << dist.good << ' ' << dist.bad << ' ' << dist.draws << ": " << x;
            if (!map.has_trials) {
                EXPECT_GE(x, before) << w;
            }
            before = x;
        }
    });
}

TEST(Hypergeometric, Corners) {
    const auto constant = [](int good, int bad, int draws, int value) {
        EXPECT_EQ(rng::sample(rng::hypergeometric{good, bad, draws}, 100, Stream{3}), std::vector<int>(100, value));
    };
    constant(5, 7, 0, 0);
    constant(0, 7, 3, 0);
    constant(5, 0, 3, 3);
    constant(5, 7, 12, 5);
    constant(0, 0, 0, 0);
    const auto coin = rng::hypergeometric{1, 3, 1}.map();
    EXPECT_EQ(coin(U64((uint64_t{3} << 62) - 4096), U64(0)).value.v, 0u);
    EXPECT_EQ(coin(U64((uint64_t{3} << 62) + 4096), U64(0)).value.v, 1u);
}

TEST(Hypergeometric, BadParametersAreNamed) {
    EXPECT_EQ(fill_error(rng::hypergeometric{-1, 1, 1}), "fill: hypergeometric: good must be in [0, 2^31 - 1], got -1");
    EXPECT_EQ(fill_error(rng::hypergeometric{1, -2, 1}), "fill: hypergeometric: bad must be in [0, 2^31 - 1], got -2");
    EXPECT_EQ(fill_error(rng::hypergeometric{1, 2, 4}),
              "fill: hypergeometric: draws must be in [0, good + bad], got 4");
    EXPECT_EQ(fill_error(Dist{int64_t{1} << 53, 0, 1}),
              "fill: hypergeometric: good must be in [0, 2^53 - 1], got 9007199254740992");
    EXPECT_EQ(fill_error(Dist{(int64_t{1} << 53) - 1, 1, 1}),
              "fill: hypergeometric: bad must be at most 2^53 - 1 - good, got 1");
    EXPECT_EQ(fill_error(Dist{1, 1, -1}), "fill: hypergeometric: draws must be in [0, good + bad], got -1");
}

TEST(Hypergeometric, TypesFollowFromArguments) {
    static_assert(std::is_same_v<decltype(rng::hypergeometric{4, 48, 5}), rng::hypergeometric<int>>);
    static_assert(std::is_same_v<decltype(rng::hypergeometric{int64_t{4}, 48, 5})::result_type, int64_t>);
}

}  // namespace
