// Weights: a view of numbers with any sum, which are the relative probabilities of categories.
#pragma once

#include "piecewise.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A view of weights, as std::span is. Only their ratios matter, so they may be of any finite size. A distribution
/// reads them by area(), where a weight below 2^-300 counts as 0. If the greatest weight is below 2^-300 or above
/// 2^300, scaled() first divides all of them by the power of two in the greatest. A subnormal double counts as 0; a
/// subnormal float is the number that it is.
template <class W> struct Weights {
    static_assert(is_real<W>, "weights are of float or double");
    static constexpr uint32_t most = (1u << 31) - 1;

    const W* weights = nullptr;
    uint32_t count = 0;
    int32_t power = 0;  // weights are divided by 2^power

    [[nodiscard]] RNG_FN constexpr uint32_t pieces() const { return count; }
    [[nodiscard]] RNG_FN double area(uint32_t i) const {
        using S = lane::Scalar;
        if constexpr (sizeof(W) == 4) {
            const uint32_t bits = S::bits(weights[i]);
            if (bits << 1 >= 1u << 24) return static_cast<double>(weights[i]);
            return S::fma(S::small_to_f64(bits & 0x7fffffu), 0x1p-149, 0.0);  // the processor may treat it as 0
        } else {
            const uint64_t bits = S::bits(weights[i]);
            const int exponent = exponent_of(bits) - power;
            return exponent < -300 ? 0.0 : S::from_bits64(bits - (static_cast<uint64_t>(power) << 52));
        }
    }
    /// Returns the same weights with the power by which they are divided.
    [[nodiscard]] RNG_FN Weights scaled() const {
        Weights made{weights, count, 0};
        if constexpr (sizeof(W) == 8) {
            uint64_t greatest = 0;
            for (uint32_t i = 0; i < count; ++i)
                if (const uint64_t bits = lane::Scalar::bits(weights[i]); !lane::is_zero(weights[i]) && bits > greatest)
                    greatest = bits;
            const int exponent = exponent_of(greatest);
            if (greatest > lane::Scalar::bits(0x1p300) || (exponent < -300 && exponent >= -1022)) made.power = exponent;
        }
        return made;
    }

    /// Returns the first fault of the weights.
    [[nodiscard]] ParameterFault fault() const {
        if (count < 1 || count > most)
            return ParameterFault::of_integer("weights", count, "must have 1 to 2^31 - 1 elements");
        bool is_null = true;
        for (uint32_t i = 0; i < count; ++i) {
            if (const auto wrong = fault_of(i, weights[i])) return wrong;
            if (!counts_as_zero(weights[i])) is_null = false;
        }
        if (is_null) return {"weights", 0, "must not all be 0"};
        return {};
    }
    /// The fault of weight number i.
    [[nodiscard]] static ParameterFault fault_of(uint64_t i, W x) {
        constexpr W greatest = sizeof(W) == 4 ? W(0x1.fffffep127) : W(0x1.fffffffffffffp1023);
        if (lane::is_from_zero_up_to(greatest, x)) return {};
        return ParameterFault::of_element("weights", i, static_cast<double>(x), "must be a finite number, 0 or more");
    }
    /// True for 0, and for a double that is subnormal: such weights count as 0 whatever the others are.
    [[nodiscard]] static bool counts_as_zero(W x) {
        return sizeof(W) == 4 ? lane::is_zero(x) : lane::is_zero(lane::zero_below(W(0x1p-1022), x));
    }

  private:
    /// The exponent of a number from its bits; for 0 and for subnormal numbers, one below all others.
    RNG_FN static int exponent_of(uint64_t bits) {
        const int biased = static_cast<int>(bits >> 52 & 0x7ffu);
        return biased == 0 ? -4096 : biased - 1023;
    }
};

/// The number of lower bits of an AliasTable's entry that hold a category, for `weights` weights. The bits above belong
/// to the cell.
RNG_FN constexpr int alias_bits(uint32_t weights) {
    int bits = 24;
    while (uint64_t{weights} >> bits != 0) ++bits;
    return bits;
}

/// The weights of a list, which must live as long as the view.
template <class List> constexpr Weights<number_of_list_t<List>> weights_of(const List& list) {
    const size_t n = list_size(list);
    return {list_data(list), n < 0xffffffffu ? static_cast<uint32_t>(n) : 0xffffffffu, 0};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
