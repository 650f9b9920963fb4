// Unit: which words one call of a distribution's map takes, and which values it makes. Every road from words to values
// uses this definition: at(), draw(), fills, kernels.
#pragma once

#include "../core/distribution.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Which words one call of D's map takes, and which values it makes: those of a unit.
template <class D> struct Unit {
    static constexpr int values = D::shape == Shape::pair ? 2 : 1;  ///< each with a slot of its own
    static constexpr int words = values * D::slot_words;
    static constexpr int operands = D::shape == Shape::pair || D::shape == Shape::joint ? 2 : 1;
    static constexpr int operand_words = words / operands;

    /// Calls the map; load(k) returns operand k, and is called in order.
    template <class M, class Load> [[nodiscard]] RNG_FN static auto apply(const M& map, const Load& load) {
        const auto first = load(0);
        if constexpr (operands == 1)
            return map(first);
        else
            return map(first, load(1));
    }
    /// Returns value `k` of what the map returned.
    template <class R> [[nodiscard]] RNG_FN static result_t<D> value(const R& made, [[maybe_unused]] int k) {
        if constexpr (D::shape == Shape::joint)
            return {made.even.v, made.odd.v};
        else if constexpr (D::shape == Shape::pair)
            return lane::to_result<result_t<D>>(k == 0 ? made.even.v : made.odd.v);
        else if constexpr (D::shape == Shape::sampler)
            return lane::to_result<result_t<D>>(made.value.v);
        else
            return lane::to_result<result_t<D>>(made.v);
    }
};

/// The word or the two words, the low one first, that next() returns, as an operand over the lane L.
template <class L, int Words, class Next> [[nodiscard]] RNG_FN auto operand_of(const Next& next) {
    static_assert(Words == 1 || Words == 2, "maps take operands of one or two words");
    if constexpr (Words == 1) {
        return lane::u32<L>(next());
    } else {
        const uint64_t low = next();
        return lane::u64<L>(low | static_cast<uint64_t>(next()) << 32);
    }
}

/// True if D's map makes values from slots alone, or tries to.
template <class D> RNG_FN constexpr bool works_on_slots() {
    if constexpr (D::shape == Shape::sampler)
        return lane::detail::has_attempt<decltype(D{}.map()), D::slot_words>;
    else
        return true;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
