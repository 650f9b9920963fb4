// Philox4x64 over vectors whose multiply() gives both halves of a 64 x 64-bit product: several blocks side by side.
#pragma once

#include <rng/core/engine.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

/// The whole product of 64-bit words by four 32-bit multiplies, on vectors V of 64-bit words.
template <class V> struct ProductOfHalves : V {
    using reg = typename V::reg;
    struct Factor {
        reg low, high;
        RNG_FN explicit Factor(uint64_t m) : low(V::set(m)), high(V::set(m >> 32)) {}
    };
    struct Product {
        reg low, high;
    };

    RNG_FN static Product multiply(reg x, const Factor& m) {
        const reg upper = V::high(x);
        const reg low_low = V::mul(x, m.low), low_high = V::mul(x, m.high);
        const reg high_low = V::mul(upper, m.low), high_high = V::mul(upper, m.high);
        const reg middle = V::add(high_low, V::high(low_low));  // below 2^64: no carry is lost
        const reg middle2 = V::add(low_high, V::low(middle));
        return {V::halves(low_low, middle2), V::add(V::add(high_high, V::high(middle)), V::high(middle2))};
    }
};

template <class V, int R> struct Philox4x64Rounds {
    using I = typename V::reg;
    using K = detail::PhiloxConstants<uint64_t>;
    static constexpr int words_per_block = 8;
    static constexpr int lanes = V::lanes;

    I key0[R], key1[R];
    I low;  // word 0 of the lanes' next counters
    uint64_t id, first_key;

    RNG_FN static uint64_t blocks_until_wrap(uint64_t) { return ~uint64_t{0}; }  // block numbers have 56 bits

    RNG_FN Philox4x64Rounds(uint64_t first, unsigned domain, uint64_t stream_id, const uint64_t* key)
        : id(stream_id), first_key(key[0]) {
        constexpr uint64_t w0 = K::weyl[0], w1 = K::weyl[1];
        for (int r = 0; r < R; ++r) {
            key0[r] = V::set(key[0] + static_cast<uint64_t>(r) * w0);
            key1[r] = V::set(key[1] + static_cast<uint64_t>(r) * w1);
        }
        low = V::add(V::set(first | static_cast<uint64_t>(domain) << 56), V::block_order());
    }

    template <int G> RNG_FN uint32_t* write(uint32_t* out, uint64_t groups) {
        const typename V::Factor m0(K::mul4[0]), m1(K::mul4[1]);
        const I advance = V::set(lanes);
        // Counter words 1 to 3 are constant; so half of rounds 1 and 2 is constant too.
        const uint64_t a1 = detail::mulhi64(K::mul4[1], id) ^ first_key;
        const I c1 = V::set(K::mul4[1] * id);
        const I high_p2 = V::set(detail::mulhi64(K::mul4[0], a1)), low_p2 = V::set(K::mul4[0] * a1);
        I next = low;
        for (uint64_t group = 0; group < groups; ++group) {
            I a[G], b[G], c[G], d[G];
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                const auto p = V::multiply(next, m0), q = V::multiply(V::bit_xor(p.high, key1[0]), m1);
                a[g] = V::bit_xor3(q.high, c1, key0[1]);
                b[g] = V::bit_xor3(high_p2, p.low, key1[1]);
                c[g] = q.low;
                d[g] = low_p2;
                next = V::add(next, advance);
            }
            RNG_UNROLL
            for (int r = 2; r < R; ++r) {
                RNG_UNROLL
                for (int g = 0; g < G; ++g) {
                    const auto p = V::multiply(a[g], m0), q = V::multiply(b[g], m1);
                    a[g] = V::bit_xor3(q.high, c[g], key0[r]);
                    b[g] = V::bit_xor3(p.high, d[g], key1[r]);
                    c[g] = q.low;
                    d[g] = p.low;
                }
            }
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                V::store(out, a[g], c[g], b[g], d[g]);
                out += words_per_block * lanes;
            }
        }
        low = next;
        return out;
    }
};

}  // namespace wide
RNG_END_NAMESPACE
