// What kernels.cu and parity_host.cpp share: the catalogue by index, and TableEngine.
//
// TableEngine is an engine whose blocks are the caller's words, so that at() evaluates a map on chosen words. Random
// counters reach the edge of a map (word 0, a power of two, a quarter turn) once in 2^32 values; a table holds nothing
// but edges. Block b of each domain of draws is words 4b .. 4b + 3. Child streams (forks, private retry streams) have
// no table: their words are Philox's, so that a sampler that reads on gets words too.
#pragma once

#include <rng/detail/device_fill_kernel.hpp>
#include <rng/distributions/catalogue.hpp>

#include <utility>

#include "element.hpp"

namespace parity {

template <int I> using Distribution = typename Element<I, rng::catalogue>::type;

template <int I> using Fill = rng::detail::DeviceFill<Distribution<I>, rng::Philox4x32_10>;

/// What the code of a fill depends on, besides its map.
struct FillKind {
    rng::Shape shape;
    size_t value_bytes;
    bool is_half, has_warp_retries;
    int slot_words, group_values, item_groups, turn;
    unsigned resident_blocks;
    friend bool operator==(const FillKind&, const FillKind&) = default;

    template <int I> static constexpr FillKind of() {
        using D = Distribution<I>;
        using T = rng::result_t<D>;
        return {D::map_shape,
                sizeof(T),
                rng::detail::is_half<T>,
                rng::detail::has_warp_retries<D>,
                D::slot_words,
                Fill<I>::group_values,
                Fill<I>::item_groups,
                Fill<I>::turn,
                rng::detail::resident_blocks<D, rng::Philox4x32_10>};
    }
};
template <int... I> constexpr bool is_first_of_its_kind(int index, std::integer_sequence<int, I...>) {
    constexpr FillKind kinds[] = {FillKind::of<I>()...};
    for (int i = 0; i < index; ++i)
        if (kinds[i] == kinds[index]) return false;
    return true;
}
/// True if no distribution before I has fills of its kind.
template <int I>
inline constexpr bool is_first_fill = is_first_of_its_kind(I, std::make_integer_sequence<int, rng::catalogue_size>{});

struct TableKey {
    const uint32_t* table;
    rng::Words<uint32_t, 2> child;
};

struct TableEngine {
    using word = uint32_t;
    using counter_type = rng::Words<word, 4>;
    using key_type = TableKey;
    static constexpr int words_per_block = 4;

    [[nodiscard]] RNG_FN static counter_type block(counter_type counter, key_type key) {
        const unsigned d = counter[1] >> 24;
        const bool drawn = d == rng::domain::draws || d == rng::domain::pair32 || d == rng::domain::pair64;
        if (!key.table || !drawn) return rng::Philox4x32_10::block(counter, key.child);
        const uint32_t* w = key.table + 4 * (counter[0] | static_cast<uint64_t>(counter[1] & 0xffffffu) << 32);
        return {{w[0], w[1], w[2], w[3]}};
    }
    [[nodiscard]] RNG_FN static key_type key_from_seed(uint64_t) { return {}; }
    [[nodiscard]] RNG_FN static counter_type counter(uint64_t block, unsigned domain, uint64_t id) {
        return rng::Philox4x32_10::counter(block, domain, id);
    }
    [[nodiscard]] RNG_FN static key_type child_key(counter_type b) { return {nullptr, {{b[0], b[1]}}}; }
    [[nodiscard]] RNG_FN static uint64_t child_id(counter_type b) { return rng::Philox4x32_10::child_id(b); }
    [[nodiscard]] RNG_FN static uint32_t word_of(const counter_type& b, int lane) { return b[lane]; }
};

}  // namespace parity
