// The face of <random>: what the standard says of engines, their states, seeding and text. (Beside others, and at work:
// test_random_use.cpp.)
#include <gtest/gtest.h>
#include <rng/random.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iomanip>
#include <iterator>
#include <locale>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::block_engine;
using support::error_of;

// ---- what the standard says of the types

static_assert(std::uniform_random_bit_generator<rng::philox4x32> &&
              std::uniform_random_bit_generator<rng::threefry4x64>);
static_assert(std::uniform_random_bit_generator<block_engine<rng::Philox4x32_10>>);
static_assert(std::is_same_v<rng::philox4x32::result_type, std::uint_fast32_t>);
static_assert(std::is_same_v<rng::philox4x64::result_type, std::uint_fast64_t>);
static_assert(rng::philox4x32::min() == 0 && rng::philox4x32::max() == 0xffffffffu);
static_assert(rng::philox4x64::max() == ~uint64_t{0} && rng::threefry4x32::max() == 0xffffffffu);
static_assert(rng::philox4x32::word_size == 32 && rng::philox4x32::word_count == 4 &&
              rng::philox4x32::round_count == 10);
static_assert(rng::philox4x64::word_size == 64 && rng::philox4x32_7::round_count == 7);
static_assert(rng::philox4x32::multipliers == std::array<std::uint_fast32_t, 2>{0xCD9E8D57, 0xD2511F53});
static_assert(rng::philox4x32::round_consts == std::array<std::uint_fast32_t, 2>{0x9E3779B9, 0xBB67AE85});
static_assert(rng::philox4x32::default_seed == 20111115u);
static_assert(!std::is_convertible_v<unsigned, rng::philox4x32> &&
              !std::is_constructible_v<rng::philox4x32, std::string&>);
static_assert(sizeof(rng::philox4x32) <= 2304 && sizeof(rng::threefry4x64) <= 2304 && sizeof(std::mt19937) > 2304);
static_assert(sizeof(block_engine<rng::Philox4x32_10>) == 44);

// When compiling: the 10000th values, by discard and by calls.
static_assert([] {
    block_engine<rng::Philox4x32_10> e;
    e.discard(9999);
    return e();
}() == 1955073260u);
static_assert([] {
    block_engine<rng::Philox4x64_10> e;
    for (int i = 0; i < 100; ++i) e();
    e.discard(9899);
    return e();
}() == 3409172418970261260u);

// ---- every engine

template <class E> struct EngineTest : testing::Test {};
template <class E>
using block_form = rng::counter_engine<rng::detail::OneBlock<typename E::engine>, typename E::result_type>;

/// Two words and constants of no one else: headers alone.
using odd32 = rng::philox_engine<std::uint32_t, 32, 2, 5, 0xD256D193, 0x12345679>;
using odd64 = rng::philox_engine<std::uint64_t, 64, 4, 6, 0xCA5A826395121157, 3, 0xD2E7470EE14C6C93, 5>;
using twowords64 = rng::philox_engine<std::uint64_t, 64, 2, 10, 0xD2B74407B1CE6E93, 0x9E3779B97F4A7C15>;

using AllEngines =
    testing::Types<rng::philox4x32, rng::philox4x32_7, rng::philox4x64, rng::threefry4x32, rng::threefry4x64, odd32,
                   odd64, twowords64, block_engine<rng::Philox4x32_10>, block_engine<rng::Threefry4x64_20>>;
TYPED_TEST_SUITE(EngineTest, AllEngines);

/// Value i of an engine with this key and counter, from block() alone.
template <class E>
typename E::word value_by_block(const typename E::key_type& key, const typename E::counter_type& counter, uint64_t i) {
    constexpr auto n = E::word_count;
    auto c = counter;
    uint64_t carry = i / n;
    for (int j = 0; j < c.size(); ++j) {
        if constexpr (E::word_size == 32) {
            const uint64_t sum = c[j] + (carry & 0xffffffffu);
            c[j] = static_cast<uint32_t>(sum);
            carry = (carry >> 32) + (sum >> 32);
        } else {
            carry = __builtin_add_overflow(c[j], carry, &c[j]);
        }
    }
    return E::engine::block(c, key)[static_cast<int>(i % n)];
}

template <class E> typename E::key_type key_of(std::initializer_list<typename E::word> first) {
    typename E::key_type key{};
    int i = 0;
    for (const auto w : first)
        if (i < key.size()) key[i++] = w;
    return key;
}

TYPED_TEST(EngineTest, CallsAreTheBlocksInOrderOnEveryIsa) {
    using E = TypeParam;
    support::on_every_isa([](const std::string& path) {
        E e(12345u);
        for (uint64_t i = 0; i < 3000; ++i)
            ASSERT_EQ(e(), (value_by_block<E>(key_of<E>({12345}), {}, i))) << path << ", value " << i;
    });
}

TYPED_TEST(EngineTest, DiscardIsAsManyCalls) {
    using E = TypeParam;
    std::mt19937_64 dice(1);
    for (int round = 0; round < 200; ++round) {
        E called(7u), discarded(7u);
        for (int part = 0; part < 6; ++part) {
            const auto n = dice() % (round % 2 ? 20 : 1500);
            for (uint64_t i = 0; i < n; ++i) called();
            discarded.discard(n);
            ASSERT_EQ(called, discarded);
            ASSERT_EQ(called(), discarded());
        }
    }
    E far(7u);
    far.discard(3);
    far.discard(~0ull);  // 2^64 + 2 values in all
    const typename E::word next = value_by_block<E>(key_of<E>({7}), {}, ~uint64_t{0} - 1);
    E near(7u);
    near.discard(~0ull - 1);
    EXPECT_EQ(near(), next);
    near.discard(3);
    EXPECT_EQ(near, far);
    EXPECT_EQ(near(), far());
}

TYPED_TEST(EngineTest, EqualStatesHoweverReached) {
    using E = TypeParam;
    E a, b(E::default_seed), c(E::default_seed + 1);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    a.discard(E::word_count);  // a whole block: nothing is left of it, and a new block has begun in neither
    b.set_counter([] {
        std::array<typename E::result_type, E::word_count> one{};
        one.back() = 1;
        return one;
    }());
    EXPECT_EQ(a, b);
    EXPECT_EQ(a(), b());
    EXPECT_NE(a, E());
    b();
    EXPECT_NE(a, b);
    a.seed();
    EXPECT_EQ(a, E());
    a.discard(1000);
    a.seed(5u);
    EXPECT_EQ(a, E(5u));
    const E copy(a);
    a();
    EXPECT_EQ(copy, E(5u));
    E assigned;
    assigned = a;
    EXPECT_EQ(assigned(), a());
    EXPECT_EQ(E(assigned.state()), a);
}

TYPED_TEST(EngineTest, CounterIsOfFullWidthAndWraps) {
    using E = TypeParam;
    constexpr std::size_t n = E::word_count;
    std::array<typename E::result_type, n> counter;
    for (std::size_t i = 0; i < n; ++i)
        counter[i] = static_cast<typename E::result_type>(E::max() - i);  // most significant first
    typename E::counter_type c;
    for (std::size_t i = 0; i < n; ++i) c[static_cast<int>(n - 1 - i)] = static_cast<typename E::word>(counter[i]);
    E e(3u);
    e();
    e.set_counter(counter);
    for (uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(e(), (value_by_block<E>(key_of<E>({3}), c, i))) << i;

    // From every place near the top of the whole counter, and of each of its words, on through zero.
    for (std::size_t ones = 1; ones <= n; ++ones)
        for (const unsigned before : {1u, 2u, 63u, 64u, 65u, 128u, 129u, 300u}) {
            counter.fill(ones == n ? E::max() : 9);
            typename E::counter_type start{};
            for (std::size_t i = 0; i < ones; ++i) counter[n - 1 - i] = E::max();
            counter[n - 1] -= before - 1;
            for (std::size_t i = 0; i < n; ++i)
                start[static_cast<int>(i)] = static_cast<typename E::word>(counter[n - 1 - i]);
            E at_top(3u), skipping(3u);
            at_top.set_counter(counter);
            skipping.set_counter(counter);
            for (uint64_t i = 0; i < 5000; ++i)
                ASSERT_EQ(at_top(), (value_by_block<E>(key_of<E>({3}), start, i))) << ones << ' ' << before << ' ' << i;
            skipping.discard(5000);
            EXPECT_EQ(skipping, at_top);
        }
    // Values wider than a word are taken mod 2^w.
    if constexpr (sizeof(typename E::result_type) > sizeof(typename E::word)) {
        counter.fill(typename E::result_type{7} << 32 | 5);
        E wide, narrow;
        wide.set_counter(counter);
        counter.fill(5);
        narrow.set_counter(counter);
        EXPECT_EQ(wide, narrow);
        EXPECT_EQ(E(typename E::result_type{1} << 32 | 77), E(77u));
    }
}

/// generate() writes what it is told and counts: the standard fixes how much is asked for.
struct Given {
    using result_type = std::uint_least32_t;
    std::vector<uint32_t> values;
    std::size_t asked = 0;
    template <class It> void generate(It first, It last) {
        asked = static_cast<std::size_t>(last - first);
        std::copy_n(values.begin(), asked, first);
    }
};

TYPED_TEST(EngineTest, SeedSequences) {
    using E = TypeParam;
    constexpr int words = E::key_type::size(), per_word = sizeof(typename E::word) / 4;
    Given given{{0x11111111, 0x82222222, 0x33333333, 0x84444444, 5, 6, 7, 8}};
    typename E::key_type key{};
    for (int k = 0; k < words; ++k)
        for (int j = 0; j < per_word; ++j)
            key[k] |= static_cast<typename E::word>(
                static_cast<uint64_t>(given.values[static_cast<std::size_t>(k * per_word + j)]) << (32 * j));
    E e(given);
    EXPECT_EQ(given.asked, static_cast<std::size_t>(words * per_word));
    EXPECT_EQ(e.state().key, key);
    EXPECT_EQ(e(), (value_by_block<E>(key, {}, 0)));
    e.discard(100);
    e.seed(given);
    EXPECT_EQ(e, E(given));
    EXPECT_EQ(e, E(key, typename E::counter_type{}));

    std::seed_seq q{1, 2, 3};
    std::vector<uint32_t> a(static_cast<std::size_t>(words * per_word));
    q.generate(a.begin(), a.end());
    Given same{a};
    EXPECT_EQ(E(q), E(same));
    E nonconst;
    E copy(nonconst);  // not a seed sequence
    EXPECT_EQ(copy, nonconst);
}

// ---- words that discard() passes without computing them

/// The same calls of an engine that the library refills and of one that computes block after block: equal words,
/// states, streams and marks of places, after any number of discards, near the ends of their ranges too.
template <class E> void expect_lazy_discards(const E& begin) {
    using Plain = block_engine<typename E::engine>;
    E lazy = begin;
    const auto start = lazy.state();
    Plain plain(typename Plain::state_type{start.key, start.counter, start.index});
    std::mt19937_64 choose(7);
    for (int i = 0; i < 3000; ++i) {
        const uint64_t small = choose() % 12, medium = choose() % 3000, far = (uint64_t{1} << 30) - choose() % 9;
        const uint64_t z = choose() % 4 == 0     ? medium
                           : choose() % 50 == 0  ? far
                           : choose() % 300 == 0 ? choose()
                                                 : small;
        lazy.discard(z);
        plain.discard(z);
        ASSERT_EQ(lazy.at_even_word(), plain.at_even_word()) << i;
        ASSERT_EQ(lazy.has_stream(), plain.has_stream()) << i;
        if (plain.has_stream()) {
            ASSERT_EQ(rng::to_stream(lazy), rng::to_stream(plain)) << i;
        }
        const auto a = lazy.state();
        const auto b = plain.state();
        ASSERT_TRUE(a.key == b.key && a.counter == b.counter && a.index == b.index) << i << ", discard(" << z << ")";
        const E copy(a);
        ASSERT_EQ(copy, lazy) << i;
        for (uint64_t k = choose() % 3; k > 0; --k) {
            ASSERT_EQ(lazy(), plain()) << i;
            if (plain.has_stream()) {
                ASSERT_EQ(lazy.stream_before(1), plain.stream_before(1)) << i;
            }
        }
    }
}
TEST(Discard, PassesWordsLazily) {
    expect_lazy_discards(rng::philox4x32(42));
    expect_lazy_discards(rng::philox4x64(42));
    expect_lazy_discards(rng::threefry4x32(42));
    rng::philox4x32 last_block_of_a_domain;
    last_block_of_a_domain.set_counter({0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffff0000u});
    expect_lazy_discards(last_block_of_a_domain);
    rng::philox4x32 last_draws;
    last_draws.set_counter({0, 7, 0x00ffffffu, 0xffffff00u});
    expect_lazy_discards(last_draws);
}

// ---- text

TYPED_TEST(EngineTest, TextRoundTripsAtEveryIndex) {
    using E = TypeParam;
    std::seed_seq q{4, 5};
    E e(q);
    for (int i = 0; i < 1100; ++i) {
        std::stringstream text;
        text << e << ' ' << 77;
        E read(1u);
        int after = 0;
        text >> read >> after;
        ASSERT_TRUE(text) << text.str();
        ASSERT_EQ(after, 77);
        ASSERT_EQ(read, e);
        ASSERT_EQ(read(), e());
    }
    std::wstringstream wide;
    wide << e;
    E read;
    wide >> read;
    EXPECT_EQ(read, e);
}

TEST(EngineText, IsTheStandards) {
    const auto text = [](const auto& e) { return (std::ostringstream() << e).str(); };
    rng::philox4x32 e(42u);
    EXPECT_EQ(text(e), "42 0 0 0 0 0 3");
    e();
    EXPECT_EQ(text(e), "42 0 1 0 0 0 0");
    e.discard(3);
    EXPECT_EQ(text(e), "42 0 1 0 0 0 3");
    e.set_counter({1, 2, 3, 0xffffffff});
    EXPECT_EQ(text(e), "42 0 4294967295 3 2 1 3");
    e();
    EXPECT_EQ(text(e), "42 0 0 4 2 1 0");
    EXPECT_EQ(text(rng::threefry4x64{5u}), "5 0 0 0 0 0 0 0 3");
    EXPECT_EQ(text(odd32(5u)), "5 0 0 1");
}

TYPED_TEST(EngineTest, TextIgnoresAndRestoresFormats) {
    using E = TypeParam;
    E e(0xabcdefu);
    e.discard(1001);
    const std::string plain = (std::ostringstream() << e).str();
    std::stringstream odd;
    odd << std::hex << std::showbase << std::showpos << std::internal << std::uppercase << std::setfill('*')
        << std::setw(20) << std::noskipws;
    const auto flags = odd.flags();
    odd << e;
    EXPECT_EQ(odd.str(), plain);
    EXPECT_EQ(odd.flags(), flags);
    EXPECT_EQ(odd.fill(), '*');
    E read;
    odd >> read;
    EXPECT_TRUE(odd);
    EXPECT_EQ(read, e);
    EXPECT_EQ(odd.flags(), flags);
    EXPECT_EQ(odd.fill(), '*');

    struct Grouped : std::numpunct<char> {
        char do_thousands_sep() const override { return ','; }
        std::string do_grouping() const override { return "\3"; }
    };
    std::stringstream grouped;
    grouped.imbue(std::locale(std::locale::classic(), new Grouped));
    E again(1u);
    grouped << e;
    grouped >> again;
    EXPECT_TRUE(grouped);
    EXPECT_EQ(again, e);
}

TYPED_TEST(EngineTest, DamagedTextLeavesTheEngineAlone) {
    using E = TypeParam;
    E e(99u);
    e.discard(5);
    std::istringstream words((std::ostringstream() << e).str());
    const std::vector<std::string> tokens{std::istream_iterator<std::string>(words), {}};
    const auto refused = [&](const std::string& text) {
        E engine(1u);
        engine.discard(3);
        const E before = engine;
        std::istringstream in(text);
        in >> engine;
        EXPECT_TRUE(in.fail()) << text;
        EXPECT_EQ(engine, before) << text;
        E twin = before;
        EXPECT_EQ(engine(), twin());
        std::istringstream throwing(text);
        throwing.exceptions(std::ios::failbit);
        const auto flags = throwing.flags();
        EXPECT_THROW(throwing >> engine, std::ios_base::failure);
        EXPECT_EQ(throwing.flags(), flags);
        EXPECT_EQ(engine, twin);
    };
    const auto joined = [](const std::vector<std::string>& t) {
        return std::accumulate(t.begin(), t.end(), std::string(), [](auto a, auto b) { return a + b + " "; });
    };
    refused("");
    refused("nonsense");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        refused(joined({tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i)}));  // cut short
        for (const char* bad : {"x", "-1", "+1", "18446744073709551616", "99999999999999999999999", ".5"}) {
            auto damaged = tokens;
            damaged[i] = bad;
            refused(joined(damaged));
        }
        if (E::word_size == 32 || i + 1 == tokens.size()) {
            auto damaged = tokens;
            damaged[i] = i + 1 == tokens.size() ? std::to_string(E::word_count) : "4294967296";
            refused(joined(damaged));
        }
    }
}

}  // namespace
