// The implementation of draw() (../draw.hpp), for this library's engines and for those of others.
#pragma once

#include "../at.hpp"
#include "../core/counter_engine.hpp"
#include "../core/distribution.hpp"
#if !defined(__CUDACC_RTC__)
#include "../core/retry_stream.hpp"
#include "fault_text.hpp"
#endif

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class G>
concept our_engine = requires(const G& g) {
    to_stream(g);
};

/// Ends the program with a message if parameters are out of range, in debug builds (without NDEBUG, or with
/// RNG_ASSERTS). dist(engine) has no other way to report an error. Code in kernels does not check.
#if !RNG_DEVICE_PASS && (defined(RNG_ASSERTS) || !defined(NDEBUG))
template <class D> __attribute__((noinline)) void assert_parameters(const D& dist) {
    if constexpr (HasFault<D>) {
        if (const ParameterFault fault = dist.fault()) stop(fault_text("dist(engine)", name_of<D>(), fault).c_str());
    }
}
#else
template <class D> RNG_FN void assert_parameters(const D&) {}
#endif

/// A retry stream of words from an engine of another library.
template <class G> class EngineRetryStream {
  public:
    RNG_FN explicit constexpr EngineRetryStream(G& engine) : engine_(engine) {}

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

    RNG_EXEC_CHECK_DISABLE
    RNG_FN constexpr uint32_t part() {
        // At most half of the engine's values are rejected. The loop is bounded, because a broken engine may return
        // only such values.
        for (uint32_t left = most_proposals;;) {
            const uint64_t x = (static_cast<uint64_t>(engine_()) - least) / share;
            if (x <= most || --left == 0) return static_cast<uint32_t>(x);
        }
    }

    G& engine_;
};

/// The values of one call of D's map, as results.
template <class D> struct UnitValues { result_t<D> value[static_cast<unsigned>(Unit<D>::values)]; };

/// Returns the values of the next unit of a retry stream; for a sampler, its next value.
template <class D, class RetryStream>
RNG_FN UnitValues<D> values_of_retry_stream(const D& dist, RetryStream& retry_stream) {
    return over_best_lane<D, const D&, RetryStream&>(
        []<class L>(type_tag<L>, const D& of, RetryStream& words) RNG_LAMBDA_INLINE {
            const auto& map = map_over<L>(of);
            UnitValues<D> values;
            if constexpr (D::map_shape == Shape::sampler) {
                values.value[0] = sample<D, L>(map, words);
            } else {
                const auto made =
                    Unit<D>::template apply_to_words<L>(map, [&words]() RNG_LAMBDA_INLINE { return words.word(); });
                for (int k = 0; k < Unit<D>::values; ++k) values.value[k] = Unit<D>::value(made, k);
            }
            return values;
        },
        dist, retry_stream);
}

/// True if the map of D reads one slot, which lies in one block of the engine: then a draw takes the slot from the
/// engine's next words.
template <class D, class G> RNG_FN constexpr bool is_drawn_from_words() {
    constexpr int block_words = G::word_count * sizeof(typename G::word) / 4;
    return Unit<D>::values == 1 && domain_of<D> == domain::draws && D::slot_words <= block_words &&
           Unit<D>::template has_map_over<lane::Scalar>();
}

/// The words of a slot.
template <class D> struct SlotWords {
    uint32_t word[static_cast<unsigned>(D::slot_words)];

    /// Reads the next slot of one of this library's engines, and advances the engine past it.
    template <class G> RNG_FN explicit SlotWords(G& engine) {
        constexpr int size = sizeof(typename G::word) / 4;
        if constexpr (constexpr unsigned n = D::slot_words / size; n > 1)
            if (const unsigned used = engine.used_words(n)) engine.discard(n - used);
        RNG_UNROLL
        for (int i = 0; i < D::slot_words; i += size) {
            const uint64_t w = engine();
            word[i] = static_cast<uint32_t>(w);
            if constexpr (size == 2 && D::slot_words > 1) word[i + 1] = static_cast<uint32_t>(w >> 32);
        }
    }
    template <class L, class M> [[nodiscard]] RNG_FN auto apply(const M& map) const {
        int i = 0;
        return Unit<D>::template apply_to_words<L>(map, [this, &i]() RNG_LAMBDA_INLINE { return word[i++]; });
    }
};

/// Returns the value of at() at the current position of one of this library's engines, and advances the engine.
template <class D, class G> RNG_FN result_t<D> draw_at_position(const D& dist, G& engine) {
    constexpr int slot = D::slot_words, word = sizeof(typename G::word) / 4;  // in 32-bit words
    if constexpr (is_drawn_from_words<D, G>()) {
        return over_best_lane<D, const D&, G&>(
            []<class L>(type_tag<L>, const D& of, G& words) RNG_LAMBDA_INLINE -> result_t<D> {
                const SlotWords<D> of_slot(words);  // read first, because a refill would spill the map's registers
                const auto& map = map_over<L>(of);
#if !RNG_DEVICE_PASS
                if constexpr (has_squeeze<D>) {
                    if (map.has_squeeze()) {
                        const auto proposal = of_slot.template apply<L>(Squeeze<decltype(D{}.map())>{map});
                        if (!Unit<D>::is_undecided(proposal)) [[likely]]
                            return Unit<D>::value(proposal, 0);
                    }
                }
#endif
                const auto proposal = of_slot.template apply<L>(map);
                if constexpr (D::map_shape == Shape::sampler) {
                    if (Unit<D>::is_undecided(proposal)) [[unlikely]] {
                        const auto stream = words.stream_before(slot > word ? slot / word : 1);
                        return value_of_retry_stream<D, L>(stream, map, stream.position);
                    }
                }
                return Unit<D>::value(proposal, 0);
            },
            dist, engine);
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
