// Philox: Random123's known answers when compiling, Random123 itself over random inputs when running, and the value
// that C++26 asks of std::philox4x32 and std::philox4x64.
#include <Random123/philox.h>
#include <gtest/gtest.h>
#include <rng/core/engine.hpp>
#include <rng/core/philox.hpp>

#include <utility>

#include "../support/random123.hpp"

namespace {

using rng::philox;
using K2x32 = rng::Words<uint32_t, 1>;
using W2x32 = rng::Words<uint32_t, 2>;
using W4x32 = rng::Words<uint32_t, 4>;
using K2x64 = rng::Words<uint64_t, 1>;
using W2x64 = rng::Words<uint64_t, 2>;
using W4x64 = rng::Words<uint64_t, 4>;

// Random123 1.14.0's answers to zeros, ones and the digits of pi; reference/random123_vectors.txt has the same list.
// philox2x32, 7 rounds
static_assert(philox<2, uint32_t, 7>({{0x00000000, 0x00000000}}, {{0x00000000}}) == W2x32{{0x257a3673, 0xcd26be2a}});
static_assert(philox<2, uint32_t, 7>({{0xffffffff, 0xffffffff}}, {{0xffffffff}}) == W2x32{{0xab302c4d, 0x3dc9d239}});
static_assert(philox<2, uint32_t, 7>({{0x243f6a88, 0x85a308d3}}, {{0x13198a2e}}) == W2x32{{0xbedbbe6b, 0xe4c770b3}});
// philox2x32, 10 rounds
static_assert(philox<2, uint32_t, 10>({{0x00000000, 0x00000000}}, {{0x00000000}}) == W2x32{{0xff1dae59, 0x6cd10df2}});
static_assert(philox<2, uint32_t, 10>({{0xffffffff, 0xffffffff}}, {{0xffffffff}}) == W2x32{{0x2c3f628b, 0xab4fd7ad}});
static_assert(philox<2, uint32_t, 10>({{0x243f6a88, 0x85a308d3}}, {{0x13198a2e}}) == W2x32{{0xdd7ce038, 0xf62a4c12}});
// philox4x32, 7 rounds
static_assert(philox<4, uint32_t, 7>({{0x00000000, 0x00000000, 0x00000000, 0x00000000}}, {{0x00000000, 0x00000000}}) ==
              W4x32{{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}});
static_assert(philox<4, uint32_t, 7>({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}}) ==
              W4x32{{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}});
static_assert(philox<4, uint32_t, 7>({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}) ==
              W4x32{{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}});
// philox4x32, 10 rounds
static_assert(philox<4, uint32_t, 10>({{0x00000000, 0x00000000, 0x00000000, 0x00000000}}, {{0x00000000, 0x00000000}}) ==
              W4x32{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(philox<4, uint32_t, 10>({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}}) ==
              W4x32{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(philox<4, uint32_t, 10>({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}) ==
              W4x32{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
// philox2x64, 7 rounds
static_assert(philox<2, uint64_t, 7>({{0x0000000000000000, 0x0000000000000000}}, {{0x0000000000000000}}) ==
              W2x64{{0xb41da69fbfefc666, 0x511e9ce1a5534056}});
static_assert(philox<2, uint64_t, 7>({{0xffffffffffffffff, 0xffffffffffffffff}}, {{0xffffffffffffffff}}) ==
              W2x64{{0xa4696cc04462015d, 0x724782dae17169e9}});
static_assert(philox<2, uint64_t, 7>({{0x243f6a8885a308d3, 0x13198a2e03707344}}, {{0xa4093822299f31d0}}) ==
              W2x64{{0x98ed1534392bf372, 0x67528b1568882fd5}});
// philox2x64, 10 rounds
static_assert(philox<2, uint64_t, 10>({{0x0000000000000000, 0x0000000000000000}}, {{0x0000000000000000}}) ==
              W2x64{{0xca00a0459843d731, 0x66c24222c9a845b5}});
static_assert(philox<2, uint64_t, 10>({{0xffffffffffffffff, 0xffffffffffffffff}}, {{0xffffffffffffffff}}) ==
              W2x64{{0x65b021d60cd8310f, 0x4d02f3222f86df20}});
static_assert(philox<2, uint64_t, 10>({{0x243f6a8885a308d3, 0x13198a2e03707344}}, {{0xa4093822299f31d0}}) ==
              W2x64{{0x0a5e742c2997341c, 0xb0f883d38000de5d}});
// philox4x64, 7 rounds
static_assert(philox<4, uint64_t, 7>({{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}},
                                     {{0x0000000000000000, 0x0000000000000000}}) ==
              W4x64{{0x5dc8ee6268ec62cd, 0x139bc570b6c125a0, 0x84d6deb4fb65f49e, 0xaff7583376d378c2}});
static_assert(philox<4, uint64_t, 7>({{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
                                     {{0xffffffffffffffff, 0xffffffffffffffff}}) ==
              W4x64{{0x071dd84367903154, 0x48e2bbdc722b37d1, 0x6afa9890bb89f76c, 0x9194c8d8ada56ac7}});
static_assert(philox<4, uint64_t, 7>({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}},
                                     {{0x452821e638d01377, 0xbe5466cf34e90c6c}}) ==
              W4x64{{0x513a366704edf755, 0xf05d9924c07044d3, 0xbef2cb9cbea74c6c, 0x8db948de4caa1f8a}});
// philox4x64, 10 rounds
static_assert(philox<4, uint64_t, 10>({{0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
                                        0x0000000000000000}},
                                      {{0x0000000000000000, 0x0000000000000000}}) ==
              W4x64{{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}});
static_assert(philox<4, uint64_t, 10>({{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
                                        0xffffffffffffffff}},
                                      {{0xffffffffffffffff, 0xffffffffffffffff}}) ==
              W4x64{{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}});
static_assert(philox<4, uint64_t, 10>({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0,
                                        0x082efa98ec4e6c89}},
                                      {{0x452821e638d01377, 0xbe5466cf34e90c6c}}) ==
              W4x64{{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}});

template <int N, class W, int R>
constexpr auto block =
    [](const rng::Words<W, N>& counter, const rng::Words<W, N / 2>& key) { return philox<N, W, R>(counter, key); };

/// Blocks that differ from Random123's, of n random inputs to each function with 1 to 16 rounds, the most it has.
template <int... R> std::size_t differences(std::size_t n, std::integer_sequence<int, R...>) {
    using support::random123_differences;
    return (random123_differences<r123::Philox2x32_R<R + 1>>(n, block<2, uint32_t, R + 1>) + ...) +
           (random123_differences<r123::Philox4x32_R<R + 1>>(n, block<4, uint32_t, R + 1>) + ...) +
           (random123_differences<r123::Philox2x64_R<R + 1>>(n, block<2, uint64_t, R + 1>) + ...) +
           (random123_differences<r123::Philox4x64_R<R + 1>>(n, block<4, uint64_t, R + 1>) + ...);
}
constexpr auto all_rounds = std::make_integer_sequence<int, 16>{};

TEST(Philox, EqualsRandom123) { EXPECT_EQ(differences(100'000, all_rounds), 0u); }
TEST(PhiloxSlow, EqualsRandom123) { EXPECT_EQ(differences(1'000'000, all_rounds), 0u); }

// The comparison itself must see a difference: one round fewer is another function.
TEST(Philox, ComparisonSeesARoundFewer) {
    EXPECT_EQ(support::random123_differences<r123::Philox4x32_R<10>>(1000, block<4, uint32_t, 9>), 1000u);
}

// The 10000th value of the default-seeded engines in [rand.predef] of C++26.
TEST(Philox, TenThousandthValueOfTheStandard) {
    constexpr uint64_t last = 9999;
    EXPECT_EQ((philox<4, uint32_t, 10>({{last / 4, 0, 0, 0}}, {{20111115, 0}})[last % 4]), 1955073260u);
    EXPECT_EQ((philox<4, uint64_t, 10>({{last / 4, 0, 0, 0}}, {{20111115, 0}})[last % 4]), 3409172418970261260u);
}

// Ten rounds are one round, then nine with the key moved on by the Weyl constants.
TEST(Philox, RoundsCompose) {
    const W4x32 counter{{1, 2, 3, 4}};
    const rng::Words<uint32_t, 2> key{{0xdeadbeefu, 42}};
    const rng::Words<uint32_t, 2> moved{{key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u}};
    const auto whole = philox<4, uint32_t, 10>(counter, key);
    const auto split = philox<4, uint32_t, 9>(philox<4, uint32_t, 1>(counter, key), moved);
    EXPECT_EQ(whole, split);
}

// The engine is the block function with its counter layout { b : 56 bits | domain : 8 bits, id : 64 bits }.
TEST(Philox, EngineLaysOutItsCounter) {
    using E = rng::Philox4x32_10;
    static_assert(E::counter(0x00123456789abcdeu, 0xfd, 0x0123456789abcdefu) ==
                  W4x32{{0x789abcdeu, 0xfd123456u, 0x89abcdefu, 0x01234567u}});
    static_assert(E::key_from_seed(0x0123456789abcdefu) == W2x32{{0x89abcdefu, 0x01234567u}});
    static_assert(E::child_key({{1, 2, 3, 4}}) == W2x32{{1, 2}});
    static_assert(E::child_id({{1, 2, 3, 4}}) == 0x0000000400000003u);
    const auto of_engine = [](const W4x32& counter, const W2x32& key) { return E::block(counter, key); };
    EXPECT_EQ(support::random123_differences<r123::Philox4x32_R<10>>(1000, of_engine), 0u);
    EXPECT_STREQ(rng::engine_name(E::number), "philox4x32-10");
}

}  // namespace
