// Every engine of the list: its numbers, layouts and names; its bulk form on every instruction set against block(); and
// generators that run on it.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::Stream;
using support::error_of;

template <class F> void for_each_engine(const F& f) {
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        const testing::ScopedTrace trace(__FILE__, __LINE__, E::name);
        f(E{});
    });
}

// ---- layouts, by hand from docs/contract.md

using P32 = rng::Philox4x32_7;
using P64 = rng::Philox4x64_10;
using T32 = rng::Threefry4x32_20;
using T64 = rng::Threefry4x64_20;
constexpr uint64_t b = 0x00123456789abcdeu, id = 0x0123456789abcdefu;

static_assert(P32::counter(b, 0xfd, id) == P32::counter_type{{0x789abcdeu, 0xfd123456u, 0x89abcdefu, 0x01234567u}});
static_assert(T32::counter(b, 0xfd, id) == P32::counter(b, 0xfd, id));
static_assert(P64::counter(b, 0xfd, id) == P64::counter_type{{0xfd123456789abcdeu, 0, id, 0}});
static_assert(T64::counter(b, 0xfd, id) == P64::counter(b, 0xfd, id));
static_assert(P32::key_from_seed(id) == P32::key_type{{0x89abcdefu, 0x01234567u}});
static_assert(P64::key_from_seed(id) == P64::key_type{{id, 0}});
static_assert(T32::key_from_seed(id) == T32::key_type{{0x89abcdefu, 0x01234567u, 0, 0}});
static_assert(T64::key_from_seed(id) == T64::key_type{{id, 0, 0, 0}});
static_assert(P64::child_key({{1, 2, 3, 4}}) == P64::key_type{{1, 2}} && P64::child_id({{1, 2, 3, 4}}) == 3);
static_assert(T32::child_key({{1, 2, 3, 4}}) == T32::key_type{{1, 2, 3, 4}} && T32::child_id({{1, 2, 3, 4}}) == 0);
static_assert(T64::child_key({{1, 2, 3, 4}}) == T64::key_type{{1, 2, 3, 4}} && T64::child_id({{1, 2, 3, 4}}) == 0);
static_assert(P64::words_per_block == 8 && T64::words_per_block == 8 && P32::words_per_block == 4);
static_assert(P64::word_of({{id, 0, 0, b}}, 0) == 0x89abcdefu && P64::word_of({{id, 0, 0, b}}, 1) == 0x01234567u);
static_assert(P64::word_of({{id, 0, 0, b}}, 6) == 0x789abcdeu && P64::word_of({{id, 0, 0, b}}, 7) == 0x00123456u);

// C++26 [rand.predef] gives the 10000th values of std::philox4x32 and std::philox4x64.
static_assert(rng::word(Stream<rng::Philox4x32_10>{20111115}, 9999) == 1955073260u);
static_assert((rng::word(Stream<P64>{20111115}, 2 * 9999) | uint64_t{rng::word(Stream<P64>{20111115}, 2 * 9999 + 1)}
                                                                << 32) == 3409172418970261260u);

TEST(Engines, NumbersAndNames) {
    // States are files: the numbers must not change.
    EXPECT_EQ(static_cast<int>(rng::Philox4x32_10::number), 0);
    EXPECT_EQ(static_cast<int>(rng::Philox4x32_7::number), 1);
    EXPECT_EQ(static_cast<int>(rng::Philox4x64_10::number), 2);
    EXPECT_EQ(static_cast<int>(rng::Threefry4x32_20::number), 3);
    EXPECT_EQ(static_cast<int>(rng::Threefry4x64_20::number), 4);
    std::set<std::string> names;
    for_each_engine([&](auto engine) {
        using E = decltype(engine);
        EXPECT_STREQ(rng::engine_name(E::number), E::name);
        names.insert(E::name);
    });
    EXPECT_EQ(names.size(), static_cast<std::size_t>(rng::engines::size));
    EXPECT_STREQ(rng::engine_name(static_cast<rng::Engine>(99)), "unknown engine");
}

// ---- the bulk form is block(), one block after another

template <class E> std::vector<uint32_t> by_word(const Stream<E>& s, std::size_t n) {
    std::vector<uint32_t> words(n);
    for (std::size_t i = 0; i < n; ++i) words[i] = rng::word(s, s.position + i);
    return words;
}

TEST(Engines, BulkEqualsBlocksAtEveryLength) {
    for_each_engine([](auto engine) {
        using E = decltype(engine);
        // Groups of vectors, single vectors, parts of a vector, parts of a block: up to two groups of the widest.
        constexpr std::size_t most = 1300;
        const Stream<E> s(0xdeadbeefcafef00du, 0x8000000000000005u, 3);
        const auto expected = by_word(s, most);
        support::on_every_isa([&](const std::string& path) {
            for (std::size_t n = 0; n <= most; n += n < 150 ? 1 : 23) {
                std::vector<uint32_t> words(n + 1, 0x5a5a5a5au);
                rng::fill(std::span(words).first(n), rng::bits<uint32_t>{}, s);
                ASSERT_EQ(support::first_difference(words.data(), expected.data(), n), n)
                    << path << ", " << n << " words";
                ASSERT_EQ(words[n], 0x5a5a5a5au) << path << ": wrote past its end";
            }
        });
    });
}

TEST(Engines, BulkEqualsBlocksEverywhere) {
    for_each_engine([](auto engine) {
        using E = decltype(engine);
        constexpr uint64_t n = E::words_per_block, end = Stream<E>::size_words;
        for (const uint64_t position : {(n << 32) - 100, (n << 32) - 5, (n << 48) - 100, end - 700})
            for (const uint64_t seed : {uint64_t{0}, ~uint64_t{0}})
                for (const uint64_t stream_id : {uint64_t{0}, uint64_t{0xffffffff00000000u}, ~uint64_t{0}}) {
                    const Stream<E> s(seed, stream_id, position);
                    const auto expected = by_word(s, 700);
                    support::on_every_isa([&](const std::string& path) {
                        std::vector<uint32_t> words(700);
                        rng::fill(words, rng::bits<uint32_t>{}, s);
                        EXPECT_TRUE(support::same_bits(words, expected)) << path << ", position " << position;
                    });
                }
    });
}

// Children have whole keys; pairs read other domains.
TEST(Engines, BulkEqualsBlocksForChildrenAndDomains) {
    for_each_engine([](auto engine) {
        using E = decltype(engine);
        const Stream<E> child = Stream<E>{42}.fork("a child").at_position(5);
        support::for_each_kind([&](auto dist, const std::string& name) {
            const auto expected = support::by_at(child, dist, 300);
            support::on_every_isa([&](const std::string& path) {
                auto values = expected;
                std::fill(values.begin(), values.end(), rng::result_t<decltype(dist)>{});
                rng::fill(values, dist, child);
                EXPECT_TRUE(support::same_bits(values, expected)) << name << ", " << path;
            });
        });
    });
}

// ---- generators

TEST(Engines, GeneratorsRunOnEach) {
    for_each_engine([](auto engine) {
        using E = decltype(engine);
        rng::Generator g(rng::cpu(), 42, E::number);
        EXPECT_EQ(g.engine(), E::number);
        EXPECT_EQ(g.template stream<E>(), Stream<E>{42});

        const auto first = rng::sample(rng::normal{0.0f, 1.0f}, 1001, g);
        EXPECT_TRUE(support::same_bits(first, support::by_at(Stream<E>{42}, rng::normal{0.0f, 1.0f}, 1001)));
        EXPECT_EQ(g.position(), 1001u);

        const rng::Generator child = g.fork(7);
        EXPECT_EQ(child.engine(), E::number);
        EXPECT_EQ(child.template stream<E>(), Stream<E>{42}.fork(7));
        const auto key = Stream<E>{42}.fork(7).key;
        EXPECT_EQ(child.initial_seed(),
                  sizeof(typename E::word) == 4 ? key[0] | static_cast<uint64_t>(key[1]) << 32 : uint64_t{key[0]});
        EXPECT_EQ(g.fork().template stream<E>(), Stream<E>{42}.child(0, rng::domain::counted));
        EXPECT_EQ(g.fork("worker").template stream<E>(), Stream<E>{42}.fork("worker"));

        rng::Generator grandchild = child.fork(1);
        grandchild.skip_words(77);
        rng::Generator restored(1);
        restored.set_state(grandchild.get_state());
        EXPECT_EQ(restored.engine(), E::number);
        EXPECT_EQ(restored.template stream<E>(), grandchild.template stream<E>());
        EXPECT_EQ(restored.initial_seed(), grandchild.initial_seed());

        restored.manual_seed(5);
        EXPECT_EQ(restored.template stream<E>(), Stream<E>{5}) << "manual_seed keeps the engine";
        error_of(rng::ErrorCode::end_of_stream, [&] { restored.skip_words(Stream<E>::size_words + 1); });
        EXPECT_NO_THROW(restored.skip_words(Stream<E>::size_words));
    });
}

TEST(Engines, StreamOfAnotherEngineIsRefused) {
    const rng::Generator g(rng::cpu(), 42, rng::Engine::threefry4x64_20);
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { (void)g.stream(); }),
              "Generator::stream: the engine is threefry4x64-20, got a request for philox4x32-10");
}

// A state whose key does not fit its engine is damaged, though its checksum is right.
TEST(Engines, StatesWithKeysOfAnotherEngineAreRefused) {
    for_each_engine([](auto engine) {
        using E = decltype(engine);
        constexpr std::size_t engine_offset = 12, checksum_offset = 80;
        auto state = rng::Generator(rng::cpu(), ~uint64_t{0}, rng::Engine::threefry4x64_20).fork(1).get_state();
        state[engine_offset] = static_cast<std::byte>(E::number);
        const uint64_t sum = rng::digest(std::span(state).first(checksum_offset));
        for (std::size_t i = 0; i < 8; ++i) state[checksum_offset + i] = static_cast<std::byte>(sum >> (8 * i));
        rng::Generator g(3);
        if (std::is_same_v<typename E::key_type, rng::Threefry4x64_20::key_type>)
            EXPECT_NO_THROW(g.set_state(state));
        else
            EXPECT_NE(error_of(rng::ErrorCode::bad_state, [&] { g.set_state(state); }).find("out of range"),
                      std::string::npos);
    });
}

}  // namespace
