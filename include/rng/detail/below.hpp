// Lemire's method for one bounded integer, which below() and the retry stream of uniform_int share.
#pragma once

#include "../core/retry_stream.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns 2^b mod span, where b is the width of W in bits; returns 0 for span 0, which stands for 2^b.
template <class W> RNG_FN constexpr W rejected_words(W span) {
#if RNG_DEVICE_PASS
    // Computes the remainder by doublings: on GPUs a division is built from an approximate floating-point reciprocal.
    W r = span > 1 ? 1 : 0;
    for (unsigned i = 0; i < 8 * sizeof(W); ++i) r = r >= span - r ? r - (span - r) : r + r;
    return r;
#else
    return span == 0 ? 0 : static_cast<W>(0 - span) % span;
#endif
}

/// Returns w, or the first of the words next(), next(), ... that is not rejected. Less than half of all words are
/// rejected.
template <class W, class Next> RNG_FN constexpr W accepted_word(W w, W span, const Next& next) {
    if (w * span < span) {  // otherwise w is accepted: the limit is below `span`
        const W limit = rejected_words(span);
        for (uint32_t left = most_proposals; w * span < limit && --left != 0;) w = next();
    }
    return w;
}

/// Returns an integer below `span` (0 stands for 2^64): draws words of 64 bits until one is not rejected.
template <class RetryStream>
RNG_FN constexpr uint64_t below_from_retry_stream(RetryStream& retry_stream, uint64_t span) {
    const uint64_t w = retry_stream.word64();
    if (span == 0) return w;
    return mulhi64(accepted_word(w, span, [&retry_stream]() { return retry_stream.word64(); }), span);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
