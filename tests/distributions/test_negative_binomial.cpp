// negative_binomial: masses of the walks and quantiles against Boost.Math, the mixture against its law, paths, corners,
// order, what bad parameters are answered.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each check of a mixture has a share of 1e-9.
#include <gtest/gtest.h>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "../support/paths.hpp"
#include "mass_distance.hpp"

namespace {

using rng::Stream;
using support::fill_error;
using U64 = rng::lane::u64<rng::lane::Scalar>;
using Dist = rng::negative_binomial<int64_t>;
using Method = rng::detail::NegativeBinomialMap::Method;

TEST(NegativeBinomial, MassesOfWalks) {
    std::vector<Dist> all{{1, 0.5},   {1, 0.75},   {2.5, 0.25},     {0x1p-20, 0x1p-5}, {0.25, 0x1p-5}, {1, 0.0625},
                          {100, 0.5}, {0.25, 0.9}, {1e9, 1 - 1e-8}, {120.5, 0.55},     {16, 0.25}};
    std::mt19937 engine(1);
    while (all.size() < 60) {
        const double p = 0x1p-5 + static_cast<double>(engine()) * 0x1p-32 * (1 - 0x1p-5);
        const double r = 256 * static_cast<double>(engine()) * 0x1p-32 * p * p / (1 - p);
        if (r >= 0x1p-20) all.push_back({r, p});
    }
    for (const Dist& d : all) {
        const auto map = d.map();
        ASSERT_EQ(map.method, Method::walk) << d.r << ' ' << d.p;
        const auto r = static_cast<long double>(d.r), p = static_cast<long double>(d.p);
        const auto mass = [&](uint64_t k) {
            const auto x = static_cast<long double>(k);
            return std::exp(r * std::log(p) + x * std::log1p(-p) - std::log(r + x) -
                            std::log(boost::math::beta(r, x + 1)));
        };
        const double distance = support::log2_distance<rng::detail::NegativeBinomialMap::Table>(map.walk, mass);
        EXPECT_LT(distance, d.p < 0.1 ? -44.9 : -46) << d.r << ' ' << d.p;
    }
}

// The mean distance between the quantile function and the exact one, which is the total variation.
TEST(NegativeBinomial, QuantilesAtTheLimit) {
    for (const double p : {0.001, 0.03, 0.3, 0.5, 0.9, 0.99}) {
        const double q = 1 - p, r = 1.0001 + 256 * (1 + q) * (1 + q) / q;
        const auto map = Dist{r, p}.map();
        ASSERT_EQ(map.method, Method::quantile) << p;
        constexpr long double step = 1 / 8.0L;
        const auto deviation =
            std::sqrt(static_cast<long double>(r) * static_cast<long double>(q)) / static_cast<long double>(p);
        long double sum = 0;
        for (long double z = -7; z <= 7; z += step) {
            long double x = 0;
            for (int i = rng::detail::QuantilePolynomial::terms - 1; i >= 0; --i)
                x = x * z + map.quantile.polynomial[i];
            x += static_cast<long double>(map.quantile.centre);
            const long double cdf = boost::math::ibeta(static_cast<long double>(r), x, static_cast<long double>(p));
            sum += std::fabs(cdf - boost::math::erfc(-z / std::sqrt(2.0L)) / 2) * deviation * step;
        }
        EXPECT_LT(sum, 0x1p-42L + deviation * 0x1p-51L) << p;  // and the rounding of the coefficients
    }
}

/// The p-value of values beside the law, by Pearson's statistic of 64 cells.
double fit(const std::vector<int64_t>& values, const Dist& d) {
    const boost::math::negative_binomial law(d.r, d.p);
    std::vector<double> edges;
    for (int i = 1; i < 64; ++i) {
        const double edge = std::floor(boost::math::quantile(law, i / 64.0));
        if (edges.empty() || edge > edges.back()) edges.push_back(edge);
    }
    std::vector<double> counts(edges.size() + 1);
    for (const int64_t x : values)
        counts[static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), static_cast<double>(x)) -
                                        edges.begin())] += 1;
    double statistic = 0, before = 0;
    for (std::size_t i = 0; i <= edges.size(); ++i) {
        const double cdf = i < edges.size() ? boost::math::cdf(law, edges[i]) : 1;
        const double expected = (cdf - before) * static_cast<double>(values.size());
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        before = cdf;
    }
    return rng::stats::chi_square_p_value(statistic, static_cast<double>(edges.size())).upper();
}
TEST(NegativeBinomial, MixturesFollowTheirLaw) {
    for (const Dist& d : std::vector<Dist>{{0.5, 0.01}, {3.5, 0.001}, {100.5, 0.05}, {20, 1e-6}, {0.05, 0.001}}) {
        ASSERT_EQ(d.map().method, Method::mixture);
        const auto x = rng::sample(d, 1 << 17, Stream{3});
        EXPECT_GE(fit(x, d), 1e-9) << d.r << ' ' << d.p;
        EXPECT_LT(fit(x, {d.r * 1.1, d.p}), 1e-9) << d.r << ' ' << d.p;
    }
}

template <class F> void for_each_law(const F& f) {
    for (const auto& [r, p] :
         {std::pair{1.0, 0.5}, std::pair{0x1p-20, 0x1p-5}, std::pair{2.5, 0.25}, std::pair{3.0, 1.0},
          std::pair{2000.0, 0.3}, std::pair{20.5, 0.01}, std::pair{0.25, 0x1p-24}, std::pair{1e6, 0.5}})
        f(rng::negative_binomial<int32_t>{r, p});
    for (const auto& [r, p] :
         {std::pair{0x1p60, 0.5}, std::pair{0x1p-20, 0x1p-40}, std::pair{1e12, 1e-4}, std::pair{1e15, 0.99999}})
        f(Dist{r, p});
}

TEST(NegativeBinomial, FillsAreAtOnEveryPath) {
    for_each_law([](const auto& dist) {
        ASSERT_FALSE(dist.fault()) << dist.r << ' ' << dist.p;
        const auto expected = support::by_at(Stream{9}, dist, 301);
        support::on_every_path({1, 2}, [&](const std::string& path) {
            for (const std::size_t n : {1u, 7u, 301u}) {
                const auto x = rng::sample(dist, n, Stream{9});
                EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n)
                    << dist.r << ' ' << dist.p << ' ' << path;
            }
        });
        for (const auto x : expected) EXPECT_GE(x, 0) << dist.r << ' ' << dist.p;
    });
}

TEST(NegativeBinomial, InversionsAreInOrder) {
    std::vector<uint64_t> words{0, 1, ~uint64_t{0} - 1, ~uint64_t{0}, (uint64_t{1} << 63) - 1, uint64_t{1} << 63};
    std::mt19937_64 engine(3);
    for (int i = 0; i < 64; ++i)
        for (const uint64_t w : {engine(), engine() >> i, ~(engine() >> i)}) words.push_back(w);
    std::sort(words.begin(), words.end());
    for_each_law([&](const auto& dist) {
        const auto map = dist.map();
        if (map.method == Method::mixture) return;
        int64_t before = 0;
        for (const uint64_t w : words) {
            const auto made = map(U64(w), U64(0));
            EXPECT_FALSE(made.undecided.v);
            const auto x = static_cast<int64_t>(made.value.v);
            EXPECT_GE(x, before) << dist.r << ' ' << dist.p << ' ' << w;
            before = x;
        }
    });
}

TEST(NegativeBinomial, Corners) {
    EXPECT_EQ(rng::sample(rng::negative_binomial{5, 1.0}, 100, Stream{3}), std::vector<int>(100, 0));
    const auto two = rng::negative_binomial{2, 0.5}.map();
    EXPECT_EQ(two(U64((uint64_t{1} << 62) - 65536), U64(0)).value.v, 0u);
    EXPECT_EQ(two(U64((uint64_t{1} << 62) + 65536), U64(0)).value.v, 1u);
    EXPECT_EQ(two(U64((uint64_t{1} << 63) - 65536), U64(0)).value.v, 1u);
    EXPECT_EQ(two(U64((uint64_t{1} << 63) + 65536), U64(0)).value.v, 2u);
}

TEST(NegativeBinomial, BadParametersAreNamed) {
    EXPECT_EQ(fill_error(rng::negative_binomial{0, 0.5}), "fill: negative_binomial: r must be in [2^-20, 2^60], got 0");
    EXPECT_EQ(fill_error(rng::negative_binomial{1, 0}), "fill: negative_binomial: p must be in [2^-24, 1], got 0");
    EXPECT_EQ(fill_error(Dist{1, 0x1p-41}), "fill: negative_binomial: p must be in [2^-40, 1], got 4.54747351e-13");
    EXPECT_EQ(
        fill_error(rng::negative_binomial{1e10, 0.5}),
        "fill: negative_binomial: r must leave the mean, 40 standard deviations and 64 / p together below 2^31, got "
        "1e+10");
    EXPECT_EQ(
        fill_error(Dist{0x1p60, 0.125}),
        "fill: negative_binomial: r must leave the mean, 40 standard deviations and 64 / p together up to 2^62, got "
        "1.1529215e+18");
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_NE(fill_error(rng::negative_binomial{bad, 0.5}), "");
        EXPECT_NE(fill_error(rng::negative_binomial{1, bad}), "");
    }
}

}  // namespace
