// Engines under test by name. Every number of rounds is compared with the templates of rng/core.
// test_philox.cpp and test_threefry.cpp compare these templates with Random123.
// Streams, seeds and forks are compared with rng::Stream.
#include <gtest/gtest.h>
#include <rng/core/stream.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/engine.hpp>
#include <rng/stats/engine_subjects.hpp>
#include <rng/stats/subject.hpp>
#include <rng/stats/value_subjects.hpp>

#include <cstring>
#include <random>
#include <utility>

#include "statistical_tests/sources/cipher.hpp"

namespace {

using namespace rng::stats;
using Bytes = std::vector<std::byte>;

std::vector<uint32_t> random_words(std::size_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<uint32_t> words(n);
    for (uint32_t& word : words) word = static_cast<uint32_t>(generator());
    return words;
}

/// evaluate() against `block`, which takes and gives arrays of W.
template <class W, int N, int K, class F> void compare(const Cipher& cipher, F&& block) {
    constexpr int halves = sizeof(W) / 4;
    for (const std::size_t lanes : {16, 48, 64, 80, 192}) {
        const auto in = random_words(lanes * (N + K) * halves, static_cast<unsigned>(lanes));
        std::vector<uint32_t> out(lanes * N * halves);
        cipher.evaluate(lanes, in.data(), out.data());
        const auto at = [&](const std::vector<uint32_t>& from, std::size_t lane, int w) {
            uint64_t value = from[static_cast<std::size_t>(w * halves) * lanes + lane];
            if (halves == 2) value |= uint64_t{from[static_cast<std::size_t>(w * halves + 1) * lanes + lane]} << 32;
            return static_cast<W>(value);
        };
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            rng::Words<W, N> counter{};
            rng::Words<W, K> key{};
            for (int w = 0; w < N; ++w) counter[w] = at(in, lane, w);
            for (int w = 0; w < K; ++w) key[w] = at(in, lane, N + w);
            const rng::Words<W, N> expected = block(counter, key);
            for (int w = 0; w < N; ++w) ASSERT_EQ(at(out, lane, w), expected[w]) << cipher.name() << " " << lane;
        }
    }
}

template <int N, class W, int... R> void compare_philox(std::integer_sequence<int, R...>) {
    (compare<W, N, N / 2>({Cipher::Family::philox, N, 8 * sizeof(W), R + 1},
                          [](auto c, auto k) { return rng::philox<N, W, R + 1>(c, k); }),
     ...);
}
template <int N, class W, int... R> void compare_threefry(std::integer_sequence<int, R...>) {
    (compare<W, N, N>({Cipher::Family::threefry, N, 8 * sizeof(W), R + 1},
                      [](auto c, const auto& k) { return rng::threefry<N, W, R + 1>(c, k); }),
     ...);
}

TEST(Cipher, IsPhiloxOfEveryNumberOfRounds) {
    constexpr auto rounds = std::make_integer_sequence<int, 16>();
    compare_philox<2, uint32_t>(rounds);
    compare_philox<4, uint32_t>(rounds);
    compare_philox<2, uint64_t>(rounds);
    compare_philox<4, uint64_t>(rounds);
}

TEST(Cipher, IsThreefryOfEveryNumberOfRounds) {
    constexpr auto rounds = std::make_integer_sequence<int, 32>();
    compare_threefry<2, uint32_t>(rounds);
    compare_threefry<4, uint32_t>(rounds);
    compare_threefry<2, uint64_t>(rounds);
    compare_threefry<4, uint64_t>(rounds);
}

Bytes read(Source& source, uint64_t position, std::size_t size) {
    Bytes bytes(size);
    EXPECT_EQ(source.read(position, bytes), size);
    return bytes;
}
Bytes read(const StreamSet& set, uint64_t index, uint64_t position, std::size_t size) {
    Bytes bytes(size);
    set.read(index, position, bytes);
    return bytes;
}
template <class E> Bytes words_of(const rng::Stream<E>& stream, uint64_t first, std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size / 4; ++i) {
        const uint32_t word = rng::word(stream, first + i);
        std::memcpy(bytes.data() + 4 * i, &word, 4);
    }
    return bytes;
}

/// An engine without a number, so that nothing but the block function and the stream's layout is used of it.
template <class E> void expect_stream_of(const std::string& name) {
    constexpr uint64_t seed = 0x123456789abcdef0, id = 77, position = 1003;
    using S = rng::Stream<E>;
    const GeneratorUnderTest generator = engine_under_test(name, seed, id, position);
    EXPECT_EQ(generator.seed, seed);
    EXPECT_EQ(generator.source->word_bits(), 8 * sizeof(typename E::word));
    EXPECT_EQ(generator.source->name(), name + ", seed 1311768467463790320, id 77, position 1003");
    ASSERT_TRUE(generator.source->is_random_access());
    EXPECT_EQ(read(*generator.source, 0, 20000), words_of(S(seed, id), position, 20000)) << name;
    EXPECT_EQ(read(*generator.source, 4096, 64), words_of(S(seed, id), position + 1024, 64)) << name;

    ASSERT_GE(generator.streams.size(), 3u);
    const uint64_t block_bytes = E::words_per_block * 4, later = 1000 * block_bytes;
    for (const uint64_t index : {0, 1, 5000}) {
        EXPECT_EQ(read(*generator.streams[0], index, later, 256), words_of(S(seed + index), later / 4, 256)) << name;
        EXPECT_EQ(read(*generator.streams[1], index, later, 256), words_of(S(seed, index), later / 4, 256)) << name;
        EXPECT_EQ(read(*generator.streams[2], index, later, 256), words_of(S(seed).fork(index), later / 4, 256))
            << name;
    }

    ASSERT_EQ(generator.functions.size(), 3u);
    constexpr std::size_t lanes = 80;
    for (const auto& function : generator.functions) {
        auto in = random_words(lanes * static_cast<std::size_t>(function->input_words()), 5);
        const bool forks = function->name() == "fork";
        if (forks)
            for (std::size_t l = 0; l < lanes; ++l) in[3 * lanes + l] &= 0xffffff;
        EXPECT_EQ(function->input_bits(), 32 * function->input_words() - (forks ? 8 : 0));
        ASSERT_EQ(function->output_words(), E::words_per_block);
        std::vector<uint32_t> out(lanes * E::words_per_block);
        function->evaluate(lanes, in.data(), out.data());
        if (function->name() == "block") continue;  // compared above
        for (std::size_t l = 0; l < lanes; ++l) {
            const uint64_t first = in[l] | uint64_t{in[lanes + l]} << 32;
            const uint64_t second = in[2 * lanes + l] | uint64_t{in[3 * lanes + l]} << 32;
            const S stream = forks ? S(first).fork(second) : S(first, second);
            for (std::size_t w = 0; w < E::words_per_block; ++w)
                ASSERT_EQ(out[w * lanes + l], rng::word(stream, w)) << name << ' ' << function->name();
        }
    }
}

TEST(EnginesUnderTest, AreTheLibrarysStreams) {
    expect_stream_of<rng::PhiloxEngine<uint32_t, 10>>("philox4x32-10");
    expect_stream_of<rng::PhiloxEngine<uint32_t, 7>>("philox4x32-7");
    expect_stream_of<rng::PhiloxEngine<uint64_t, 10>>("philox4x64-10");
    expect_stream_of<rng::ThreefryEngine<uint32_t, 20>>("threefry4x32-20");
    expect_stream_of<rng::ThreefryEngine<uint64_t, 20>>("threefry4x64-20");
}

TEST(EnginesUnderTest, AreStreamsOfReducedRounds) {
    expect_stream_of<rng::PhiloxEngine<uint32_t, 6>>("philox4x32-6");
    expect_stream_of<rng::PhiloxEngine<uint64_t, 5>>("philox4x64-5");
    expect_stream_of<rng::ThreefryEngine<uint32_t, 9>>("threefry4x32-9");
    expect_stream_of<rng::ThreefryEngine<uint64_t, 11>>("threefry4x64-11");
}

TEST(EnginesUnderTest, AreMadeOfEveryName) {
    const auto names = engine_under_test_names();
    EXPECT_EQ(names.size(), 4u * 16 + 4 * 32);
    EXPECT_EQ(names.front(), "philox4x32-10");
    for (const std::string& name : names) {
        const GeneratorUnderTest generator = engine_under_test(name, 1);
        const Bytes first = read(*generator.source, 0, 64);
        EXPECT_NE(first, Bytes(64)) << name;
        EXPECT_EQ(generator.streams.empty(), name.starts_with("philox2x32"));
        for (std::size_t i = 0; i < generator.streams.size() && i < 1; ++i)
            EXPECT_EQ(read(*generator.streams[i], 0, 0, 64), first) << name;
        ASSERT_TRUE(generator.reseeded);
        const GeneratorUnderTest fresh = generator.reseeded(1);
        EXPECT_NE(fresh.seed, generator.seed);
        EXPECT_EQ(fresh.source->name().substr(0, name.size()), name);
        EXPECT_NE(read(*fresh.source, 0, 64), first) << name;
    }
}

TEST(EnginesUnderTest, OfOtherNamesAreRefused) {
    for (const char* name :
         {"", "philox", "philox4x32", "philox4x32-", "philox4x32-0", "philox4x32-17", "philox4x32-07", "philox3x32-7",
          "philox4x16-7", "threefry4x64-33", "philox4x32-7x", "Philox4x32-7"}) {
        try {
            static_cast<void>(engine_under_test(name, 1));
            FAIL() << name;
        } catch (const rng::Error& error) {
            EXPECT_EQ(error.code(), rng::ErrorCode::invalid_argument);
            EXPECT_NE(std::string(error.what()).find("threefry4x64-R"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(static_cast<void>(engine_under_test("philox2x32-5", 1, 7)), rng::Error);
    EXPECT_THROW(static_cast<void>(engine_under_test("philox4x32-10", 1, 0, uint64_t{1} << 58)), rng::Error);
    EXPECT_THROW(static_cast<void>(engine_under_test("philox4x32-6", 1, 0, uint64_t{1} << 58)), rng::Error);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(EnginesUnderTest, HaveFormerNames) {
    using E = rng::Philox4x32_10;
    const Subject subject = engine_subject("philox4x32-10", 3, 4, 5);
    EXPECT_EQ(subject.source->name(), "philox4x32-10, seed 3, id 4, position 5");
    EXPECT_EQ(subject_of<E>(3).source->name(), "philox4x32-10, seed 3");
    EXPECT_EQ(subject_of(3, "other", rng::Stream<E>(3, 4, 5)).source->name(), "other, seed 3, id 4, position 5");
    EXPECT_EQ(engine_subject_names(), engine_under_test_names());
    const auto name = [](const Subject& values) { return values.source->name(); };
    const DistributionOptions other{"threefry4x32-20", 9};
    EXPECT_EQ(name(distribution_subject("normal", "f64", other)),
              name(distribution_under_test("normal", "f64", other)));
    EXPECT_EQ(name(inverted_subject(distribution_subject("normal"))),
              name(invert_box_muller(distribution_under_test("normal"))));
    EXPECT_THROW(static_cast<void>(npy_subject("/nonexistent.npy", "normal")), rng::Error);
    EXPECT_TRUE((std::is_same_v<Look, InterimAnalysis>));
}
#pragma GCC diagnostic pop

}  // namespace
