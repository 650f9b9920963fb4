// zipf and log_series: laws against their masses, borders of rejection, paths, corners, what bad parameters are
// answered.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each check of a law has a share of 1e-9.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "../support/paths.hpp"
#include "statistical_tests/laws/power_counts.hpp"

namespace {

using rng::Stream;
using support::fill_error;
using U64 = rng::lane::u64<rng::lane::Scalar>;

/// The p-value of values beside a law of k from 1, by Pearson's statistic: values up to 40, and beyond by doubling.
template <class T, class Survival> double fit(const std::vector<T>& values, Survival survival, double most) {
    std::vector<double> edges;
    for (double k = 1; k < most && survival(k) * static_cast<double>(values.size()) > 20;
         k = k < 40 ? k + 1 : std::floor(k * 1.5))
        edges.push_back(k);
    std::vector<double> counts(edges.size() + 1);
    for (const T x : values)
        counts[static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), static_cast<double>(x)) -
                                        edges.begin())] += 1;
    double statistic = 0, before = 1;
    for (std::size_t i = 0; i <= edges.size(); ++i) {
        const double after = i < edges.size() ? survival(edges[i]) : 0;
        const double expected = (before - after) * static_cast<double>(values.size());
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        before = after;
    }
    return rng::stats::chi_square_p_value(statistic, static_cast<double>(edges.size())).upper();
}

struct Case {
    double a;
    int64_t most;
};
const std::vector<Case> cases{{2, 0},
                              {1.125, 0},
                              {1.02, 0},
                              {3.5, 0},
                              {0, 100},
                              {0.5, 1000},
                              {0.75, 1 << 20},
                              {1, 1000},
                              {1 + 0x1p-30, 5000},
                              {1.01, 5000},
                              {1, int64_t{1} << 45},
                              {0.9, int64_t{1} << 45}};

TEST(Zipf, FollowsItsLaw) {
    for (const Case& c : cases) {
        const rng::zipf<int64_t> dist{c.a, c.most};
        const double most = static_cast<double>(dist.in_full().most);
        const auto survival = [&](double a) {
            const rng::stats::detail::PowerCounts law(a, most);
            return [law](double k) { return law.survival(k); };
        };
        const auto x = rng::sample(dist, 1 << 18, Stream{4});
        EXPECT_GE(fit(x, survival(c.a), most), 1e-9) << c.a << ' ' << most;
        EXPECT_LT(fit(x, survival(1.03 * c.a + 0.03), most), 1e-9) << c.a << ' ' << most;
        if (most <= 0x1p31 - 1) {
            const auto y = rng::sample(rng::zipf<int32_t>{c.a, static_cast<int>(c.most)}, 1000, Stream{4});
            EXPECT_TRUE(std::equal(y.begin(), y.end(), x.begin())) << c.a;
        }
    }
}

// Each value has a run of words, and the part of the run that is accepted is k^-a of that of 1.
TEST(Zipf, SharesOfAcceptedWords) {
    for (const Case& c : std::vector<Case>{{2, 0}, {1.125, 0}, {0.5, 1000}, {1, 1000}, {1.01, 5000}, {8, 0}}) {
        const auto map = rng::zipf<int64_t>{c.a, c.most}.map();
        // The first word that gives less than k, or k rejected; or simply k. The rejected words of a value come last.
        const auto first_word = [&](uint64_t k, bool is_rejected) {
            uint64_t low = 0, high = ~uint64_t{0};
            while (low < high) {
                const uint64_t middle = low + (high - low) / 2;
                const auto made = map(U64(middle));
                if (made.value.v < k || (made.value.v == k && (!is_rejected || made.undecided.v)))
                    high = middle;
                else
                    low = middle + 1;
            }
            return static_cast<long double>(low);
        };
        const long double whole = 0x1p64L - first_word(1, false);
        for (const uint64_t k : {2u, 3u, 4u, 7u, 20u, 100u, 999u}) {
            const long double share = (first_word(k, true) - first_word(k, false)) / whole;
            const long double exact = std::pow(static_cast<long double>(k), -static_cast<long double>(c.a));
            if (exact < 0x1p-40L) break;
            EXPECT_NEAR(static_cast<double>(share / exact), 1,
                        1e-11 * static_cast<double>(k) / static_cast<double>(std::min(exact * whole * 0x1p-50L, 1.0L)))
                << c.a << ' ' << k;
        }
    }
}

// numpy/numpy 9829: the generator hung for an exponent near 1, and for great ones.
TEST(Zipf, Numpy9829EveryExponentEnds) {
    for (const double a : {1 + 0x1p-52, 1.0000001, 1.5, 100.0, 1024.0})
        for (const int64_t x : rng::sample(rng::zipf<int64_t>{a}, 2000, Stream{5})) {
            ASSERT_TRUE(x >= 1 && x <= int64_t{1} << 45) << a << ' ' << x;
            if (a >= 100) {
                ASSERT_EQ(x, 1) << a;
            }
        }
}

TEST(LogSeries, FollowsItsLaw) {
    for (const double p : {0x1p-60, 0.01, 0.5, 0.9, 0.999, 0.9999}) {
        const auto survival = [](double q) {
            return [q](double k) {  // the terms from k + 1 on; so many that the rest is below 2^-60
                double sum = 0, log = std::log(q);
                for (double j = k + 1; j <= k + 1 - 45 / log; ++j) {
                    const double term = std::exp(j * log) / j;
                    sum += term;
                    if (term < sum * 1e-12) break;
                }
                return sum / -std::log1p(-q);
            };
        };
        if (p < 1e-3) {
            EXPECT_EQ(rng::sample(rng::log_series{p}, 1000, Stream{6}), std::vector<int>(1000, 1));
            continue;
        }
        const auto x = rng::sample(rng::log_series<int64_t>{p}, 1 << 17, Stream{6});
        EXPECT_GE(fit(x, survival(p), 100), 1e-9) << p;
        if (p > 0.1) {
            EXPECT_LT(fit(x, survival(p < 0.9 ? p * 1.05 : 1 - (1 - p) * 1.5), 100), 1e-9) << p;
        }
    }
}

template <class F> void for_each_law(const F& f) {
    for (const Case& c : cases) {
        f(rng::zipf<int64_t>{c.a, c.most}, "zipf");
        if (c.most < 1 << 30) f(rng::zipf<int32_t>{c.a, static_cast<int>(c.most)}, "zipf");
    }
    f(rng::zipf<int32_t>{0, 1}, "zipf");
    for (const double p : {0x1p-60, 0.5, 0.9, 1 - 0x1p-25}) f(rng::log_series<int32_t>{p}, "log_series");
    f(rng::log_series<int64_t>{1 - 0x1p-45}, "log_series");
}
TEST(Zipf, FillsAreAtOnEveryPath) {
    for_each_law([](const auto& dist, const char* name) {
        const auto expected = support::by_at(Stream{9}, dist, 301);
        support::on_every_path({1, 2}, [&](const std::string& path) {
            for (const std::size_t n : {1u, 7u, 301u}) {
                const auto x = rng::sample(dist, n, Stream{9});
                EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << name << ' ' << path;
            }
        });
        for (const auto x : expected) EXPECT_GE(x, 1) << name;
    });
}

TEST(Zipf, Corners) {
    EXPECT_EQ(rng::sample(rng::zipf{1.5, 1}, 100, Stream{3}), std::vector<int>(100, 1));
    EXPECT_EQ(rng::zipf{2.0}.map()(U64(uint64_t{1} << 63)).value.v, 1u);
    EXPECT_EQ(rng::log_series{0.5}.map()(U64(uint64_t{1} << 63), U64(uint64_t{1} << 63)).v, 1u);
    // The greatest values of both types.
    for (const uint64_t w : {uint64_t{0}, ~uint64_t{0}})
        for (const uint64_t v : {uint64_t{0}, ~uint64_t{0}}) {
            const uint64_t x = rng::log_series<int32_t>{1 - 0x1p-25}.map()(U64(w), U64(v)).v;
            EXPECT_TRUE(x >= 1 && x < uint64_t{1} << 31) << x;
            const uint64_t y = rng::log_series<int64_t>{1 - 0x1p-45}.map()(U64(w), U64(v)).v;
            EXPECT_TRUE(y >= 1 && y < uint64_t{1} << 51) << y;
        }
}

TEST(Zipf, BadParametersAreNamed) {
    EXPECT_EQ(fill_error(rng::zipf{-1.0}), "fill: zipf: a must be in [0, 2^10], got -1");
    EXPECT_EQ(fill_error(rng::zipf{1025.0}), "fill: zipf: a must be in [0, 2^10], got 1025");
    EXPECT_EQ(fill_error(rng::zipf{1.0}), "fill: zipf: a must be above 1 if most is 0, got 1");
    EXPECT_EQ(fill_error(rng::zipf{2.0, -5}), "fill: zipf: most must be in [0, 2^31 - 1], got -5");
    EXPECT_EQ(fill_error(rng::zipf<int64_t>{2.0, (int64_t{1} << 45) + 1}),
              "fill: zipf: most must be in [0, 2^45], got 35184372088833");
    EXPECT_EQ(fill_error(rng::log_series{0.0}), "fill: log_series: p must be in [2^-60, 1 - 2^-25], got 0");
    EXPECT_EQ(fill_error(rng::log_series<int64_t>{1.0}), "fill: log_series: p must be in [2^-60, 1 - 2^-45], got 1");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(fill_error(rng::zipf{nan}), "");
    EXPECT_NE(fill_error(rng::log_series{nan}), "");
}

}  // namespace
