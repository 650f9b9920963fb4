// Blocks that are not a run: a block of each of many child streams, and scattered blocks of one stream.
#pragma once

#include <rng/core/engine.hpp>

#include "kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

inline constexpr size_t blocks_together = 32;

/// Computes blocks_together blocks of any engine. The loops over them have no branches, so the compiler turns them into
/// vectors, with a block in each lane.
template <class A> class LoopedBlocks {
  public:
    using E = A;

    /// Writes block `number` of `domain` of each child stream that a block of `names` determines.
    RNG_FN static void of_children(const uint32_t* names, uint64_t number, unsigned domain, uint32_t* out) {
        alignas(64) W name[4][blocks_together];
        for (size_t i = 0; i < blocks_together; ++i)
            for (size_t k = 0; k < 4; ++k) {
                if constexpr (sizeof(W) == 4)
                    name[k][i] = names[4 * i + k];
                else
                    name[k][i] = names[8 * i + 2 * k] | static_cast<W>(names[8 * i + 2 * k + 1]) << 32;
            }
        make(out, [&](size_t i) RNG_LAMBDA_INLINE {
            const typename E::counter_type b{{name[0][i], name[1][i], name[2][i], name[3][i]}};
            return E::block(E::counter(number, domain, E::child_id(b)), E::child_key(b));
        });
    }
    /// Writes blocks number[i] of domains domain[i] of one stream.
    RNG_FN static void of_stream(const uint64_t* number, const uint32_t* domain, uint64_t id,
                                 const typename E::key_type& key, uint32_t* out) {
        make(out, [&](size_t i) RNG_LAMBDA_INLINE { return E::block(E::counter(number[i], domain[i], id), key); });
    }

  private:
    using W = typename E::word;

    template <class BlockOf> RNG_FN static void make(uint32_t* out, const BlockOf& block_of) {
        alignas(64) W word[4][blocks_together];
        for (size_t i = 0; i < blocks_together; ++i) {
            const typename E::counter_type block = block_of(i);
            word[0][i] = block[0];
            word[1][i] = block[1];
            word[2][i] = block[2];
            word[3][i] = block[3];
        }
        for (size_t i = 0; i < blocks_together; ++i)
            for (size_t k = 0; k < 4; ++k) {
                if constexpr (sizeof(W) == 4) {
                    out[4 * i + k] = word[k][i];
                } else {
                    out[8 * i + 2 * k] = static_cast<uint32_t>(word[k][i]);
                    out[8 * i + 2 * k + 1] = static_cast<uint32_t>(word[k][i] >> 32);
                }
            }
    }
};

/// Blocks of Philox4x32 by vectors V, as in wide_philox.hpp: for LoopedBlocks compilers generate three times the code.
template <class V, int R> class VectorPhiloxBlocks {
  public:
    using E = PhiloxEngine<uint32_t, R>;

    RNG_FN static void of_children(const uint32_t* names, uint64_t number, unsigned domain, uint32_t* out) {
        const auto counter = E::counter(number, domain, 0);
        const I word0 = V::set(counter[0]), word1 = V::set(counter[1]);
        make(names, out, [&](I words01, I words23) RNG_LAMBDA_INLINE {
            return Block{word0, word1, words23, V::high(words23), words01, V::high(words01)};
        });
    }
    RNG_FN static void of_stream(const uint64_t* number, const uint32_t* domain, uint64_t id,
                                 const typename E::key_type& key, uint32_t* out) {
        alignas(64) typename E::counter_type counter[blocks_together];
        for (size_t i = 0; i < blocks_together; ++i) counter[i] = E::counter(number[i], domain[i], id);
        const I key0 = V::set(key[0]), key1 = V::set(key[1]);
        make(counter[0].v, out, [&](I words01, I words23) RNG_LAMBDA_INLINE {
            return Block{words01, V::high(words01), words23, V::high(words23), key0, key1};
        });
    }

  private:
    using I = typename V::reg;
    using K = detail::PhiloxConstants<uint32_t>;
    /// Words in the lower halves of the lanes; the upper halves do not matter.
    struct Block {
        I word0, word1, word2, word3, key0, key1;
    };
    static constexpr size_t chains = 4, step = chains * static_cast<size_t>(V::lanes);
    static_assert(blocks_together % step == 0);

    /// Writes the blocks whose first state first_of() returns, which takes four words of each.
    template <class First> RNG_FN static void make(const uint32_t* words, uint32_t* out, const First& first_of) {
        const I m0 = V::set(K::mul4[0]), m1 = V::set(K::mul4[1]), w0 = V::set(K::weyl[0]), w1 = V::set(K::weyl[1]);
        for (size_t done = 0; done < blocks_together; done += step, words += 4 * step, out += 4 * step) {
            Block block[chains];
            RNG_UNROLL
            for (size_t g = 0; g < chains; ++g) {
                I words01, words23;
                V::load_joined(words + 4 * g * static_cast<size_t>(V::lanes), words01, words23);
                block[g] = first_of(words01, words23);
            }
            RNG_UNROLL
            for (int round = 0; round < R - 1; ++round) {
                RNG_UNROLL
                for (Block& b : block) {
                    const I p = V::mul(b.word0, m0), q = V::mul(b.word2, m1);
                    b = {V::bit_xor3(V::high(q), b.word1, b.key0),
                         q,
                         V::bit_xor3(V::high(p), b.word3, b.key1),
                         p,
                         V::add(b.key0, w0),
                         V::add(b.key1, w1)};
                }
            }
            RNG_UNROLL
            for (size_t g = 0; g < chains; ++g) {
                const Block& b = block[g];
                const I p = V::mul(b.word0, m0), q = V::mul(b.word2, m1);
                V::store_joined(out + 4 * g * static_cast<size_t>(V::lanes), V::join(q, b.word1, b.key0),
                                V::join(p, b.word3, b.key1));
            }
        }
    }
};

/// The class that computes blocks of the algorithm A on R, which is void or as wide_blocks.hpp describes it.
template <class R, class A> struct SparseBlocksOf { using type = LoopedBlocks<A>; };
template <class R, int Rounds>
requires requires { typename R::template SparsePhilox32<Rounds>; }
struct SparseBlocksOf<R, PhiloxEngine<uint32_t, Rounds>> {
    using type = typename R::template SparsePhilox32<Rounds>;
};

/// Writes n blocks, a group at a time: make(first, count, out) writes a whole group, of which `count` blocks are used.
template <class E, class Make> RNG_FN void in_groups(uint32_t* out, size_t n, const Make& make) {
    constexpr size_t words = static_cast<size_t>(E::words_per_block);
    size_t i = 0;
    for (; n - i >= blocks_together; i += blocks_together) make(i, blocks_together, out + i * words);
    if (i == n) return;
    uint32_t made[blocks_together * words];
    make(i, n - i, made);
    __builtin_memcpy(out + i * words, made, (n - i) * words * sizeof(uint32_t));
}

/// rng_abi::ChildBlocksFunction.
template <class Blocks>
void child_blocks(const uint32_t* names, uint64_t number, unsigned domain, uint32_t* out, size_t n) {
    constexpr size_t words = static_cast<size_t>(Blocks::E::words_per_block);
    in_groups<typename Blocks::E>(out, n, [&](size_t first, size_t count, uint32_t* to) {
        if (count == blocks_together) return Blocks::of_children(names + first * words, number, domain, to);
        uint32_t padded[blocks_together * words]{};
        __builtin_memcpy(padded, names + first * words, count * words * sizeof(uint32_t));
        Blocks::of_children(padded, number, domain, to);
    });
}

/// rng_abi::ScatteredBlocksFunction.
template <class Blocks>
void scattered_blocks(const uint64_t* number, const uint32_t* domain, uint64_t id, const uint64_t* key, uint32_t* out,
                      size_t n) {
    using E = typename Blocks::E;
    typename E::key_type k;
    for (int i = 0; i < k.size(); ++i) k[i] = static_cast<typename E::word>(key[i]);
    in_groups<E>(out, n, [&](size_t first, size_t count, uint32_t* to) {
        uint64_t numbers[blocks_together]{};
        uint32_t domains[blocks_together]{};
        __builtin_memcpy(numbers, number + first, count * sizeof(uint64_t));
        __builtin_memcpy(domains, domain + first, count * sizeof(uint32_t));
        Blocks::of_stream(numbers, domains, id, k, to);
    });
}

/// The functions of all engines on R.
template <class R, class List> struct SparseBlocksTable;
template <class R, class... E> struct SparseBlocksTable<R, type_list<E...>> {
    template <class A> using Blocks = typename SparseBlocksOf<R, typename A::algorithm>::type;
    static constexpr rng_abi::ChildBlocksFunction children[] = {&child_blocks<Blocks<E>>...};
    static constexpr rng_abi::ScatteredBlocksFunction scattered[] = {&scattered_blocks<Blocks<E>>...};
};

}  // namespace wide
RNG_END_NAMESPACE
