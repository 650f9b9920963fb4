// The face of <random>: what the standard says of engines and distributions, their states, seeding and text. (Beside
// others, and at work: test_random_use.cpp.)
#include <gtest/gtest.h>
#include <rng/random.hpp>
#include <rng/rng.hpp>

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
        ASSERT_EQ(lazy.used_words(2), plain.used_words(2)) << i;
        ASSERT_EQ(lazy.used_words(4), plain.used_words(4)) << i;
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

// ---- the standard's tables, a line for a clause; std's own engines and distributions show that each line is one

/// C++20 [rand.req.eng], table 95, and [rand.req.urng].
template <class E> void expect_engine_of_the_standard() {
    using T = typename E::result_type;
    static_assert(std::is_unsigned_v<T>);                                       // E::result_type
    static_assert(std::integral_constant<bool, (E::min() < E::max())>::value);  // constant expressions
    static_assert(std::is_same_v<decltype(E::min()), T> && std::is_same_v<decltype(E::max()), T>);
    static_assert(std::uniform_random_bit_generator<E> && std::copyable<E> && std::equality_comparable<E>);
    const T s = 12345;
    std::seed_seq q{1, 2, 3};
    E x, y(x), of_seed(s), of_sequence(q);                             // E(), E(x), E(s), E(q)
    EXPECT_TRUE(x == y && !(x != y));                                  // x == y, x != y
    EXPECT_TRUE(of_seed == E(s) && of_seed != x && of_sequence != x);  //
    static_assert(std::is_same_v<decltype(x == y), bool> && std::is_same_v<decltype(x != y), bool>);
    static_assert(std::is_same_v<decltype(x()), T>);  // e()
    EXPECT_EQ(x(), y());
    static_assert(std::is_void_v<decltype(x.seed())> && std::is_void_v<decltype(x.seed(s))>);
    static_assert(std::is_void_v<decltype(x.seed(q))> && std::is_void_v<decltype(x.discard(7ull))>);
    x.seed();  // e.seed()
    EXPECT_EQ(x, E());
    x.seed(s);  // e.seed(s)
    EXPECT_EQ(x, of_seed);
    x.seed(q);  // e.seed(q)
    EXPECT_EQ(x, of_sequence);
    x.discard(1001);  // e.discard(z)
    for (int i = 0; i < 1001; ++i) of_sequence();
    EXPECT_EQ(x, of_sequence);
    std::stringstream text;
    static_assert(std::is_same_v<decltype(text << x), std::ostream&> &&
                  std::is_same_v<decltype(text >> x), std::istream&>);
    const auto flags = text.flags();
    text << x;  // os << x
    text >> y;  // is >> v
    EXPECT_TRUE(text && x == y && text.flags() == flags && text.fill() == ' ');
    EXPECT_EQ(x(), y());
    std::istringstream bad("no engine");
    EXPECT_FALSE(bad >> y);
    if constexpr (requires { typename E::engine; }) {  // libstdc++'s engines change all the same
        EXPECT_EQ(x, y);
    }
}
TYPED_TEST(EngineTest, MeetsTheStandardsTable) { expect_engine_of_the_standard<TypeParam>(); }
TEST(TheStandardsTables, OfEnginesHoldForStdsOwn) {
    expect_engine_of_the_standard<std::mt19937>();
    expect_engine_of_the_standard<std::minstd_rand>();
}

/// C++20 [rand.req.dist], table 96, for a distribution and the same with other parameters.
template <class D, class G> void expect_distribution_of_the_standard(const D& x, const D& other, G g) {
    using T = typename D::result_type;
    using P = typename D::param_type;
    static_assert(std::is_arithmetic_v<T>);                           // D::result_type
    static_assert(std::is_same_v<typename P::distribution_type, D>);  // D::param_type
    static_assert(std::copyable<D> && std::copyable<P>);              // CopyConstructible, CopyAssignable
    static_assert(std::equality_comparable<D> && std::equality_comparable<P>);
    static_assert(std::is_default_constructible_v<D> && std::is_constructible_v<D, const P&>);
    const P p = x.param();  // x.param()
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x.param())>, P>);
    D d(p);                                               // D(p)
    EXPECT_TRUE(D() == D() && d == x && d.param() == p);  // D()
    EXPECT_EQ(d == other, p == other.param());            // x == y
    EXPECT_EQ(d != other, p != other.param());            // x != y
    static_assert(std::is_void_v<decltype(d.param(p))> && std::is_void_v<decltype(d.reset())>);
    d.param(other.param());  // d.param(p)
    EXPECT_TRUE(d == other && d.param() == other.param());
    d.param(p);
    static_assert(std::is_same_v<decltype(d(g)), T> && std::is_same_v<decltype(d(g, p)), T>);
    static_assert(std::is_same_v<decltype(x.min()), T> && std::is_same_v<decltype(x.max()), T>);
    EXPECT_LE(x.min(), x.max());
    G same = g;
    D of_p(p);
    EXPECT_EQ(D(other)(g, p), of_p(same));  // d(g, p)
    EXPECT_EQ(g, same);
    for (int i = 0; i < 200; ++i) {
        const T value = d(g);       // d(g)
        ASSERT_GE(value, x.min());  // x.min()
        ASSERT_LE(value, x.max());  // x.max()
    }
    const auto expect_equal_sequences = [&g](D a, D b) {
        G one = g, two = g;
        for (int i = 0; i < 5; ++i) ASSERT_EQ(a(one), b(two));
        ASSERT_EQ(one, two);
    };
    for (int drawn = 0; drawn < 2; ++drawn) {  // a pair's second value is kept, and is not
        std::stringstream text;
        static_assert(std::is_same_v<decltype(text << d), std::ostream&> &&
                      std::is_same_v<decltype(text >> d), std::istream&>);
        text << std::hex << std::setfill('*');
        const auto flags = text.flags();
        text << d << ' ' << 77;  // os << x
        D read(other.param());
        text >> read;  // is >> d
        EXPECT_TRUE(text && read == d) << text.str();
        EXPECT_TRUE(text.flags() == flags && text.fill() == '*');
        expect_equal_sequences(d, read);
        const D copy = d;
        expect_equal_sequences(copy, d);
        std::istringstream bad("no distribution");
        EXPECT_TRUE(!(bad >> read) && read == d);
        (void)d(g);
    }
    d.reset();  // d.reset()
    expect_equal_sequences(d, x);
}
template <class D> void expect_law_of_the_standard(const D& dist, const D& other) {
    expect_distribution_of_the_standard(rng::std_distribution(dist), rng::std_distribution(other), std::mt19937(5));
    expect_distribution_of_the_standard(rng::std_distribution(dist), rng::std_distribution(other), rng::philox4x32(5));
}
TEST(TheStandardsTables, OfDistributionsHoldForStdsOwn) {
    using normal = std::normal_distribution<double>;
    using poisson = std::poisson_distribution<int>;
    expect_distribution_of_the_standard(normal(1, 2), normal(1, 3), std::mt19937(5));
    expect_distribution_of_the_standard(poisson(2.5), poisson(7), std::mt19937(5));
    expect_distribution_of_the_standard(normal(1, 2), normal(1, 3), rng::philox4x32(5));
}
TEST(TheStandardsTables, OfDistributionsHoldForStdDistribution) {
    expect_law_of_the_standard(rng::normal{1.0, 2.0}, rng::normal{1.0, 3.0});
    expect_law_of_the_standard(rng::normal{0.1f, 2.0f}, rng::normal{0.1f, 0.3f});
    expect_law_of_the_standard(rng::uniform{-1.0, 0.1}, rng::uniform{-1.0, 0.2});
    expect_law_of_the_standard(rng::uniform_int{int8_t{-100}, int8_t{5}}, rng::uniform_int{int8_t{-100}, int8_t{6}});
    expect_law_of_the_standard(rng::uniform_int{3u, 4'000'000'000u}, rng::uniform_int{2u, 4'000'000'000u});
    expect_law_of_the_standard(rng::gamma{0.3, 1.0}, rng::gamma{0.3, 1.5});
    expect_law_of_the_standard(rng::poisson{3.5}, rng::poisson{300.5});
    expect_law_of_the_standard(rng::bernoulli{0.25}, rng::bernoulli{0.5});
    expect_law_of_the_standard(rng::bits<uint64_t>{}, rng::bits<uint64_t>{});
    constexpr double infinity = std::numeric_limits<double>::infinity();
    expect_law_of_the_standard(rng::truncated_normal{0.0, 1.0, -infinity, 0.5},
                               rng::truncated_normal{0.0, 1.0, 0.0, infinity});
}

TEST(StdDistribution, BoundsAreTheEndsOfTheSupport) {
    const auto bounds = [](const auto& dist) {
        const rng::std_distribution d(dist);
        return std::pair(d.min(), d.max());
    };
    constexpr double most = std::numeric_limits<double>::max();
    constexpr int32_t most_count = std::numeric_limits<int32_t>::max();
    EXPECT_EQ(bounds(rng::normal{1.0, 2.0}), std::pair(-most, most));
    EXPECT_EQ(bounds(rng::exponential{2.0}), std::pair(0.0, most));
    EXPECT_EQ(bounds(rng::uniform_open{-2.0, 3.5}), std::pair(-2.0, 3.5));
    EXPECT_EQ(bounds(rng::triangular{-2.0, 0.0, 3.5}), std::pair(-2.0, 3.5));
    EXPECT_EQ(bounds(rng::beta{2.0, 3.0}), std::pair(0.0, 1.0));
    EXPECT_EQ(bounds(rng::pareto{2.0, 3.0}).first, 3.0);
    EXPECT_EQ(bounds(rng::von_mises{0.0, 3.0}), std::pair(-3.141592653589793, 3.141592653589793));
    EXPECT_EQ(bounds(rng::uniform_int{-5, 7}), std::pair(-5, 7));
    EXPECT_EQ(bounds(rng::bits<uint32_t>{}), std::pair(0u, 0xffffffffu));
    EXPECT_EQ(bounds(rng::poisson{2.0}), std::pair(0, most_count));
    EXPECT_EQ(bounds(rng::binomial{9, 0.5}), std::pair(0, 9));
    EXPECT_EQ(bounds(rng::log_series{0.5}), std::pair(1, most_count));
    EXPECT_EQ(bounds(rng::zipf{2.0, 1000}), std::pair(1, 1000));
    EXPECT_EQ(bounds(rng::zipf<int64_t>{2.0}), std::pair(int64_t{1}, int64_t{1} << 45));
    EXPECT_EQ(bounds(rng::hypergeometric{5, 3, 4}), std::pair(1, 4));
    EXPECT_EQ(bounds(rng::hypergeometric{5, 30, 7}), std::pair(0, 5));
    EXPECT_EQ(bounds(rng::bernoulli{0.5}), std::pair(uint8_t{0}, uint8_t{1}));
    EXPECT_EQ(bounds(rng::rademacher{}), std::pair(int8_t{-1}, int8_t{1}));
}
TEST(StdDistribution, DamagedTextLeavesItAlone) {
    rng::std_distribution d(rng::uniform_int{int8_t{-3}, int8_t{5}});
    const auto before = d;
    for (const char* bad :
         {"", "1", "1 2", "1 x 0", "1 2x 0", "5 1 0", "1 128 0", "-129 1 0", "1 2 1", "1 2 -1", "1.5 2 0"}) {
        std::istringstream in(bad);
        EXPECT_TRUE(!(in >> d) && d == before) << bad;
    }
    rng::std_distribution z(rng::normal{0.0, 1.0});
    for (const char* bad : {"0 -1 0", "0 nan 0", "infinity 1 0", "0 1 1", "0 1 2", "0 1e999 0", "0 inf 0"}) {
        std::istringstream in(bad);
        EXPECT_TRUE(!(in >> z) && z == rng::std_distribution(rng::normal{0.0, 1.0})) << bad;
    }
    std::istringstream good("0.5 2 1 -1.25");
    EXPECT_TRUE(good >> z);
    EXPECT_EQ(z.param(), (decltype(z)::param_type{0.5, 2.0}));
    std::mt19937 engine;
    EXPECT_EQ(z(engine), -1.25);
    EXPECT_EQ(engine, std::mt19937());
}
TEST(StdDistribution, ParametersAreADistribution) {
    const rng::std_distribution d(rng::gamma{2.5, 1.5});
    std::vector<double> of_parameters(100), of_law(100);
    rng::fill(of_parameters, d.param(), rng::Stream<>{42});
    rng::fill(of_law, rng::gamma{2.5, 1.5}, rng::Stream<>{42});
    EXPECT_EQ(of_parameters, of_law);
    EXPECT_EQ(d.param().shape, 2.5);
}

}  // namespace
