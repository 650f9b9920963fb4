// The common parts of wide engines: the loop that divides a run of blocks into groups of vectors, and the table of
// engines.
//
// A wide engine is a type Rounds, constructed for blocks whose counters differ in their low word alone:
//     Rounds(first, domain, id, key)           the constants of such a run
//     words_per_block, lanes                   what a vector holds
//     blocks_until_wrap(first)                 how long the run can be
//     out = write<G>(out, groups)              the next `groups` groups of G vectors; G independent chains hide latency
#pragma once

#include <rng/core/engine.hpp>

#include "kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// Writes `rest` blocks, fewer than G vectors, by K, 2 K, ... or G vectors side by side: two of them take as long as
/// one. The other blocks of these vectors, perhaps past a wrap, are dropped.
template <class Rounds, int K, int G> RNG_FN uint32_t* write_rest(Rounds& rounds, uint32_t* out, uint64_t rest) {
    constexpr uint64_t words = Rounds::words_per_block, most = uint64_t{K} * Rounds::lanes;
    if constexpr (K < G) {
        constexpr int more = 2 * K < G ? 2 * K : G;
        if (rest > most) return write_rest<Rounds, more, G>(rounds, out, rest);
    }
    if (rest == most) return rounds.template write<K>(out, 1);
    if (rest > 0) {
        alignas(64) uint32_t made[words * most];
        rounds.template write<K>(made, 1);
        __builtin_memcpy(out, made, rest * words * 4);
    }
    return out + rest * words;
}

/// rng_abi::BlocksFunction for a wide engine. Not inlined: the table points to this loop.
template <class Rounds, int G>
void wide_blocks(uint32_t* out, uint64_t first, uint64_t count, unsigned domain, uint64_t id, const uint64_t* key) {
    while (count > 0) {
        const uint64_t to_wrap = Rounds::blocks_until_wrap(first);
        const uint64_t run = count < to_wrap ? count : to_wrap;
        Rounds rounds(first, domain, id, key);
        constexpr uint64_t group = static_cast<uint64_t>(G) * Rounds::lanes;
        out = rounds.template write<G>(out, run / group);
        out = write_rest<Rounds, 1, G>(rounds, out, run % group);
        first += run;
        count -= run;
    }
}

/// rng_abi::BlocksFunction for an engine without a wide form: one block after another.
template <class E>
void scalar_blocks(uint32_t* out, uint64_t first, uint64_t count, unsigned domain, uint64_t id, const uint64_t* key) {
    typename E::key_type k;
    for (int i = 0; i < k.size(); ++i) k[i] = static_cast<typename E::word>(key[i]);
    for (uint64_t b = first; b < first + count; ++b) {
        const auto block = E::block(E::counter(b, domain, id), k);
        if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
            __builtin_memcpy(out, &block, sizeof block);
        } else {
            uint32_t words[E::words_per_block];
            for (int i = 0; i < E::words_per_block; ++i) words[i] = E::word_of(block, i);
            __builtin_memcpy(out, words, sizeof words);  // the destination may be an array of values (src/fill.cpp)
        }
        out += E::words_per_block;
    }
}

/// The blocks functions of all engines; choose(type_tag<A>{}) returns the function for engines with the algorithm A.
template <class List> struct BlocksTable;
template <class... E> struct BlocksTable<type_list<E...>> {
    rng_abi::BlocksFunction functions[sizeof...(E)];
    template <class Choose>
    constexpr explicit BlocksTable(Choose choose) : functions{choose(type_tag<typename E::algorithm>{})...} {}
};

}  // namespace wide
RNG_END_NAMESPACE
