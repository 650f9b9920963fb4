// piecewise_constant and piecewise_linear: the model's values, exact masses, the law, monotony, all ways to a value,
// and what is refused.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each of the ten checks of laws has a share of
// 1e-9.
#include <gtest/gtest.h>
#include <rng/distributions/piecewise.hpp>
#include <rng/fill.hpp>
#include <rng/random.hpp>
#include <rng/reader.hpp>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "../../src/verify/digest_of.hpp"
#include "../support/known_answers.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

using rng::piecewise_constant;
using rng::piecewise_linear;
using rng::lane::Scalar;
using Word = rng::lane::u64<Scalar>;

constexpr double share = 1e-9;
constexpr std::size_t n = std::size_t{1} << 20;

template <class T> std::vector<T> numbers(const support::Json& texts) {
    std::vector<T> values;
    for (const auto& text : texts) values.push_back(static_cast<T>(std::stod(text.get<std::string>())));
    return values;
}

/// Calls f(row, distribution) for each row of the model.
template <class F> void for_each_row(const F& f) {
    const auto as = [&]<class T>(const support::Json& row, T) {
        const auto boundaries = numbers<T>(row.at("boundaries")), densities = numbers<T>(row.at("densities"));
        if (row.at("name") == "piecewise_constant")
            f(row, piecewise_constant(boundaries, densities));
        else
            f(row, piecewise_linear(boundaries, densities));
    };
    int rows = 0;
    for (const support::Json& row : support::known_answers().at("piecewise")) {
        row.at("dtype") == "f32" ? as(row, float{}) : as(row, double{});
        ++rows;
    }
    EXPECT_EQ(rows, 20);
}

TEST(Piecewise, ValuesOfTheModel) {
    for_each_row([](const support::Json& row, const auto& dist) {
        EXPECT_FALSE(dist.fault()) << row;
        std::vector<uint64_t> table(dist.table_words());
        dist.build_table(table.data());
        const auto walking = dist.map(), looking_up = dist.map(table.data());
        for (uint32_t i = 0; i < dist.pieces(); ++i)
            EXPECT_EQ(walking.masses.mass(i), support::integer(row.at("masses").at(i))) << row << ' ' << i;
        for (std::size_t i = 0; i < row.at("words").size(); ++i) {
            const Word w(support::integer(row.at("words").at(i)));
            const auto expected = row.at("values_of_words").at(i).template get<std::string>();
            EXPECT_EQ(support::bits_text(walking(w).v), expected) << row.at("words").at(i);
            EXPECT_EQ(support::bits_text(looking_up(w).v), expected) << row.at("words").at(i);
        }
        for (std::size_t i = 0; i < row.at("values").size(); ++i)
            EXPECT_EQ(support::bits_text(rng::at(rng::Stream<>{42}, dist, i)),
                      row.at("values").at(i).template get<std::string>());
        const auto many = rng::sample(dist, row.at("n").template get<std::size_t>(), rng::Stream<>{42});
        EXPECT_EQ(rng_goldens::digest_of(many.data(), many.size()), support::integer(row.at("digest"))) << row;
    });
}

/// Many pieces of very unequal areas; every fifth has none.
struct Many {
    std::vector<double> boundaries, densities;
    explicit Many(std::size_t pieces, uint64_t seed = 3) {
        std::mt19937_64 entropy(seed);
        std::uniform_real_distribution<double> u(0, 1);
        double x = -3;
        for (std::size_t i = 0; i <= pieces; ++i, x += std::exp2(-20 * u(entropy))) {
            boundaries.push_back(x);
            densities.push_back(i % 5 == 4 ? 0 : std::exp2(40 * u(entropy) - 20));
        }
    }
    [[nodiscard]] piecewise_linear<double> linear() const { return {boundaries, densities}; }
    [[nodiscard]] piecewise_constant<double> constant() const {
        return {boundaries, std::span(densities).first(densities.size() - 1)};
    }
};

/// Fills on every path, with every engine, at(), Reader, Cursor, draws and std_distribution give the same values.
template <class D> void expect_one_law_on_all_ways(const D& dist) {
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        const rng::Stream<E> stream{7, 8, 3};
        const auto expected = support::by_at(stream, dist, 400);
        support::on_every_path({1, 3}, [&](const std::string& path) {
            EXPECT_TRUE(support::same_bits(rng::sample(dist, 400, stream), expected)) << E::name << ' ' << path;
        });
        rng::Reader reader(stream, dist);
        rng::Cursor cursor(stream, dist);
        rng::block_engine<E> engine(stream);
        auto other_engine = engine;
        rng::std_distribution keeping(dist);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(reader(), expected[i]) << E::name << ' ' << i;
            ASSERT_EQ(cursor.next(), expected[i]) << E::name << ' ' << i;
            ASSERT_EQ(D(dist)(engine), expected[i]) << E::name << ' ' << i;
            ASSERT_EQ(keeping(other_engine), expected[i]) << E::name << ' ' << i;
        }
    });
}
TEST(Piecewise, AllWaysGiveTheSameValues) {
    const Many some(37);
    expect_one_law_on_all_ways(some.constant());
    expect_one_law_on_all_ways(some.linear());
    const float boundaries[] = {-1, 0, 0.25f}, densities[] = {1, 3};
    expect_one_law_on_all_ways(piecewise_constant(boundaries, densities));
}

/// Words of every size, in order: powers of two, the ends of pieces, and random ones.
template <class D> std::vector<uint64_t> ordered_words(const D& dist) {
    std::vector<uint64_t> words{0, ~uint64_t{0}};
    for (unsigned b = 0; b < 64; ++b)
        for (const uint64_t d : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) words.push_back((uint64_t{1} << b) + d);
    uint64_t first = 0;
    const auto map = dist.map();
    for (uint32_t i = 0; i < dist.pieces(); ++i, first += map.masses.mass(i - 1))
        for (const uint64_t d : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) words.push_back(first + d);
    std::mt19937_64 entropy(9);
    for (int i = 0; i < 3000; ++i) words.push_back(entropy());
    std::sort(words.begin(), words.end());
    return words;
}
/// Results lie in [b0, bn), are 0 or normal, rise with the word, and are those of the walk. No subnormal number is on
/// the way, since processors may flush those.
template <class D> void expect_monotone(const D& dist, double tolerance) {
    using T = rng::result_t<D>;
    std::feclearexcept(FE_ALL_EXCEPT);
    std::vector<uint64_t> table(dist.table_words());
    dist.build_table(table.data());
    const auto map = dist.map(table.data()), walk = dist.map();
    constexpr int wrong = FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO;
    EXPECT_FALSE(std::fetestexcept(wrong));
    const T lo = dist.boundaries[0], hi = dist.boundaries[dist.pieces()];
    T last = lo;
    for (const uint64_t w : ordered_words(dist)) {
        std::feclearexcept(FE_ALL_EXCEPT);
        const T x = map(Word(w)).v;
        ASSERT_FALSE(std::fetestexcept(wrong)) << w;
        ASSERT_EQ(support::bits_text(x), support::bits_text(walk(Word(w)).v)) << w;
        ASSERT_TRUE(lo <= x && x < hi) << w << ' ' << x;
        ASSERT_TRUE(std::isnormal(x) || (x == 0 && !std::signbit(x))) << w << ' ' << x;
        ASSERT_GE(static_cast<double>(x), static_cast<double>(last) - tolerance) << w;
        last = x;
        const auto at = walk.masses.find(w);
        ASSERT_TRUE(dist.boundaries[at.piece] <= x && x < dist.boundaries[at.piece + 1]) << w;
        ASSERT_GT(walk.masses.lists.area(at.piece), 0) << w;
    }
}
TEST(Piecewise, ResultsRiseWithTheWordAndStayInside) {
    for_each_row([](const support::Json& row, const auto& dist) {
        const bool is_linear = row.at("name") == "piecewise_linear";
        expect_monotone(dist, is_linear ? (row.at("dtype") == "f32" ? 0x1p-13 : 0x1p-42) : 0);
    });
    const Many many(500);
    expect_monotone(many.constant(), 0);
    expect_monotone(many.linear(), 0x1p-44);
    // Rounding reaches the upper boundary, which is not a value.
    const std::array<float, 2> neighbours{1.0f, std::nextafter(1.0f, 2.0f)}, below_zero{-0x1p-126f, 0},
        above_zero{0, 0x1p-126f};
    for (const auto& boundaries : {neighbours, below_zero, above_zero}) {
        expect_monotone(piecewise_constant(boundaries, std::array{1.0f}), 0);
        expect_monotone(piecewise_linear(boundaries, std::array{0.0f, 1.0f}), 0);
    }
}

TEST(Piecewise, MassesSumToAllWords) {
    for (const std::size_t pieces : {1u, 2u, 3u, 100u, 5000u}) {
        const Many many(pieces);
        const auto expect = [&](const auto& dist) {
            const auto map = dist.map();
            uint64_t sum = 0;
            long double areas = 0, worst = 0;
            for (uint32_t i = 0; i < dist.pieces(); ++i) areas += static_cast<long double>(map.masses.lists.area(i));
            for (uint32_t i = 0; i < dist.pieces(); ++i) {
                const uint64_t mass = map.masses.mass(i);
                sum += mass;
                if (mass == 0 && i == map.masses.greatest) continue;  // it has all 2^64
                const long double area = static_cast<long double>(map.masses.lists.area(i)) / areas * 0x1p64L;
                EXPECT_TRUE(area > 0 || mass == 0) << i;
                worst = std::max(worst, std::fabs(static_cast<long double>(mass) - area) / (area * 0x1p-50L + 1));
            }
            EXPECT_EQ(sum, 0u) << "modulo 2^64";
            EXPECT_LE(worst, 2 + static_cast<double>(pieces) / 8) << "the sum of areas was rounded so often";
        };
        expect(many.constant());
        expect(many.linear());
    }
}

// ---- the law: counts of pieces against their masses, and the place in the piece against its distribution function

template <class D> double law_p(const D& dist, const std::vector<double>& values) {
    const auto pieces = static_cast<std::size_t>(dist.pieces());
    const std::vector<double> b(dist.boundaries, dist.boundaries + pieces + 1);
    std::vector<double> cumulative{0};
    for (uint32_t i = 0; i < pieces; ++i) cumulative.push_back(cumulative.back() + dist.area(i));
    const double sum = cumulative.back();
    double least = 1;
    std::vector<double> u;
    std::vector<std::size_t> counts(pieces);
    for (const double x : values) {
        const auto i = static_cast<std::size_t>(std::upper_bound(b.begin(), b.end(), x) - b.begin() - 1);
        if (i >= pieces) return 0;
        ++counts[i];
        double place = (x - b[i]) / (b[i + 1] - b[i]);
        if constexpr (std::is_base_of_v<rng::detail::PieceLists<rng::result_t<D>, true>, D>) {
            const auto p = static_cast<double>(dist.densities[i]), q = static_cast<double>(dist.densities[i + 1]);
            place *= (2 * p + (q - p) * place) / (p + q);
        }
        u.push_back((cumulative[i] + place * (cumulative[i + 1] - cumulative[i])) / sum);
    }
    for (std::size_t i = 0; i < pieces; ++i) {
        const double p = (cumulative[i + 1] - cumulative[i]) / sum;
        if (p == 0) {
            if (counts[i] > 0) return 0;
        } else if (p < 1) {
            least = std::min(least, rng::stats::binomial_p_value(counts[i], values.size(), p).two_sided());
        }
    }
    std::sort(u.begin(), u.end());
    const double d = std::max(0.0, rng::stats::kolmogorov_smirnov(u).d() - 0x1p-22);  // floats are rounded
    least = std::min(least, rng::stats::ks_two_sided_p_value(d, u.size()).upper());
    return std::min(1.0, least * static_cast<double>(pieces + 1));
}
template <class D> std::vector<double> ours(const D& dist) {
    const auto values = rng::sample(dist, n, rng::Stream<>{11});
    return {values.begin(), values.end()};
}
template <class D, class Std> void expect_law(const D& dist, Std theirs, Std flawed) {
    EXPECT_GE(law_p(dist, ours(dist)), share);
    std::mt19937_64 entropy(12);
    std::vector<double> values(n), bad(n);
    for (double& x : values) x = theirs(entropy);
    for (double& x : bad) x = flawed(entropy);
    EXPECT_GE(law_p(dist, values), share) << "std's";
    EXPECT_LT(law_p(dist, bad), share) << "flawed";
}

template <class T> struct Lists {
    std::vector<T> boundaries{T(-2), T(-0.5), T(0), T(0.25), T(8)}, heights{T(1), T(0), T(6), T(0.5)},
        tops{T(0), T(2), T(0), T(0), T(1)};
};
TEST(PiecewiseLaw, OfSteps) {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        const Lists<T> lists;
        std::vector<double> areas;
        for (std::size_t i = 0; i < lists.heights.size(); ++i)
            areas.push_back(static_cast<double>(lists.heights[i] * (lists.boundaries[i + 1] - lists.boundaries[i])));
        // The flaw: heights that were not multiplied by widths.
        using Std = std::piecewise_constant_distribution<double>;
        const auto& b = lists.boundaries;
        expect_law(piecewise_constant(b, lists.heights), Std(b.begin(), b.end(), areas.begin()),
                   Std(b.begin(), b.end(), lists.heights.begin()));
    };
    check(float{});
    check(double{});
}
TEST(PiecewiseLaw, OfLines) {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        const Lists<T> lists;
        const auto& b = lists.boundaries;
        // The flaw: a wrong height at one boundary.
        auto wrong = lists.tops;
        wrong[1] = T(2.1);
        using Std = std::piecewise_linear_distribution<double>;
        expect_law(piecewise_linear(b, lists.tops), Std(b.begin(), b.end(), lists.tops.begin()),
                   Std(b.begin(), b.end(), wrong.begin()));
    };
    check(float{});
    check(double{});
}
TEST(PiecewiseLaw, OfManyPieces) {
    const Many many(300, 5);
    EXPECT_GE(law_p(many.constant(), ours(many.constant())), share);
    EXPECT_GE(law_p(many.linear(), ours(many.linear())), share);
}
// What std says of itself are the lists of the same law.
TEST(PiecewiseLaw, TakesTheListsOfStd) {
    const Lists<double> lists;
    const auto& b = lists.boundaries;
    const std::piecewise_constant_distribution<double> theirs(b.begin(), b.end(), lists.heights.begin());
    const auto boundaries = theirs.intervals(), densities = theirs.densities();
    const auto map = piecewise_constant(boundaries, densities).map();
    const double sum = 7.5;
    for (uint32_t i = 0; i < 4; ++i)
        EXPECT_NEAR(static_cast<double>(map.masses.mass(i)) * 0x1p-64, lists.heights[i] / sum, 1e-15) << i;
}

// ---- what is refused

TEST(Piecewise, WhatIsRefused) {
    rng::Generator generator(42);
    const auto message = [&](const auto& dist) {
        using T = rng::result_t<std::decay_t<decltype(dist)>>;
        std::vector<T> values(3);
        const std::string text =
            support::error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(values, dist, generator); });
        EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(values, dist, rng::Stream{1}); }),
                  text);
        return text;
    };
    using V = std::vector<double>;
    using F = std::vector<float>;
    const auto constant = [&](const auto& b, const auto& d) { return message(piecewise_constant(b, d)); };
    const auto linear = [&](const auto& b, const auto& d) { return message(piecewise_linear(b, d)); };
    const std::string fill_constant = "fill: piecewise_constant: ", fill_linear = "fill: piecewise_linear: ";
    EXPECT_EQ(constant(V{}, V{}), fill_constant + "boundaries must have 2 to 2^24 + 1 elements, got 0");
    EXPECT_EQ(constant(V{1}, V{}), fill_constant + "boundaries must have 2 to 2^24 + 1 elements, got 1");
    EXPECT_EQ(constant(V((1u << 24) + 2), V{}),
              fill_constant + "boundaries must have 2 to 2^24 + 1 elements, got 16777218");
    EXPECT_EQ(constant(V{0, 1, 1}, V{1, 1}),
              fill_constant + "boundaries[2] must be greater than the boundary before it, got 1");
    EXPECT_EQ(constant(V{0, -1}, V{1}),
              fill_constant + "boundaries[1] must be greater than the boundary before it, got -1");
    EXPECT_EQ(constant(V{0, std::numeric_limits<double>::infinity()}, V{1}),
              fill_constant + "boundaries[1] must be 0 or of magnitude 2^-300 to 2^300, got inf");
    EXPECT_EQ(constant(F{-1e-40f, 1}, F{1}),
              fill_constant + "boundaries[0] must be 0 or of magnitude 2^-126 to 2^128 - 2^104, got -9.9999461e-41");
    const std::string of_nan = constant(V{0, 1, std::nan("")}, V{1, 1});
    EXPECT_EQ(of_nan.substr(0, of_nan.rfind(' ')),
              fill_constant + "boundaries[2] must be 0 or of magnitude 2^-300 to 2^300, got");
    EXPECT_EQ(constant(V{0, 1}, V{1, 1}),
              fill_constant + "densities must have one element less than boundaries, got 2");
    EXPECT_EQ(linear(V{0, 1}, V{1}), fill_linear + "densities must have as many elements as boundaries, got 1");
    EXPECT_EQ(constant(V{0, 1, 2, 3, 4}, V{1, 1, 1, -0.5}),
              fill_constant + "densities[3] must be 0 or in [2^-300, 2^300], got -0.5");
    EXPECT_EQ(linear(F{0, 1}, F{1, std::numeric_limits<float>::infinity()}),
              fill_linear + "densities[1] must be 0 or in [2^-126, 2^128 - 2^104], got inf");
    EXPECT_EQ(linear(V{0, 1}, V{0, -0.0}), fill_linear + "densities must not all be 0, got 0");
    EXPECT_EQ(generator.position(), 0u);
}

// At the limits nothing overflows, and nothing is subnormal.
TEST(Piecewise, LimitsAreTaken) {
    const double least = 0x1p-300, most = 0x1p300;
    const std::vector<double> boundaries{-most, -least, 0, least, std::nextafter(least, 1), 1, most};
    for (const std::vector<double>& densities : {std::vector<double>{least, most, most, most, least, least, 0},
                                                 {0, 0, most, 0, 0, 0, 0},
                                                 {least, 0, 0, most, most, 0, 0},
                                                 {most, most, most, most, most, most, most},
                                                 {most, most, most, least, most, most, most}}) {
        expect_monotone(piecewise_linear(boundaries, densities), 0x1p250);
        expect_monotone(piecewise_constant(boundaries, std::span(densities).first(6)), 0);
    }
    const float small = 0x1p-126f, great = std::numeric_limits<float>::max();
    const std::vector<float> floats{-great, -small, 0, small, std::nextafter(small, 1.0f), 1, great};
    for (const std::vector<float>& densities : {std::vector<float>{small, great, great, great, small, small, 0},
                                                {0, 0, great, 0, 0, 0, 0},
                                                {small, 0, 0, great, great, 0, 0},
                                                {great, great, great, great, great, great, great}}) {
        expect_monotone(piecewise_linear(floats, densities), 0x1p110);
        expect_monotone(piecewise_constant(floats, std::span(densities).first(6)), 0);
    }
}

}  // namespace
