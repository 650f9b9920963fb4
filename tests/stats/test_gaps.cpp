// Tests of gap16, freq16 and exponent:
// - the covariance of gaps against all sequences of small alphabets,
// - counts against plain loops (and at overflows of counters),
// - p-values of sound bits,
// - the flaws that the tests must find, with controls.
//
// False alarms: seeds are fixed. Controls would fail at 1e-6 each if seeds were drawn anew, the p-values at 1e-6.
//
#include <gtest/gtest.h>
#include <rng/core/threefry.hpp>
#include <rng/stats/engine.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "../support/battery.hpp"
#include "statistical_tests/checks/bits/gap16.hpp"
#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

using namespace rng::stats;
using namespace support;

template <class W> std::unique_ptr<Test> make(const std::string& name) {
    const GeneratorUnderTest generator =
        sizeof(W) == 8 ? generator_of(std::mt19937_64()) : generator_of(std::mt19937());
    auto made = make_tests(Stage::stream, generator, {}, {&name, 1});
    EXPECT_EQ(made.size(), 1u) << name;
    return std::move(made.front().test);
}

constexpr std::size_t segment_words = segment_bytes / 8;

template <class W> void add(Test& test, std::span<const uint64_t> words, uint64_t index = 0) {
    test.add({index, std::as_bytes(words), 8 * sizeof(W)});
}

/// P-values of `parts` of tests that have each seen `words` random words; each part's fit to uniform.
void expect_uniform(const std::string& name, std::size_t words, int times, const std::vector<std::string>& parts) {
    std::map<std::string, std::vector<double>> p;
    for (int i = 0; i < times; ++i) {
        const auto test = make<uint32_t>(name);
        add<uint32_t>(*test, random_words(words, static_cast<uint64_t>(1000 + i)));
        Results results;
        test->results(results);
        for (const auto& [part, value] : results.parts()) p[part].push_back(value.upper());
    }
    for (const std::string& part : parts) {
        auto& values = p[part];
        ASSERT_EQ(values.size(), static_cast<std::size_t>(times)) << part;
        std::ranges::sort(values);
        EXPECT_GT(ks_two_sided_p_value(kolmogorov_smirnov(values).d(), values.size()).upper(), 1e-6) << part;
    }
}

// ---- gaps

/// Covariances of how many gaps are at most width, 2 width, ... long, over all sequences of `m` values.
std::vector<double> enumerated(int m, std::size_t width, std::size_t bins, std::size_t starts) {
    const std::size_t n = starts + width * bins;
    std::vector<int> x(n);
    std::vector<double> sums(bins), products(bins * bins);
    double sequences = 0;
    for (;;) {
        std::vector<double> counts(bins);
        for (std::size_t i = 0; i < starts; ++i) {
            std::size_t gap = 1;
            while (gap <= width * bins && x[i + gap] != x[i]) ++gap;
            for (std::size_t b = 0; b < bins; ++b) counts[b] += gap <= (b + 1) * width;
        }
        for (std::size_t a = 0; a < bins; ++a) {
            sums[a] += counts[a];
            for (std::size_t b = 0; b < bins; ++b) products[a * bins + b] += counts[a] * counts[b];
        }
        ++sequences;
        std::size_t i = 0;
        while (i < n && ++x[i] == m) x[i++] = 0;
        if (i == n) break;
    }
    for (std::size_t a = 0; a < bins; ++a)
        for (std::size_t b = 0; b < bins; ++b)
            products[a * bins + b] = products[a * bins + b] / sequences - sums[a] / sequences * (sums[b] / sequences);
    return products;
}

TEST(Gap16, CovarianceIsThatOfAllSequences) {
    struct Case {
        int m;
        std::size_t width, bins, starts;
    };
    for (const Case& c : {Case{3, 1, 3, 4}, Case{3, 2, 2, 5}, Case{4, 1, 3, 5}, Case{4, 1, 4, 5}, Case{5, 1, 2, 4}}) {
        const auto expected = enumerated(c.m, c.width, c.bins, c.starts);
        const auto found = gap_covariance(1.0 / c.m, c.width, c.bins, c.starts);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], expected[i], 1e-10) << c.m << " values, entry " << i;
    }
}

/// c = (4 2; 2 3) and x = (2, 5): x' c^-1 x = (12 - 40 + 100) / 8 = 9.
TEST(Gap16, QuadraticForm) { EXPECT_NEAR(quadratic_form({4, 2, 2, 3}, {2, 5}), 9, 1e-14); }

TEST(Gap16, CountsAreThoseOfPlainLoops) {
    constexpr std::size_t n = segment_bytes / 2, longest = 1 << 18, starts = n - longest;
    auto words = random_words(segment_words, 5);
    for (const bool constant : {false, true}) {
        if (constant) std::ranges::fill(words, 7);  // the counter of gap 1 runs over
        const auto* const values = reinterpret_cast<const uint16_t*>(words.data());
        std::vector<uint64_t> expected(1 + 65536 + longest / 1024);
        expected[0] = 1;
        std::vector<std::size_t> next(65536, 2 * n);
        for (std::size_t i = n; i-- > 0;) {
            const std::size_t gap = next[values[i]] - i;
            next[values[i]] = i;
            if (i >= starts || gap > longest) continue;
            if (gap <= 65536) ++expected[gap];
            ++expected[65537 + (gap - 1) / 1024];
        }
        const auto test = make<uint32_t>("gap16");
        add<uint32_t>(*test, words);
        add<uint32_t>(*test, words, 1);  // passed over
        EXPECT_EQ(test->counts, expected) << (constant ? "constant" : "random");
    }
}

TEST(Gap16, PValuesAreUniform) { expect_uniform("gap16", segment_words, 60, {"", "each", "max"}); }

/// The upper half of a linear congruential generator's 31 bits.
struct Minstd16 {
    using result_type = uint16_t;
    static constexpr uint16_t min() { return 0; }
    static constexpr uint16_t max() { return UINT16_MAX; }
    uint16_t operator()() { return static_cast<uint16_t>((state = state * 48271 % 2147483647) >> 15); }
    uint64_t state = 1;
};
/// The upper half of mt19937.
struct Twister16 {
    using result_type = uint16_t;
    static constexpr uint16_t min() { return 0; }
    static constexpr uint16_t max() { return UINT16_MAX; }
    uint16_t operator()() { return static_cast<uint16_t>(entropy() >> 16); }
    std::mt19937 entropy = std::mt19937(1);
};
TEST(Gap16, FindsMinstd) {
    EXPECT_EQ(verdict(generator_of(Minstd16{}), "gap16", 16 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(Twister16{}), "gap16", 16 * MiB), Verdict::pass);
}

// ---- frequencies

TEST(Frequency16, CountsAreThoseOfPlainLoops) {
    const auto test = make<uint32_t>("freq16");
    std::vector<uint64_t> expected(65536);
    for (const std::size_t size : {1001u, 100000u, 1u << 18}) {
        auto words = random_words(size, size);
        if (size == 100000)  // counters of these run over
            for (std::size_t i = 0; i < size; i += 2) words[i] = 0x0003000200010001;
        for (const uint64_t w : words)
            for (int shift = 0; shift < 64; shift += 16) ++expected[w >> shift & 0xffff];
        add<uint32_t>(*test, words);
    }
    EXPECT_EQ(test->counts, expected);
}

TEST(Frequency16, PValuesAreUniform) { expect_uniform("freq16", segment_words / 2, 60, {""}); }

/// Blocks of a counter of so many bits.
struct ShortCounter {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() {
        if (word % 4 == 0) block = rng::Stream<>(7).block(word / 4 & mask);
        return block[static_cast<int>(word++ % 4)];
    }
    uint64_t mask, word = 0;
    rng::Philox4x32_10::counter_type block = {};
};
TEST(Frequency16, FindsAShortCounter) {
    EXPECT_EQ(verdict(generator_of(ShortCounter{(1 << 20) - 1}), "freq16", 32 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(ShortCounter{UINT64_MAX}), "freq16", 32 * MiB), Verdict::pass);
}

// ---- exponents

template <class W> void check_exponents(std::size_t size) {
    auto words = random_words(size, 3);
    for (std::size_t i = 0; i < size; i += 100) words[i] = i % 200 == 0 ? 0 : words[i] >> 40 | words[i] << 63;
    const auto test = make<W>("exponent");
    add<W>(*test, words);
    const auto* const w = reinterpret_cast<const W*>(words.data());
    const std::size_t n = size * 8 / sizeof(W) / 64 * 64, of_end = 65 + 4 * 13;
    std::vector<uint64_t> expected(1 + 2 * of_end);
    expected[0] = n;
    for (std::size_t end = 0; end < 2; ++end) {
        const auto zeros = [&](std::size_t i) {
            return static_cast<std::size_t>(end == 0 ? std::countr_zero(w[i]) : std::countl_zero(w[i]));
        };
        uint64_t* const to = expected.data() + 1 + end * of_end;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t e = zeros(i);
            to[1] += e >= 1;
            to[2] += e >= 2;
            if (e >= 5) ++to[e];
            for (std::size_t lag = 0; lag < 13; ++lag) {
                const std::size_t other = zeros((i + (std::size_t{1} << lag)) % n);
                for (std::size_t k = 0; k < 4; ++k) to[65 + 4 * lag + k] += e >= 1 + k / 2 && other >= 1 + k % 2;
            }
        }
    }
    EXPECT_EQ(test->counts, expected) << "words of " << 8 * sizeof(W) << " bits, " << size;
}
TEST(Exponent, CountsAreThoseOfPlainLoops) {
    for (const std::size_t size : {20000u, 33333u}) {
        check_exponents<uint32_t>(size);
        check_exponents<uint64_t>(size);
    }
}

TEST(Exponent, PValuesAreUniform) {
    expect_uniform("exponent", 1 << 16, 200, {"low", "high", "low-pairs", "high-pairs", "low-lag", "high-lag"});
}

/// A counter of 64 bits under a key of zeros.
template <int Rounds> struct Threefry2x64 {
    using result_type = uint64_t;
    static constexpr uint64_t min() { return 0; }
    static constexpr uint64_t max() { return UINT64_MAX; }
    uint64_t operator()() {
        using Pair = rng::Words<uint64_t, 2>;
        if (word % 2 == 0) block = rng::threefry<2, uint64_t, Rounds>(Pair{word / 2, 0}, Pair{0, 0});
        return block[static_cast<int>(word++ % 2)];
    }
    uint64_t word = 0;
    rng::Words<uint64_t, 2> block = {};
};
TEST(Exponent, FindsThreefryOfTenRounds) {
    EXPECT_EQ(verdict(generator_of(Threefry2x64<10>{}), "exponent", 16 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(Threefry2x64<20>{}), "exponent", 32 * MiB), Verdict::pass);
}

/// Words with a bit that is always set.
struct BitSet {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() { return static_cast<uint32_t>(entropy()) | 1u << 8; }
    std::mt19937 entropy = std::mt19937(1);
};
TEST(Exponent, FindsThatNoWordEndsInNineZeros) {
    EXPECT_EQ(verdict(generator_of(BitSet{}), "exponent", 1 * MiB), Verdict::fail);
    EXPECT_EQ(verdict(generator_of(std::mt19937(1)), "exponent", 1 * MiB), Verdict::pass);
}

}  // namespace
