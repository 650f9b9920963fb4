// One value, or the values of one block, from a stream by a prepared map.
// at(), at_block() and Cursor (at.hpp) and draw() (draw.hpp) use these functions.
#pragma once

#include "../core/distribution.hpp"
#include "../core/tape.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

[[nodiscard]] RNG_FN constexpr uint64_t round_up(uint64_t position, uint64_t slot) {
    return (position + slot - 1) & ~(slot - 1);
}

/// True if `count` slots from `position` on end inside a stream of `size` words; no sum here can overflow.
[[nodiscard]] RNG_FN constexpr bool slots_fit(uint64_t position, uint64_t count, uint64_t slot, uint64_t size) {
    return position <= size && count <= (size - round_up(position, slot)) / slot;
}

/// The slot that begins at word `first` of a block.
template <int Slot, class E> RNG_FN auto slot_value(const typename E::counter_type& block, int first) {
    static_assert(Slot == 1 || Slot == 2, "maps of one slot take one or two words");
    if constexpr (Slot == 1) {
        return lane::u32<lane::Scalar>(E::word_of(block, first));
    } else {
        return lane::u64<lane::Scalar>(E::word_of(block, first) | static_cast<uint64_t>(E::word_of(block, first + 1))
                                                                      << 32);
    }
}

/// The value of Shape::joint whose slot begins at word `first` of a block.
template <class D, class E, class M>
RNG_FN result_t<D> joint_value(const M& map, const typename E::counter_type& block, int first) {
    constexpr int part = D::slot_words / 2;
    const auto parts = map(slot_value<part, E>(block, first), slot_value<part, E>(block, first + part));
    return {parts.even.v, parts.odd.v};
}

/// The value whose slot begins at word `w` (a multiple of the slot), by a map prepared before.
template <class D, class M, class E>
[[nodiscard]] RNG_FN result_t<D> value_at_word(const Stream<E>& stream, const M& map, uint64_t w) {
    constexpr int slot = D::slot_words;
    if constexpr (D::shape == Shape::sampler) {
        Tape<E> tape(stream, w, slot);
        return map.sample(tape);
    } else {
        const auto block = stream.block(w / E::words_per_block, domain_of<D>);
        const int first = static_cast<int>(w % E::words_per_block);
        if constexpr (D::shape == Shape::value) {
            return lane::to_result<result_t<D>>(map(slot_value<slot, E>(block, first)).v);
        } else if constexpr (D::shape == Shape::joint) {
            return joint_value<D, E>(map, block, first);
        } else {
            const int even = first & ~(2 * slot - 1);
            const auto pair = map(slot_value<slot, E>(block, even), slot_value<slot, E>(block, even + slot));
            return lane::to_result<result_t<D>>(first == even ? pair.even.v : pair.odd.v);
        }
    }
}

/// All values whose slots lie in block `b`, by a map prepared before.
template <class D, class M, class E>
[[nodiscard]] RNG_FN Words<result_t<D>, E::words_per_block / D::slot_words> values_of_block(const Stream<E>& stream,
                                                                                            const M& map, uint64_t b) {
    using T = result_t<D>;
    constexpr int slot = D::slot_words, n = E::words_per_block / slot;
    Words<T, n> values;
    const auto block = stream.block(b, domain_of<D>);
    if constexpr (D::shape == Shape::pair) {
        RNG_UNROLL
        for (int i = 0; i < n; i += 2) {
            const auto pair = map(slot_value<slot, E>(block, i * slot), slot_value<slot, E>(block, (i + 1) * slot));
            values[i] = lane::to_result<T>(pair.even.v);
            values[i + 1] = lane::to_result<T>(pair.odd.v);
        }
    } else {
        RNG_UNROLL
        for (int i = 0; i < n; ++i) {
            if constexpr (D::shape == Shape::value) {
                values[i] = lane::to_result<T>(map(slot_value<slot, E>(block, i * slot)).v);
            } else if constexpr (D::shape == Shape::joint) {
                values[i] = joint_value<D, E>(map, block, i * slot);
            } else if constexpr (lane::detail::has_attempt<M, slot>) {
                const auto attempt = map(slot_value<slot, E>(block, i * slot));
                values[i] = attempt.undecided.v == 0 ? lane::to_result<T>(attempt.value.v)
                                                     : value_at_word<D>(stream, map, b * E::words_per_block + i * slot);
            } else {
                values[i] = value_at_word<D>(stream, map, b * E::words_per_block + i * slot);
            }
        }
    }
    return values;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
