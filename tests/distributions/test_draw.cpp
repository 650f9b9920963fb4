// dist(engine): our engines against at(), other libraries' engines against their words, std_distribution, below().
//
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"
#include "statistical_tests/p_values/chi_square.hpp"

namespace {

using support::error_of;

// ---- our engines

/// Values drawn one after another equal at() where the engine stands, and it then stands after the slot.
template <class G, class D> void expect_at(uint64_t first_word, const D& dist, const std::string& name) {
    using E = typename G::engine;
    constexpr uint64_t slot = D::slot_words, word = sizeof(typename E::word) / 4;
    rng::Stream<E> stream(42, 7, first_word * word);
    G engine(stream);
    for (int i = 0; i < 12; ++i) {
        const std::vector<rng::result_t<D>> expected{rng::at(stream, dist, 0)};
        ASSERT_TRUE(support::same_bits({rng::draw(dist, engine)}, expected))
            << name << " of " << E::name << " at word " << stream.position;
        const uint64_t end = (stream.position + slot - 1) / slot * slot + slot;
        stream = stream.at_position((end + word - 1) / word * word);
        ASSERT_EQ(to_stream(engine).position, stream.position) << name << " of " << E::name;
    }
}

template <class G> void expect_at_of_every_case() {
    support::for_each_case_of_kinds(2, [](const auto& dist, const std::string& name) {
        for (uint64_t first = 0; first < 5; ++first) expect_at<G>(first, dist, name);
        expect_at<G>(507, dist, name);  // across the end of a buffer
    });
    support::for_each_own_distribution([](const auto& dist, const std::string& name) { expect_at<G>(3, dist, name); });
}
template <class G> void expect_at_of_every_kind() {
    support::for_each_kind([](const auto& dist, const std::string& name) {
        for (const uint64_t first : {0u, 1u, 2u, 3u, 507u}) expect_at<G>(first, dist, name);
    });
}
TEST(Draw, OurEnginesGiveAt) {
    expect_at_of_every_case<rng::philox4x32>();
    expect_at_of_every_kind<rng::philox4x64>();
    expect_at_of_every_kind<rng::threefry4x64>();
    expect_at_of_every_kind<rng::block_engine<rng::Threefry4x32_20>>();
}

TEST(Draw, ALoopGivesAFill) {
    const rng::Stream<> stream{42};
    std::vector<double> filled(1000), drawn(1000);
    rng::fill(filled, rng::normal{1.0, 2.0}, stream);
    rng::philox4x32 engine(42);
    const rng::normal dist{1.0, 2.0};
    std::generate(drawn.begin(), drawn.end(), [&] { return dist(engine); });
    EXPECT_TRUE(support::same_bits(drawn, filled));
}

// Rejections come from the value's own retry stream, so the engine always moves by one slot.
TEST(Draw, RejectingValuesTakeOneSlot) {
    const rng::uniform_int<uint64_t> half{0, uint64_t{1} << 63};  // rejects nearly every second word
    rng::philox4x32 engine(5);
    for (uint64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(half(engine), rng::at(rng::Stream<>{5}, half, i));
        ASSERT_EQ(to_stream(engine).position, 2 * (i + 1));
    }
}

TEST(Draw, OutsideDomain0) {
    rng::philox4x32 engine(1);
    engine.set_counter({0, 0, 0x01000000, 0});  // most significant word first: block 2^56
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::normal<float>{}(engine); }),
              "to_stream: the engine's counter lies outside domain 0: its block number must be below 2^56, and words 1 "
              "and 3 of a 64-bit counter 0");
    rng::philox4x32 copy = engine;
    EXPECT_EQ(rng::uniform<float>{}(engine), static_cast<float>(copy() >> 8) * 0x1p-24f);
    // The next four words decide a value of gamma, too: here as another library's engine gives them.
    struct Words {
        using result_type = uint32_t;
        static constexpr result_type min() { return 0; }
        static constexpr result_type max() { return ~result_type{0}; }
        rng::philox4x32 engine;
        result_type operator()() { return static_cast<result_type>(engine()); }
    };
    copy.discard(3);
    Words words{copy};
    EXPECT_EQ((rng::gamma{2.5, 1.0}(engine)), (rng::gamma{2.5, 1.0}(words)));
    EXPECT_EQ(engine, words.engine);
}

// ---- engines of other libraries

/// An engine whose values count up from min() on, and wrap.
template <uint64_t Min, uint64_t Max> struct Counting {
    using result_type = uint64_t;
    static constexpr uint64_t min() { return Min; }
    static constexpr uint64_t max() { return Max; }
    uint64_t next = Min;
    uint64_t operator()() { return next == Max ? std::exchange(next, Min) : next++; }
};

TEST(Draw, WordsOfOtherEngines) {
    const auto words = [](auto engine, std::size_t n) {
        std::vector<uint32_t> w(n);
        for (auto& x : w) x = rng::bits<uint32_t>{}(engine);
        return w;
    };
    // 32 bits: the value. 64 bits: its upper half.
    std::mt19937 mt(5), mt_again(5);
    std::mt19937_64 mt64(5), mt64_again(5);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(rng::bits<uint32_t>{}(mt), mt_again());
        ASSERT_EQ(rng::bits<uint32_t>{}(mt64), mt64_again() >> 32);
        const uint64_t low = mt_again();
        ASSERT_EQ(rng::bits<uint64_t>{}(mt), low | uint64_t{mt_again()} << 32);
    }
    // Two values: a bit each, the lowest first. Three: the greatest is drawn again.
    EXPECT_EQ(words(Counting<0, 1>{}, 2), (std::vector<uint32_t>{0xaaaaaaaa, 0xaaaaaaaa}));
    EXPECT_EQ(words(Counting<7, 9>{}, 1), (std::vector<uint32_t>{0xaaaaaaaa}));
    // Four values: two bits each. 256: bytes. 255: four bits, of which sixteen times fifteen values are used.
    EXPECT_EQ(words(Counting<0, 3>{}, 1), (std::vector<uint32_t>{0xe4e4e4e4}));
    EXPECT_EQ(words(Counting<10, 265>{}, 2), (std::vector<uint32_t>{0x03020100, 0x07060504}));
    EXPECT_EQ(words(Counting<0, 254>{}, 2), (std::vector<uint32_t>{0, 0x10000000}));
    // 2^31 - 2 values, as of std::minstd_rand: two parts of sixteen bits, of 32767 values each.
    std::minstd_rand lehmer(3), lehmer_again(3);
    for (int i = 0; i < 1000; ++i) {
        uint32_t parts[2];
        for (auto& part : parts) {
            do part = static_cast<uint32_t>((lehmer_again() - 1) / 32767);
            while (part > 0xffff);
        }
        ASSERT_EQ(rng::bits<uint32_t>{}(lehmer), parts[0] | parts[1] << 16);
    }
    // 2^64 - 1 values: 2^32 parts of 2^32 - 1 each.
    EXPECT_EQ(words(Counting<1, ~uint64_t{0}>{0xffffffff}, 1), (std::vector<uint32_t>{0}));
    EXPECT_EQ(words(Counting<1, ~uint64_t{0}>{0x100000000}, 1), (std::vector<uint32_t>{1}));
}

TEST(Draw, OtherEnginesAreTheRetryStream) {
    support::for_each_case_of_kinds(1, [](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        std::mt19937 a(42), b(42);
        for (int i = 0; i < 20; ++i) {
            (void)rng::draw(dist, a);
            (void)dist(b);
            ASSERT_EQ(a, b) << name;
        }
        std::mt19937 fresh(42);
        const unsigned long drawn = 20 * D::slot_words * (D::map_shape == rng::Shape::pair ? 2 : 1);
        if (D::map_shape != rng::Shape::sampler) {
            fresh.discard(drawn);
            ASSERT_EQ(a, fresh) << name << ": one 32-bit word a call";
        }
    });
    // [rand.predef]: the first value of the default std::mt19937.
    std::mt19937 engine;
    EXPECT_EQ(rng::uniform<float>{}(engine), static_cast<float>(3499211612u >> 8) * 0x1p-24f);
}

/// The p-value of counts that should be equal.
double equal_counts(const std::vector<uint64_t>& counts) {
    double total = 0;
    for (const uint64_t c : counts) total += static_cast<double>(c);
    const std::vector<double> expected(counts.size(), total / static_cast<double>(counts.size()));
    return rng::stats::chi_square(counts, expected).p.upper();
}

TEST(Draw, IntegersOfOtherEngines) {
    std::minstd_rand lehmer(1);
    std::ranlux24_base lux(1);
    std::vector<uint64_t> of_lehmer(6), of_lux(10);
    for (int i = 0; i < 60000; ++i) {
        ++of_lehmer[static_cast<std::size_t>(rng::uniform_int{1, 6}(lehmer)-1)];
        ++of_lux[rng::uniform_int<uint8_t>{0, 9}(lux)];
    }
    EXPECT_GT(equal_counts(of_lehmer), 1e-6);
    EXPECT_GT(equal_counts(of_lux), 1e-6);
}

// ---- std_distribution

TEST(StdDistribution, KeepsTheSecondOfAPair) {
    std::mt19937 a(42), b(42);
    rng::std_distribution d(rng::normal{2.0, 0.5});
    const auto pair = [&] {
        const uint64_t low = b(), radius = low | uint64_t{b()} << 32, next = b(), angle = next | uint64_t{b()} << 32;
        using U = rng::lane::u64<rng::lane::Scalar>;
        const auto z = rng::normal{2.0, 0.5}.map()(U(radius), U(angle));
        return std::array{z.even.v, z.odd.v};
    };
    for (int i = 0; i < 100; ++i) {
        const auto expected = pair();
        ASSERT_EQ(d(a), expected[0]);
        ASSERT_EQ(d(a), expected[1]);
    }
    EXPECT_EQ(d(a), pair()[0]);
    d.reset();
    EXPECT_EQ(d(a), pair()[0]) << "reset() drops the second value";
    d.param(rng::normal{0.0, 0.0});
    EXPECT_EQ(d.param().stddev, 0.0);
    EXPECT_EQ(d(a), 0.0) << "and so do other parameters";
    EXPECT_EQ(d(a, rng::normal{7.0, 0.0}), 7.0);
}

TEST(StdDistribution, GivesAtOfOurEngines) {
    rng::philox4x32 engine(42);
    rng::std_distribution<rng::normal<float>> normal;
    rng::std_distribution integer(rng::uniform_int{1, 6});
    for (uint64_t i = 0; i < 20; ++i) ASSERT_EQ(normal(engine), rng::at(rng::Stream<>{42}, rng::normal<float>{}, i));
    for (uint64_t i = 10; i < 20; ++i)
        ASSERT_EQ(integer(engine), rng::at(rng::Stream<>{42}, rng::uniform_int{1, 6}, i));
}

// ---- below

TEST(Below, IsLemiresOfSuccessiveWords) {
    rng::philox4x32 engine(9), again(9);
    const auto word64 = [&] {
        const uint64_t low = again();
        return low | uint64_t{again()} << 32;
    };
    __extension__ using wide = unsigned __int128;
    for (const uint64_t n :
         {uint64_t{1}, uint64_t{6}, uint64_t{52}, (uint64_t{1} << 32) + 1, (uint64_t{1} << 63) + 1, ~uint64_t{0}})
        for (int i = 0; i < 200; ++i) {
            uint64_t w = word64();
            while (w * n < (0 - n) % n) w = word64();
            ASSERT_EQ(rng::below(engine, n), static_cast<uint64_t>(static_cast<wide>(w) * n >> 64)) << n;
        }
    rng::RetryStream<> retry_stream(rng::Stream<>{9}, 0, 2);
    rng::philox4x32 first(9);
    EXPECT_EQ(rng::below(retry_stream, 1000), rng::below(first, 1000));
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::below(engine, 0); }),
              "below: there must be at least one value to choose, got 0");
}

TEST(Below, ShufflesFairly) {
    std::map<std::array<int, 4>, uint64_t> seen;
    rng::threefry4x64 engine(3);
    std::mt19937 other(3);
    for (int i = 0; i < 48000; ++i) {
        std::array<int, 4> a{0, 1, 2, 3};
        for (std::size_t k = a.size() - 1; k > 0; --k)
            std::swap(a[k], a[i % 2 == 0 ? rng::below(engine, k + 1) : rng::below(other, k + 1)]);
        ++seen[a];
    }
    ASSERT_EQ(seen.size(), 24u);
    std::vector<uint64_t> counts;
    for (const auto& [permutation, count] : seen) counts.push_back(count);
    EXPECT_GT(equal_counts(counts), 1e-6);
}

}  // namespace
