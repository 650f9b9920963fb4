// at(stream, distribution, i): value i of a fill, on its own, on the host and in kernels; at_block and Cursor: many.
//
// Slots: a value takes a fixed power-of-two number of words, and begins at a multiple of it (the position is rounded
// up first). Hence fill(n) then fill(m) equals fill(n + m), and value i of a fill equals at(stream, distribution, i).
#pragma once

#include "core/distribution.hpp"
#include "core/tape.hpp"
#include "lane/scalar.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// N values of a block.
template <class T, int N> using Values = Words<T, N>;

/// How many values one block of the engine makes.
template <class D, class E = Philox4x32_10> inline constexpr int values_per_block = E::words_per_block / D::slot_words;

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
[[nodiscard]] RNG_FN Values<result_t<D>, values_per_block<D, E>> values_of_block(const Stream<E>& stream, const M& map,
                                                                                 uint64_t b) {
    using T = result_t<D>;
    constexpr int slot = D::slot_words, n = values_per_block<D, E>;
    Values<T, n> values;
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
                values[i] = attempt.open.v == 0 ? lane::to_result<T>(attempt.value.v)
                                                : value_at_word<D>(stream, map, b * E::words_per_block + i * slot);
            } else {
                values[i] = value_at_word<D>(stream, map, b * E::words_per_block + i * slot);
            }
        }
    }
    return values;
}

}  // namespace detail

/// Value `i` of fill(span, dist, stream). Parameters must be in range (fault() says); kernels do not check them.
/// Throws Error (end_of_stream) on the host if the value lies past the end of the stream.
template <class D, class E> [[nodiscard]] RNG_FN result_t<D> at(const Stream<E>& stream, const D& dist, Integer i) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    detail::require_index(i < size && detail::slots_fit(stream.position, i + 1, slot, size), "at", i);
    return detail::value_at_word<D>(stream, dist.map(), detail::round_up(stream.position, slot) + i * slot);
}

/// The values of a whole block at once: values j * V to j * V + V - 1 of fill(span, dist, stream), V =
/// values_per_block, where the stream stands at the beginning of a block; else of the stream from the next block on.
/// Costs one block, where at() costs one for each value. Throws Error (end_of_stream) on the host.
template <class D, class E>
[[nodiscard]] RNG_FN Values<result_t<D>, values_per_block<D, E>> at_block(const Stream<E>& stream, const D& dist,
                                                                          Integer j) {
    constexpr uint64_t n = E::words_per_block, blocks = Stream<E>::size_words / n;
    const uint64_t first = stream.position / n + (stream.position % n != 0);
    detail::require_index(j < blocks && first < blocks - j, "at_block", j);
    return detail::values_of_block<D>(stream, dist.map(), first + j);
}

/// Successive values of a stream, each block computed once: next() gives at(stream, dist, first), at(stream, dist,
/// first + 1), ... For loops of unknown length, in kernels above all; it lives in registers.
template <class D, class E = Philox4x32_10> class Cursor {
  public:
    RNG_FN explicit Cursor(const Stream<E>& stream, const D& dist = {}, Integer first = 0)
        : stream_(stream), map_(dist.map()), word_(detail::round_up(stream.position, slot) + first * slot) {
        detail::require_index(first <= size && detail::slots_fit(stream.position, first, slot, size), "Cursor", first);
        if (word_ % E::words_per_block != 0) refill();
    }

    /// Throws Error (end_of_stream) on the host.
    [[nodiscard]] RNG_FN result_t<D> next() {
        if (word_ % E::words_per_block == 0) {
            detail::require_inside_stream(word_ < size, "Cursor");
            refill();
        }
        const auto i = static_cast<unsigned>(word_ % E::words_per_block / slot);
        word_ += slot;
        return select<0, values_per_block<D, E>>(i);
    }

  private:
    static constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;

    RNG_FN void refill() { values_ = detail::values_of_block<D>(stream_, map_, word_ / E::words_per_block); }

    // An index known only at run time would send the values through memory in kernels.
    template <int First, int N> [[nodiscard]] RNG_FN result_t<D> select(unsigned i) const {
        if constexpr (N == 1)
            return values_[First];
        else
            return i & (N / 2) ? select<First + N / 2, N / 2>(i) : select<First, N / 2>(i);
    }

    Stream<E> stream_;
    decltype(D{}.map()) map_;
    uint64_t word_;  // where the next value's slot begins
    Values<result_t<D>, values_per_block<D, E>> values_{};
};

template <class E, class D> Cursor(const Stream<E>&, const D&) -> Cursor<D, E>;
template <class E, class D> Cursor(const Stream<E>&, const D&, Integer) -> Cursor<D, E>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
