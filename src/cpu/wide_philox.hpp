// Philox4x32 over vectors: several blocks side by side, one 32-bit word in each 64-bit lane.
//
// The 32 x 32 -> 64-bit multiply ignores the upper half of its operands. So a round takes two multiplies, two shifts
// and two three-way xors for V::lanes blocks. The counters of a call differ only in their low word, so rounds 1 and 2
// are mostly constant, and an addition advances the product of the low word. The blocks use the lanes in the order
// V::block_order, so that two unpacks put the words into stream order.
#pragma once

#include <rng/core/engine.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

template <class V, int R> struct Philox4x32Rounds {
    using I = typename V::reg;
    static constexpr int words_per_block = 4;
    static constexpr int lanes = V::lanes;

    I key0[R], key1[R];
    I first_product;  // M0 * (low counter word), for the lanes' first blocks
    I fold_b1, fold_a2, fold_b2, low_p2;

    RNG_FN static uint64_t blocks_until_wrap(uint64_t first) { return (uint64_t{1} << 32) - (first & 0xffffffffu); }

    RNG_FN Philox4x32Rounds(uint64_t first, unsigned domain, uint64_t id, const uint64_t* key) {
        const auto c = PhiloxEngine<uint32_t, R>::counter(first, domain, id);
        const auto k0 = static_cast<uint32_t>(key[0]), k1 = static_cast<uint32_t>(key[1]);
        constexpr uint64_t m0 = detail::PhiloxConstants<uint32_t>::mul4[0];
        constexpr uint64_t m1 = detail::PhiloxConstants<uint32_t>::mul4[1];
        constexpr uint32_t w0 = detail::PhiloxConstants<uint32_t>::weyl[0];
        constexpr uint32_t w1 = detail::PhiloxConstants<uint32_t>::weyl[1];
        for (int r = 0; r < R; ++r) {
            key0[r] = V::set(static_cast<uint32_t>(k0 + static_cast<uint32_t>(r) * w0));
            key1[r] = V::set(static_cast<uint32_t>(k1 + static_cast<uint32_t>(r) * w1));
        }
        first_product = V::mul(V::add(V::set(c[0]), V::block_order()), V::set(m0));
        const uint64_t q1 = m1 * c[2];
        const uint32_t a1 = static_cast<uint32_t>(q1 >> 32) ^ c[1] ^ k0;
        const uint64_t p2 = m0 * a1;
        fold_b1 = V::set(c[3] ^ k1);
        fold_a2 = V::set(static_cast<uint32_t>(q1) ^ static_cast<uint32_t>(k0 + w0));
        fold_b2 = V::set(static_cast<uint32_t>(p2 >> 32) ^ static_cast<uint32_t>(k1 + w1));
        low_p2 = V::set(static_cast<uint32_t>(p2));
    }

    /// Writes `groups` groups of G * lanes blocks; G independent chains hide the latency of the multiplies.
    template <int G> RNG_FN uint32_t* write(uint32_t* out, uint64_t groups) {
        const I m0 = V::set(detail::PhiloxConstants<uint32_t>::mul4[0]);
        const I m1 = V::set(detail::PhiloxConstants<uint32_t>::mul4[1]);
        const I advance = V::set(uint64_t{detail::PhiloxConstants<uint32_t>::mul4[0]} * lanes);
        I product = first_product;
        for (uint64_t group = 0; group < groups; ++group) {
            I a[G], b[G], c[G], d[G];
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                const I q = V::mul(V::bit_xor(V::high(product), fold_b1), m1);
                a[g] = V::bit_xor(V::high(q), fold_a2);
                b[g] = V::bit_xor(product, fold_b2);
                c[g] = q;
                d[g] = low_p2;
                product = V::add(product, advance);
            }
            RNG_UNROLL
            for (int r = 2; r < R - 1; ++r) {
                RNG_UNROLL
                for (int g = 0; g < G; ++g) {
                    const I p = V::mul(a[g], m0), q = V::mul(b[g], m1);
                    a[g] = V::bit_xor3(V::high(q), c[g], key0[r]);
                    b[g] = V::bit_xor3(V::high(p), d[g], key1[r]);
                    c[g] = q;
                    d[g] = p;
                }
            }
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                const I p = V::mul(a[g], m0), q = V::mul(b[g], m1);
                const I words01 = V::join(q, c[g], key0[R - 1]), words23 = V::join(p, d[g], key1[R - 1]);
                V::store_joined(out, words01, words23);
                out += words_per_block * lanes;
            }
        }
        first_product = product;
        return out;
    }
};

}  // namespace wide
RNG_END_NAMESPACE
