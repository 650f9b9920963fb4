// Applies a distribution's map to a run of words, in vectors of any width, with the same bits.
//
// The library compiles these functions for every distribution of the catalogue and every instruction set.
// For a user's own distribution, the user's code compiles them, over the scalar lane.
// A wide lane L needs the operations of lane.hpp, and these for memory: bytes, load, store.
// For pairs it also needs even_slots, odd_slots, merge_low and merge_high.
#pragma once

#include <stddef.h>

#include "../core/distribution.hpp"
#include "../lane/scalar.hpp"
#include "unit.hpp"

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
/// - apply() turns the words of n slots into n values. n is a multiple of `granule`, and the words begin at an even
/// slot.
///   It reads the words of a vector before it writes their values, so it may work in place.
/// - apply() lists by index, in `undecided` (room for n), the values that a sampler cannot make from the slots alone.
///   It returns their number.
/// - finish() makes such a value from its whole tape.
struct MapFunctions {
    void (*prepare)(const void* distribution, void* map);
    size_t (*apply)(const void* map, const uint32_t* words, void* out, size_t n, uint32_t* undecided);
    void (*finish)(const void* map, WordSource tape, void* value);  // null if apply() decides all values
    size_t granule;                                                 // a power of 2
    bool retries_take_slots;  // sample() reads its tape slot by slot, each as apply() reads a slot
};

inline constexpr size_t map_bytes = 64;  // room for any prepared map

}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {

/// Reads a register of slots; the scalar lane has one slot.
template <class L, int Slot> RNG_FN auto load_slots(const uint32_t* words) {
    static_assert(Slot == 1 || Slot == 2, "maps of one slot take one or two words");
    if constexpr (rng::detail::is_same<L, Scalar>) {
        uint32_t w[static_cast<unsigned>(Slot)];
        __builtin_memcpy(w, words, sizeof w);  // the memory may hold values of another type: maps work in place
        if constexpr (Slot == 1)
            return u32<Scalar>(w[0]);
        else
            return u64<Scalar>(w[0] | static_cast<uint64_t>(w[1]) << 32);
    } else if constexpr (Slot == 1) {
        return u32<L>(L::load(words), 0);
    } else {
        return u64<L>(L::load(words), 0);
    }
}

/// Stores a register of results of type T, which may be narrower than the lanes they were made in.
template <class L, int Slot, class T, class R> RNG_FN void store_values(T* out, R values) {
    if constexpr (rng::detail::is_same<L, Scalar>)
        *out = to_result<T>(values);
    else if constexpr (sizeof(T) == 4 * Slot)
        L::store(out, values);
    else
        L::template store_low<4 * Slot, static_cast<int>(sizeof(T))>(out, values);
}

/// How many slots of `Slot` words a register of lane L holds.
template <class L, int Slot> constexpr size_t register_slots() {
    if constexpr (rng::detail::is_same<L, Scalar>)
        return 1;
    else
        return static_cast<size_t>(L::bytes / (4 * Slot));
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

namespace detail {

/// How many slots one step of D's map over lane L takes.
template <class D, class L>
inline constexpr size_t step_slots = (D::shape == Shape::pair ? 2 : 1) * register_slots<L, D::slot_words>();

/// One step: turns the words of step_slots<D, L> slots into values. Returns a bit for each undecided value.
template <class D, class L, class M> RNG_FN uint64_t apply_step(const M& map, const uint32_t* words, result_t<D>* out) {
    constexpr int slot = D::slot_words;
    constexpr size_t width = register_slots<L, slot>();
    const auto a = load_slots<L, slot>(words);
    if constexpr (D::shape == Shape::pair) {
        const auto b = load_slots<L, slot>(words + slot * width);
        if constexpr (rng::detail::is_same<L, Scalar>) {
            const auto z = map(a, b);
            store_values<L, slot>(out, z.even.v);
            store_values<L, slot>(out + 1, z.odd.v);
        } else {
            const auto z = map(L::even_slots(a, b), L::odd_slots(a, b));
            store_values<L, slot>(out, L::merge_low(z.even.v, z.odd.v));
            store_values<L, slot>(out + width, L::merge_high(z.even.v, z.odd.v));
        }
        return 0;
    } else if constexpr (D::shape == Shape::value) {
        store_values<L, slot>(out, map(a).v);
        return 0;
    } else {
        const auto attempt = map(a);
        store_values<L, slot>(out, attempt.value.v);
        if constexpr (rng::detail::is_same<L, Scalar>)
            return attempt.undecided.v != 0;
        else if constexpr (slot == 1)
            return L::lanes_set(attempt.undecided.v);
        else
            return L::lanes_set64(attempt.undecided.v);
    }
}

}  // namespace detail

/// MapFunctions::apply: by the widest of the lanes that fits; the last one is the granule's.
template <class D, class... Lanes>
size_t apply_to_slots(const void* prepared, const uint32_t* words, void* values, size_t n, uint32_t* undecided) {
    using M = decltype(D{}.map());
    const auto& map = *static_cast<const M*>(prepared);
    auto* out = static_cast<result_t<D>*>(values);
    size_t i = 0, listed = 0;
    if constexpr (rng::detail::works_on_slots<D>()) {
        const auto step = [&]<class Lane>(type_tag<Lane>) {
            uint64_t lanes = detail::apply_step<D, Lane>(map, words + D::slot_words * i, out + i);
            for (; lanes != 0; lanes &= lanes - 1)
                undecided[listed++] = static_cast<uint32_t>(i + static_cast<size_t>(__builtin_ctzll(lanes)));
            i += detail::step_slots<D, Lane>;
        };
        const auto steps = [&](auto lane) {
            while (i + detail::step_slots<D, typename decltype(lane)::type> <= n) step(lane);
        };
        (steps(type_tag<Lanes>{}), ...);
    } else {
        for (; i < n; ++i) undecided[listed++] = static_cast<uint32_t>(i);
    }
    return listed;
}

template <class D, class... Lanes>
size_t apply_map(const void* prepared, const uint32_t* words, void* values, size_t n, uint32_t* undecided) {
    if constexpr (D::shape == Shape::joint)
        return apply_to_slots<detail::Parts<D>, Lanes...>(prepared, words, values, 2 * n, undecided);
    else
        return apply_to_slots<D, Lanes...>(prepared, words, values, n, undecided);
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

/// The functions of distribution D over lane L. Long runs go through the lanes Wide, the widest first.
template <class D, class L, class... Wide> constexpr rng_abi::MapFunctions map_functions() {
    constexpr auto finish = [] {
        if constexpr (D::shape == Shape::sampler)
            return &finish_value<D>;
        else
            return nullptr;
    }();
    constexpr auto granule = [] {
        if constexpr (D::shape == Shape::joint)  // its parts are a pair in one slot
            return detail::step_slots<detail::Parts<D>, L> / 2;
        else
            return detail::step_slots<D, L>;
    }();
    constexpr bool retries = [] {
        if constexpr (requires { D::retries_take_slots; })
            return D::retries_take_slots;
        else
            return false;
    }();
    return {&prepare_map<D>, &apply_map<D, Wide..., L>, finish, granule, retries};
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
