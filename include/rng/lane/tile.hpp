// Applies a distribution's map to a run of words: vectors first, the rest by the scalar lane, with the same bits.
//
// The library compiles these functions for every distribution of the catalogue and every instruction set; a user's own
// distribution gets them in the user's code, over the scalar lane. A wide lane L adds to the operations of lane.hpp
// what memory needs: bytes, load, store, and for pairs even_slots, odd_slots, merge_low and merge_high.
#pragma once

#include <stddef.h>

#include "../dist/parameters.hpp"
#include "scalar.hpp"

/// Plain types that object files compiled for different instruction sets share; outside the tagged namespaces.
namespace rng_abi {

/// A distribution's map. prepare() turns the parameters into the map's constants, once a fill; apply() turns the
/// words of n slots into n values (pair maps: n is even, and the words begin at an even slot). It reads a vector's
/// words before it writes their values, so it may work in place.
struct MapFunctions {
    void (*prepare)(const void* distribution, void* map);
    void (*apply)(const void* map, const uint32_t* words, void* out, size_t n);
};

inline constexpr size_t map_bytes = 64;  // room for any prepared map

}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace lane {

/// The lane type of apply_map() that uses the scalar lane throughout.
struct NoVectors {
    static constexpr int bytes = 0;
};

namespace detail {

template <int Slot> RNG_FN auto load_slot(const uint32_t* words) {
    static_assert(Slot == 1 || Slot == 2, "maps of one slot take one or two words");
    uint32_t w[Slot];
    __builtin_memcpy(w, words, sizeof w);  // the memory may hold values of another type: maps work in place
    if constexpr (Slot == 1) {
        return u32<Scalar>(w[0]);
    } else {
        return u64<Scalar>(w[0] | static_cast<uint64_t>(w[1]) << 32);
    }
}

template <class L, int Slot> RNG_FN auto load_slots(const uint32_t* words) {
    if constexpr (Slot == 1) {
        return u32<L>(L::load(words), 0);
    } else {
        return u64<L>(L::load(words), 0);
    }
}

}  // namespace detail

template <class D> void prepare_map(const void* distribution, void* map) {
    using M = decltype(static_cast<const D*>(distribution)->map());
    static_assert(sizeof(M) <= rng_abi::map_bytes, "a prepared map has at most 64 bytes");
    const M prepared = static_cast<const D*>(distribution)->map();
    __builtin_memcpy(map, &prepared, sizeof(M));
}

template <class D, class L> void apply_map(const void* prepared, const uint32_t* words, void* values, size_t n) {
    constexpr int slot = D::slot_words;
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    auto* out = static_cast<result_t<D>*>(values);
    size_t i = 0;
    if constexpr (D::shape == Shape::value) {
        if constexpr (L::bytes > 0) {
            constexpr size_t width = L::bytes / (4 * slot);
            for (; i + width <= n; i += width) L::store(out + i, map(detail::load_slots<L, slot>(words + slot * i)).v);
        }
        for (; i < n; ++i) out[i] = map(detail::load_slot<slot>(words + slot * i)).v;
    } else {
        if constexpr (L::bytes > 0) {
            constexpr size_t width = L::bytes / (4 * slot);
            for (; i + 2 * width <= n; i += 2 * width) {
                const auto a = detail::load_slots<L, slot>(words + slot * i);
                const auto b = detail::load_slots<L, slot>(words + slot * (i + width));
                const auto z = map(L::even_slots(a, b), L::odd_slots(a, b));
                L::store(out + i, L::merge_low(z.even.v, z.odd.v));
                L::store(out + i + width, L::merge_high(z.even.v, z.odd.v));
            }
        }
        for (; i + 2 <= n; i += 2) {
            const auto z =
                map(detail::load_slot<slot>(words + slot * i), detail::load_slot<slot>(words + slot * (i + 1)));
            out[i] = z.even.v;
            out[i + 1] = z.odd.v;
        }
    }
}

}  // namespace lane
RNG_END_NAMESPACE
