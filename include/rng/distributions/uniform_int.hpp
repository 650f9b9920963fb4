// uniform_int<T>{lo, hi}: integers of [lo, hi], both included, all exactly equally likely.
//
//     const std::vector<int> dice = rng::sample(rng::uniform_int{1, 6}, 1000, gen);
//
// Lemire's method takes the upper half of word * span, and rejects the few words that would make some results more
// likely.
// Source: Lemire, "Fast random integer generation in an interval", ACM Trans. Model. Comput. Simul. 29, 2019.
// Results of up to 16 bits take one 32-bit word, others a 64-bit word; the value's own retry stream replaces a rejected
// word.
// Oracle: a span of 2^k gives the top k bits of the word; uniform_int<uint64_t>{0, 2^64 - 1} is the word itself.
#pragma once

#include "../detail/below.hpp"
#include "../draw.hpp"
#include "../lane/lane.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns an integer of [0, n), all of them exactly equally likely, for shuffles and choices.
/// Takes the next 64-bit words of an engine or a RetryStream, for any n. Throws Error (invalid_argument) if n is 0.
template <class Source> RNG_FN uint64_t below(Source& source, Integer n) {
    detail::require_count(n, "below");
    if constexpr (requires { source.word64(); }) {
        return detail::below_from_retry_stream(source, n);
    } else {
        detail::EngineRetryStream<Source> retry_stream(source);
        return detail::below_from_retry_stream(retry_stream, n);
    }
}

namespace detail {

// Maps compute unsigned words, whose low bits are the result, so that types of one size share a map.

/// The map for results of up to 16 bits.
struct ShortIntMap {
    uint32_t span, rejected, lo;  // words whose low product is below `rejected` = 2^32 mod span are rejected

    template <class L> RNG_FN auto operator()(lane::u32<L> w) const {
        const lane::u32<L> low = lane::mul_low(w, lane::u32<L>(span));
        const lane::u32<L> high = lane::mul_high(w, lane::u32<L>(span));
        return lane::Proposal{high + lane::u32<L>(lo), lane::lanes_below(low, lane::u32<L>(rejected))};
    }
    template <class RetryStream> RNG_FN uint32_t sample(RetryStream& retry_stream) const {
        // Does not use `rejected`, so that kernels need not compute it.
        const uint32_t w = accepted_word(retry_stream.word(), span, [&retry_stream]() { return retry_stream.word(); });
        return mulhi32(w, span) + lo;
    }
};

/// The map for results of 32 bits.
struct WordIntMap {
    static constexpr bool is_long = true;
    uint64_t span, rejected, lo;  // span is at most 2^32

    template <class L> RNG_FN auto operator()(lane::u64<L> w) const {
        const auto product = lane::mul_wide_by_word(w, span);
        return lane::Proposal{product.high + lane::u64<L>(lo), lane::lanes_below(product.low, lane::u64<L>(rejected))};
    }
    template <class RetryStream> RNG_FN uint64_t sample(RetryStream& retry_stream) const {
        return below_from_retry_stream(retry_stream, span) + lo;
    }
};

/// The map for results of 64 bits.
struct LongIntMap {
    uint64_t span, rejected, lo;  // span 0 stands for 2^64

    template <class L> RNG_FN auto operator()(lane::u64<L> w) const {
        const auto product = lane::mul_wide(w, span);
        const lane::u64<L> value = span == 0 ? w : product.high;
        return lane::Proposal{value + lane::u64<L>(lo), lane::lanes_below(product.low, lane::u64<L>(rejected))};
    }
    template <class RetryStream> RNG_FN uint64_t sample(RetryStream& retry_stream) const {
        return below_from_retry_stream(retry_stream, span) + lo;
    }
};

}  // namespace detail

/// Integers of [lo, hi].
template <class T> struct uniform_int {
    static_assert(detail::integer<T>,
                  "uniform_int is of integers of 8 to 64 bits: uniform_int{1, 6}; for char write int8_t or uint8_t");
    using result_type = T;
    T lo = 0;
    T hi = detail::greatest<T>;

    static constexpr const char* name = "uniform_int";
    static constexpr const char* support = "[lo, hi]";
    static constexpr const char* summary = "uniform integers, both bounds included, without bias";
    static constexpr int slot_words = sizeof(T) <= 2 ? 1 : 2;
    static constexpr Shape map_shape = Shape::sampler;
    static constexpr bool retries_take_slots = true;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"lo", &uniform_int::lo, "lower bound"}, Field{"hi", &uniform_int::hi, "upper bound"}};
    }
    [[nodiscard]] constexpr ParameterFault fault() const {
        if (hi < lo) return ParameterFault::of_integer("hi", hi, "must be at least lo");
        return {};
    }

    [[nodiscard]] RNG_FN constexpr auto map() const {
        // Modulo 2^64: lo + k is right for k up to hi - lo, for any signs.
        const uint64_t span = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) + 1;
        if constexpr (sizeof(T) <= 2)
            return detail::ShortIntMap{static_cast<uint32_t>(span), detail::rejected_words(static_cast<uint32_t>(span)),
                                       static_cast<uint32_t>(lo)};
        else if constexpr (sizeof(T) == 4)
            return detail::WordIntMap{span, detail::rejected_words(span), static_cast<uint64_t>(lo)};
        else
            return detail::LongIntMap{span, detail::rejected_words(span), static_cast<uint64_t>(lo)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

namespace detail {
struct DifferentSigns;
template <class A, class B>
using bounds_t = std::conditional_t<std::is_signed_v<A> == std::is_signed_v<B>, parameter_t<A, B>, DifferentSigns>;
}  // namespace detail

/// Explains uniform_int{1u, 6}, which does not compile: neither type holds all values of the other.
template <> struct uniform_int<detail::DifferentSigns> {
    template <class A, class B> uniform_int(A, B) {
        static_assert(detail::never<A, B>,
                      "uniform_int: one bound has a sign and one has none: write uniform_int{1, 6} or "
                      "uniform_int{1u, 6u}");
    }
};

template <class A, class B> RNG_GUIDE uniform_int(A, B)->uniform_int<detail::bounds_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
