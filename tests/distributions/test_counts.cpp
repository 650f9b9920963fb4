// poisson, binomial, geometric, rademacher: their laws mass by mass against Boost.Math, tables against walks, the
// expansion of the quantile, corners, order, and what bad parameters are answered.
//
#include <gtest/gtest.h>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "../support/paths.hpp"
#include "mass_distance.hpp"

namespace {

using rng::Stream;
using support::fill_error;
using support::log2_distance;
using U64 = rng::lane::u64<rng::lane::Scalar>;

struct Trials {
    int64_t n;
    double p;
};

const std::vector<double>& small_means() {
    static const std::vector<double> means = [] {
        std::vector<double> all{0x1p-60, 0x1p-40,  1e-3, 0.1, 1,     3.5, 10,    15.999,     16,
                                16.5,    17.49999, 31.5, 64,  127.3, 200, 255.5, 255.9999999};
        std::mt19937 engine(1);
        for (int i = 0; i < 20; ++i) all.push_back(static_cast<double>(engine()) * 0x1p-24);
        return all;
    }();
    return means;
}
const std::vector<Trials>& small_trials() {
    static const std::vector<Trials> trials = [] {
        std::vector<Trials> all{{1, 0.5},
                                {1, 0.1},
                                {2, 0x1p-60},
                                {20, 0.3},
                                {31, 0.5},
                                {32, 0.5},
                                {33, 0.5},
                                {34, 0.471},
                                {53, 0.302},
                                {100, 0.3},
                                {1000, 0.3},
                                {1022, 0.5},
                                {1023, 0.49},
                                {1'000'000, 2e-4},
                                {1'000'000'000, 2.1e-7},
                                {int64_t{1} << 62, 0x1p-55},
                                {int64_t{1} << 62, 0x1p-58}};
        std::mt19937 engine(2);
        for (int i = 0; i < 20; ++i)
            all.push_back({1 + static_cast<int64_t>(engine() % 1000), static_cast<double>(engine()) * 0x1p-33});
        return all;
    }();
    return trials;
}

TEST(Counts, MassesOfPoisson) {
    for (const double mean : small_means()) {
        const auto map = rng::poisson<int64_t>{mean}.map();
        ASSERT_FALSE(map.is_polynomial);
        const boost::math::poisson_distribution<long double> exact(mean);
        EXPECT_LT(
            log2_distance(map.walk, [&](uint64_t k) { return boost::math::pdf(exact, static_cast<long double>(k)); }),
            -47)
            << mean;
    }
}

TEST(Counts, MassesOfBinomial) {
    for (const Trials& t : small_trials()) {
        const auto map = rng::binomial<int64_t>{t.n, t.p}.map();
        ASSERT_FALSE(map.is_polynomial) << t.n << ' ' << t.p;
        // Boost's logarithms of factorials lose digits from 2^40 trials on: there the law is Poisson's to 2^-50.
        const bool is_poisson = t.n > int64_t{1} << 40;
        const auto trials = static_cast<long double>(t.n);
        const boost::math::binomial_distribution<long double> binomial(trials, t.p);
        const boost::math::poisson_distribution<long double> poisson(trials * t.p);
        const auto mass = [&](uint64_t k) {
            const auto x = static_cast<long double>(k);
            return x > trials ? 0.0L : is_poisson ? boost::math::pdf(poisson, x) : boost::math::pdf(binomial, x);
        };
        EXPECT_LT(log2_distance(map.walk, mass), -46.5) << t.n << ' ' << t.p;
    }
}

long double normal_cdf(long double z) { return boost::math::erfc(-z / std::sqrt(2.0L)) / 2; }

/// The mean distance between the expansion and the exact quantile, in units of values, as a power of two. This is the
/// total variation of the law that rounds it down.
template <class Map, class Cdf> double log2_error(const Map& map, long double stddev, Cdf cdf) {
    EXPECT_TRUE(map.is_polynomial);
    constexpr long double step = 1 / 16.0L;
    long double sum = 0;
    for (long double z = -7; z <= 7; z += step) {
        long double x = 0;
        for (int i = rng::detail::QuantilePolynomial::terms - 1; i >= 0; --i) x = x * z + map.quantile.polynomial[i];
        // Here the coefficients are judged: rounding errors of the sums in f64 come on top.
        sum += std::fabs(cdf(static_cast<long double>(map.quantile.centre) + x) - normal_cdf(z)) * stddev * step;
    }
    return static_cast<double>(std::log2(sum));
}

TEST(Counts, QuantilesOfPoisson) {
    struct Case {
        double mean, bound;
    };
    for (const Case& c : {Case{256, -43}, Case{300.25, -44}, Case{1000, -47}, Case{10000, -45}}) {
        const auto cdf = [&](long double x) { return boost::math::gamma_q(x, static_cast<long double>(c.mean)); };
        EXPECT_LT(log2_error(rng::poisson<int64_t>{c.mean}.map(), std::sqrt(c.mean), cdf), c.bound) << c.mean;
    }
}

TEST(Counts, QuantilesOfBinomial) {
    for (const Trials& t :
         std::vector<Trials>{{1025, 0.5}, {1300, 0.3}, {3000, 0.1}, {100'000, 0.003}, {20'000, 0.5}}) {
        const auto trials = static_cast<long double>(t.n), p = static_cast<long double>(t.p);
        const auto cdf = [&](long double x) { return boost::math::ibetac(x, trials + 1 - x, p); };
        EXPECT_LT(log2_error(rng::binomial<int64_t>{t.n, t.p}.map(), std::sqrt(trials * p * (1 - p)), cdf), -42.5)
            << t.n << ' ' << t.p;
    }
}

/// Calls f(distribution, name) for laws of every kind of map.
template <class F> void for_each_law(const F& f) {
    for (const double mean : {0.0, 0x1p-60, 0.5, 3.5, 15.99, 16.0, 50.5, 255.9, 256.0, 1e4, 0x1p30})
        f(rng::poisson<int32_t>{mean}, "poisson");
    for (const double mean : {77.7, 1e12, 0x1p62}) f(rng::poisson<int64_t>{mean}, "poisson i64");
    for (const double p : {0.0, 0x1p-60, 0.3, 0.5, 0.7, 1 - 0x1p-53, 1.0})
        for (const int n : {0, 1, 20, 31, 32, 100, 1000, 3000, 1'000'000, std::numeric_limits<int>::max()})
            f(rng::binomial{n, p}, "binomial");
    for (const double p : {0.3, 0x1p-55, 0.75}) f(rng::binomial<int64_t>{int64_t{1} << 62, p}, "binomial i64");
    for (const double p : {0x1p-25, 0.01, 0.5, 0.9, 1.0}) f(rng::geometric<int32_t>{p}, "geometric");
    f(rng::geometric<int64_t>{0x1p-44}, "geometric i64");
}

TEST(Counts, FillsAreAtOnEveryPath) {
    for_each_law([](const auto& dist, const char* name) {
        const auto expected = support::by_at(Stream{9}, dist, 1001);
        support::on_every_path({1, 2}, [&](const std::string& path) {
            for (const std::size_t n : {1u, 7u, 1001u}) {
                const auto x = rng::sample(dist, n, Stream{9});
                EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << name << ' ' << path;
            }
        });
    });
}

template <class D> int64_t most_of(const D&) { return std::numeric_limits<rng::result_t<D>>::max(); }
template <class T> int64_t most_of(const rng::binomial<T>& d) { return d.trials; }

TEST(Counts, ValuesAreInTheSupportAndInOrder) {
    std::vector<uint64_t> words{0, 1, 2, ~uint64_t{0} - 1, ~uint64_t{0}, (uint64_t{1} << 63) - 1, uint64_t{1} << 63};
    std::mt19937_64 engine(3);
    for (int i = 0; i < 64; ++i)
        for (const uint64_t w : {engine(), engine() >> i, ~(engine() >> i)}) words.push_back(w), words.push_back(w + 1);
    std::sort(words.begin(), words.end());
    for_each_law([&](const auto& dist, const char* name) {
        const auto map = dist.map();
        const int direction = std::string_view(name).starts_with("geometric") ? -1 : 1;
        int64_t before = direction > 0 ? 0 : most_of(dist);
        for (const uint64_t w : words) {
            const auto x = static_cast<int64_t>(map(U64(w)).v);
            EXPECT_GE(x, 0) << name << ' ' << w;
            EXPECT_LE(x, most_of(dist)) << name << ' ' << w;
            EXPECT_GE((x - before) * direction, 0) << name << ' ' << w;
            before = x;
        }
    });
}

TEST(Counts, Corners) {
    const Stream<> s{3};
    EXPECT_EQ(rng::sample(rng::poisson{0}, 100, s), std::vector<int>(100, 0));
    EXPECT_EQ(rng::sample(rng::poisson{-0.0}, 100, s), std::vector<int>(100, 0));
    EXPECT_EQ(rng::sample(rng::binomial{7, 0.0}, 100, s), std::vector<int>(100, 0));
    EXPECT_EQ(rng::sample(rng::binomial{7, 1.0}, 100, s), std::vector<int>(100, 7));
    EXPECT_EQ(rng::sample(rng::binomial{0, 0.5}, 100, s), std::vector<int>(100, 0));
    EXPECT_EQ(rng::sample(rng::binomial<int64_t>{int64_t{1} << 62, 1.0}, 100, s),
              std::vector<int64_t>(100, int64_t{1} << 62));
    EXPECT_EQ(rng::sample(rng::geometric{1.0}, 100, s), std::vector<int>(100, 0));
    // One trial: the words from 2^64 (1 - p) on, to 2^-52.
    const auto coin = rng::binomial{1, 0.25}.map();
    EXPECT_EQ(coin(U64((uint64_t{3} << 62) - 4096)).v, 0u);
    EXPECT_EQ(coin(U64((uint64_t{3} << 62) + 4096)).v, 1u);
    // Rare events are not lost: one word of 2^60.
    EXPECT_EQ((rng::poisson<int64_t>{0x1p-60}.map()(U64(~uint64_t{0})).v), 1u);
    EXPECT_EQ((rng::poisson<int64_t>{0x1p-60}.map()(U64(~uint64_t{0} - 16)).v), 0u);
}

TEST(Counts, SuccessesAndFailuresAddUp) {
    std::mt19937_64 engine(5);
    for (const auto& [n, p] : std::vector<Trials>{{20, 0.75}, {1000, 0.875}, {1'000'000, 0.625}}) {
        const auto successes = rng::binomial<int64_t>{n, p}.map(), failures = rng::binomial<int64_t>{n, 1 - p}.map();
        for (int i = 0; i < 1000; ++i) {
            const uint64_t w = engine();
            EXPECT_EQ(successes(U64(w)).v + failures(U64(~w)).v, static_cast<uint64_t>(n));
        }
    }
}

// The exact borders of geometric{p} are the words 2^64 (1 - p)^k.
TEST(Counts, BordersOfGeometric) {
    for (const double p : {0.01, 0.25, 0.5, 0.9}) {
        const auto map = rng::geometric<int64_t>{p}.map();
        for (int k = 1; k < 100; k += 7) {
            const long double border = std::pow(1 - static_cast<long double>(p), k) * 0x1p64L;
            const long double room = border * k * 0x1p-50L + 1;
            if (border < 0x1p20L) break;
            EXPECT_EQ(map(U64(static_cast<uint64_t>(border - room))).v, static_cast<uint64_t>(k)) << p;
            EXPECT_EQ(map(U64(static_cast<uint64_t>(border + room))).v, static_cast<uint64_t>(k - 1)) << p;
        }
    }
}

TEST(Counts, Rademacher) {
    const auto words = rng::sample(rng::bits<uint32_t>{}, 1000, Stream{4});
    const auto signs = rng::sample(rng::rademacher{}, 1000, Stream{4});
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(signs[i], words[i] >> 31 != 0 ? -1 : 1);
}

TEST(Counts, BadParametersAreNamed) {
    EXPECT_EQ(fill_error(rng::poisson{-1.0}), "fill: poisson: mean must be in [0, 2^30], got -1");
    EXPECT_EQ(fill_error(rng::poisson{0x1.8p30}), "fill: poisson: mean must be in [0, 2^30], got 1.61061274e+09");
    EXPECT_EQ(fill_error(rng::poisson<int64_t>{std::numeric_limits<double>::infinity()}),
              "fill: poisson: mean must be in [0, 2^62], got inf");
    EXPECT_EQ(fill_error(rng::binomial{-1, 0.5}), "fill: binomial: trials must be in [0, 2^31 - 1], got -1");
    EXPECT_EQ(fill_error(rng::binomial<int64_t>{(int64_t{1} << 62) + 1, 0.5}),
              "fill: binomial: trials must be in [0, 2^62], got 4611686018427387905");
    EXPECT_EQ(fill_error(rng::binomial{1, 1.5}), "fill: binomial: p must be in [0, 1], got 1.5");
    EXPECT_EQ(fill_error(rng::binomial{1, -0x1p-61}), "fill: binomial: p must be in [0, 1], got -4.33680869e-19");
    EXPECT_EQ(fill_error(rng::geometric{0.0}), "fill: geometric: p must be in [2^-25, 1], got 0");
    EXPECT_EQ(fill_error(rng::geometric<int64_t>{0x1p-45}),
              "fill: geometric: p must be in [2^-44, 1], got 2.84217094e-14");
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
        EXPECT_NE(fill_error(rng::poisson{bad}), "");
        EXPECT_NE(fill_error(rng::binomial{1, bad}), "");
        EXPECT_NE(fill_error(rng::geometric{bad}), "");
    }
}

TEST(Counts, TypesFollowFromArguments) {
    static_assert(std::is_same_v<decltype(rng::poisson{3.5}), rng::poisson<int>>);
    static_assert(std::is_same_v<decltype(rng::geometric{0.5}), rng::geometric<int>>);
    static_assert(std::is_same_v<decltype(rng::binomial{20, 0.5}), rng::binomial<int>>);
    static_assert(std::is_same_v<decltype(rng::binomial{int64_t{20}, 0.5})::result_type, int64_t>);
    EXPECT_EQ((rng::at(Stream{1}, rng::poisson<long long>{77.7}, 5)),
              (rng::at(Stream{1}, rng::poisson<int64_t>{77.7}, 5)));
}

}  // namespace
