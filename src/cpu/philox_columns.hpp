// Philox4x32 over vectors V of 32-bit words: each register has one word of V::lanes blocks.
//
// It is for instruction sets that multiply such lanes in few instructions: NEON takes two multiplies and two unzips for
// both halves of four products. On x86 wide_philox.hpp is faster, which keeps the words in lanes of 64 bits.
#pragma once

#include <rng/core/engine.hpp>

#include "sparse_blocks.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// Runs of blocks.
template <class V, int R> struct Philox4x32Columns {
    using I = typename V::reg;
    using K = detail::PhiloxConstants<uint32_t>;
    static constexpr int words_per_block = 4;
    static constexpr int lanes = V::lanes;

    I key0[R], key1[R];
    I low;  // word 0 of the lanes' counters
    uint32_t c1, c2, c3;

    RNG_FN static uint64_t blocks_until_wrap(uint64_t first) { return (uint64_t{1} << 32) - (first & 0xffffffffu); }

    RNG_FN Philox4x32Columns(uint64_t first, unsigned domain, uint64_t id, const uint64_t* key) {
        const auto c = PhiloxEngine<uint32_t, R>::counter(first, domain, id);
        const auto k0 = static_cast<uint32_t>(key[0]), k1 = static_cast<uint32_t>(key[1]);
        for (int r = 0; r < R; ++r) {
            key0[r] = V::set(k0 + static_cast<uint32_t>(r) * K::weyl[0]);
            key1[r] = V::set(k1 + static_cast<uint32_t>(r) * K::weyl[1]);
        }
        low = V::add(V::set(c[0]), V::block_order());
        c1 = c[1], c2 = c[2], c3 = c[3];
    }

    template <int G> RNG_FN uint32_t* write(uint32_t* out, uint64_t groups) {
        const I m0 = V::set(K::mul4[0]), m1 = V::set(K::mul4[1]);
        const I advance = V::set(static_cast<uint32_t>(lanes));
        // Words 1 to 3 of the counters are constant, so half of round 1 is constant too, and half of round 2.
        const uint64_t q1 = uint64_t{K::mul4[1]} * c2;
        const I a1 = V::bit_xor(V::set(static_cast<uint32_t>(q1 >> 32) ^ c1), key0[0]);
        const I b1 = V::set(static_cast<uint32_t>(q1)), fold = V::bit_xor(V::set(c3), key1[0]);
        I high_p2, low_p2;
        V::multiply(a1, m0, high_p2, low_p2);
        const I fold_a2 = V::bit_xor(b1, key0[1]), fold_b2 = V::bit_xor(high_p2, key1[1]);
        I next = low;
        for (uint64_t group = 0; group < groups; ++group) {
            I a[G], b[G], c[G], d[G];
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                I p_high, p_low, q_high, q_low;
                V::multiply(next, m0, p_high, p_low);                      // round 1
                V::multiply(V::bit_xor(p_high, fold), m1, q_high, q_low);  // round 2
                a[g] = V::bit_xor(q_high, fold_a2);
                b[g] = q_low;
                c[g] = V::bit_xor(fold_b2, p_low);
                d[g] = low_p2;
                next = V::add(next, advance);
            }
            RNG_UNROLL
            for (int r = 2; r < R; ++r) {
                RNG_UNROLL
                for (int g = 0; g < G; ++g) {
                    I p_high, p_low, q_high, q_low;
                    V::multiply(a[g], m0, p_high, p_low);
                    V::multiply(c[g], m1, q_high, q_low);
                    a[g] = V::bit_xor(V::bit_xor(q_high, b[g]), key0[r]);
                    c[g] = V::bit_xor(V::bit_xor(p_high, d[g]), key1[r]);
                    b[g] = q_low;
                    d[g] = p_low;
                }
            }
            RNG_UNROLL
            for (int g = 0; g < G; ++g) {
                V::store(out, a[g], b[g], c[g], d[g]);
                out += words_per_block * lanes;
            }
        }
        low = next;
        return out;
    }
};

/// Blocks that are not a run, as in LoopedBlocks.
template <class V, int R> class SparsePhiloxColumns {
  public:
    using E = PhiloxEngine<uint32_t, R>;

    RNG_FN static void of_children(const uint32_t* names, uint64_t number, unsigned domain, uint32_t* out) {
        const auto counter = E::counter(number, domain, 0);
        const I word0 = V::set(counter[0]), word1 = V::set(counter[1]);
        make(names, out, [&](const I(&name)[4]) RNG_LAMBDA_INLINE {
            return Block{word0, word1, name[2], name[3], name[0], name[1]};
        });
    }
    RNG_FN static void of_stream(const uint64_t* number, const uint32_t* domain, uint64_t id,
                                 const typename E::key_type& key, uint32_t* out) {
        alignas(64) typename E::counter_type counter[blocks_together];
        for (size_t i = 0; i < blocks_together; ++i) counter[i] = E::counter(number[i], domain[i], id);
        const I key0 = V::set(key[0]), key1 = V::set(key[1]);
        make(counter[0].v, out, [&](const I(&word)[4]) RNG_LAMBDA_INLINE {
            return Block{word[0], word[1], word[2], word[3], key0, key1};
        });
    }

  private:
    using I = typename V::reg;
    using K = detail::PhiloxConstants<uint32_t>;
    struct Block {
        I word0, word1, word2, word3, key0, key1;
    };
    static constexpr size_t chains = 4, words_of_vector = 4 * static_cast<size_t>(V::lanes);
    static_assert(blocks_together * 4 % (chains * words_of_vector) == 0);

    /// Writes the blocks whose first state first_of() returns, which takes four words of each.
    template <class First> RNG_FN static void make(const uint32_t* words, uint32_t* out, const First& first_of) {
        const I m0 = V::set(K::mul4[0]), m1 = V::set(K::mul4[1]), w0 = V::set(K::weyl[0]), w1 = V::set(K::weyl[1]);
        for (size_t done = 0; done < blocks_together * 4; done += chains * words_of_vector) {
            Block block[chains];
            RNG_UNROLL
            for (size_t g = 0; g < chains; ++g) {
                I word[4];
                V::load(words + done + g * words_of_vector, word);
                block[g] = first_of(word);
            }
            RNG_UNROLL
            for (int round = 0; round < R; ++round) {
                RNG_UNROLL
                for (Block& b : block) {
                    I p_high, p_low, q_high, q_low;
                    V::multiply(b.word0, m0, p_high, p_low);
                    V::multiply(b.word2, m1, q_high, q_low);
                    b = {V::bit_xor(V::bit_xor(q_high, b.word1), b.key0),
                         q_low,
                         V::bit_xor(V::bit_xor(p_high, b.word3), b.key1),
                         p_low,
                         V::add(b.key0, w0),
                         V::add(b.key1, w1)};
                }
            }
            RNG_UNROLL
            for (size_t g = 0; g < chains; ++g) {
                const Block& b = block[g];
                V::store(out + done + g * words_of_vector, b.word0, b.word1, b.word2, b.word3);
            }
        }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
