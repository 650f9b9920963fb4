// Tests of tuples of symbols: counts against plain loops, statistics against Pearson's, p-values of sound bits.
// hamming8, hamming-words, hamming-sums, subwords and mod3 must find their flaws and pass controls.
//
// False alarms: seeds are fixed. The controls fail at 1e-6 each if seeds were drawn anew, the p-values at 1e-6.
//
#include <gtest/gtest.h>
#include <rng/stats/engine.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "../support/battery.hpp"
#include "statistical_tests/checks/bits/tuples.hpp"
#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

using namespace rng::stats;
using namespace support;

GeneratorUnderTest generator_with_bits(int bits) {
    if (bits == 8)
        return {std::make_shared<UrbgSource<std::independent_bits_engine<std::mt19937, 8, uint32_t>>>(
            std::independent_bits_engine<std::mt19937, 8, uint32_t>())};
    if (bits == 16)
        return {std::make_shared<UrbgSource<std::independent_bits_engine<std::mt19937, 16, uint32_t>>>(
            std::independent_bits_engine<std::mt19937, 16, uint32_t>())};
    if (bits == 32) return {std::make_shared<UrbgSource<std::mt19937>>(std::mt19937())};
    return {std::make_shared<UrbgSource<std::mt19937_64>>(std::mt19937_64())};
}

/// The test of this name, for words of so many bits.
std::unique_ptr<Test> make(const std::string& name, int bits) {
    auto made = make_tests(Stage::stream, generator_with_bits(bits), {}, {&name, 1});
    EXPECT_EQ(made.size(), 1u) << name;
    return std::move(made.front().test);
}

void add(Test& test, std::span<const uint64_t> words, int bits) { test.add({0, std::as_bytes(words), bits}); }

int weight_symbol(uint64_t x, uint64_t bits) {
    const WeightBand band = WeightBand::of(bits);
    const auto weight = static_cast<uint32_t>(std::popcount(x));
    return weight < band.least ? 0 : weight <= band.most ? 1 : 2;
}

// ---- bands

TEST(WeightBand, OfBytes) {
    const WeightBand band = WeightBand::of(8);
    EXPECT_EQ(band.least, 4u);
    EXPECT_EQ(band.most, 4u);
    EXPECT_NEAR(band.law.p[0], 93.0 / 256, 1e-14);
    EXPECT_NEAR(band.law.p[1], 70.0 / 256, 1e-14);
}

/// Binomial coefficients by Pascal's triangle, as doubles.
TEST(WeightBand, IsTheOneNearestAThird) {
    for (const std::size_t bits : {16u, 32u, 64u, 512u}) {
        std::vector<double> pmf{1};
        for (std::size_t n = 0; n < bits; ++n) {
            pmf.push_back(0);
            for (std::size_t k = pmf.size() - 1; k > 0; --k) pmf[k] = (pmf[k] + pmf[k - 1]) / 2;
            pmf[0] /= 2;
        }
        const WeightBand band = WeightBand::of(bits);
        double sum = 0, best = 1, best_sum = 0;
        for (std::size_t reach = 0; reach < bits / 2; ++reach) {
            sum += reach == 0 ? pmf[bits / 2] : 2 * pmf[bits / 2 + reach];
            if (std::abs(sum - 1.0 / 3) < best) best = std::abs(sum - 1.0 / 3), best_sum = sum;
        }
        EXPECT_NEAR(band.law.p[1], best_sum, 1e-13) << bits;
        EXPECT_NEAR(band.law.p[0] + band.law.p[1] + band.law.p[2], 1, 1e-14);
        EXPECT_EQ(band.least + band.most, bits);
    }
}

// ---- counts

struct Lane {
    std::string name;
    int word_bits;
    std::function<int(std::span<const uint8_t> bytes, std::size_t i)> symbol;
    std::size_t bytes_per_symbol;
};

template <class W> W word(std::span<const uint8_t> bytes, std::size_t i) {
    W w;
    std::memcpy(&w, bytes.data() + i * sizeof w, sizeof w);
    return w;
}
template <class W> int bits_of_eight(std::span<const uint8_t> bytes, std::size_t i, int bit) {
    uint64_t eight = 0;
    for (std::size_t j = 0; j < 8; ++j) eight = eight << 1 | (word<W>(bytes, 8 * i + j) >> bit & 1);
    return weight_symbol(eight, 8);
}
template <class W> void put_lanes(std::vector<Lane>& lanes) {
    constexpr int bits = 8 * sizeof(W);
    if (bits > 8)
        lanes.push_back(
            {"low8", bits, [](auto b, auto i) { return weight_symbol(word<W>(b, i) & 255u, 8); }, sizeof(W)});
    lanes.push_back({"low1", bits, [](auto b, auto i) { return bits_of_eight<W>(b, i, 0); }, 8 * sizeof(W)});
    lanes.push_back({"high1", bits, [](auto b, auto i) { return bits_of_eight<W>(b, i, bits - 1); }, 8 * sizeof(W)});
}

TEST(Tuples, CountsAreThoseOfPlainLoops) {
    std::vector<Lane> lanes{
        {"hamming8", 32, [](auto b, auto i) { return weight_symbol(b[i], 8); }, 1},
        {"hamming32", 32, [](auto b, auto i) { return weight_symbol(word<uint32_t>(b, i), 32); }, 4},
        {"hamming64", 32, [](auto b, auto i) { return weight_symbol(word<uint64_t>(b, i), 64); }, 8},
        {"mod3", 32, [](auto b, auto i) { return b[i] % 3; }, 1},
    };
    put_lanes<uint8_t>(lanes);
    put_lanes<uint16_t>(lanes);
    put_lanes<uint32_t>(lanes);
    put_lanes<uint64_t>(lanes);
    for (const Lane& lane : lanes) {
        const auto test = make(lane.name, lane.word_bits);
        std::vector<uint64_t> expected(6561);
        // Less than a chunk, odd ends, more than 65,535 tuples; and all bytes alike, so that one counter has them all.
        for (const std::size_t size : {3u, 1024u, 16387u, 70001u}) {
            auto words = random_words(size, size);
            if (size == 70001) std::ranges::fill(words, 0);
            add(*test, words, lane.word_bits);
            const std::span bytes(reinterpret_cast<const uint8_t*>(words.data()), size * 8);
            const std::size_t n = bytes.size() / lane.bytes_per_symbol;
            const std::size_t starts = n < 9 ? 0 : (n - 7) / 2 * 2;  // in pairs
            std::vector<int> symbols(n);
            for (std::size_t i = 0; i < n; ++i) symbols[i] = lane.symbol(bytes, i);
            for (std::size_t i = 0; i < starts; ++i) {
                int index = 0;
                for (std::size_t j = 0; j < 8; ++j) index = 3 * index + symbols[i + j];
                ++expected[static_cast<std::size_t>(index)];
            }
        }
        EXPECT_EQ(dynamic_cast<Tuples&>(*test).tuples(), expected) << lane.name << ", words of " << lane.word_bits;
    }
}

TEST(HammingSums, CountsAreThoseOfPlainLoops) {
    const auto test = make("hamming-sums", 32);
    std::vector<uint64_t> expected(19 * 243);
    for (const std::size_t size : {1000u, 37000u, 1u << 19}) {
        const auto words = random_words(size, size);
        add(*test, words, 32);
        for (int level = 1; level <= 19; ++level) {
            const std::size_t run = std::size_t{1} << level, n = size / run;
            const WeightBand band = WeightBand::of(64 * run);
            std::vector<int> symbols(n);
            for (std::size_t i = 0; i < n; ++i) {
                std::size_t weight = 0;
                for (std::size_t j = 0; j < run; ++j)
                    weight += static_cast<std::size_t>(std::popcount(words[i * run + j]));
                symbols[i] = weight < band.least ? 0 : weight <= band.most ? 1 : 2;
            }
            const std::size_t k = level <= 15 ? 5 : level == 16 ? 4 : level == 17 ? 2 : 1;
            for (std::size_t i = 0; i + k <= n; ++i) {
                int index = 0;
                for (std::size_t j = 0; j < k; ++j) index = 3 * index + symbols[i + j];
                ++expected[static_cast<std::size_t>((level - 1) * 243 + index)];
            }
        }
    }
    EXPECT_EQ(test->counts, expected);
}

// ---- statistics

double pearson(const std::vector<double>& counts, const std::vector<double>& p) {
    double n = 0, sum = 0;
    for (const double c : counts) n += c;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += std::pow(counts[i] - n * p[i], 2) / (n * p[i]);
    return sum;
}

// All coefficients of 3-tuples make Pearson's statistic, and those without the first factor that of the last two
// symbols. Weight 1 is the first symbol alone.
TEST(TupleResults, AreDifferencesOfPearsons) {
    const SymbolLaw law{{0.5, 0.3, 0.2}};
    std::mt19937_64 entropy(1);
    std::vector<uint64_t> counts(27);
    std::vector<double> threes(27), twos(9), ones(3), p3(27), p2(9), p1(law.p.begin(), law.p.end());
    for (std::size_t t = 0; t < 27; ++t) {
        p3[t] = law.p[t / 9] * law.p[t / 3 % 3] * law.p[t % 3];
        p2[t % 9] = law.p[t / 3 % 3] * law.p[t % 3];
        counts[t] = static_cast<uint64_t>(200000 * p3[t]) + entropy() % 40;
        threes[t] += static_cast<double>(counts[t]);
        twos[t % 9] += threes[t];
        ones[t / 9] += threes[t];
    }
    Results results;
    const int weights[] = {1, 3};
    add_tuple_results(results, "x:", counts, 3, law, weights);
    ASSERT_EQ(results.parts().size(), 3u);
    EXPECT_EQ(results.parts()[0].first, "x:w<=1");
    EXPECT_EQ(results.parts()[1].first, "x:w<=3");
    EXPECT_EQ(results.parts()[2].first, "x:max");
    const double first = pearson(ones, p1), all = pearson(threes, p3) - pearson(twos, p2);
    EXPECT_NEAR(results.parts()[0].second.log10_upper, chi_square_p_value(first, 2).log10_upper, 1e-9);
    EXPECT_NEAR(results.parts()[1].second.log10_upper, chi_square_p_value(all, 18).log10_upper, 1e-9);
}

// With even symbols, f1 of the first symbol is sqrt(3/2) (n2 - n0): one coefficient stands out.
TEST(TupleResults, LargestCoefficient) {
    const SymbolLaw law{{1.0 / 3, 1.0 / 3, 1.0 / 3}};
    std::vector<uint64_t> counts(27);
    for (std::size_t t = 0; t < 27; ++t) counts[t] = 2200 + 50 * (t / 9);
    Results results;
    add_tuple_results(results, "", counts, 3, law, {});
    ASSERT_EQ(results.parts().size(), 1u);
    const double z = std::sqrt(1.5) * 900 / std::sqrt(60750.0);
    const double p = 2 * normal_p_value(z).upper();
    EXPECT_NEAR(results.parts()[0].second.log10_upper, std::log10(-std::expm1(18 * std::log1p(-p))),
                1e-12);  // of 27 - 9 coefficients
}

TEST(TupleResults, SayNothingOfTooLittle) {
    const SymbolLaw law{{1.0 / 3, 1.0 / 3, 1.0 / 3}};
    const int weights[] = {1};
    const uint64_t counts[] = {0, 0, 3999};
    Results results;
    add_tuple_results(results, "", counts, 1, law, weights);
    EXPECT_TRUE(results.parts().empty());
}

TEST(TupleResults, OfSoundBitsAreUniform) {
    struct Case {
        const char* name;
        std::size_t words;
        const char* part;
    };
    for (const Case& c : {Case{"hamming8", 1024, "w<=2"}, Case{"hamming8", 32600, "w<=8"}, Case{"mod3", 8200, "w<=5"},
                          Case{"hamming64", 16400, "w<=3"}, Case{"hamming-sums", 66000, "2^3:w<=2"}}) {
        std::vector<double> p;
        for (uint64_t i = 0; i < 200; ++i) {
            const auto test = make(c.name, 32);
            add(*test, random_words(c.words, 1000 + i), 32);
            Results results;
            test->results(results);
            for (const auto& [part, value] : results.parts())
                if (part == c.part) p.push_back(value.upper());
        }
        ASSERT_EQ(p.size(), 200u) << c.name << ':' << c.part;
        std::ranges::sort(p);
        EXPECT_GT(ks_two_sided_p_value(kolmogorov_smirnov(p).d(), p.size()).upper(), 1e-6) << c.name << ':' << c.part;
    }
}

// ---- flaws and controls

template <class E> GeneratorUnderTest rounds() { return engine_under_test<E>(42, "rounds", rng::Stream<E>(42)); }
template <int R> GeneratorUnderTest philox32() { return rounds<rng::PhiloxEngine<uint32_t, R>>(); }
template <int R> GeneratorUnderTest philox64() { return rounds<rng::PhiloxEngine<uint64_t, R>>(); }
template <int R> GeneratorUnderTest threefry32() { return rounds<rng::ThreefryEngine<uint32_t, R>>(); }

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

TEST(Flaws, Hamming8FindsPhiloxOfThreeRounds) {
    EXPECT_EQ(verdict(philox32<3>(), "hamming8", 8 * KiB), Verdict::fail);
    EXPECT_EQ(verdict(philox32<10>(), "hamming8", 4 * MiB), Verdict::pass);
}
TEST(Flaws, WordsFindWidePhiloxOfFourRounds) {
    EXPECT_EQ(verdict(philox64<4>(), "hamming-words", 128 * KiB), Verdict::fail);
    EXPECT_EQ(verdict(philox64<10>(), "hamming-words", 4 * MiB), Verdict::pass);
}
TEST(Flaws, LanesFindPhiloxOfFiveRoundsAndThreefryOfSeven) {
    EXPECT_EQ(verdict(philox32<5>(), "subwords", 2 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(threefry32<7>(), "subwords", 2 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(philox32<10>(), "subwords", 8 * MiB), Verdict::pass);
    EXPECT_EQ(verdict(threefry32<20>(), "subwords", 8 * MiB), Verdict::pass);
}

/// Sixteen streams of one key in turns, a block each, whose counters begin `apart` blocks after each other.
struct Forks {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() {
        const uint64_t turn = word / 4;
        return rng::Stream<>(7).block(turn / 16 + turn % 16 * apart)[static_cast<int>(word++ % 4)];
    }
    uint64_t apart, word = 0;
};

TEST(Flaws, Mod3FindsStreamsThatOverlap) {
    EXPECT_EQ(verdict(generator_of(Forks{1000}), "mod3", 512 * KiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(Forks{uint64_t{1} << 40}), "mod3", 4 * MiB), Verdict::pass);
}

/// A Weyl sequence has every bit set half of the time, and sums that are too even; mixed, it is SplitMix64.
template <bool Mixed> struct Counter {
    using result_type = uint64_t;
    static constexpr uint64_t min() { return 0; }
    static constexpr uint64_t max() { return UINT64_MAX; }
    uint64_t operator()() {
        uint64_t x = state += 0x9e3779b97f4a7c15;
        if (!Mixed) return x;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return x ^ x >> 31;
    }
    uint64_t state = 0;
};
TEST(Flaws, HammingSumsFindACounter) {
    EXPECT_EQ(verdict(generator_of(Counter<false>{}), "hamming-sums", 512 * KiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(Counter<true>{}), "hamming-sums", 16 * MiB), Verdict::pass);
}

}  // namespace
