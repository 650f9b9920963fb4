// Unit: the one definition of which words give which values. Every code path from words to values uses it: at(),
// at_block(), Cursor, draw(), fills, kernels.
//
// A value takes a slot of 1, 2, 4 or 8 words. A unit is what one call of the map reads and computes: a slot and its
// value, or two slots and their two values (Shape::pair). The map takes the unit's words as operands of one or two
// words each, and returns one output for each part of a value. Values of several parts (a complex number, a vector) are
// aggregates of equal numbers.
#pragma once

#include "../core/distribution.hpp"
#include "../core/retry_stream.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

// Optional members of a distribution besides its slot and shape; the defaults fit slots of one or two words.
template <class D> constexpr int operand_words_of() {
    if constexpr (requires { D::operand_words; })
        return D::operand_words;
    else if constexpr (D::map_shape == Shape::joint)
        return D::slot_words / 2;
    else
        return D::slot_words == 1 ? 1 : 2;
}
template <class D> constexpr int parts_of() {
    if constexpr (requires { D::parts; })
        return D::parts;
    else
        return D::map_shape == Shape::joint ? 2 : 1;
}
template <class D> struct PartOf { using type = result_t<D>; };
template <class D>
requires requires { typename D::part_type; }
struct PartOf<D> {
    using type = typename D::part_type;
};

/// True if map(w, ..., w) can be called with K operands.
template <class M, class W, int K>
concept takes_operands = (K == 1 && requires(const M& m, W w) { m(w); }) ||
                         (K == 2 && requires(const M& m, W w) { m(w, w); }) ||
                         (K == 4 && requires(const M& m, W w) { m(w, w, w, w); }) ||
                         (K == 8 && requires(const M& m, W w) { m(w, w, w, w, w, w, w, w); });

template <class D> struct Unit {
    static constexpr int values = D::map_shape == Shape::pair ? 2 : 1;  ///< each with a slot of its own
    static constexpr int words = values * D::slot_words;
    static constexpr int operand_words = operand_words_of<D>();
    static constexpr int operands = words / operand_words;
    static constexpr int parts = parts_of<D>();
    static constexpr int outputs = values * parts;
    using Part = typename PartOf<D>::type;
    /// The bytes of a lane. Operands of one word are widened if the map computes numbers of 64 bits.
    static constexpr int lane_bytes =
        operand_words == 2 || (sizeof(Part) == 8 && (is_real<Part> || integer<Part>)) ? 8 : 4;

    static_assert(D::slot_words == 1 || D::slot_words == 2 || D::slot_words == 4 || D::slot_words == 8,
                  "slot_words must be 1, 2, 4 or 8");
    static_assert((operand_words == 1 || operand_words == 2) && operand_words <= D::slot_words,
                  "operand_words must be 1 or 2, and at most slot_words");
    static_assert(parts >= 1 && parts <= 4, "parts must be 1 to 4");
    static_assert(
        parts == 1 || (values == 1 && sizeof(result_t<D>) == parts * sizeof(Part)),
        "a value of several parts has a slot of its own, and is an aggregate of `parts` numbers of part_type");

    template <class L> using Operand = std::conditional_t<lane_bytes == 8, lane::u64<L>, lane::u32<L>>;

    /// True if the map can be called over the lane L. The map of a sampler may read retry streams only.
    template <class L> [[nodiscard]] RNG_FN static constexpr bool has_map_over() {
        return takes_operands<decltype(D{}.map()), Operand<L>, operands>;
    }
    /// Returns the operand of the next words of a retry stream or a block, the low word first.
    template <class L, class Next> [[nodiscard]] RNG_FN static Operand<L> operand(const Next& next) {
        if constexpr (operand_words == 1) {
            return {next()};
        } else {
            const uint64_t low = next();
            return {low | static_cast<uint64_t>(next()) << 32};
        }
    }
    /// Calls the map, or another function of its operands; load(k) returns operand k, and is called in order.
    template <class M, class Load, class... W>
    [[nodiscard]] RNG_FN static auto apply(const M& map, const Load& load, W... loaded) {
        if constexpr (sizeof...(W) == operands)
            return map(loaded...);
        else
            return apply(map, load, loaded..., load(static_cast<int>(sizeof...(W))));
    }
    /// apply() over one value's lane, with words that next() returns.
    template <class L, class M, class Next>
    [[nodiscard]] RNG_FN static auto apply_to_words(const M& map, const Next& next) {
        return apply(map, [&](int) { return operand<L>(next); });
    }
    /// Returns value `k` of a map's result over a lane of one value. T may be the type of the result itself: kernels
    /// round 16-bit results later.
    template <class T = result_t<D>, class R>
    [[nodiscard]] RNG_FN static T value(const R& made, [[maybe_unused]] int k) {
        static_assert(is_same<T, result_t<D>> || is_same<T, decltype(lane::output(made, 0).v)>,
                      "a value as another type is what the map returned: 16-bit maps end in as_result()");
        const auto part = [&made](int i) { return lane::to_result<Part>(lane::output(made, i).v); };
        if constexpr (parts == 1)
            return lane::to_result<T>(lane::output(made, k).v);
        else if constexpr (parts == 2)
            return {part(0), part(1)};
        else if constexpr (parts == 3)
            return {part(0), part(1), part(2)};
        else
            return {part(0), part(1), part(2), part(3)};
    }
    /// Returns true if the map needs more words to decide the value.
    template <class R> [[nodiscard]] RNG_FN static bool is_undecided([[maybe_unused]] const R& made) {
        if constexpr (D::map_shape == Shape::sampler)
            return made.undecided.v != 0;
        else
            return false;
    }
};

/// Returns the map of a distribution: a cached one, or a new one.
template <class D> [[nodiscard]] RNG_FN constexpr decltype(auto) map_of(const D& dist) {
    if constexpr (has_cached_map<D>)
        return dist.cached_map();
    else
        return dist.map();
}

/// True if a sampler's map has a function that reads the retry stream itself.
template <class M>
concept samples_itself = requires(const M& map, RetryStream<>& retry_stream) {
    map.sample(retry_stream);
};

/// The most proposals of a sampler for one value: the map's most_proposals, if it has such a member. The default is
/// enough for a user-defined map that accepts one proposal in 900.
template <class M> RNG_FN constexpr uint32_t proposals_of() {
    if constexpr (requires { M::most_proposals; })
        return M::most_proposals;
    else if constexpr (requires { M::most_attempts; })  // its name before version 0.2
        return M::most_attempts;
    else
        return uint32_t{1} << 16;
}

/// Returns a sampler's value from its retry stream: proposal after proposal, each with the stream's next words.
template <class D, class L = lane::Scalar, class M, class RetryStream>
[[nodiscard]] RNG_FN result_t<D> sample(const M& map, RetryStream& retry_stream) {
    if constexpr (samples_itself<M>) {
        return static_cast<result_t<D>>(map.sample(retry_stream));
    } else {
        RNG_ROLLED
        for (uint32_t left = proposals_of<M>();;) {
            const auto made =
                Unit<D>::template apply_to_words<L>(map, [&retry_stream]() { return retry_stream.word(); });
            if (!Unit<D>::is_undecided(made) || --left == 0) return Unit<D>::value(made, 0);
        }
    }
}

/// A map's squeeze() as a map: a proposal that may leave more values undecided, and leaves all undecided if the map's
/// has_squeeze() returns false.
template <class M> struct Squeeze {
    const M& map;
    template <class... W>
    requires requires(const M& m, W... w) { m.squeeze(w...); }
    RNG_FN auto operator()(W... w) const { return map.squeeze(w...); }
};
template <class D>
inline constexpr bool has_squeeze =
    takes_operands<Squeeze<decltype(D{}.map())>, typename Unit<D>::template Operand<lane::Scalar>, Unit<D>::operands>;

/// True if each retry of a sampler reads the next slot of its retry stream as the first proposal reads its slot.
template <class D> constexpr bool retries_take_slots() {
    if constexpr (requires { D::retries_take_slots; })
        return D::retries_take_slots;
    else
        return D::map_shape == Shape::sampler && !samples_itself<decltype(D{}.map())>;
}

/// True if the map computes real numbers, or integers by real arithmetic.
template <class D> constexpr bool has_real_arithmetic() {
    if constexpr (requires { D::has_real_arithmetic; })
        return D::has_real_arithmetic;
    else
        return !integer<result_t<D>>;
}

/// True for samplers of integers by arithmetic of doubles, and for samplers of doubles unless they have both a sample()
/// and a map of their slot. Their maps and retries need the most registers.
template <class D>
inline constexpr bool has_large_map = D::map_shape == Shape::sampler &&
                                      ((is_same<result_t<D>, double> &&
                                        !(samples_itself<decltype(D{}.map())> &&
                                          Unit<D>::template has_map_over<lane::Scalar>())) ||
                                       (integer<result_t<D>> && has_real_arithmetic<D>()));

/// True for a distribution whose map can use a table that a fill prepares once:
///     size_t table_words() const;  void build_table(uint64_t*) const;  auto map(const uint64_t* table) const;
/// map() without a table gives the same values.
template <class D>
concept has_table = requires(const D& dist, uint64_t* table) {
    dist.table_words();
    dist.build_table(table);
    dist.map(static_cast<const uint64_t*>(table));
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
