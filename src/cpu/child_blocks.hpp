// Blocks of many streams at once: the streams that blocks of a parent name.
#pragma once

#include <rng/core/engine.hpp>

#include "kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

inline constexpr size_t children_together = 32;

/// Block `number` of children_together children. No loop has branches, so the compiler turns them into vectors, with a
/// child in each lane.
template <class E> RNG_FN void child_group(const uint32_t* names, uint64_t number, uint32_t* out) {
    using W = typename E::word;
    constexpr size_t n = children_together;
    alignas(64) W name[4][n], made[4][n];
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < 4; ++k) {
            if constexpr (sizeof(W) == 4)
                name[k][i] = names[4 * i + k];
            else
                name[k][i] = names[8 * i + 2 * k] | static_cast<W>(names[8 * i + 2 * k + 1]) << 32;
        }
    for (size_t i = 0; i < n; ++i) {
        const typename E::counter_type b{{name[0][i], name[1][i], name[2][i], name[3][i]}};
        const auto block = E::block(E::counter(number, domain::draws, E::child_id(b)), E::child_key(b));
        made[0][i] = block[0];
        made[1][i] = block[1];
        made[2][i] = block[2];
        made[3][i] = block[3];
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < 4; ++k) {
            if constexpr (sizeof(W) == 4) {
                out[4 * i + k] = made[k][i];
            } else {
                out[8 * i + 2 * k] = static_cast<uint32_t>(made[k][i]);
                out[8 * i + 2 * k + 1] = static_cast<uint32_t>(made[k][i] >> 32);
            }
        }
}

/// rng_abi::ChildBlocksFunction for any engine.
template <class E> void child_blocks(const uint32_t* names, uint64_t number, uint32_t* out, size_t n) {
    constexpr size_t words = static_cast<size_t>(E::words_per_block), group = children_together * words;
    for (; n >= children_together; n -= children_together, names += group, out += group)
        child_group<E>(names, number, out);
    if (n == 0) return;
    uint32_t padded[group]{}, made[group];
    __builtin_memcpy(padded, names, n * words * sizeof(uint32_t));
    child_group<E>(padded, number, made);
    __builtin_memcpy(out, made, n * words * sizeof(uint32_t));
}

template <class List> struct ChildBlocksTable;
template <class... E> struct ChildBlocksTable<type_list<E...>> {
    static constexpr rng_abi::ChildBlocksFunction functions[] = {&child_blocks<typename E::algorithm>...};
};

}  // namespace wide
RNG_END_NAMESPACE
