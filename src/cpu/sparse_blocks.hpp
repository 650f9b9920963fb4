// Blocks that make no run: blocks of many streams at once, which blocks of a parent name, and those names themselves.
#pragma once

#include <rng/core/engine.hpp>

#include "kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

inline constexpr size_t blocks_together = 32;

/// blocks_together blocks, word k of block i in word[k][i]. No loop over them has branches, so the compiler turns it
/// into vectors, with a block in each lane.
template <class E> struct BlockGroup {
    using W = typename E::word;
    alignas(64) W word[4][blocks_together];

    RNG_FN void load(const uint32_t* words) {
        for (size_t i = 0; i < blocks_together; ++i)
            for (size_t k = 0; k < 4; ++k) {
                if constexpr (sizeof(W) == 4)
                    word[k][i] = words[4 * i + k];
                else
                    word[k][i] = words[8 * i + 2 * k] | static_cast<W>(words[8 * i + 2 * k + 1]) << 32;
            }
    }
    RNG_FN void store(uint32_t* out) const {
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
    /// Sets each block to block_of(i).
    template <class BlockOf> RNG_FN void make(const BlockOf& block_of) {
        for (size_t i = 0; i < blocks_together; ++i) {
            const typename E::counter_type block = block_of(i);
            word[0][i] = block[0];
            word[1][i] = block[1];
            word[2][i] = block[2];
            word[3][i] = block[3];
        }
    }
};

/// Writes n blocks, a group at a time: make(first, count, out) writes a whole group, of which `count` blocks are asked.
template <class E, class Make> RNG_FN void in_groups(uint32_t* out, size_t n, const Make& make) {
    constexpr size_t words = static_cast<size_t>(E::words_per_block);
    size_t i = 0;
    for (; n - i >= blocks_together; i += blocks_together) make(i, blocks_together, out + i * words);
    if (i == n) return;
    uint32_t made[blocks_together * words];
    make(i, n - i, made);
    __builtin_memcpy(out + i * words, made, (n - i) * words * sizeof(uint32_t));
}

/// rng_abi::ChildBlocksFunction for any engine.
template <class E> void child_blocks(const uint32_t* names, uint64_t number, uint32_t* out, size_t n) {
    constexpr size_t words = static_cast<size_t>(E::words_per_block);
    in_groups<E>(out, n, [&](size_t first, size_t count, uint32_t* to) {
        BlockGroup<E> name, made;
        if (count == blocks_together) {
            name.load(names + first * words);
        } else {
            uint32_t padded[blocks_together * words]{};
            __builtin_memcpy(padded, names + first * words, count * words * sizeof(uint32_t));
            name.load(padded);
        }
        made.make([&](size_t i) {
            const typename E::counter_type b{{name.word[0][i], name.word[1][i], name.word[2][i], name.word[3][i]}};
            return E::block(E::counter(number, domain::draws, E::child_id(b)), E::child_key(b));
        });
        made.store(to);
    });
}

/// rng_abi::ScatteredBlocksFunction for any engine.
template <class E>
void scattered_blocks(const uint64_t* number, const uint32_t* domain, uint64_t id, const uint64_t* key, uint32_t* out,
                      size_t n) {
    typename E::key_type k;
    for (int i = 0; i < k.size(); ++i) k[i] = static_cast<typename E::word>(key[i]);
    in_groups<E>(out, n, [&](size_t first, size_t count, uint32_t* to) {
        uint64_t numbers[blocks_together]{};
        uint32_t domains[blocks_together]{};
        __builtin_memcpy(numbers, number + first, count * sizeof(uint64_t));
        __builtin_memcpy(domains, domain + first, count * sizeof(uint32_t));
        BlockGroup<E> made;
        made.make([&](size_t i) { return E::block(E::counter(numbers[i], domains[i], id), k); });
        made.store(to);
    });
}

template <class List> struct SparseBlocksTable;
template <class... E> struct SparseBlocksTable<type_list<E...>> {
    static constexpr rng_abi::ChildBlocksFunction children[] = {&child_blocks<typename E::algorithm>...};
    static constexpr rng_abi::ScatteredBlocksFunction scattered[] = {&scattered_blocks<typename E::algorithm>...};
};

}  // namespace wide
RNG_END_NAMESPACE
