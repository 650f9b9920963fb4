// Philox4x32 over vectors: several blocks side by side, one 32-bit word in each 64-bit lane.
//
// The 32 x 32 -> 64-bit multiply ignores the upper half of its operands, so a round is two multiplies, two shifts and
// two three-way xors for V::lanes blocks. The counters of a call differ in their low word alone, so rounds 1 and 2 are
// mostly constant: the product of the low word advances by an addition. Lanes take the blocks in an order
// (V::block_order) that makes two unpacks put the words into stream order.
#pragma once

#include <rng/core/philox.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

/// One call's constants: all counters share words 1 to 3 and the key.
template <class V, int R> struct PhiloxRounds {
    using I = typename V::reg;
    I key0[R], key1[R];
    I first_product;  // M0 * (low counter word), for the lanes' first blocks
    I fold_b1, fold_a2, fold_b2, low_p2;

    RNG_FN PhiloxRounds(uint32_t block_low, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1) {
        constexpr uint64_t m0 = detail::PhiloxConstants<uint32_t>::mul4[0];
        constexpr uint64_t m1 = detail::PhiloxConstants<uint32_t>::mul4[1];
        constexpr uint32_t w0 = detail::PhiloxConstants<uint32_t>::weyl[0];
        constexpr uint32_t w1 = detail::PhiloxConstants<uint32_t>::weyl[1];
        for (int r = 0; r < R; ++r) {
            key0[r] = V::set(static_cast<uint32_t>(k0 + static_cast<uint32_t>(r) * w0));
            key1[r] = V::set(static_cast<uint32_t>(k1 + static_cast<uint32_t>(r) * w1));
        }
        first_product = V::mul(V::add(V::set(block_low), V::block_order()), V::set(m0));
        const uint64_t q1 = m1 * c2;
        const uint32_t a1 = static_cast<uint32_t>(q1 >> 32) ^ c1 ^ k0;
        const uint64_t p2 = m0 * a1;
        fold_b1 = V::set(c3 ^ k1);
        fold_a2 = V::set(static_cast<uint32_t>(q1) ^ static_cast<uint32_t>(k0 + w0));
        fold_b2 = V::set(static_cast<uint32_t>(p2 >> 32) ^ static_cast<uint32_t>(k1 + w1));
        low_p2 = V::set(static_cast<uint32_t>(p2));
    }

    /// Writes `groups` groups of G * V::lanes blocks; G independent chains hide the latency of the multiplies.
    template <int G> RNG_FN uint32_t* write(uint32_t* out, uint64_t groups) {
        const I m0 = V::set(detail::PhiloxConstants<uint32_t>::mul4[0]);
        const I m1 = V::set(detail::PhiloxConstants<uint32_t>::mul4[1]);
        const I advance = V::set(uint64_t{detail::PhiloxConstants<uint32_t>::mul4[0]} * V::lanes);
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
                V::store(out, V::unpack_low(words01, words23));
                V::store(out + 2 * V::lanes, V::unpack_high(words01, words23));
                out += 4 * V::lanes;
            }
        }
        first_product = product;
        return out;
    }
};

/// rng_abi::BlocksFunction for Philox4x32-R. Not inlined: it is the loop that the table points to.
template <class V, int R, int G>
void wide_philox4x32(uint32_t* out, uint64_t first, uint64_t count, unsigned domain, uint64_t id, const uint64_t* key) {
    const auto k0 = static_cast<uint32_t>(key[0]), k1 = static_cast<uint32_t>(key[1]);
    while (count > 0) {
        // A run ends where the low word of the counter wraps.
        const uint64_t to_wrap = (uint64_t{1} << 32) - (first & 0xffffffffu);
        const uint64_t run = count < to_wrap ? count : to_wrap;
        PhiloxRounds<V, R> rounds(static_cast<uint32_t>(first), static_cast<uint32_t>(first >> 32) | (domain << 24),
                                  static_cast<uint32_t>(id), static_cast<uint32_t>(id >> 32), k0, k1);
        constexpr uint64_t wide = static_cast<uint64_t>(G) * V::lanes;
        out = rounds.template write<G>(out, run / wide);
        uint64_t rest = run % wide;
        out = rounds.template write<1>(out, rest / V::lanes);
        rest %= V::lanes;
        if (rest > 0) {  // part of a vector; its further lanes, perhaps past a wrap, are dropped
            uint32_t last[4 * V::lanes];
            rounds.template write<1>(last, 1);
            __builtin_memcpy(out, last, rest * 16);
            out += rest * 4;
        }
        first += run;
        count -= run;
    }
}

}  // namespace wide
RNG_END_NAMESPACE
