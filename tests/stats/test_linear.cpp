// The statistical tests that find linear generators: linear complexity and binary rank, their algorithms and laws.
// Known answers, plain algorithms beside the fast ones, enumeration of all short sequences and matrices, flaws and
// controls.
//
// False alarms: seeds are fixed, so a run repeats. Bounds on p-values are 1e-9, of 30 checks at most.
//
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "../support/battery.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/checks/bits/binary_rank.hpp"
#include "statistical_tests/checks/bits/linear_complexity.hpp"

namespace {

using namespace support;
using rng::stats::binary_rank;
using rng::stats::linear_complexity;

using Bits = std::vector<bool>;

std::vector<uint64_t> packed(const Bits& bits) {
    std::vector<uint64_t> words(bits.size() / 64 + 1);
    for (std::size_t i = 0; i < bits.size(); ++i) words[i / 64] |= uint64_t{bits[i]} << i % 64;
    return words;
}
/// By both ways of calculation, which must agree.
std::size_t complexity_of(const Bits& bits) {
    const auto words = packed(bits);
    const std::size_t one = rng::stats::detail::linear_complexity(words, bits.size(), false);
    EXPECT_EQ(linear_complexity(words, bits.size()), one);
    return one;
}

/// Massey's algorithm, bit by bit.
std::size_t plain_complexity(const Bits& s) {
    std::vector<bool> c(s.size() + 1), b(s.size() + 1);
    c[0] = b[0] = true;
    std::size_t length = 0, since = 1;
    for (std::size_t i = 0; i < s.size(); ++i, ++since) {
        bool discrepancy = s[i];
        for (std::size_t k = 1; k <= length; ++k) discrepancy ^= c[k] && s[i - k];
        if (!discrepancy) continue;
        const auto before = c;
        for (std::size_t k = 0; k + since <= s.size(); ++k) c[k + since] = c[k + since] ^ b[k];
        if (2 * length > i) continue;
        length = i + 1 - length;
        b = before;
        since = 0;
    }
    return length;
}

Bits random_bits(std::size_t n, std::mt19937_64& random) {
    Bits bits(n);
    for (std::size_t i = 0; i < n; ++i) bits[i] = random() >> 63 != 0;
    return bits;
}
/// A register of this length with random taps, the last one included.
Bits register_bits(std::size_t length, std::size_t n, std::mt19937_64& random) {
    const Bits taps = random_bits(length, random);
    Bits bits = random_bits(length, random);
    bits[0] = true;
    while (bits.size() < n) {
        bool next = bits[bits.size() - length];
        for (std::size_t k = 1; k < length; ++k) next ^= taps[k] && bits[bits.size() - k];
        bits.push_back(next);
    }
    bits.resize(n);
    return bits;
}

TEST(LinearComplexity, OfSequencesKnownInClosedForm) {
    for (const std::size_t n : {1u, 2u, 63u, 64u, 65u, 127u, 128u, 1000u, 4096u}) {
        Bits bits(n);
        EXPECT_EQ(complexity_of(bits), 0u) << n;
        bits[n - 1] = true;
        EXPECT_EQ(complexity_of(bits), n) << n;
        bits[n - 1] = false;
        bits[0] = true;
        EXPECT_EQ(complexity_of(bits), 1u) << n;
        EXPECT_EQ(complexity_of(Bits(n, true)), 1u) << n;
    }
    Bits alternating(1000);
    for (std::size_t i = 0; i < 1000; ++i) alternating[i] = i % 2 != 0;
    EXPECT_EQ(complexity_of(alternating), 2u);
    // x^4 + x + 1: one period of 15 in the order s[i] = s[i - 3] ^ s[i - 4].
    Bits maximal = {true, false, false, false};
    while (maximal.size() < 300) maximal.push_back(maximal[maximal.size() - 3] ^ maximal[maximal.size() - 4]);
    EXPECT_EQ(complexity_of(maximal), 4u);
    // 1101: s[i] = s[i - 1] ^ s[i - 2]; 1001: the fourth bit surprises a register of one 0, so 4 - 1.
    EXPECT_EQ(complexity_of({true, true, false, true}), 2u);
    EXPECT_EQ(complexity_of({true, false, false, true}), 3u);
    EXPECT_EQ(complexity_of({}), 0u);
    EXPECT_THROW(static_cast<void>(linear_complexity(std::vector<uint64_t>(2), 129)), rng::Error);
}

TEST(LinearComplexity, IsThatOfMasseysAlgorithm) {
    std::mt19937_64 random(1);
    for (std::size_t n = 1; n <= 400; ++n) {
        const Bits bits = random_bits(n, random);
        ASSERT_EQ(complexity_of(bits), plain_complexity(bits)) << n;
    }
    for (const std::size_t n : {1000u, 1023u, 2500u}) {
        Bits bits = random_bits(n, random);
        ASSERT_EQ(complexity_of(bits), plain_complexity(bits)) << n;
        for (std::size_t i = n / 4; i < n / 2; ++i) bits[i] = false;  // a quotient of many degrees
        ASSERT_EQ(complexity_of(bits), plain_complexity(bits)) << n;
    }
    for (int i = 0; i < 200; ++i) {
        const std::size_t length = 1 + random() % 300, n = 400 + random() % 600;
        const Bits bits = register_bits(length, n, random);
        ASSERT_EQ(complexity_of(bits), plain_complexity(bits)) << length << ' ' << n;
        // A register of `length` explains it, and no shorter one explains 2 * length bits of it but by cancelling.
        if (n >= 2 * length) {
            ASSERT_LE(complexity_of(bits), length);
        }
    }
}

TEST(LinearComplexity, OfAMersenneTwisterIs19937) {
    std::mt19937 generator(1);
    Bits bits(41000);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = generator() & 1;
    EXPECT_EQ(complexity_of(bits), 19937u);
    bits.resize(30000);
    EXPECT_NEAR(static_cast<double>(complexity_of(bits)), 15000, 20);
}

/// All 2^n sequences of n bits have the complexities of the law, and the p-values are its tails.
TEST(LinearComplexity, TheLawIsThatOfAllSequences) {
    constexpr std::size_t n = 14;
    std::vector<uint64_t> sequences(n + 1);
    for (uint64_t bits = 0; bits < uint64_t{1} << n; ++bits) ++sequences[linear_complexity({&bits, 1}, n)];
    EXPECT_EQ(sequences[0], 1u);
    for (std::size_t k = 1; k <= n; ++k)
        EXPECT_EQ(sequences[k], uint64_t{1} << std::min(2 * n - 2 * k, 2 * k - 1)) << k;
    const auto share = [&](std::size_t from, std::size_t to) {
        uint64_t sum = 0;
        for (std::size_t k = from; k <= to; ++k) sum += sequences[k];
        return std::ldexp(static_cast<double>(sum), -static_cast<int>(n));
    };
    // The law of long sequences; the ends of short ones take 2^-14.
    for (std::size_t d = 0; d < n / 2; ++d) {
        const auto deficit = rng::stats::deficits_p_value(d, 1), excess = rng::stats::excesses_p_value(d, 1);
        EXPECT_NEAR(deficit.lower(), d == 0 ? share(n / 2, n) : share(n / 2 - d, n), 1e-4) << d;
        EXPECT_NEAR(deficit.upper(), d == 0 ? 1 : share(0, n / 2 - d), 1e-4) << d;
        EXPECT_NEAR(excess.lower(), share(0, n / 2 + d), 1e-4) << d;
        EXPECT_NEAR(excess.upper(), d == 0 ? 1 : share(n / 2 + d, n), 1e-4) << d;
    }
}

TEST(LinearComplexity, SumsHaveTheLawOfConvolutions) {
    for (const bool excess : {false, true}) {
        std::vector<double> one(60), sum(60);
        one[0] = excess ? 2.0 / 3 : 5.0 / 6;
        for (std::size_t j = 1; j < one.size(); ++j)
            one[j] = excess ? std::pow(0.25, static_cast<double>(j)) : std::pow(0.25, static_cast<double>(j) - 1) / 8;
        sum[0] = 1;
        for (uint64_t count = 1; count <= 20; ++count) {
            std::vector<double> next(sum.size());
            for (std::size_t i = 0; i < sum.size(); ++i)
                for (std::size_t j = 0; i + j < sum.size(); ++j) next[i + j] += sum[i] * one[j];
            sum = next;
            if (count != 1 && count != 2 && count != 20) continue;
            double below = 0;
            for (uint64_t s = 0; s < 25; ++s) {
                const double tail = std::accumulate(sum.begin() + static_cast<std::ptrdiff_t>(s), sum.end(), 0.0);
                const auto p = excess ? rng::stats::excesses_p_value(s, count) : rng::stats::deficits_p_value(s, count);
                EXPECT_NEAR(p.log10_lower, std::log10(below += sum[s]), 1e-9) << count << ' ' << s;
                EXPECT_NEAR(p.log10_upper, std::log10(tail), 1e-9) << count << ' ' << s;
            }
        }
    }
    // 19,937 of 65,536 bits: the sum over L <= 19937 of 2^(2 L - 1 - n) is 2/3 4^19937 / 2^65536.
    EXPECT_NEAR(rng::stats::deficits_p_value(32768 - 19937, 1).log10_upper,
                (2 * 19937 - 65536) * std::log10(2.0) + std::log10(2.0 / 3), 1e-6);
}

/// Bit lanes: a flaw of one of them alone is found in it alone.
TEST(Complexity, LooksAtTheLowestMiddleAndHighestBit) {
    for (const auto& [bit, lane] : {std::pair(0, "low"), {16, "mid"}, {31, "high"}, {5, ""}}) {
        const auto flawed = generate<uint32_t>([random = std::ranlux48(1), x = xorshift128(), at = bit]() mutable {
            return (static_cast<uint32_t>(random() >> 8) & ~(1u << at)) | (x() >> 3 & 1) << at;
        });
        const auto report = run_test(generator_of(flawed), "complexity", 8 * KiB);
        for (const auto& result : report.analyses.back().results)
            EXPECT_EQ(result.log10_adjusted < -100, result.part == std::string(lane) + "-") << result.part << bit;
    }
}
TEST(Complexity, FailsMersenneTwistersAndShiftRegisters) {
    EXPECT_EQ(fails_at(std::mt19937(5), "complexity", 4 * MiB), 256 * KiB);
    EXPECT_EQ(fails_at(std::mt19937_64(5), "complexity", 4 * MiB), 512 * KiB);
    EXPECT_EQ(fails_at(xorshift128(), "complexity", 4 * MiB), 8 * KiB);
    EXPECT_EQ(fails_at(xorwow(), "complexity", 4 * MiB), 8 * KiB);
}
TEST(Complexity, PassesWhatIsNotLinear) {
    EXPECT_GT(worst_of(std::ranlux48(1), "complexity", 4 * MiB), -3);
    EXPECT_GT(worst_of(pcg32(), "complexity", 4 * MiB), -3);
}

using Matrix = std::vector<uint64_t>;

/// Elimination, row by row.
int plain_rank(Matrix rows, int n) {
    const std::size_t size = static_cast<std::size_t>(n), words = size / 64;
    std::size_t rank = 0;
    for (std::size_t c = 0; c < size; ++c) {
        std::size_t pivot = rank;
        while (pivot < size && !(rows[pivot * words + c / 64] >> c % 64 & 1)) ++pivot;
        if (pivot == size) continue;
        for (std::size_t w = 0; w < words; ++w) std::swap(rows[pivot * words + w], rows[rank * words + w]);
        for (std::size_t i = rank + 1; i < size; ++i)
            if (rows[i * words + c / 64] >> c % 64 & 1)
                for (std::size_t w = 0; w < words; ++w) rows[i * words + w] ^= rows[rank * words + w];
        ++rank;
    }
    return static_cast<int>(rank);
}
/// Rows are sums of `rank` random ones.
Matrix matrix_of_rank(int n, std::size_t rank, std::mt19937_64& random) {
    const std::size_t size = static_cast<std::size_t>(n), words = size / 64;
    Matrix base(rank * words), rows(size * words);
    for (uint64_t& word : base) word = random();
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < rank; ++k)
            if (random() >> 63)
                for (std::size_t w = 0; w < words; ++w) rows[i * words + w] ^= base[k * words + w];
    return rows;
}

TEST(BinaryRank, OfMatricesKnownInClosedForm) {
    for (const int n : {64, 256, 512, 1024}) {
        const std::size_t words = static_cast<std::size_t>(n) / 64;
        Matrix zero(static_cast<std::size_t>(n) * words), identity = zero, ones(zero.size(), ~uint64_t{0}),
                                                          triangle = zero, mirrored = zero;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            identity[i * words + i / 64] |= uint64_t{1} << i % 64;
            const std::size_t other = static_cast<std::size_t>(n) - 1 - i;
            mirrored[i * words + other / 64] |= uint64_t{1} << other % 64;
            for (std::size_t k = 0; k < i; ++k) triangle[i * words + k / 64] |= uint64_t{1} << k % 64;
        }
        EXPECT_EQ(binary_rank(zero, n), 0);
        EXPECT_EQ(binary_rank(identity, n), n);
        EXPECT_EQ(binary_rank(mirrored, n), n);
        EXPECT_EQ(binary_rank(ones, n), 1);
        EXPECT_EQ(binary_rank(triangle, n), n - 1);
    }
    Matrix rows(6);
    EXPECT_THROW(static_cast<void>(binary_rank(rows, 64)), rng::Error);
    EXPECT_THROW(static_cast<void>(binary_rank(rows, 60)), rng::Error);
}
TEST(BinaryRank, IsThatOfPlainElimination) {
    std::mt19937_64 random(2);
    for (const int n : {64, 128, 256, 320, 512})
        for (int i = 0; i < (n < 300 ? 20 : 3); ++i) {
            Matrix rows = matrix_of_rank(n, static_cast<std::size_t>(n), random);
            if (i % 3 == 1)  // columns of zeros, whole blocks and single ones
                for (std::size_t r = 0; r < rows.size(); ++r) rows[r] &= 0xff7ffe00ffff0f3f;
            if (i % 3 == 2)  // columns alike
                for (std::size_t r = 0; r < rows.size(); ++r) rows[r] ^= (rows[r] ^ rows[r] >> 3) & 0x1111111111111111;
            const int expected = plain_rank(rows, n);
            ASSERT_EQ(binary_rank(rows, n), expected) << n << ' ' << i;
        }
    for (const int n : {256, 1024})
        for (const std::size_t rank : {1u, 3u, 100u, 250u}) {
            Matrix rows = matrix_of_rank(n, rank, random);
            const int expected = plain_rank(rows, n);
            ASSERT_LE(expected, static_cast<int>(rank));
            ASSERT_EQ(binary_rank(rows, n), expected) << n << ' ' << rank;
        }
}

TEST(BinaryRank, TheLawIsThatOfDiehardAndOfAllSmallMatrices) {
    using rng::stats::log10_deficiency_tail;
    const auto tail = [](int d, int n) { return std::pow(10.0, log10_deficiency_tail(d, n)); };
    // Marsaglia's DIEHARD: of 32 x 32, ranks 32, 31, 30 and less.
    EXPECT_NEAR(1 - tail(1, 32), 0.2887880952, 1e-9);
    EXPECT_NEAR(tail(1, 32) - tail(2, 32), 0.5775761902, 1e-9);
    EXPECT_NEAR(tail(2, 32) - tail(3, 32), 0.1283502644, 1e-9);
    EXPECT_NEAR(tail(3, 32), 0.0052854502, 1e-9);
    EXPECT_NEAR(tail(2, 1024), 0.1336357145, 1e-9);
    // All 3 x 3 matrices: 168, 294, 49 and 1 of 512 (the order of GL(3, 2) is 168).
    EXPECT_NEAR(tail(1, 3) * 512, 512 - 168, 1e-9);
    EXPECT_NEAR(tail(2, 3) * 512, 50, 1e-9);
    EXPECT_NEAR(tail(3, 3) * 512, 1, 1e-9);
    EXPECT_EQ(tail(0, 3), 1);
    EXPECT_EQ(tail(4, 3), 0);
    EXPECT_NEAR(log10_deficiency_tail(4096, 4096), -4096.0 * 4096 * std::log10(2.0), 1e-3);
}

TEST(Rank, FailsXorshift128AtOnce) {
    EXPECT_EQ(fails_at(xorshift128(), "rank", 4 * MiB), 8 * KiB);
    // 256 x 256 bits from 128: deficiency 128, probability 2^-16384 or so.
    EXPECT_NEAR(worst_of(xorshift128(), "rank", 8 * KiB), -16384 * std::log10(2.0), 5);
}
/// The flaw of one lane alone is beyond any matrix of all bits.
TEST(Rank, LooksAtTheLowestAndTheHighestBit) {
    for (const bool high : {false, true}) {
        const auto flawed = generate<uint64_t>([random = std::ranlux48(1), x = xorshift128(), high]() mutable {
            const uint64_t word = random() << 16 ^ random() >> 13;
            return high ? word >> 1 | uint64_t{x() & 1} << 63 : word << 1 | (x() & 1);
        });
        const auto report = run_test(generator_of(flawed), "rank", 512 * KiB);
        ASSERT_EQ(report.verdict, rng::stats::Verdict::fail);
        EXPECT_EQ(report.analyses.back().size, 512 * KiB);
        for (const auto& result : report.analyses.back().results)
            EXPECT_EQ(result.log10_adjusted < -6, result.part == (high ? "high:max" : "low:max")) << result.part;
    }
}
TEST(Rank, PassesWhatIsNotLinear) { EXPECT_GT(worst_of(std::ranlux48(1), "rank", 4 * MiB), -3); }

TEST(Linear, PValuesAreUniform) {
    const int repetitions = support::sanitized ? 50 : 400;
    for (const auto& [test, bytes] : {std::pair<const char*, std::size_t>{"complexity", 8 * KiB}, {"rank", 24 * KiB}}) {
        const auto parts = p_values(std::ranlux48(3), test, bytes, repetitions);
        EXPECT_EQ(parts.size(), test == std::string("complexity") ? 6u : 2u);
        for (const auto& [part, values] : parts) EXPECT_GT(uniformity(values), 1e-9) << test << ' ' << part;
    }
}

}  // namespace
