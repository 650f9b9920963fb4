// Threefry4x32 and Threefry4x64 over vectors: several blocks side by side, one word of each in a register.
#pragma once

#include <rng/core/engine.hpp>

RNG_BEGIN_NAMESPACE
namespace wide {

template <class V, class W, int R> struct ThreefryRounds {
    using I = typename V::reg;
    static constexpr int words_per_block = 4 * sizeof(W) / 4;
    static constexpr int lanes = V::lanes;
    static constexpr int injections = R / 4 + 1;

    I schedule[injections][4];
    I low;      // word 0 of the lanes' next counters, plus its key
    W word[4];  // words 1 to 3 of all counters, plus their keys

    RNG_FN static uint64_t blocks_until_wrap(uint64_t first) {
        if constexpr (sizeof(W) == 4)
            return (uint64_t{1} << 32) - (first & 0xffffffffu);
        else
            return ~uint64_t{0};  // block numbers have 56 bits
    }

    RNG_FN ThreefryRounds(uint64_t first, unsigned domain, uint64_t id, const uint64_t* key) {
        using E = ThreefryEngine<W, R>;
        const auto counter = E::counter(first, domain, id);
        W k[5] = {0, 0, 0, 0, detail::ThreefryConstants<W>::parity};
        for (int i = 0; i < 4; ++i) {
            k[i] = static_cast<W>(key[i]);
            k[4] = static_cast<W>(k[4] ^ k[i]);
            word[i] = static_cast<W>(counter[i] + k[i]);
        }
        for (int s = 0; s < injections; ++s)
            for (int i = 0; i < 4; ++i)
                schedule[s][i] = V::set(static_cast<W>(k[(s + i) % 5] + (i == 3 ? static_cast<W>(s) : W{0})));
        low = V::add(V::set(word[0]), V::block_order());
    }

    template <int G> RNG_FN uint32_t* write(uint32_t* out, uint64_t groups) {
        const I advance = V::set(static_cast<W>(lanes));
        const I x1 = V::set(word[1]), x2 = V::set(word[2]), x3 = V::set(word[3]);
        I next = low;
        for (uint64_t group = 0; group < groups; ++group) {
            I x[G][4];
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                x[g][0] = next, x[g][1] = x1, x[g][2] = x2, x[g][3] = x3;
                next = V::add(next, advance);
            }
            four_rounds<0, G>(x);
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                V::store(out, x[g][0], x[g][1], x[g][2], x[g][3]);
                out += words_per_block * lanes;
            }
        }
        low = next;
        return out;
    }

  private:
    /// Rounds First to R - 1, four at a time. The injection of the key follows each four rounds.
    template <int First, int G> RNG_FN void four_rounds(I (&x)[G][4]) const {
        if constexpr (First < R) {
            round<First, G>(x);
            if constexpr (First + 1 < R) round<First + 1, G>(x);
            if constexpr (First + 2 < R) round<First + 2, G>(x);
            if constexpr (First + 3 < R) {
                round<First + 3, G>(x);
                RNG_UNROLL
                for (int g = 0; g < G; ++g) {
                    RNG_UNROLL
                    for (int i = 0; i < 4; ++i) x[g][i] = V::add(x[g][i], schedule[First / 4 + 1][i]);
                }
            }
            four_rounds<First + 4, G>(x);
        }
    }
    template <int Round, int G> RNG_FN static void round(I (&x)[G][4]) {
        using K = detail::ThreefryConstants<W>;
        constexpr int a = Round % 2 ? 3 : 1, b = Round % 2 ? 1 : 3;
        constexpr int rotation_a = K::rotation4(Round % 8, 0), rotation_b = K::rotation4(Round % 8, 1);
        RNG_UNROLL
        for (int g = 0; g < G; ++g) {
            x[g][0] = V::add(x[g][0], x[g][a]);
            x[g][a] = V::bit_xor(V::template rotate_left<rotation_a>(x[g][a]), x[g][0]);
            x[g][2] = V::add(x[g][2], x[g][b]);
            x[g][b] = V::bit_xor(V::template rotate_left<rotation_b>(x[g][b]), x[g][2]);
        }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
