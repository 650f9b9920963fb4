// What draw() (../draw.hpp) does with an engine of this library, and with any other.
#pragma once

#include "../at.hpp"
#include "../core/counter_engine.hpp"
#include "../core/distribution.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class G>
concept our_engine = requires(const G& g) {
    to_stream(g);
};

/// Ends the program with a message if parameters are out of range: in debug builds (without NDEBUG, or with
/// RNG_ASSERTS).
/// dist(engine) has no other way to report an error. Code in kernels does not check.
#if !defined(__CUDA_ARCH__) && (defined(RNG_ASSERTS) || !defined(NDEBUG))
template <class D> __attribute__((noinline)) void assert_parameters(const D& dist) {
    if constexpr (HasFault<D>) {
        if (const ParameterFault fault = dist.fault()) stop(fault_text("dist(engine)", name_of<D>(), fault).c_str());
    }
}
#else
template <class D> RNG_FN void assert_parameters(const D&) {}
#endif

/// The tape of words that an engine of another library gives.
template <class G> class EngineTape {
  public:
    RNG_FN explicit constexpr EngineTape(G& engine) : engine_(engine) {}

    [[nodiscard]] RNG_FN constexpr uint32_t word() {
        uint32_t w = 0;
        for (int done = 0; done < 32; done += bits) w |= part() << done;
        return w;
    }
    /// Two words, the low one first.
    [[nodiscard]] RNG_FN constexpr uint64_t word64() {
        const uint64_t low = word();
        return low | static_cast<uint64_t>(word()) << 32;
    }

  private:
    static constexpr auto least = static_cast<uint64_t>(G::min());
    static constexpr uint64_t range = static_cast<uint64_t>(G::max()) - least;
    static_assert(range > 0, "an engine of one value has no randomness");

    static constexpr int bits_of_a_call() {
        int b = 32;
        while (b > 1 && range < (uint64_t{1} << b) - 1) b /= 2;
        return b;
    }
    static constexpr int bits = bits_of_a_call();
    /// share = floor((range + 1) / 2^bits): the number of the engine's values that give the same part.
    static constexpr uint64_t most = (uint64_t{1} << bits) - 1;
    static constexpr uint64_t share = (range >> bits) + ((range & most) == most ? 1 : 0);

#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // an engine of <random> works on the host only, and so does a draw from it
#endif
    RNG_FN constexpr uint32_t part() {
        uint64_t x = 0;
        do x = (static_cast<uint64_t>(engine_()) - least) / share;
        while (x > most);
        return static_cast<uint32_t>(x);
    }

    G& engine_;
};

/// The values that one call of D's map makes, as results.
template <class D> struct UnitValues { result_t<D> value[Unit<D>::values]; };
/// What the map of D, no sampler, makes of the next words of a tape, over the lane L.
template <class D, class L, class M, class Tape> RNG_FN UnitValues<D> map_of_tape(const M& map, Tape& tape) {
    const auto made =
        Unit<D>::apply(map, [&](int) { return operand_of<L, Unit<D>::operand_words>([&] { return tape.word(); }); });
    UnitValues<D> values;
    for (int k = 0; k < Unit<D>::values; ++k) values.value[k] = Unit<D>::value(made, k);
    return values;
}
template <class D, class L, class M, class Tape>
__attribute__((noinline)) static UnitValues<D> tape_by_lane(const M& map, Tape& tape) {
    return map_of_tape<D, L>(map, tape);
}

/// The values of the next unit of a tape; of a sampler, its next value.
template <class D, class Tape> RNG_FN UnitValues<D> values_of_tape(const D& dist, Tape& tape) {
    const auto map = dist.map();
    if constexpr (D::shape == Shape::sampler) {
        return {{map.sample(tape)}};
    } else {
#if RNG_FMA_BY_PROCESSOR
        if constexpr (has_choice_of_lane<D>)
            return with_best_lane<D>(
                [&](auto lane) { return tape_by_lane<D, typename decltype(lane)::type>(map, tape); });
#endif
        return map_of_tape<D, lane::Scalar>(map, tape);
    }
}

/// Returns the slot at the position of one of our engines, from its next words; then the engine is past that slot.
template <class L, int Slot, class G> RNG_FN auto slot_of_engine(G& engine) {
    if constexpr (Slot == 2 && sizeof(typename G::word) == 8) {
        return lane::u64<L>(uint64_t{engine()});
    } else {
        if constexpr (Slot == 2)
            if (!engine.at_even_word()) engine.discard(1);
        return operand_of<L, Slot>([&] { return static_cast<uint32_t>(engine()); });
    }
}

/// A value whose unit is its slot, from an engine of this library, over the lane L.
template <class D, class L, class M, class G>
__attribute__((noinline)) static result_t<D> slot_by_lane(const M& map, G& engine) {
    return Unit<D>::value(map(slot_of_engine<L, D::slot_words>(engine)), 0);
}

/// For this library's engines: returns what at() gives at the engine's current position, and advances it.
template <class D, class G> RNG_FN result_t<D> draw_at_position(const D& dist, G& engine) {
    constexpr int slot = D::slot_words, word = sizeof(typename G::word) / 4;  // in 32-bit words
    const auto map = dist.map();
    if constexpr (D::shape == Shape::value) {
#if RNG_FMA_BY_PROCESSOR
        if constexpr (has_choice_of_lane<D>)
            return with_best_lane<D>(
                [&](auto lane) { return slot_by_lane<D, typename decltype(lane)::type>(map, engine); });
#endif
        return Unit<D>::value(map(slot_of_engine<lane::Scalar, slot>(engine)), 0);
    } else if constexpr (D::shape == Shape::sampler && lane::detail::has_attempt<decltype(map), slot>) {
        const auto attempt = map(slot_of_engine<lane::Scalar, slot>(engine));
        if (attempt.undecided.v == 0) [[likely]]
            return Unit<D>::value(attempt, 0);
        const auto stream = engine.stream_before(slot > word ? 2 : 1);
        return value_at_word<D>(stream, map, stream.position);
    } else {
        const auto stream = to_stream(engine);
        const auto value = at(stream, dist, 0);
        const uint64_t end = round_up(stream.position, slot) + slot;
        engine.discard((end - stream.position + word - 1) / word);
        return value;
    }
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
