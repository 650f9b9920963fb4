// One value, or the values of one block, from a stream by a prepared map: the functions behind at(), at_block() and
// Cursor (at.hpp) and draw() (draw.hpp).
#pragma once

#include "unit.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

[[nodiscard]] RNG_FN constexpr uint64_t round_up(uint64_t position, uint64_t slot) {
    return (position + slot - 1) & ~(slot - 1);
}

/// The slots from `position` on that end inside a stream of `size` words.
[[nodiscard]] RNG_FN constexpr uint64_t slots_left(uint64_t position, uint64_t slot, uint64_t size) {
    return position <= size ? (size - round_up(position, slot)) / slot : 0;
}
[[nodiscard]] RNG_FN constexpr bool slots_fit(uint64_t position, uint64_t count, uint64_t slot, uint64_t size) {
    return position <= size && count <= slots_left(position, slot, size);
}
/// Throws Error (end_of_stream) unless the slots first ... first + n - 1 fit. It names the first one that does not.
RNG_FN constexpr void require_slots(uint64_t position, uint64_t first, uint64_t n, uint64_t slot, uint64_t size,
                                    const char* call) {
    const uint64_t left = slots_left(position, slot, size);
    require_index(first <= left && n <= left - first, call, first <= left ? left : first);
}

/// The words of one block, or of as many blocks as a unit of D takes.
template <class D, class E> struct Group {
    static constexpr int words = Unit<D>::words > E::words_per_block ? Unit<D>::words : E::words_per_block;
    static constexpr int blocks = words / E::words_per_block, values = words / D::slot_words;

    /// S is Stream<E>, or another source of its blocks.
    template <class S> RNG_FN Group(const S& stream, uint64_t number) {
        RNG_UNROLL
        for (int i = 0; i < blocks; ++i)
            block[i] = stream.block(number * blocks + static_cast<unsigned>(i), domain_of<D>);
    }
    /// Returns the map's result for the unit that begins at word `first` of the group.
    template <class L, class M> [[nodiscard]] RNG_FN auto apply(const M& map, int first) const {
        return Unit<D>::template apply_to_words<L>(map, [this, &first]() {
            const int w = first++;
            return E::word_of(block[w / E::words_per_block], w % E::words_per_block);
        });
    }

    typename E::counter_type block[static_cast<unsigned>(blocks)];
};

/// Returns a sampler's value from its whole retry stream, whose slot begins at word `w`.
template <class D, class L = lane::Scalar, class M, class E>
RNG_COLD_FN result_t<D> value_of_retry_stream(const Stream<E>& stream, const M& map, uint64_t w) {
    RetryStream<E> retry_stream(stream, w, D::slot_words, domain_of<D>);
    return sample<D, L>(map, retry_stream);
}

/// Returns the value whose slot begins at word `w` of the stream, from the group of blocks that has the slot.
template <class D, class L, class M, class E>
[[nodiscard]] RNG_FN result_t<D> value_in_group([[maybe_unused]] const Group<D, E>& group, const Stream<E>& stream,
                                                const M& map, uint64_t w) {
    if constexpr (!Unit<D>::template has_map_over<L>()) {
        return value_of_retry_stream<D>(stream, map, w);
    } else {
        using G = Group<D, E>;
        const int in_group = static_cast<int>(w % G::words), in_unit = in_group & (Unit<D>::words - 1);
        const auto made = group.template apply<L>(map, in_group - in_unit);
        if (Unit<D>::is_undecided(made)) return value_of_retry_stream<D, L>(stream, map, w);
        return Unit<D>::value(made, in_unit / D::slot_words);
    }
}

/// Returns the value whose slot begins at word `w` (a multiple of the slot), by a prepared map, over the lane L.
template <class D, class L = lane::Scalar, class M, class E>
[[nodiscard]] RNG_FN result_t<D> value_at_word(const Stream<E>& stream, const M& map, uint64_t w) {
    if constexpr (!Unit<D>::template has_map_over<L>()) {
        RetryStream<E> retry_stream(stream, w, D::slot_words, domain_of<D>);
        return sample<D>(map, retry_stream);
    } else {
        return value_in_group<D, L>(Group<D, E>(stream, w / Group<D, E>::words), stream, map, w);
    }
}

/// The first proposals of a group's values. Bit i of `undecided` is set if value i needs its whole retry stream.
template <class T, int N> struct Proposals {
    Words<T, N> values;
    uint32_t undecided = 0;
};

/// Returns the word at which the slot of value `i` of group `g` begins.
template <class D, class E> [[nodiscard]] RNG_FN uint64_t word_in_group(uint64_t g, int i) {
    return g * Group<D, E>::words + static_cast<unsigned>(i * D::slot_words);
}

/// Returns the first proposals of all values whose slots lie in group `g`, by a prepared map, over the lane L. If the
/// map reads retry streams only, the values come from their retry streams.
template <class D, class L = lane::Scalar, class T = result_t<D>, class M, class S>
[[nodiscard]] RNG_FN auto proposals_of_group(const S& stream, const M& map, uint64_t g) {
    using E = typename S::engine;
    using G = Group<D, E>;
    constexpr int slot = D::slot_words;
    Proposals<T, G::values> a;
    [[maybe_unused]] const G group(stream, g);
    RNG_UNROLL
    for (int w = 0; w < G::words; w += Unit<D>::words) {
        if constexpr (!Unit<D>::template has_map_over<L>()) {
            a.values[w / slot] = value_at_word<D>(stream, map, word_in_group<D, E>(g, w / slot));
        } else {
            const auto made = group.template apply<L>(map, w);
            for (int k = 0; k < Unit<D>::values; ++k) a.values[w / slot + k] = Unit<D>::template value<T>(made, k);
            if (Unit<D>::is_undecided(made)) a.undecided |= 1u << (w / slot);
        }
    }
    return a;
}

/// Returns all values whose slots lie in group `g`, by a prepared map, over the lane L.
template <class D, class L = lane::Scalar, class T = result_t<D>, class M, class S>
[[nodiscard]] RNG_FN auto values_of_group(const S& stream, const M& map, uint64_t g) {
    using E = typename S::engine;
    auto made = proposals_of_group<D, L, T>(stream, map, g);
    if constexpr (D::map_shape == Shape::sampler) {
        // One copy of the code for retry streams. The values stay in registers, because none is indexed by a run-time
        // number.
        if (made.undecided != 0) {
            RNG_ROLLED
            for (int i = 0; i < Group<D, E>::values; ++i) {
                if ((made.undecided >> i & 1) == 0) continue;
                const T value = value_of_retry_stream<D, L>(stream, map, word_in_group<D, E>(g, i));
                RNG_UNROLL
                for (int k = 0; k < Group<D, E>::values; ++k)
                    if (k == i) made.values[k] = value;
            }
        }
    }
    return made.values;
}

// A map with real arithmetic has hundreds of instructions and, without the processor's fma, calls of libm. So the lane
// is chosen at run time, and the code for each lane is out of line. It is static, because sources that are compiled
// with other flags must not share it.
template <class L, class F, class... A> __attribute__((noinline)) static auto over_lane(const F& f, A... arguments) {
    return f(type_tag<L>{}, arguments...);
}

template <class D>
inline constexpr bool has_real_map = has_real_arithmetic<D>() && Unit<D>::template has_map_over<lane::Scalar>();
#if RNG_FMA_BY_PROCESSOR
template <class D>
inline constexpr bool has_choice_of_lane = has_real_map<D>&& Unit<D>::template has_map_over<lane::ScalarFma>();
#endif

/// Returns f(type_tag<L>, arguments...) for the best lane L of this processor for D's map. The arguments have types A.
/// F must be empty, because the variables of a closure would go through memory, and its call operator RNG_FN.
template <class D, class... A, class F> RNG_FN auto over_best_lane(const F& f, A... arguments) {
#if RNG_FMA_BY_PROCESSOR
    if constexpr (has_choice_of_lane<D>) {
        if (__builtin_cpu_supports("fma")) [[likely]]
            return over_lane<lane::ScalarFma, F, A...>(f, arguments...);
        return over_lane<lane::Scalar, F, A...>(f, arguments...);
    } else
#endif
        return f(type_tag<lane::Scalar>{}, arguments...);
}

template <class D, class E> struct ValueAtWord {
    template <class L, class M>
    RNG_FN result_t<D> operator()(type_tag<L>, typename E::key_type key, uint64_t id, const M& map,
                                  uint64_t word) const {
        return value_at_word<D, L>(Stream<E>(key, id, 0), map, word);
    }
};
/// value_at_word() over the best lane for this processor. Hosts keep real arithmetic out of line in any case, because a
/// program may call at() in many places. Key, id and map go by value, in registers: a stream that was just made from an
/// engine would be read back from memory before its parts have arrived there. A cached map lies in memory.
template <class D, class M, class E>
[[nodiscard]] RNG_FN result_t<D> best_value_at_word(const Stream<E>& stream, const M& map, uint64_t w) {
    constexpr ValueAtWord<D, E> value;
    using Key = typename E::key_type;
    using Passed = std::conditional_t<has_cached_map<D>, const M&, M>;
#if !RNG_DEVICE_PASS && !RNG_FMA_BY_PROCESSOR
    if constexpr (has_real_map<D>)
        return over_lane<lane::Scalar, ValueAtWord<D, E>, Key, uint64_t, Passed, uint64_t>(value, stream.key, stream.id,
                                                                                           map, w);
    else
#endif
        return over_best_lane<D, Key, uint64_t, Passed, uint64_t>(value, stream.key, stream.id, map, w);
}

/// A distribution whose map is expensive to prepare can prepare it over a lane of one value: map_over<L>().
template <class D>
concept makes_map_over_lane = requires(const D& dist) {
    dist.template map_over<lane::Scalar>();
};
/// Returns the map of a distribution, prepared over the lane L if the distribution has map_over().
template <class L, class D> [[nodiscard]] RNG_FN decltype(auto) map_over(const D& dist) {
    if constexpr (makes_map_over_lane<D>)
        return dist.template map_over<L>();
    else
        return map_of(dist);
}
template <class D, class E> struct ValueOfParameters {
    template <class L>
    RNG_FN result_t<D> operator()(type_tag<L>, typename E::key_type key, uint64_t id, D dist, uint64_t word) const {
        return value_at_word<D, L>(Stream<E>(key, id, 0), map_over<L>(dist), word);
    }
};
/// best_value_at_word() with the map that dist.map() returns.
template <class D, class E>
[[nodiscard]] RNG_FN result_t<D> best_value_at_word_of(const Stream<E>& stream, const D& dist, uint64_t w) {
#if !RNG_DEVICE_PASS
    if constexpr (makes_map_over_lane<D>) {  // in one function, so that the map stays in registers
        constexpr ValueOfParameters<D, E> value;
        using Key = typename E::key_type;
        using F = ValueOfParameters<D, E>;
#if RNG_FMA_BY_PROCESSOR
        if (__builtin_cpu_supports("fma")) [[likely]]
            return over_lane<lane::ScalarFma, F, Key, uint64_t, D, uint64_t>(value, stream.key, stream.id, dist, w);
#endif
        return over_lane<lane::Scalar, F, Key, uint64_t, D, uint64_t>(value, stream.key, stream.id, dist, w);
    } else
#endif
        return best_value_at_word<D>(stream, map_of(dist), w);
}

template <class D> struct ValuesOfGroup {
    template <class L, class M, class E>
    RNG_FN auto operator()(type_tag<L>, const Stream<E>& stream, const M& map, uint64_t group) const {
        return values_of_group<D, L>(stream, map, group);
    }
};
/// values_of_group() over the best lane for this processor.
template <class D, class M, class E>
[[nodiscard]] RNG_FN auto best_values_of_group(const Stream<E>& stream, const M& map, uint64_t g) {
    return over_best_lane<D, const Stream<E>&, const M&, uint64_t>(ValuesOfGroup<D>{}, stream, map, g);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
