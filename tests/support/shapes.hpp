// Distributions of every shape that the library knows, also of those that nothing in the catalogue has: wide slots,
// values of several parts, proposals, a domain of its own. Their values are sums that any reader can compute from the
// words.
#pragma once

#include <rng/at.hpp>
#include <rng/detail/tile.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE
namespace shapes {

template <class T, int N> struct Vector {
    T part[N];
    friend bool operator==(const Vector&, const Vector&) = default;
};
template <class T> struct Vector<T, 1>;

// Members that a distribution has only if it does not want the default.
template <unsigned Number> struct Domain { static constexpr unsigned domain = domain::own + Number; };
struct NoDomain {};

/// The map's sum of its operands: s = 31 s + w for each operand w. Proposals are undecided where s mod 8 is below 6;
/// squeeze() also leaves 6 undecided.
template <class T, Shape S, int Parts, bool Squeeze> struct SumMap {
    template <class W, class... Rest> RNG_FN static W sum(W w, Rest... rest) {
        ((w = lane::shl<5>(w) - w + rest), ...);
        return w;
    }
    template <class L> RNG_FN static auto number(lane::u32<L> s) {
        if constexpr (detail::is_same<T, float>)
            return lane::signed_to_f32(lane::shr<8>(s));
        else
            return s;
    }
    template <class L> RNG_FN static auto number(lane::u64<L> s) {
        if constexpr (detail::is_same<T, double>)
            return lane::small_to_f64(lane::shr<11>(s));
        else
            return s;
    }
    template <class W> RNG_FN static auto outputs(W s) {
        if constexpr (S == Shape::pair) {
            return lane::Pair<decltype(number(s))>{number(s), number(s + W(7))};
        } else if constexpr (Parts > 1) {
            lane::Parts<decltype(number(s)), Parts> made;
            for (int k = 0; k < Parts; ++k) made.part[k] = number(s + W(static_cast<unsigned>(7 * k)));
            return made;
        } else {
            return number(s);
        }
    }
    /// All ones where the lowest three bits of s are below n.
    template <class L> RNG_FN static auto is_low(lane::u32<L> s, unsigned n) {
        return lane::is_below(lane::shl<29>(s), lane::u32<L>(n << 29));
    }
    template <class L> RNG_FN static auto is_low(lane::u64<L> s, unsigned n) {
        return lane::is_below(lane::shl<61>(s), lane::u64<L>(uint64_t{n} << 61));
    }

    template <class W, class... Rest> RNG_FN auto operator()(W w, Rest... rest) const {
        const W s = sum(w, rest...);
        if constexpr (S == Shape::sampler)
            return lane::Proposal{outputs(s), is_low(s, 6)};
        else
            return outputs(s);
    }
    [[nodiscard]] RNG_FN static bool has_squeeze() { return true; }
    template <class W, class... Rest>
    requires Squeeze RNG_FN auto squeeze(W w, Rest... rest) const {
        const W s = sum(w, rest...), undecided = is_low(s, 7);
        return lane::Proposal{outputs(s ^ undecided), undecided};
    }
};

template <class T, Shape S, int Slot, int OperandWords, int Parts = 1, bool Squeeze = false,
          class MaybeDomain = NoDomain>
struct Sum : MaybeDomain {
    using part_type = T;
    using result_type = std::conditional_t<Parts == 1, T, Vector<T, Parts>>;
    static constexpr int slot_words = Slot, operand_words = OperandWords, parts = Parts;
    static constexpr Shape map_shape = S;
    using Map = SumMap<T, S, Parts, Squeeze>;
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

constexpr Shape value = Shape::value, pair = Shape::pair, joint = Shape::joint, sampler = Shape::sampler;

using list = type_list<Sum<uint32_t, value, 4, 1>, Sum<float, value, 8, 1>, Sum<double, value, 8, 2>,  // wide slots
                       Sum<uint16_t, value, 2, 1>, Sum<uint8_t, value, 4, 2>, Sum<uint16_t, value, 8, 2>,
                       Sum<double, value, 1, 1>, Sum<double, value, 2, 1>, Sum<uint64_t, value, 8, 1>,  // widened words
                       Sum<double, pair, 1, 1>, Sum<uint32_t, pair, 2, 1>, Sum<float, pair, 4, 1>,      // pairs
                       Sum<uint64_t, pair, 4, 2>, Sum<double, pair, 8, 2>,                              //
                       Sum<float, joint, 2, 1, 2>, Sum<float, joint, 4, 1, 3>, Sum<double, joint, 8, 2, 3>,  // parts
                       Sum<float, joint, 1, 1, 4>, Sum<double, joint, 2, 2, 4>, Sum<uint8_t, joint, 2, 2, 2>,
                       Sum<uint16_t, joint, 4, 1, 4>, Sum<uint16_t, joint, 4, 1, 3>,
                       Sum<float, value, 2, 1, 1, false, Domain<0>>,                                   // domains
                       Sum<uint64_t, pair, 4, 2, 1, false, Domain<63>>, Sum<uint32_t, sampler, 1, 1>,  // proposals
                       Sum<double, sampler, 1, 1>, Sum<uint64_t, sampler, 2, 2>, Sum<float, sampler, 4, 1, 2>,
                       Sum<double, sampler, 8, 2>, Sum<uint8_t, sampler, 8, 1, 1, false, Domain<5>>,
                       Sum<uint32_t, sampler, 1, 1, 1, true>, Sum<uint64_t, sampler, 2, 2, 1, true>,  // with squeeze()
                       Sum<uint16_t, sampler, 4, 1, 1, true>, Sum<float, sampler, 8, 1, 3, true>>;

/// The functions of all of them over registers of lane L, and two of them side by side.
template <class Two, class L, class List> struct Functions;
template <class Two, class L, class... D> struct Functions<Two, L, type_list<D...>> {
    static constexpr rng_abi::MapFunctions of[] = {lane::map_functions<D, L, Two>()...};
};

}  // namespace shapes
RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
