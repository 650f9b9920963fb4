// categorical, categorical_icdf, AliasTable: the model's entries and values, shares as whole numbers, weights of 0,
// order, all ways to a value, frequencies, and what is refused.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each check of frequencies has a share of
// 1e-9.
#include <gtest/gtest.h>
#include <rng/distributions/categorical.hpp>
#include <rng/fill.hpp>
#include <rng/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "../../src/verify/digest_of.hpp"
#include "../support/known_answers.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/p_values/chi_square.hpp"

namespace {

using rng::AliasTable;
using rng::categorical;
using rng::categorical_icdf;
using Word = rng::lane::u64<rng::lane::Scalar>;

constexpr uint64_t cell = uint64_t{1} << 40;

/// The units of each category, counted in the entries of a table.
std::vector<uint64_t> units(const AliasTable& table) {
    std::vector<uint64_t> all(table.size());
    for (uint32_t i = 0; i < table.size(); ++i) {
        const uint64_t kept = table.data()[i] >> 24, other = table.data()[i] & 0xffffffu;
        all[i] += kept;
        all[other] += cell - kept;
    }
    return all;
}

TEST(Categorical, ValuesOfTheModel) {
    int rows = 0;
    for (const support::Json& row : support::known_answers().at("categorical")) {
        ++rows;
        std::vector<double> weights;
        for (const auto& text : row.at("weights")) weights.push_back(std::stod(text.get<std::string>()));
        const std::vector<float> floats(weights.begin(), weights.end());
        const AliasTable table(weights), of_floats(floats);
        for (uint32_t i = 0; i < table.size(); ++i) {
            EXPECT_EQ(table.data()[i], support::integer(row.at("entries").at(i))) << row.at("lists") << ' ' << i;
            EXPECT_EQ(of_floats.data()[i], table.data()[i]) << row.at("lists") << ' ' << i;
        }
        constexpr int wide_bits = 31;  // as of 2^30 weights and more
        const auto wide = rng::detail::alias_entries(rng::detail::weights_of(weights).scaled(), wide_bits);
        for (uint32_t i = 0; i < table.size(); ++i)
            EXPECT_EQ(wide[i], support::integer(row.at("wide_entries").at(i))) << row.at("lists") << ' ' << i;
        const categorical<>::Map of_wide{wide.data(), wide.size(), (uint64_t{1} << wide_bits) - 1};
        const categorical alias(table);
        const categorical_icdf icdf(weights);
        std::vector<uint64_t> words(icdf.table_words());
        icdf.build_table(words.data());
        const auto walk = icdf.map(), look = icdf.map(words.data());
        for (uint32_t i = 0; i < table.size(); ++i)
            EXPECT_EQ(walk.masses.mass(i), support::integer(row.at("masses").at(i))) << row.at("lists") << ' ' << i;
        for (std::size_t i = 0; i < row.at("words").size(); ++i) {
            const Word w(support::integer(row.at("words").at(i)));
            EXPECT_EQ(alias.map()(w).v, row.at("categorical_of_words").at(i).get<uint64_t>()) << w.v;
            EXPECT_EQ(of_wide(w).v, row.at("wide_of_words").at(i).get<uint64_t>()) << w.v;
            EXPECT_EQ(walk(w).v, row.at("categorical_icdf_of_words").at(i).get<uint64_t>()) << w.v;
            EXPECT_EQ(look(w).v, walk(w).v) << w.v;
        }
        const auto n = row.at("n").get<std::size_t>();
        const auto x = rng::sample(alias, n, rng::Stream{42}), y = rng::sample(icdf, n, rng::Stream{42});
        const auto digest = [&](const char* name) { return std::stoull(row.at(name).get<std::string>(), nullptr, 16); };
        EXPECT_EQ(rng_goldens::digest_of(x.data(), n), digest("categorical_digest")) << row.at("lists");
        EXPECT_EQ(rng_goldens::digest_of(y.data(), n), digest("categorical_icdf_digest")) << row.at("lists");
    }
    EXPECT_EQ(rows, 5);
}

// An entry has room for each category, and K cells are fewer than 2^64 units.
TEST(Categorical, BitsOfACategoryGrowWithTheirNumber) {
    for (const auto& [weights, bits] : {std::pair{1u, 24},
                                        {(1u << 24) - 1, 24},
                                        {1u << 24, 25},
                                        {(1u << 25) - 1, 25},
                                        {1u << 25, 26},
                                        {1u << 30, 31},
                                        {(1u << 31) - 1, 31}})
        EXPECT_EQ(rng::detail::alias_bits(weights), bits) << weights;
}

std::vector<double> random_weights(std::size_t n, double spread, uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<double> weights;
    for (std::size_t i = 0; i < n; ++i) weights.push_back(i % 7 == 3 ? 0 : std::exp2(spread * (u(engine) - 0.5)));
    return weights;
}

// A share is rounded once to units of 2^-40 / K, up to what the greatest weight balances.
TEST(Categorical, SharesAreWholeNumbers) {
    for (const std::size_t n : {1u, 2u, 3u, 64u, 100u, 1000u, 100000u})
        for (const double spread : {0.0, 1.0, 60.0, 580.0}) {
            const auto weights = random_weights(n, spread, n);
            const AliasTable table(weights);
            const auto all = units(table);
            long double sum = 0;
            for (const double w : weights) sum += static_cast<long double>(w);
            uint64_t total = 0;
            const auto greatest = std::max_element(weights.begin(), weights.end()) - weights.begin();
            for (std::size_t i = 0; i < n; ++i) {
                total += all[i];
                const long double exact =
                    static_cast<long double>(weights[i]) / sum * static_cast<long double>(n * cell);
                const long double off = std::fabs(static_cast<long double>(all[i]) - exact);
                if (weights[i] == 0) {
                    EXPECT_EQ(all[i], 0u) << n << ' ' << i;
                } else {
                    EXPECT_GE(all[i], 1u) << n << ' ' << i;
                    const bool takes_the_rest = i == static_cast<std::size_t>(greatest);
                    EXPECT_LE(off, (takes_the_rest ? static_cast<long double>(n) : 1) + exact * 0x1p-51L)
                        << n << ' ' << i;
                }
            }
            EXPECT_EQ(total, n * cell) << n;
        }
}

// pytorch/pytorch 4858, 13867, 48841, 100884: categories of weight 0 were drawn.
TEST(Categorical, Torch4858And13867And48841And100884WeightsOf0AreNeverDrawn) {
    std::vector<double> weights(1000, 0);
    weights[3] = weights[998] = 0x1p-300;
    weights[500] = 0x1p300;
    const AliasTable table(weights);
    const categorical alias(table);
    const categorical_icdf icdf(weights);
    const auto is_drawn = [](int64_t x) { return x == 3 || x == 500 || x == 998; };
    // The first word, the last one and both sides of the border of what is kept, in each cell.
    for (uint32_t i = 0; i < table.size(); ++i) {
        const auto first = static_cast<uint64_t>(std::ceil(static_cast<long double>(i) * 0x1p64L / 1000));
        for (const uint64_t w : {first, first - 1, first + 18446744073709551u, first + 20000})
            EXPECT_TRUE(is_drawn(static_cast<int64_t>(alias.map()(Word(w)).v))) << i << ' ' << w;
    }
    for (const int x : rng::sample(alias, 100000, rng::Stream{1})) ASSERT_TRUE(is_drawn(x));
    for (const int x : rng::sample(icdf, 100000, rng::Stream{1})) ASSERT_TRUE(is_drawn(x));
    for (const uint64_t w : {uint64_t{0}, ~uint64_t{0}})
        EXPECT_TRUE(is_drawn(static_cast<int64_t>(icdf.map()(Word(w)).v))) << w;
}

template <class D> void expect_one_law_on_all_ways(const D& dist) {
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        const rng::Stream<E> stream{7, 8, 3};
        const auto expected = support::by_at(stream, dist, 400);
        support::on_every_path({1, 3}, [&](const std::string& path) {
            EXPECT_EQ(rng::sample(dist, 400, stream), expected) << E::name << ' ' << path;
        });
        rng::Cursor cursor(stream, dist);
        rng::block_engine<E> engine(stream);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(cursor.next(), expected[i]) << E::name << ' ' << i;
            ASSERT_EQ(D(dist)(engine), expected[i]) << E::name << ' ' << i;
        }
    });
}
TEST(Categorical, AllWaysGiveTheSameValues) {
    const auto weights = random_weights(37, 6, 1);
    const std::vector<float> floats(weights.begin(), weights.end());
    const AliasTable table(weights);
    expect_one_law_on_all_ways(categorical(table));
    expect_one_law_on_all_ways(categorical<int64_t>(table));
    expect_one_law_on_all_ways(categorical_icdf(weights));
    expect_one_law_on_all_ways(categorical_icdf(floats));
    expect_one_law_on_all_ways(categorical_icdf<int64_t>(weights));
}

TEST(Categorical, IcdfRisesWithTheWord) {
    const auto weights = random_weights(300, 30, 2);
    const categorical_icdf dist(weights);
    std::vector<uint64_t> words{0, ~uint64_t{0}}, table(dist.table_words());
    std::mt19937_64 engine(3);
    for (int i = 0; i < 3000; ++i) words.push_back(engine() >> i % 60);
    std::sort(words.begin(), words.end());
    dist.build_table(table.data());
    const auto walk = dist.map(), look = dist.map(table.data());
    uint64_t before = 0;
    for (const uint64_t w : words) {
        const uint64_t x = walk(Word(w)).v;
        EXPECT_GE(x, before) << w;
        EXPECT_EQ(look(Word(w)).v, x) << w;
        EXPECT_GT(weights[x], 0) << w;
        before = x;
    }
}

/// The p-value of the frequencies of values beside the weights, by Pearson's statistic.
double frequencies_p(const std::vector<int>& values, const std::vector<double>& weights) {
    double sum = 0, statistic = 0;
    for (const double w : weights) sum += w;
    std::vector<double> counts(weights.size());
    for (const int x : values) counts[static_cast<std::size_t>(x)] += 1;
    int cells = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        const double expected = weights[i] / sum * static_cast<double>(values.size());
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        ++cells;
    }
    return rng::stats::chi_square_p_value(statistic, cells - 1).upper();
}
TEST(Categorical, TablesOfWrittenWeights) {
    const AliasTable table{1, 3};
    ASSERT_EQ(table.size(), 2u);
    EXPECT_EQ(table.data()[0], uint64_t{1} << 63 | 1);
    EXPECT_EQ(table.data()[1], ((uint64_t{1} << 40) - 1) << 24 | 1);
}
TEST(Categorical, FrequenciesAreTheWeights) {
    for (const std::size_t k : {3u, 10u, 100u, 1000u}) {
        auto weights = random_weights(k, 3, k);
        const AliasTable table(weights);
        const auto x = rng::sample(categorical(table), 1 << 20, rng::Stream{5});
        const auto y = rng::sample(categorical_icdf(weights), 1 << 20, rng::Stream{5});
        EXPECT_GE(frequencies_p(x, weights), 1e-9) << k;
        EXPECT_GE(frequencies_p(y, weights), 1e-9) << k;
        weights[1] *= 1.2;  // the flaw
        EXPECT_LT(frequencies_p(x, weights), k < 1000 ? 1e-9 : 1) << k;
    }
}

TEST(Categorical, TablesOfListsInBraces) {
    const std::vector<double> weights{1, 0, 2.5};
    const AliasTable expected(weights), braces{1, 0, 2.5}, parentheses({1, 0, 2.5}), copy{expected};
    for (const AliasTable* table : {&braces, &parentheses, &copy}) {
        ASSERT_EQ(table->size(), 3u);
        EXPECT_TRUE(std::equal(table->data(), table->data() + 3, expected.data()));
    }
    const AliasTable oracle{1, 3};  // the header's
    EXPECT_EQ(oracle.data()[0], uint64_t{1} << 63 | 1);
    EXPECT_EQ(oracle.data()[1], ((uint64_t{1} << 40) - 1) << 24 | 1);
    EXPECT_EQ(rng::sample(categorical(AliasTable{1, 0, 2.5}), 100, rng::Stream{1}),
              rng::sample(categorical(expected), 100, rng::Stream{1}));
    EXPECT_EQ(AliasTable{weights}.size(), 3u);  // a vector in braces is a list, not an element
    EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument,
                                [] {
                                    (void)AliasTable({1, -1});
                                }),
              "AliasTable: categorical: weights[1] must be a finite number, 0 or more, got -1");
}

TEST(Categorical, WhatIsRefused) {
    const auto of_table = [](const auto& weights) {
        return support::error_of(rng::ErrorCode::invalid_argument, [&] { AliasTable{weights}; });
    };
    rng::Generator generator(42);
    const auto of_fill = [&](const auto& dist) {
        std::vector<int> x(3, -1);
        const auto text = support::error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(x, dist, generator); });
        EXPECT_EQ(x, std::vector<int>(3, -1));
        return text;
    };
    using V = std::vector<double>;
    using F = std::vector<float>;
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const V one{1};
    EXPECT_EQ(of_table(V{}), "AliasTable: categorical: weights must have 1 to 2^31 - 1 elements, got 0");
    EXPECT_EQ(of_table(std::span<const double>(one.data(), std::size_t{1} << 31)),
              "AliasTable: categorical: weights must have 1 to 2^31 - 1 elements, got 2147483648");
    EXPECT_EQ(of_table(V{0, 0}), "AliasTable: categorical: weights must not all be 0, got 0");
    EXPECT_EQ(of_table(V{1, -1}), "AliasTable: categorical: weights[1] must be a finite number, 0 or more, got -1");
    EXPECT_EQ(of_table(V{nan}), "AliasTable: categorical: weights[0] must be a finite number, 0 or more, got nan");
    EXPECT_EQ(of_table(F{1, static_cast<float>(inf)}),
              "AliasTable: categorical: weights[1] must be a finite number, 0 or more, got inf");
    const V negative{1, 2, -3}, none;
    EXPECT_EQ(of_fill(categorical_icdf(negative)),
              "fill: categorical_icdf: weights[2] must be a finite number, 0 or more, got -3");
    EXPECT_EQ(of_fill(categorical_icdf(none)),
              "fill: categorical_icdf: weights must have 1 to 2^31 - 1 elements, got 0");
    EXPECT_EQ(of_fill(categorical<>{}), "fill: categorical: table must have 1 to 2^31 - 1 entries, got 0");
    const uint64_t entry = 0;
    EXPECT_EQ(of_fill(categorical(&entry, 1u << 31)),
              "fill: categorical: table must have 1 to 2^31 - 1 entries, got 2147483648");
}

}  // namespace
