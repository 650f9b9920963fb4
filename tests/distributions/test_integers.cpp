// Integers, Bernoulli and bytes: the model's known answers, exact evenness, rejection from the value's own retry
// stream, and what bad bounds are answered.
//
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/p_values/chi_square.hpp"

namespace {

using rng::Stream;
using rng::uniform_int;
using support::error_of;
using support::Json;
using support::known_answers;
using U32 = rng::lane::u32<rng::lane::Scalar>;
using U64 = rng::lane::u64<rng::lane::Scalar>;

/// Calls f(T{}) for the integer type that a row names by its bits and bounds.
template <class F> void visit_integer_type(int bits, bool is_signed, const F& f) {
    if (bits == 8) is_signed ? f(int8_t{}) : f(uint8_t{});
    if (bits == 16) is_signed ? f(int16_t{}) : f(uint16_t{});
    if (bits == 32) is_signed ? f(int32_t{}) : f(uint32_t{});
    if (bits == 64) is_signed ? f(int64_t{}) : f(uint64_t{});
}

template <class T> T parsed(const Json& text) {
    const auto s = text.get<std::string>();
    return std::is_signed_v<T> ? static_cast<T>(std::strtoll(s.c_str(), nullptr, 10))
                               : static_cast<T>(std::strtoull(s.c_str(), nullptr, 10));
}

TEST(UniformInt, KnownAnswers) {
    EXPECT_EQ(known_answers().at("integers").size(), 23u);
    for (const Json& row : known_answers().at("integers")) {
        const auto s = support::stream_of<rng::Philox4x32_10>(row);
        visit_integer_type(row.at("bits"), row.at("lo").get<std::string>()[0] == '-', [&](auto tag) {
            using T = decltype(tag);
            const uniform_int<T> d{parsed<T>(row.at("lo")), parsed<T>(row.at("hi"))};
            for (std::size_t i = 0; i < row.at("values").size(); ++i)
                EXPECT_EQ(rng::at(s, d, i), parsed<T>(row.at("values").at(i))) << row;
        });
    }
}

TEST(Bernoulli, KnownAnswers) {
    EXPECT_EQ(known_answers().at("bernoulli").size(), 18u);
    for (const Json& row : known_answers().at("bernoulli")) {
        const auto s = support::stream_of<rng::Philox4x32_10>(row);
        const rng::bernoulli d{std::strtod(row.at("p").get<std::string>().c_str(), nullptr)};
        for (std::size_t i = 0; i < row.at("values").size(); ++i)
            EXPECT_EQ(rng::at(s, d, i), row.at("values").at(i).get<int>()) << row;
    }
}

// ---- every result has equally many words

/// Results k of spans of 32-bit words: the words of k are an interval, of which only the first can be rejected.
TEST(UniformInt, ExactlyEvenInShortWords) {
    for (const uint32_t span : {1u, 2u, 3u, 6u, 7u, 100u, 255u, 256u, 1000u, 43691u, 65174u, 65175u, 65535u, 65536u}) {
        const auto map = uniform_int<uint16_t>{0, static_cast<uint16_t>(span - 1)}.map();
        const uint64_t share = (uint64_t{1} << 32) / span;
        for (uint64_t k = 0; k < span; ++k) {
            const uint64_t first = ((k << 32) + span - 1) / span, end = (((k + 1) << 32) + span - 1) / span;
            const auto of = [&](uint64_t w) { return map(U32(static_cast<uint32_t>(w))); };
            const uint64_t rejected = of(first).undecided.v != 0 ? 1 : 0;
            ASSERT_EQ(end - first - rejected, share) << span << ": " << k;
            ASSERT_EQ(of(first + 1).undecided.v, 0u) << span << ": " << k;
            ASSERT_EQ(of(first + 1).value.v, k);
            ASSERT_EQ(of(end - 1).value.v, k);
        }
    }
}

/// The same for 64-bit words, where results are sampled.
TEST(UniformInt, ExactlyEvenInLongWords) {
    __extension__ using u128 = unsigned __int128;
    for (const uint64_t span : {uint64_t{3}, uint64_t{6}, uint64_t{1000000007}, (uint64_t{1} << 31) + 1,
                                (uint64_t{1} << 63) + 1, ~uint64_t{0}, uint64_t{1} << 40}) {
        const auto map = uniform_int<uint64_t>{0, span - 1}.map();
        const u128 whole = u128{1} << 64;
        const auto share = static_cast<uint64_t>(whole / span);
        for (int i = 0; i < 2000; ++i) {
            const uint64_t k = i < 3 ? std::min(uint64_t{span - 1}, uint64_t{0} + static_cast<uint64_t>(i))
                                     : rng::at(Stream<>{7}, rng::bits<uint64_t>{}, static_cast<uint64_t>(i)) % span;
            const u128 first = (u128{k} * whole + span - 1) / span, end = (u128{k + 1} * whole + span - 1) / span;
            const auto of = [&](u128 w) { return map(U64(static_cast<uint64_t>(w))); };
            const uint64_t rejected = of(first).undecided.v != 0 ? 1 : 0;
            ASSERT_EQ(static_cast<uint64_t>(end - first) - rejected, share) << span << ": " << k;
            ASSERT_EQ(of(end - 1).value.v, k);
            if (rejected == 0) {
                ASSERT_EQ(of(first).value.v, k);
            }
        }
    }
}

// ---- rejection reads the value's own retry stream, and only that

TEST(UniformInt, RejectedWordsComeFromTheRetryStream) {
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        const Stream<E> s(42, 5, 0);
        constexpr uint64_t span = (uint64_t{1} << 63) + 1, limit = (uint64_t{1} << 63) - 1;  // 2^64 mod span
        const uniform_int<uint64_t> d{0, span - 1};
        std::size_t rejections = 0;
        for (uint64_t i = 0; i < 500; ++i) {
            const uint64_t slot = 2 * i, n = E::words_per_block;
            // By hand: the slot's words, then the child of this block and lane.
            uint64_t w = rng::word(s, slot) | uint64_t{rng::word(s, slot + 1)} << 32;
            const auto child = s.child(slot / n, rng::domain::private_streams + static_cast<unsigned>(slot % n));
            for (uint64_t k = 0; w * span < limit; k += 2, ++rejections)
                w = rng::word(child, k) | uint64_t{rng::word(child, k + 1)} << 32;
            ASSERT_EQ(rng::at(s, d, i), rng::detail::mulhi64(w, span)) << E::name << ", value " << i;
        }
        EXPECT_GT(rejections, 350u) << "half of all words are rejected";
    });
}

TEST(UniformInt, EveryPathAgreesOnSpansThatReject) {
    const auto check = [](auto d, const char* name) {
        const Stream<rng::Threefry4x64_20> s(42, 5, 3);
        const auto expected = support::by_at(s, d, 5003);
        support::on_every_path({1, 3}, [&](const std::string& path) {
            auto values = expected;
            std::fill(values.begin(), values.end(), rng::result_t<decltype(d)>{});
            rng::fill(values, d, s);
            EXPECT_TRUE(support::same_bits(values, expected)) << name << ", " << path;
        });
    };
    check(uniform_int<uint64_t>{0, uint64_t{1} << 63}, "2^63 + 1");
    check(uniform_int<int64_t>{std::numeric_limits<int64_t>::min(), 0}, "signed 2^63 + 1");
    check(uniform_int<uint64_t>{1, ~uint64_t{0}}, "2^64 - 1");
    check(uniform_int<uint32_t>{0, uint32_t{1} << 31}, "2^31 + 1");
    check(uniform_int<uint32_t>{0, ~uint32_t{0}}, "2^32");
    check(uniform_int<int32_t>{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()},
          "signed 2^32");
}

/// At 16 bits, at most one word in 65930 is rejected: enough values that a rejection happens in every lane.
TEST(UniformInt, EveryPathAgreesOnRareRejections) {
    const uniform_int<uint16_t> d{0, 65174};
    const Stream<> s(42, 0, 3);
    const std::size_t n = std::size_t{1} << (support::sanitized ? 18 : 21);
    const auto map = d.map();
    std::size_t rejections = 0;
    std::vector<uint16_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        expected[i] = rng::at(s, d, i);
        rejections += map(U32(rng::word(s, s.position + i))).undecided.v != 0;
    }
    EXPECT_GE(rejections, 2u);
    support::on_every_isa([&](const std::string& path) {
        std::vector<uint16_t> values(n);
        rng::fill(values, d, s);
        EXPECT_TRUE(support::same_bits(values, expected)) << path;
    });
}

/// Returns a stream whose next two words are `low` and `high`: the rounds of Philox4x32-10 backwards. About one block
/// in 256 is of domain 0, so other last words are tried until one is.
Stream<> stream_with_words(uint32_t low, uint32_t high) {
    using K = rng::detail::PhiloxConstants<uint32_t>;
    const auto inverse = [](uint32_t m) {
        uint32_t x = m;  // right in the last three bits
        for (int i = 0; i < 4; ++i) x *= 2 - m * x;
        return x;
    };
    const uint64_t seed = 0x0123456789abcdefu;
    for (uint32_t last = 0;; ++last) {
        uint32_t c[4] = {low, high, 0x5eed5eedu, last};
        for (uint32_t r = 10; r-- > 0;) {
            const uint32_t key0 = static_cast<uint32_t>(seed) + r * K::weyl[0];
            const uint32_t key1 = static_cast<uint32_t>(seed >> 32) + r * K::weyl[1];
            const uint32_t c0 = c[3] * inverse(K::mul4[0]), c2 = c[1] * inverse(K::mul4[1]);
            const uint32_t c1 = c[0] ^ rng::detail::mulhi32(K::mul4[1], c2) ^ key0;
            const uint32_t c3 = c[2] ^ rng::detail::mulhi32(K::mul4[0], c0) ^ key1;
            c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3;
        }
        const uint64_t block = c[0] | uint64_t{c[1]} << 32;
        if (block >> 56 == 0) return Stream<>(seed, c[2] | uint64_t{c[3]} << 32, 4 * block);
    }
}

/// A 64-bit word is rejected for a span of 32 bits about once in 2^33 values, so these words are made.
TEST(UniformInt, EveryPathAgreesOnTheRarestRejections) {
    for (const uint32_t span : {3u, 7u, 1000003u, (1u << 31) + 1, ~0u}) {
        const uniform_int<uint32_t> d{1, span};
        const uniform_int<int32_t> negative{std::numeric_limits<int32_t>::min(),
                                            static_cast<int32_t>(span - 1 - (1u << 31))};
        const uint64_t limit = rng::detail::rejected_words(uint64_t{span}), edge = uint64_t{1} << 32;
        uint64_t inverse = span;
        for (int i = 0; i < 5; ++i) inverse *= 2 - span * inverse;
        for (const uint64_t product : {uint64_t{0}, limit - 1, limit, limit + 1, edge - 1, edge, ~uint64_t{0}}) {
            const uint64_t w = product * inverse;  // product = w * span mod 2^64
            const Stream<> at_word = stream_with_words(static_cast<uint32_t>(w), static_cast<uint32_t>(w >> 32));
            ASSERT_EQ(rng::word(at_word, at_word.position) | uint64_t{rng::word(at_word, at_word.position + 1)} << 32,
                      w);
            if (const uint64_t high = rng::detail::mulhi64(w, span); product >= limit) {
                ASSERT_EQ(rng::at(at_word, d, 0), static_cast<uint32_t>(high + 1));
            } else if (span > 1000) {
                ASSERT_NE(rng::at(at_word, d, 0), static_cast<uint32_t>(high + 1)) << "it is drawn again";
            }
            for (uint64_t before = 0; before < 40; before += before < 33 ? 1 : 3) {
                const Stream<> s = at_word.at_position(at_word.position - 2 * before);
                const auto check = [&](auto dist) {
                    const auto expected = support::by_at(s, dist, 128);
                    support::on_every_isa([&](const std::string& path) {
                        auto values = expected;
                        std::fill(values.begin(), values.end(), rng::result_t<decltype(dist)>{});
                        rng::fill(values, dist, s);
                        ASSERT_TRUE(support::same_bits(values, expected))
                            << path << ": span " << span << ", product " << product << ", value " << before;
                    });
                };
                check(d);
                check(negative);
            }
        }
    }
}

// ---- statistics: a chi-square for each of these, each with a share of 1e-9 of false alarms; the seeds are fixed

template <class T> double evenness(const std::vector<T>& values, T lo, std::size_t span) {
    std::vector<uint64_t> counts(span);
    for (const T x : values) ++counts.at(static_cast<std::size_t>(static_cast<T>(x - lo)));
    const std::vector<double> expected(span, static_cast<double>(values.size()) / static_cast<double>(span));
    return rng::stats::chi_square(counts, expected).p.two_sided();
}

TEST(UniformInt, ChiSquare) {
    constexpr std::size_t n = 1 << 20;
    const Stream<> s(20111115, 77);
    EXPECT_GE(evenness(rng::sample(uniform_int<int8_t>{-50, 77}, n, s), int8_t{-50}, 128), 1e-9);
    EXPECT_GE(evenness(rng::sample(uniform_int<uint16_t>{0, 999}, n, s), uint16_t{0}, 1000), 1e-9);
    EXPECT_GE(evenness(rng::sample(uniform_int<int32_t>{1, 6}, n, s), 1, 6), 1e-9);
    EXPECT_GE(evenness(rng::sample(uniform_int<int64_t>{-3, 8}, n, s), int64_t{-3}, 12), 1e-9);
    std::vector<uint64_t> sixths;  // a span that rejects: sixths of it
    for (const uint64_t x : rng::sample(uniform_int<uint64_t>{0, uint64_t{1} << 63}, n, s))
        sixths.push_back(x / (((uint64_t{1} << 63) + 1) / 3));  // 2^63 + 1 is divisible by three
    EXPECT_GE(evenness(sixths, uint64_t{0}, 3), 1e-9);
    // What it must reject: a remainder makes the low results likelier.
    std::vector<uint8_t> biased;
    for (const uint8_t x : rng::sample(uniform_int<uint8_t>{}, n, s)) biased.push_back(x % 100);
    EXPECT_LT(evenness(biased, uint8_t{0}, 100), 1e-9);
    const auto coins = rng::sample(rng::bernoulli{0.3}, n, s);
    const auto ones = static_cast<uint64_t>(std::count(coins.begin(), coins.end(), 1));
    EXPECT_GE(rng::stats::binomial_p_value(ones, n, 0.3).two_sided(), 1e-9);
}

// ---- bounds

TEST(UniformInt, Bounds) {
    const Stream<> s{1};
    EXPECT_EQ(rng::sample(uniform_int{5, 5}, 10, s), std::vector<int>(10, 5));
    const auto all = rng::sample(uniform_int<int8_t>{}, 4, s);  // the default is [0, greatest]
    for (const int8_t x : all) EXPECT_GE(x, 0);
    const auto whole = rng::sample(uniform_int<uint64_t>{0, ~uint64_t{0}}, 100, s);
    EXPECT_EQ(whole, rng::sample(rng::bits<uint64_t>{}, 100, s)) << "the full range is the raw words";
    const auto halves = rng::sample(uniform_int<uint32_t>{0, ~uint32_t{0}}, 100, s);
    for (std::size_t i = 0; i < halves.size(); ++i) EXPECT_EQ(halves[i], whole[i] >> 32) << "the top bits";
    constexpr auto least = std::numeric_limits<int64_t>::min();
    for (const int64_t x : rng::sample(uniform_int<int64_t>{least, least + 3}, 100, s)) EXPECT_LE(x, least + 3);

    rng::Generator g(1);
    std::vector<int64_t> out(3, 9);
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(out, uniform_int<int64_t>{3, least}, g);
                       }),
              "fill: uniform_int: hi must be at least lo, got -9223372036854775808");
    EXPECT_EQ(out, std::vector<int64_t>(3, 9));
    EXPECT_EQ(g.position(), 0u);
    std::vector<uint8_t> coins(3);
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(coins, rng::bernoulli{1.5}, g); }),
              "fill: bernoulli: p must be in [0, 1], got 1.5");
    EXPECT_NE(error_of(rng::ErrorCode::invalid_argument,
                       [&] { rng::fill(coins, rng::bernoulli{std::numeric_limits<double>::quiet_NaN()}, g); }),
              "");
}

TEST(Bernoulli, EndsAreExact) {
    EXPECT_EQ(rng::sample(rng::bernoulli{0}, 1000, Stream<>{3}), std::vector<uint8_t>(1000, 0));
    EXPECT_EQ(rng::sample(rng::bernoulli{-0.0}, 1000, Stream<>{3}), std::vector<uint8_t>(1000, 0));
    EXPECT_EQ(rng::sample(rng::bernoulli{1}, 1000, Stream<>{3}), std::vector<uint8_t>(1000, 1));
}

// ---- bytes

TEST(Bytes, AreTheWordsLittleEndian) {
    const Stream<> s(42, 7, 5);
    for (std::size_t n = 0; n < 70; ++n) {
        std::array<std::byte, 80> memory{};
        for (const std::size_t start : {0u, 1u, 3u}) {  // unaligned too
            memory.fill(std::byte{0xee});
            rng::fill_bytes(std::span(memory).subspan(start, n), s);
            for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(std::to_integer<uint32_t>(memory[start + i]),
                          rng::word(s, 5 + i / 4) >> (8 * (i % 4)) & 0xff);
            ASSERT_EQ(memory[start + n], std::byte{0xee});
        }
        rng::Generator g(42);
        rng::fill_bytes(std::span(memory).first(n), g);
        EXPECT_EQ(g.position(), (n + 3) / 4);
    }
    std::array<std::byte, 5> memory{};
    const Stream<> end(42, 7, Stream<>::size_words - 1);
    error_of(rng::ErrorCode::end_of_stream, [&] { rng::fill_bytes(memory, end); });
    EXPECT_NO_THROW(rng::fill_bytes(std::span(memory).first(4), end));
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument,
                       [&] { rng::fill_bytes(std::span(static_cast<std::byte*>(nullptr), 4), end); }),
              "fill: bytes: the destination is null but 4 values were asked for");
}

}  // namespace
