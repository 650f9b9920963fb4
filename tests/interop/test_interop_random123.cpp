// Random123's generators as engines of streams, and this library's engines inside Random123's adaptors.
#include <Random123/philox.h>
#include <gtest/gtest.h>
#include <rng/interop/random123.hpp>
#include <rng/random.hpp>
#include <rng/rng.hpp>

#include <Random123/MicroURNG.hpp>
#include <Random123/ReinterpretCtr.hpp>
#include <Random123/conventional/Engine.hpp>
#include <Random123/uniform.hpp>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "../support/random123.hpp"

namespace {

using rng::interop::From123;
using rng::interop::To123;

template <class Ours_, class Theirs_> struct Pair {
    using Ours = Ours_;
    using Theirs = Theirs_;
};
template <class P> struct Interop123 : testing::Test {};
using Pairs = testing::Types<Pair<rng::Philox4x32_10, r123::Philox4x32>, Pair<rng::Philox4x32_7, r123::Philox4x32_R<7>>,
                             Pair<rng::Philox4x64_10, r123::Philox4x64>, Pair<rng::Threefry4x32_20, r123::Threefry4x32>,
                             Pair<rng::Threefry4x64_20, r123::Threefry4x64>,
                             Pair<rng::ThreefryEngine<uint64_t, 13>, r123::Threefry4x64_R<13>>>;
TYPED_TEST_SUITE(Interop123, Pairs);

TYPED_TEST(Interop123, TheirsAsAnEngineGivesOurStreams) {
    using E = typename TypeParam::Ours;
    using F = From123<typename TypeParam::Theirs>;
    const rng::Stream<E> ours(0x123456789abcdefu, 77, 3);
    const rng::Stream<F> theirs(0x123456789abcdefu, 77, 3);
    for (uint64_t w = 0; w < 300; ++w) {
        ASSERT_EQ(rng::word(ours, w << 20), rng::word(theirs, w << 20));
        ASSERT_EQ(rng::word(ours.fork(7), w), rng::word(theirs.fork(7), w));
        ASSERT_EQ(rng::word(ours.fork("a name"), w), rng::word(theirs.fork("a name"), w));
        ASSERT_EQ(rng::at(ours, rng::normal{0.0f, 1.0f}, w), rng::at(theirs, rng::normal{0.0f, 1.0f}, w));
        ASSERT_EQ(rng::at(ours, rng::uniform{0.0, 1.0}, w), rng::at(theirs, rng::uniform{0.0, 1.0}, w));
    }
    rng::block_engine<F> engine(theirs);
    rng::block_engine<E> twin(ours);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(engine(), twin());
}

TYPED_TEST(Interop123, BlocksAreEqualBothWays) {
    using E = typename TypeParam::Ours;
    using R = typename TypeParam::Theirs;
    using F = From123<R>;
    const auto from = [](const auto& counter, const auto& key) { return F::block(counter, key); };
    EXPECT_EQ(support::random123_differences<R>(10'000, from), 0u);

    std::mt19937_64 entropy(3);
    for (int i = 0; i < 10'000; ++i) {
        typename R::ctr_type counter;
        typename R::ukey_type key;
        for (auto& w : counter) w = static_cast<typename E::word>(entropy());
        for (auto& w : key) w = static_cast<typename E::word>(entropy());
        ASSERT_EQ(To123<E>{}(counter, key), R{}(counter, typename R::key_type(key)));
        ASSERT_EQ(To123<F>{}(counter, key), R{}(counter, typename R::key_type(key)));
    }
}

TYPED_TEST(Interop123, OursInTheirAdaptors) {
    using R = typename TypeParam::Theirs;
    using G = To123<typename TypeParam::Ours>;
    using W = typename G::ctr_type::value_type;

    r123::Engine<G> ours(static_cast<W>(42));
    r123::Engine<R> theirs(static_cast<W>(42));
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(ours(), theirs());
    ours.discard(12345);
    theirs.discard(12345);
    ASSERT_EQ(ours(), theirs());
    std::seed_seq q1{1, 2, 3}, q2{1, 2, 3};
    r123::Engine<G> seeded(q1);
    r123::Engine<R> seeded_too(q2);
    ASSERT_EQ(seeded(), seeded_too());
    std::vector<int> a(52), b(52);
    std::iota(a.begin(), a.end(), 0);
    std::iota(b.begin(), b.end(), 0);
    std::shuffle(a.begin(), a.end(), ours);
    std::shuffle(b.begin(), b.end(), theirs);
    EXPECT_EQ(a, b);

    const typename G::ctr_type counter = {{1, 2, 3, 0}};
    const typename G::ukey_type key = {{5, 6}};
    const typename R::ukey_type their_key = {{5, 6}};
    r123::MicroURNG<G> micro(counter, key);
    r123::MicroURNG<R> their_micro(counter, their_key);
    std::normal_distribution<float> n1, n2;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(micro(), their_micro());
        ASSERT_EQ(n1(micro), n2(their_micro));
    }

    using Other = std::conditional_t<sizeof(W) == 4, r123array2x64, r123array8x32>;
    using Reinterpreted = r123::ReinterpretCtr<Other, G>;
    using TheirReinterpreted = r123::ReinterpretCtr<Other, R>;
    Other wide;
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = static_cast<typename Other::value_type>(i + 1);
    EXPECT_EQ(Reinterpreted{}(wide, key), TheirReinterpreted{}(wide, typename R::key_type(their_key)));

    EXPECT_EQ(r123::u01<double>(G{}(counter, key)[1]),
              r123::u01<double>(R{}(counter, typename R::key_type(their_key))[1]));
}

// The functions of two words, which are no engines of streams, by a type of their own.
struct Philox2x32_10 {
    using word = uint32_t;
    using counter_type = rng::Words<uint32_t, 2>;
    using key_type = rng::Words<uint32_t, 1>;
    static counter_type block(const counter_type& counter, const key_type& key) {
        return rng::philox<2, uint32_t, 10>(counter, key);
    }
};
TEST(Interop123Engine, TwoWords) {
    r123::Engine<To123<Philox2x32_10>> ours(9u);
    r123::Engine<r123::Philox2x32> theirs(9u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(ours(), theirs());
}

// Their counters count as ours do: r123::Engine yields the words of a block backwards, from counter 1 on.
TEST(Interop123Engine, TheirEngineAndOursInOneSequence) {
    r123::Engine<To123<rng::Philox4x32_10>> theirs(42u);
    rng::philox4x32 ours{42u};
    ours.discard(4);
    for (int block = 0; block < 100; ++block) {
        std::vector<uint32_t> words(4);
        for (auto& w : words) w = theirs();
        for (int i = 3; i >= 0; --i) ASSERT_EQ(ours(), words[static_cast<std::size_t>(i)]);
    }
}

}  // namespace
