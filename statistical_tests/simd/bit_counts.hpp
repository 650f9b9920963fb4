// Counts how often each bit is set over lanes (kernels.hpp). Full adders add words as columns of bits. Their planes of
// carries are then narrow enough to be counted bit by bit.
// Source of the adder tree: Harley and Seal's population count (Warren, Hacker's Delight, section 5-1).
#pragma once

#include "vectors.hpp"

namespace rng::stats {
namespace RNG_ABI_NAMESPACE {
namespace {

typedef uint32_t V8x32 __attribute__((vector_size(32)));
typedef uint32_t V4x32 __attribute__((vector_size(16)));

template <class V> inline void full_add(const V& a, const V& b, const V& c, V& sum, V& carry) {
    const V half = a ^ b, of_three = half ^ c;  // the results may be among the terms
    carry = (a & b) | (half & c);
    sum = of_three;
}

/// Adds the upper half of the lanes to the lower half, in planes of bits of weight 1, 2, 4...
template <int P, class Wide, class Narrow> inline void fold(const Wide (&from)[P], Narrow (&to)[P + 1]) {
    Narrow carry{};
    for (int p = 0; p < P; ++p) {
        Narrow half[2];
        std::memcpy(half, &from[p], sizeof half);
        full_add(half[0], half[1], carry, to[p], carry);
    }
    to[P] = carry;
}

/// Adds to counts[32 * w + b] the number of 128 lanes whose word w has bit b set. Words lie `stride` apart.
inline void count_bits_of_128(const uint32_t* lanes, std::size_t stride, int words, uint32_t* counts) {
    for (int w = 0; w < words; ++w) {
        V32 x[8], s1, s2, s3, c1, c2, c3, twos, planes[4];
        for (int i = 0; i < 8; ++i)
            load(x[i], lanes + static_cast<std::size_t>(w) * stride + static_cast<std::size_t>(i) * at_once, 0);
        full_add(x[0], x[1], x[2], s1, c1);
        full_add(x[3], x[4], x[5], s2, c2);
        full_add(s1, s2, x[6], s3, c3);
        full_add(c1, c2, c3, twos, planes[2]);
        planes[0] = s3 ^ x[7];
        const V32 carry = s3 & x[7], carry2 = twos & carry;
        planes[1] = twos ^ carry;
        planes[3] = planes[2] & carry2;
        planes[2] = planes[2] ^ carry2;

        V8x32 eight[5];
        V4x32 four[6];
        fold(planes, eight);
        fold(eight, four);
        uint32_t* const to = counts + 32 * w;
        for (int p = 0; p < 6; ++p)
            for (int lane = 0; lane < 4; ++lane) {
                const uint32_t bits = four[p][lane];
                for (int b = 0; b < 32; ++b) to[b] += (bits >> b & 1) << p;
            }
    }
}

void count_bits(const uint32_t* lanes, std::size_t n, int words, uint32_t* counts) {
    for (std::size_t at = 0; at < n; at += 128) count_bits_of_128(lanes + at, n, words, counts);
}

void exclusive_or(uint32_t* to, const uint32_t* from, std::size_t n) {
    for (std::size_t at = 0; at < n; at += at_once) {
        V32 a, b;
        load(a, to + at, 0);
        load(b, from + at, 0);
        store(a ^ b, to + at, 0);
    }
}

void weights(const uint32_t* lanes, std::size_t n, int words, uint32_t* to) {
    for (std::size_t at = 0; at < n; at += at_once) {
        V32 sum{};
        for (int w = 0; w < words; ++w) {
            // Warren, Hacker's Delight, figure 5-2. Two sums of 16 bits are carried on.
            V32 x;
            load(x, lanes + static_cast<std::size_t>(w) * n + at, 0);
            x -= x >> 1 & 0x55555555u;
            x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
            x = (x + (x >> 4)) & 0x0f0f0f0fu;
            sum += (x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu);
        }
        store((sum + (sum >> 16)) & 0xffffu, to + at, 0);
    }
}

}  // namespace
}  // namespace RNG_ABI_NAMESPACE
}  // namespace rng::stats
