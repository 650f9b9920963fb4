// The interface of <random> beside others. (test_random.cpp has the engines themselves.)
// The values are compared with those of the standard, of Random123 and of the streams.
// The engines are used in std:: and boost:: adaptors, distributions and algorithms.
#include <Random123/philox.h>
#include <Random123/threefry.h>
#include <gtest/gtest.h>
#include <rng/random.hpp>

#include <algorithm>
#include <boost/random/discard_block.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::block_engine;
using support::error_of;

template <class E>
using block_form = rng::counter_engine<rng::detail::OneBlock<typename E::engine>, typename E::result_type>;
using twowords64 = rng::philox_engine<std::uint64_t, 64, 2, 10, 0xD2B74407B1CE6E93, 0x9E3779B97F4A7C15>;

// ---- oracles

TEST(Random, TenThousandthValues) {
    rng::philox4x32 a;
    rng::philox4x64 b;
    a.discard(9999);
    for (int i = 0; i < 9999; ++i) b();
    EXPECT_EQ(a(), 1955073260u);
    EXPECT_EQ(b(), 3409172418970261260u);
}

template <class Theirs, class E> void expect_random123() {
    std::mt19937_64 entropy(5);
    for (int round = 0; round < 200; ++round) {
        typename E::key_type key;
        typename E::counter_type counter;
        typename Theirs::key_type their_key;
        typename Theirs::ctr_type their_counter;
        for (int i = 0; i < key.size(); ++i)
            their_key[static_cast<std::size_t>(i)] = key[i] = static_cast<typename E::word>(entropy());
        for (int i = 0; i < counter.size(); ++i)
            their_counter[static_cast<std::size_t>(i)] = counter[i] = static_cast<typename E::word>(entropy());
        E e(key, counter);
        for (int block = 0; block < 200; ++block) {
            const auto expected = Theirs{}(their_counter, their_key);
            for (const auto w : expected) ASSERT_EQ(e(), w);
            their_counter.incr();
        }
    }
}
TEST(Random, EqualsRandom123) {
    expect_random123<r123::Philox4x32, rng::philox4x32>();
    expect_random123<r123::Philox4x32_R<7>, rng::philox4x32_7>();
    expect_random123<r123::Philox4x64, rng::philox4x64>();
    expect_random123<r123::Threefry4x32, rng::threefry4x32>();
    expect_random123<r123::Threefry4x64, rng::threefry4x64>();
    expect_random123<r123::Philox2x64, twowords64>();
}

// ---- streams

template <class E> struct StreamTest : testing::Test {};
using StreamEngines =
    testing::Types<rng::philox4x32, rng::philox4x32_7, rng::philox4x64, rng::threefry4x32, rng::threefry4x64>;
TYPED_TEST_SUITE(StreamTest, StreamEngines);

TYPED_TEST(StreamTest, EngineAndStreamAreOneSequence) {
    using E = TypeParam;
    using S = rng::Stream<typename E::engine>;
    constexpr uint64_t words32 = E::word_size / 32;
    for (const S& s : {S{77}, S{77, 0x123456789abcdef0u}, S{~uint64_t{0}, 3, 12}, S{5}.fork("x").at_position(2),
                       S{5, 6, (uint64_t{1} << 34) - 4}, S{5, 6, S::size_words - 4000}}) {
        E e(s);
        EXPECT_EQ(to_stream(e), s);
        for (uint64_t i = 0; i < 1900; ++i) {
            const uint64_t w = s.position + i * words32;
            uint64_t expected = rng::word(s, w);
            if (words32 == 2) expected |= static_cast<uint64_t>(rng::word(s, w + 1)) << 32;
            ASSERT_EQ(e(), expected) << i;
            ASSERT_EQ(to_stream(e), s.at_position(w + words32));
        }
        EXPECT_EQ(E(to_stream(e)), e);
    }
    EXPECT_EQ(to_stream(E(123u)), S{123});
    EXPECT_EQ(E(S{5, 0, words32 == 2 ? 7 : 8}), E(S{5, 0, 8})) << "rounded up to the engine's words";
}

TYPED_TEST(StreamTest, CountersOfNoStreamAreRefused) {
    using E = TypeParam;
    using S = rng::Stream<typename E::engine>;
    constexpr uint64_t words32 = E::word_size / 32;
    const auto refused = [](const E& e) {
        EXPECT_EQ(
            error_of(rng::ErrorCode::invalid_argument, [&] { (void)to_stream(e); }),
            "to_stream: the engine's counter lies outside domain 0: its block number must be below 2^56, and words 1 "
            "and 3 of a 64-bit counter 0");
    };
    E e(S{1, 2, S::size_words - words32});
    EXPECT_EQ(to_stream(e), S(1, 2, S::size_words - words32));
    e();  // the last value of the stream: its end is the first block of domain 1
    refused(e);
    e.set_counter({1, 0, 1, 0});
    if (words32 == 1)
        EXPECT_EQ(to_stream(e).id, uint64_t{1} << 32);
    else
        refused(e);
    e.set_counter({0, 0, uint64_t{1} << (words32 == 1 ? 24 : 0), 0});
    refused(e);
    error_of(rng::ErrorCode::end_of_stream, [&] { E past(S{1, 2, S::size_words}); });
    error_of(rng::ErrorCode::end_of_stream, [&] { E past(S{1, 2, ~uint64_t{0}}); });
}

// ---- at work

TYPED_TEST(StreamTest, BlockFormIsTheSameEngine) {
    using E = TypeParam;
    E e(11u);
    block_form<E> b(11u);
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(e(), b());
    EXPECT_EQ(e.state().counter, b.state().counter);
    EXPECT_EQ(e.state().index, b.state().index);
    std::stringstream text;
    text << e;
    block_form<E> read;
    text >> read;
    EXPECT_EQ(read, b);
}

template <class Adaptor, class E> void expect_adaptor(const E& base) {
    Adaptor a(base);
    std::stringstream text;
    a.discard(1234);
    text << a;
    Adaptor b;
    text >> b;
    EXPECT_EQ(a, b);
    EXPECT_EQ(a(), b());
    std::seed_seq q{1};
    Adaptor c(q), d(9u);
    c.seed(9u);
    EXPECT_EQ(c, d);
}
TYPED_TEST(StreamTest, StandardAdaptors) {
    using E = TypeParam;
    using B = block_form<E>;
    const E e(8u);
    const B b(8u);
    expect_adaptor<std::discard_block_engine<E, 23, 7>>(e);
    expect_adaptor<std::shuffle_order_engine<E, 50>>(e);
    expect_adaptor<std::independent_bits_engine<E, 17, std::uint32_t>>(e);
    std::discard_block_engine<E, 23, 7> d1(e);
    std::discard_block_engine<B, 23, 7> d2(b);
    std::shuffle_order_engine<E, 50> s1(e);
    std::shuffle_order_engine<B, 50> s2(b);
    std::independent_bits_engine<E, 17, std::uint32_t> i1(e);
    std::independent_bits_engine<B, 17, std::uint32_t> i2(b);
    boost::random::discard_block_engine<E, 23, 7> d3(e);
    for (int i = 0; i < 2000; ++i) {
        const auto d = d1();
        ASSERT_EQ(d, d2());
        ASSERT_EQ(d, d3());
        ASSERT_EQ(s1(), s2());
        ASSERT_EQ(i1(), i2());
    }
}

TYPED_TEST(StreamTest, DistributionsAndAlgorithms) {
    using E = TypeParam;
    E e(21u);
    block_form<E> b(21u);
    std::normal_distribution<double> sn1, sn2;
    boost::random::normal_distribution<double> bn1, bn2;
    std::uniform_int_distribution<int> si(1, 6);
    boost::random::uniform_int_distribution<int> bi(1, 6);
    double sum = 0;
    constexpr int n = 4000;
    for (int i = 0; i < n; ++i) {
        const double z = sn1(e), y = bn1(e);
        ASSERT_EQ(z, sn2(b));
        ASSERT_EQ(y, bn2(b));
        ASSERT_EQ(si(e), si(b));
        ASSERT_EQ(bi(e), bi(b));
        ASSERT_EQ((std::generate_canonical<double, 53>(e)), (std::generate_canonical<double, 53>(b)));
        sum += z + y;
    }
    // The sum of 8000 normals: 6.2 standard deviations, so a false alarm for fewer than one seed in 10^9.
    EXPECT_LT(std::abs(sum), 6.2 * std::sqrt(2.0 * n));

    std::vector<int> cards(52), sorted(52);
    std::iota(cards.begin(), cards.end(), 0);
    std::iota(sorted.begin(), sorted.end(), 0);
    auto other = cards;
    std::shuffle(cards.begin(), cards.end(), e);
    std::shuffle(other.begin(), other.end(), b);
    EXPECT_EQ(cards, other);
    EXPECT_NE(cards, sorted);
    EXPECT_TRUE(std::is_permutation(cards.begin(), cards.end(), sorted.begin()));
}

}  // namespace
