// Weights: a list of numbers of any sum, the shares of categories.
#pragma once

#include "piecewise.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A view of weights, as std::span is.
template <class W> struct Weights {
    static_assert(is_real<W>, "weights are of float or double");
    static constexpr uint32_t most = (1u << 24) - 1;

    const W* weights = nullptr;
    uint32_t count = 0;

    [[nodiscard]] RNG_FN constexpr uint32_t pieces() const { return count; }
    [[nodiscard]] RNG_FN double area(uint32_t i) const { return static_cast<double>(weights[i]); }

    /// Returns what is wrong with the weights.
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = sizeof(W) == 4;
        constexpr W least = f32 ? W(0x1p-126) : W(0x1p-300), greatest = f32 ? W(0x1.fffffep127) : W(0x1p300);
        if (count < 1 || count > most)
            return ParameterFault::of_integer("weights", count, "must have 1 to 2^24 - 1 elements");
        bool is_null = true;
        for (uint32_t i = 0; i < count; ++i) {
            const W x = weights[i];
            if (lane::is_zero(x)) continue;
            is_null = false;
            if (!(x > 0 && lane::magnitude_within(x, least, greatest)))
                return ParameterFault::of_element(
                    "weights", i, static_cast<double>(x),
                    f32 ? "must be 0 or in [2^-126, 2^128 - 2^104]" : "must be 0 or in [2^-300, 2^300]");
        }
        if (is_null) return {"weights", 0, "must not all be 0"};
        return {};
    }
};

/// The weights of a list, which must live as long as the view.
template <class List> constexpr Weights<number_of_list_t<List>> weights_of(const List& list) {
    const size_t n = list_size(list);
    return {list_data(list), n < 0xffffffffu ? static_cast<uint32_t>(n) : 0xffffffffu};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
