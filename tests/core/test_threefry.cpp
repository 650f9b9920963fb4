// Threefry: Random123's known answers when compiling, and Random123 itself over random inputs when running.
#include <Random123/threefry.h>
#include <gtest/gtest.h>
#include <rng/core/threefry.hpp>

#include <utility>

#include "../support/random123.hpp"

namespace {

using rng::threefry;
using W2x32 = rng::Words<uint32_t, 2>;
using W4x32 = rng::Words<uint32_t, 4>;
using W2x64 = rng::Words<uint64_t, 2>;
using W4x64 = rng::Words<uint64_t, 4>;

// Random123 1.14.0's answers to zeros, ones and the digits of pi; reference/random123_vectors.txt has the same list.
// threefry2x32, 13 rounds
static_assert(threefry<2, uint32_t, 13>({{0x00000000, 0x00000000}}, {{0x00000000, 0x00000000}}) ==
              W2x32{{0x9d1c5ec6, 0x8bd50731}});
static_assert(threefry<2, uint32_t, 13>({{0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}}) ==
              W2x32{{0xfd36d048, 0x2d17272c}});
static_assert(threefry<2, uint32_t, 13>({{0x243f6a88, 0x85a308d3}}, {{0x13198a2e, 0x03707344}}) ==
              W2x32{{0xba3e4725, 0xf27d669e}});
// threefry2x32, 20 rounds
static_assert(threefry<2, uint32_t, 20>({{0x00000000, 0x00000000}}, {{0x00000000, 0x00000000}}) ==
              W2x32{{0x6b200159, 0x99ba4efe}});
static_assert(threefry<2, uint32_t, 20>({{0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}}) ==
              W2x32{{0x1cb996fc, 0xbb002be7}});
static_assert(threefry<2, uint32_t, 20>({{0x243f6a88, 0x85a308d3}}, {{0x13198a2e, 0x03707344}}) ==
              W2x32{{0xc4923a9c, 0x483df7a0}});
// threefry2x32, 32 rounds
static_assert(threefry<2, uint32_t, 32>({{0x00000000, 0x00000000}}, {{0x00000000, 0x00000000}}) ==
              W2x32{{0xcee3d47e, 0xa23dfd5c}});
static_assert(threefry<2, uint32_t, 32>({{0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}}) ==
              W2x32{{0x6e2fe0d0, 0xb1b76f82}});
static_assert(threefry<2, uint32_t, 32>({{0x243f6a88, 0x85a308d3}}, {{0x13198a2e, 0x03707344}}) ==
              W2x32{{0xe2827716, 0xc3c05cdf}});
// threefry4x32, 13 rounds
static_assert(threefry<4, uint32_t, 13>({{0x00000000, 0x00000000, 0x00000000, 0x00000000}},
                                        {{0x00000000, 0x00000000, 0x00000000, 0x00000000}}) ==
              W4x32{{0x531c7e4f, 0x39491ee5, 0x2c855a92, 0x3d6abf9a}});
static_assert(threefry<4, uint32_t, 13>({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                                        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}) ==
              W4x32{{0xc4189358, 0x1c9cc83a, 0xd5881c67, 0x6a0a89e0}});
static_assert(threefry<4, uint32_t, 13>({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                                        {{0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89}}) ==
              W4x32{{0x4aa71d8f, 0x734738c2, 0x431fc6a8, 0xae6debf1}});
// threefry4x32, 20 rounds
static_assert(threefry<4, uint32_t, 20>({{0x00000000, 0x00000000, 0x00000000, 0x00000000}},
                                        {{0x00000000, 0x00000000, 0x00000000, 0x00000000}}) ==
              W4x32{{0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8}});
static_assert(threefry<4, uint32_t, 20>({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                                        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}) ==
              W4x32{{0x2a881696, 0x57012287, 0xf6c7446e, 0xa16a6732}});
static_assert(threefry<4, uint32_t, 20>({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                                        {{0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89}}) ==
              W4x32{{0x59cd1dbb, 0xb8879579, 0x86b5d00c, 0xac8b6d84}});
// threefry4x32, 72 rounds
static_assert(threefry<4, uint32_t, 72>({{0x00000000, 0x00000000, 0x00000000, 0x00000000}},
                                        {{0x00000000, 0x00000000, 0x00000000, 0x00000000}}) ==
              W4x32{{0x93171da6, 0x9220326d, 0xb392b7b1, 0xff58a002}});
static_assert(threefry<4, uint32_t, 72>({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                                        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}) ==
              W4x32{{0x60743f3d, 0x9961e684, 0xaab21c34, 0x8c65fb7d}});
static_assert(threefry<4, uint32_t, 72>({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                                        {{0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89}}) ==
              W4x32{{0x09930adf, 0x7f27bd55, 0x9ed68ce1, 0x97f803f6}});
// threefry2x64, 13 rounds
static_assert(threefry<2, uint64_t, 13>({{0x0000000000000000, 0x0000000000000000}},
                                        {{0x0000000000000000, 0x0000000000000000}}) ==
              W2x64{{0xf167b032c3b480bd, 0xe91f9fee4b7a6fb5}});
static_assert(threefry<2, uint64_t, 13>({{0xffffffffffffffff, 0xffffffffffffffff}},
                                        {{0xffffffffffffffff, 0xffffffffffffffff}}) ==
              W2x64{{0xccdec5c917a874b1, 0x4df53abca26ceb01}});
static_assert(threefry<2, uint64_t, 13>({{0x243f6a8885a308d3, 0x13198a2e03707344}},
                                        {{0xa4093822299f31d0, 0x082efa98ec4e6c89}}) ==
              W2x64{{0xc3aac71561042993, 0x3fe7ae8801aff316}});
// threefry2x64, 20 rounds
static_assert(threefry<2, uint64_t, 20>({{0x0000000000000000, 0x0000000000000000}},
                                        {{0x0000000000000000, 0x0000000000000000}}) ==
              W2x64{{0xc2b6e3a8c2c69865, 0x6f81ed42f350084d}});
static_assert(threefry<2, uint64_t, 20>({{0xffffffffffffffff, 0xffffffffffffffff}},
                                        {{0xffffffffffffffff, 0xffffffffffffffff}}) ==
              W2x64{{0xe02cb7c4d95d277a, 0xd06633d0893b8b68}});
static_assert(threefry<2, uint64_t, 20>({{0x243f6a8885a308d3, 0x13198a2e03707344}},
                                        {{0xa4093822299f31d0, 0x082efa98ec4e6c89}}) ==
              W2x64{{0x263c7d30bb0f0af1, 0x56be8361d3311526}});
// threefry2x64, 32 rounds
static_assert(threefry<2, uint64_t, 32>({{0x0000000000000000, 0x0000000000000000}},
                                        {{0x0000000000000000, 0x0000000000000000}}) ==
              W2x64{{0x38ba854d7f13cfb3, 0xd02fca729d54fadc}});
static_assert(threefry<2, uint64_t, 32>({{0xffffffffffffffff, 0xffffffffffffffff}},
                                        {{0xffffffffffffffff, 0xffffffffffffffff}}) ==
              W2x64{{0x6b532f4f6e288646, 0x0388f1ec135ee18e}});
static_assert(threefry<2, uint64_t, 32>({{0x243f6a8885a308d3, 0x13198a2e03707344}},
                                        {{0xa4093822299f31d0, 0x082efa98ec4e6c89}}) ==
              W2x64{{0xdad492f32efbd0c4, 0xb6d7d0cd1f193e84}});
// threefry4x64, 13 rounds
static_assert(
    threefry<4, uint64_t, 13>({{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}},
                              {{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}}) ==
    W4x64{{0x4071fabee1dc8e05, 0x02ed3113695c9c62, 0x397311b5b89f9d49, 0xe21292c3258024bc}});
static_assert(
    threefry<4, uint64_t, 13>({{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
                              {{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}}) ==
    W4x64{{0x7eaed935479722b5, 0x90994358c429f31c, 0x496381083e07a75b, 0x627ed0d746821121}});
static_assert(
    threefry<4, uint64_t, 13>({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}},
                              {{0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917}}) ==
    W4x64{{0x4361288ef9c1900c, 0x8717291521782833, 0x0d19db18c20cf47e, 0xa0b41d63ac8581e5}});
// threefry4x64, 20 rounds
static_assert(
    threefry<4, uint64_t, 20>({{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}},
                              {{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}}) ==
    W4x64{{0x09218ebde6c85537, 0x55941f5266d86105, 0x4bd25e16282434dc, 0xee29ec846bd2e40b}});
static_assert(
    threefry<4, uint64_t, 20>({{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
                              {{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}}) ==
    W4x64{{0x29c24097942bba1b, 0x0371bbfb0f6f4e11, 0x3c231ffa33f83a1c, 0xcd29113fde32d168}});
static_assert(
    threefry<4, uint64_t, 20>({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}},
                              {{0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917}}) ==
    W4x64{{0xbb893fd42eac50eb, 0x7ca8b22905f3443a, 0xe204b8dcb4daace7, 0x3e1070a2327bfc09}});
// threefry4x64, 72 rounds
static_assert(
    threefry<4, uint64_t, 72>({{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}},
                              {{0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000}}) ==
    W4x64{{0x94eeea8b1f2ada84, 0xadf103313eae6670, 0x952419a1f4b16d53, 0xd83f13e63c9f6b11}});
static_assert(
    threefry<4, uint64_t, 72>({{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}},
                              {{0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff}}) ==
    W4x64{{0x11518c034bc1ff4c, 0x193f10b8bcdcc9f7, 0xd024229cb58f20d8, 0x563ed6e48e05183f}});
static_assert(
    threefry<4, uint64_t, 72>({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}},
                              {{0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917}}) ==
    W4x64{{0xaf0cd57b6160473f, 0x03db830d05bd1dea, 0x4e72d5588850d160, 0xc825972f0d576b49}});

template <int N, class W, int R>
constexpr auto block =
    [](const rng::Words<W, N>& counter, const rng::Words<W, N>& key) { return threefry<N, W, R>(counter, key); };

/// Returns the number of blocks that differ from Random123's, for n random inputs to each function with 1 to 32 rounds.
/// These are eight turns of the key schedule's injections, and every number of rounds between two of them.
template <int... R> std::size_t differences(std::size_t n, std::integer_sequence<int, R...>) {
    using support::random123_differences;
    return (random123_differences<r123::Threefry2x32_R<R + 1>>(n, block<2, uint32_t, R + 1>) + ...) +
           (random123_differences<r123::Threefry4x32_R<R + 1>>(n, block<4, uint32_t, R + 1>) + ...) +
           (random123_differences<r123::Threefry2x64_R<R + 1>>(n, block<2, uint64_t, R + 1>) + ...) +
           (random123_differences<r123::Threefry4x64_R<R + 1>>(n, block<4, uint64_t, R + 1>) + ...);
}
constexpr auto all_rounds = std::make_integer_sequence<int, 32>{};

TEST(Threefry, EqualsRandom123) {
    EXPECT_EQ(differences(100'000, all_rounds), 0u);
    EXPECT_EQ(support::random123_differences<r123::Threefry4x32_R<72>>(10'000, block<4, uint32_t, 72>), 0u);
    EXPECT_EQ(support::random123_differences<r123::Threefry4x64_R<72>>(10'000, block<4, uint64_t, 72>), 0u);
}
TEST(ThreefrySlow, EqualsRandom123) { EXPECT_EQ(differences(1'000'000, all_rounds), 0u); }

// The comparison itself must see a difference: one round fewer is another function.
TEST(Threefry, ComparisonSeesARoundFewer) {
    EXPECT_EQ(support::random123_differences<r123::Threefry2x64_R<20>>(1000, block<2, uint64_t, 19>), 1000u);
}

}  // namespace
