// One value, or the values of one block, from a stream by a prepared map.
// at(), at_block() and Cursor (at.hpp) and draw() (draw.hpp) use these functions.
#pragma once

#include "../core/distribution.hpp"
#include "../core/tape.hpp"
#include "../lane/scalar.hpp"
#include "unit.hpp"

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

/// What the map makes of the unit that begins at word `first` of a block.
template <class D, class E, class L, class M>
[[nodiscard]] RNG_FN auto apply_to_block(const M& map, const typename E::counter_type& block, int first) {
    constexpr int words = Unit<D>::operand_words;
    return Unit<D>::apply(map, [&](int k) {
        int word = first + k * words;
        return operand_of<L, words>([&] { return E::word_of(block, word++); });
    });
}

/// The value whose slot begins at word `w` (a multiple of the slot), by a map prepared before, over the lane L.
template <class D, class L = lane::Scalar, class M, class E>
[[nodiscard]] RNG_FN result_t<D> value_at_word(const Stream<E>& stream, const M& map, uint64_t w) {
    if constexpr (D::shape == Shape::sampler) {
        Tape<E> tape(stream, w, D::slot_words);
        return map.sample(tape);
    } else {
        const auto block = stream.block(w / E::words_per_block, domain_of<D>);
        const int in_block = static_cast<int>(w % E::words_per_block), in_unit = in_block & (Unit<D>::words - 1);
        return Unit<D>::value(apply_to_block<D, E, L>(map, block, in_block - in_unit), in_unit / D::slot_words);
    }
}

template <class D, class E> using BlockValues = Words<result_t<D>, E::words_per_block / D::slot_words>;

/// All values whose slots lie in block `b`, by a map prepared before, over the lane L.
template <class D, class L = lane::Scalar, class M, class E>
[[nodiscard]] RNG_FN BlockValues<D, E> values_of_block(const Stream<E>& stream, const M& map, uint64_t b) {
    constexpr int slot = D::slot_words;
    BlockValues<D, E> values;
    const auto block = stream.block(b, domain_of<D>);
    RNG_UNROLL
    for (int w = 0; w < E::words_per_block; w += Unit<D>::words) {
        if constexpr (!works_on_slots<D>()) {
            values[w / slot] = value_at_word<D>(stream, map, b * E::words_per_block + w);
        } else {
            const auto made = apply_to_block<D, E, L>(map, block, w);
            for (int k = 0; k < Unit<D>::values; ++k) values[w / slot + k] = Unit<D>::value(made, k);
            if constexpr (D::shape == Shape::sampler)
                if (made.undecided.v != 0) values[w / slot] = value_at_word<D>(stream, map, b * E::words_per_block + w);
        }
    }
    return values;
}

#if RNG_FMA_BY_PROCESSOR
/// True if it pays to choose the lane for D's map by the processor: the map takes any lane, and has real arithmetic.
template <class D> constexpr bool chooses_lane() {
    if constexpr (D::shape == Shape::sampler || integer<result_t<D>>) {
        return false;
    } else {
        using M = decltype(D{}.map());
        using L = lane::ScalarFma;
        using Operand = std::conditional_t<Unit<D>::operand_words == 1, lane::u32<L>, lane::u64<L>>;
        if constexpr (Unit<D>::operands == 1) return requires(const M& map, Operand a) {
                map(a);
            };
        else
            return requires(const M& map, Operand a) { map(a, a); };
    }
}
template <class D> inline constexpr bool has_choice_of_lane = chooses_lane<D>();
#endif

#if RNG_FMA_BY_PROCESSOR
/// Returns f(lane) for the lane with the processor's fma, if there is one.
template <class D, class F> inline auto with_best_lane(const F& f) {
    if (__builtin_cpu_supports("fma")) [[likely]]
        return f(type_tag<lane::ScalarFma>{});
    return f(type_tag<lane::Scalar>{});
}
#endif

// One function for each lane, out of line: the map of a normal has hundreds of instructions. They are static, because
// sources that are compiled with other flags must not share them.
template <class D, class L, class M, class E>
__attribute__((noinline)) static result_t<D> value_by_lane(const Stream<E>& stream, const M& map, uint64_t w) {
    return value_at_word<D, L>(stream, map, w);
}
template <class D, class L, class M, class E>
__attribute__((noinline)) static BlockValues<D, E> block_by_lane(const Stream<E>& stream, const M& map, uint64_t b) {
    return values_of_block<D, L>(stream, map, b);
}

/// value_at_word, over the best lane for this processor.
template <class D, class M, class E>
[[nodiscard]] RNG_FN result_t<D> best_value_at_word(const Stream<E>& stream, const M& map, uint64_t w) {
#if RNG_FMA_BY_PROCESSOR
    if constexpr (has_choice_of_lane<D>)
        return with_best_lane<D>(
            [&](auto lane) { return value_by_lane<D, typename decltype(lane)::type>(stream, map, w); });
#endif
    return value_at_word<D>(stream, map, w);
}
/// values_of_block, over the best lane for this processor.
template <class D, class M, class E>
[[nodiscard]] RNG_FN BlockValues<D, E> best_values_of_block(const Stream<E>& stream, const M& map, uint64_t b) {
#if RNG_FMA_BY_PROCESSOR
    if constexpr (has_choice_of_lane<D>)
        return with_best_lane<D>(
            [&](auto lane) { return block_by_lane<D, typename decltype(lane)::type>(stream, map, b); });
#endif
    return values_of_block<D>(stream, map, b);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
