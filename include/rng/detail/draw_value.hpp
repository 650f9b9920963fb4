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

template <int Slot, class Tape> RNG_FN auto slot_of_tape(Tape& tape) {
    if constexpr (Slot == 1)
        return lane::u32<lane::Scalar>(tape.word());
    else
        return lane::u64<lane::Scalar>(tape.word64());
}

/// The map's result from a tape: a value, or two of Shape::pair and Shape::joint.
template <class D, class Tape> RNG_FN auto map_of_tape(const D& dist, Tape& tape) {
    constexpr int slot = D::slot_words;
    const auto map = dist.map();
    if constexpr (D::shape == Shape::sampler) {
        return map.sample(tape);
    } else if constexpr (D::shape == Shape::value) {
        return lane::to_result<result_t<D>>(map(slot_of_tape<slot>(tape)).v);
    } else {
        constexpr int part = D::shape == Shape::joint ? slot / 2 : slot;
        const auto first = slot_of_tape<part>(tape);
        return map(first, slot_of_tape<part>(tape));
    }
}

/// Returns the slot at the position of one of our engines, from its next words; then the engine is past that slot.
template <int Slot, class G> RNG_FN auto slot_of_engine(G& engine) {
    if constexpr (Slot == 1) {
        return lane::u32<lane::Scalar>(static_cast<uint32_t>(engine()));
    } else if constexpr (sizeof(typename G::word) == 8) {
        return lane::u64<lane::Scalar>(uint64_t{engine()});
    } else {
        if (!engine.at_even_word()) engine.discard(1);
        const uint64_t low = engine();
        return lane::u64<lane::Scalar>(low | static_cast<uint64_t>(engine()) << 32);
    }
}

/// For this library's engines: returns what at() gives at the engine's current position, and advances it.
template <class D, class G> RNG_FN result_t<D> draw_at_position(const D& dist, G& engine) {
    using T = result_t<D>;
    constexpr int slot = D::slot_words, word = sizeof(typename G::word) / 4;  // in 32-bit words
    if constexpr (D::shape == Shape::value) {
        return lane::to_result<T>(dist.map()(slot_of_engine<slot>(engine)).v);
    } else if constexpr (D::shape == Shape::sampler && lane::detail::has_attempt<decltype(dist.map()), slot>) {
        const auto map = dist.map();
        const auto attempt = map(slot_of_engine<slot>(engine));
        if (attempt.undecided.v == 0) [[likely]]
            return lane::to_result<T>(attempt.value.v);
        const auto stream = engine.stream_before(slot > word ? 2 : 1);
        return value_at_word<D>(stream, map, stream.position);
    } else {
        const auto stream = to_stream(engine);
        const T value = at(stream, dist, 0);
        const uint64_t end = round_up(stream.position, slot) + slot;
        engine.discard((end - stream.position + word - 1) / word);
        return value;
    }
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
