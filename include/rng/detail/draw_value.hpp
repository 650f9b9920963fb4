// What draw() (../draw.hpp) does with an engine of this library, and with any other.
#pragma once

#include "../at.hpp"
#include "../core/counter_engine.hpp"
#include "../core/distribution.hpp"
#if !defined(__CUDACC_RTC__)
#include "../core/tape.hpp"
#include "fault_text.hpp"
#endif

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
#if !RNG_DEVICE_PASS && (defined(RNG_ASSERTS) || !defined(NDEBUG))
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

    RNG_ANY_CALLEE
    RNG_FN constexpr uint32_t part() {
        // At most every second value is drawn again. An engine may be broken, so that all are.
        for (uint32_t left = most_attempts;;) {
            const uint64_t x = (static_cast<uint64_t>(engine_()) - least) / share;
            if (x <= most || --left == 0) return static_cast<uint32_t>(x);
        }
    }

    G& engine_;
};

/// The values that one call of D's map makes, as results.
template <class D> struct UnitValues { result_t<D> value[static_cast<unsigned>(Unit<D>::values)]; };

/// Returns f(type_tag<L>, map of dist, source) for the best lane L of this processor.
template <class D, class F, class Source>
RNG_FN auto with_map_over_best_lane(const D& dist, const F& f, Source& source) {
    if constexpr (makes_map_over_lane<D>) {  // the map is made in the same function, where it stays in registers
        return over_best_lane<D, const D&, const F&, Source&>(
            []<class L>(type_tag<L> lane, const D& of, const F& use, Source& words)
                RNG_LAMBDA { return use(lane, of.template map_over<L>(), words); },
            dist, f, source);
    } else {
        const auto& map = map_of(dist);
        return over_best_lane<D, decltype(map), Source&>(f, map, source);
    }
}

/// The values of the next unit of a tape; of a sampler, its next value.
template <class D, class Tape> RNG_FN UnitValues<D> values_of_tape(const D& dist, Tape& tape) {
    if constexpr (D::map_shape == Shape::sampler) {
        return {{sample<D>(map_of(dist), tape)}};
    } else {
        return with_map_over_best_lane(
            dist,
            []<class L>(type_tag<L>, const auto& map, Tape& words) RNG_LAMBDA {
                const auto made =
                    Unit<D>::template apply_to_words<L>(map, [&words]() RNG_LAMBDA { return words.word(); });
                UnitValues<D> values;
                for (int k = 0; k < Unit<D>::values; ++k) values.value[k] = Unit<D>::value(made, k);
                return values;
            },
            tape);
    }
}

/// True if a slot of D is the one operand of its map: then a draw takes it from the next words of an engine.
template <class D>
inline constexpr bool is_drawn_from_words = Unit<D>::operands == 1 && Unit<D>::template has_map_over<lane::Scalar>();

/// Returns the slot at the position of one of our engines, from its next words; then the engine is past that slot.
template <class D, class L, class G> RNG_FN auto slot_of_engine(G& engine) {
    if constexpr (D::slot_words == 2 && sizeof(typename G::word) == 8) {
        return lane::u64<L>(uint64_t{engine()});
    } else {
        if constexpr (D::slot_words == 2)
            if (!engine.at_even_word()) engine.discard(1);
        return Unit<D>::template operand<L>([&engine]() RNG_LAMBDA { return static_cast<uint32_t>(engine()); });
    }
}

/// For this library's engines: returns what at() gives at the engine's current position, and advances it.
template <class D, class G> RNG_FN result_t<D> draw_at_position(const D& dist, G& engine) {
    constexpr int slot = D::slot_words, word = sizeof(typename G::word) / 4;  // in 32-bit words
    if constexpr (D::map_shape == Shape::value && is_drawn_from_words<D> && domain_of<D> == domain::draws) {
        return with_map_over_best_lane(
            dist,
            []<class L>(type_tag<L>, const auto& map, G& words)
                RNG_LAMBDA { return Unit<D>::value(map(slot_of_engine<D, L>(words)), 0); },
            engine);
    } else if constexpr (D::map_shape == Shape::sampler && is_drawn_from_words<D> && domain_of<D> == domain::draws) {
        const auto& map = map_of(dist);
        const auto attempt = map(slot_of_engine<D, lane::Scalar>(engine));
        if (!Unit<D>::is_undecided(attempt)) [[likely]]
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
