// Applies a distribution's map to a run of words: vectors first, the rest by the scalar lane, with the same bits.
//
// The library compiles these functions for every distribution of the catalogue and every instruction set.
// For a user's own distribution, the user's code compiles them, over the scalar lane.
// A wide lane L needs the operations of lane.hpp, and these for memory: bytes, load, store.
// For pairs it also needs even_slots, odd_slots, merge_low and merge_high.
#pragma once

#include <stddef.h>

#include "../core/distribution.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

/// Plain types that object files compiled for different instruction sets share; outside the tagged namespaces.
namespace rng_abi {

/// The source of more words for a sampler: next(self) returns the next word of a value's tape.
struct WordSource {
    void* self;
    uint32_t (*next)(void* self);
};

/// A distribution's map.
/// - prepare() turns the parameters into the map's constants, once for each fill.
/// - apply() turns the words of n slots into n values (pair maps: n is even, and the words begin at an even slot). It
///   reads the words of a vector before it writes their values, so it may work in place.
/// - apply() lists by index, in `undecided` (room for n), the values that a sampler cannot make from the slots alone.
///   It returns their number.
/// - finish() makes such a value from its whole tape.
struct MapFunctions {
    void (*prepare)(const void* distribution, void* map);
    size_t (*apply)(const void* map, const uint32_t* words, void* out, size_t n, uint32_t* undecided);
    void (*finish)(const void* map, WordSource tape, void* value);  // null if apply() decides all values
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
    uint32_t w[static_cast<unsigned>(Slot)];
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

/// Stores a register of results of type T, which may be narrower than the lanes they were made in.
template <class L, int Slot, class T, class R> RNG_FN void store_values(T* out, R values) {
    if constexpr (sizeof(T) == 4 * Slot)
        L::store(out, values);
    else
        L::template store_low<4 * Slot, static_cast<int>(sizeof(T))>(out, values);
}

/// A joint distribution as fills see it: a pair map whose values are the parts.
template <class D> struct Parts {
    using result_type = decltype(result_t<D>::re);
    static constexpr int slot_words = D::slot_words / 2;
    static constexpr Shape shape = Shape::pair;
    D whole;
    RNG_FN auto map() const { return whole.map(); }
};

}  // namespace detail

template <class D> void prepare_map(const void* distribution, void* map) {
    using M = decltype(static_cast<const D*>(distribution)->map());
    static_assert(sizeof(M) <= rng_abi::map_bytes, "a prepared map has at most 64 bytes");
    const M prepared = static_cast<const D*>(distribution)->map();
    __builtin_memcpy(map, &prepared, sizeof(M));
}

template <class D, class L>
size_t apply_to_slots(const void* prepared, const uint32_t* words, void* values, size_t n, uint32_t* undecided) {
    using T = result_t<D>;
    constexpr int slot = D::slot_words;
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    auto* out = static_cast<T*>(values);
    size_t i = 0, listed = 0;
    if constexpr (D::shape == Shape::pair) {
        if constexpr (L::bytes > 0) {
            constexpr size_t width = L::bytes / (4 * slot);
            for (; i + 2 * width <= n; i += 2 * width) {
                const auto a = detail::load_slots<L, slot>(words + slot * i);
                const auto b = detail::load_slots<L, slot>(words + slot * (i + width));
                const auto z = map(L::even_slots(a, b), L::odd_slots(a, b));
                detail::store_values<L, slot>(out + i, L::merge_low(z.even.v, z.odd.v));
                detail::store_values<L, slot>(out + i + width, L::merge_high(z.even.v, z.odd.v));
            }
        }
        for (; i + 2 <= n; i += 2) {
            const auto z =
                map(detail::load_slot<slot>(words + slot * i), detail::load_slot<slot>(words + slot * (i + 1)));
            out[i] = to_result<T>(z.even.v);
            out[i + 1] = to_result<T>(z.odd.v);
        }
    } else if constexpr (D::shape == Shape::value) {
        if constexpr (L::bytes > 0) {
            constexpr size_t width = L::bytes / (4 * slot);
            for (; i + width <= n; i += width)
                detail::store_values<L, slot>(out + i, map(detail::load_slots<L, slot>(words + slot * i)).v);
        }
        for (; i < n; ++i) out[i] = to_result<T>(map(detail::load_slot<slot>(words + slot * i)).v);
    } else if constexpr (detail::has_attempt<decltype(D{}.map()), slot>) {
        if constexpr (L::bytes > 0) {
            constexpr size_t width = L::bytes / (4 * slot);
            for (; i + width <= n; i += width) {
                const auto attempt = map(detail::load_slots<L, slot>(words + slot * i));
                detail::store_values<L, slot>(out + i, attempt.value.v);
                uint64_t lanes = slot == 1 ? L::lanes_set(attempt.undecided.v) : L::lanes_set64(attempt.undecided.v);
                for (; lanes != 0; lanes &= lanes - 1)
                    undecided[listed++] = static_cast<uint32_t>(i + static_cast<size_t>(__builtin_ctzll(lanes)));
            }
        }
        for (; i < n; ++i) {
            const auto attempt = map(detail::load_slot<slot>(words + slot * i));
            out[i] = to_result<T>(attempt.value.v);
            if (attempt.undecided.v != 0) undecided[listed++] = static_cast<uint32_t>(i);
        }
    } else {
        for (; i < n; ++i) undecided[listed++] = static_cast<uint32_t>(i);
    }
    return listed;
}

template <class D, class L>
size_t apply_map(const void* prepared, const uint32_t* words, void* values, size_t n, uint32_t* undecided) {
    if constexpr (D::shape == Shape::joint)
        return apply_map<detail::Parts<D>, L>(prepared, words, values, 2 * n, undecided);
    else
        return apply_to_slots<D, L>(prepared, words, values, n, undecided);
}

namespace detail {

/// A tape whose words come from a function that knows the engine.
struct SourceTape {
    rng_abi::WordSource source;
    uint32_t word() { return source.next(source.self); }
    uint64_t word64() {
        const uint64_t low = word();
        return low | static_cast<uint64_t>(word()) << 32;
    }
};

}  // namespace detail

template <class D> void finish_value(const void* prepared, rng_abi::WordSource source, void* value) {
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    detail::SourceTape tape{source};
    *static_cast<result_t<D>*>(value) = map.sample(tape);
}

/// The functions of distribution D over lane L.
template <class D, class L> constexpr rng_abi::MapFunctions map_functions() {
    if constexpr (D::shape == Shape::sampler)
        return {&prepare_map<D>, &apply_map<D, L>, &finish_value<D>};
    else
        return {&prepare_map<D>, &apply_map<D, L>, nullptr};
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
