// at(stream, distribution, i): value i of a fill, on its own, on the host and in kernels.
//
// Slots: a value takes a fixed power-of-two number of words, and begins at a multiple of it (the position is rounded
// up first). Hence fill(n) then fill(m) equals fill(n + m), and value i of a fill equals at(stream, distribution, i).
#pragma once

#include "../core/tape.hpp"
#include "../dist/parameters.hpp"
#include "scalar.hpp"

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
            constexpr int part = slot / 2;
            const auto parts = map(slot_value<part, E>(block, first), slot_value<part, E>(block, first + part));
            return {parts.even.v, parts.odd.v};
        } else {
            const int even = first & ~(2 * slot - 1);
            const auto pair = map(slot_value<slot, E>(block, even), slot_value<slot, E>(block, even + slot));
            return lane::to_result<result_t<D>>(first == even ? pair.even.v : pair.odd.v);
        }
    }
}

}  // namespace detail

/// Value `i` of fill(span, dist, stream). Parameters must be in range (fault() says); kernels do not check them.
/// Throws Error (end_of_stream) on the host if the value lies past the end of the stream.
template <class D, class E> [[nodiscard]] RNG_FN result_t<D> at(const Stream<E>& stream, const D& dist, uint64_t i) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    detail::require_inside_stream(i < size && detail::slots_fit(stream.position, i + 1, slot, size), "at");
    return detail::value_at_word<D>(stream, dist.map(), detail::round_up(stream.position, slot) + i * slot);
}

RNG_END_NAMESPACE
