// Lemire's method for one integer: what below() and the tape of uniform_int share.
#pragma once

#include "../core/block.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns 2^b mod span for b = the bits of W; returns 0 for span 0, which stands for 2^b.
template <class W> RNG_FN constexpr W rejected_words(W span) {
#if RNG_DEVICE_PASS
    // Doublings give the remainder: on GPUs a division is built from an approximate floating-point reciprocal.
    W r = span > 1 ? 1 : 0;
    for (unsigned i = 0; i < 8 * sizeof(W); ++i) r = r >= span - r ? r - (span - r) : r + r;
    return r;
#else
    return span == 0 ? 0 : static_cast<W>(0 - span) % span;
#endif
}

/// Returns an integer below `span` (0 stands for 2^64): draws words of 64 bits until one is not rejected.
template <class Tape> RNG_FN constexpr uint64_t below_from_tape(Tape& tape, uint64_t span) {
    uint64_t w = tape.word64();
    if (span == 0) return w;
    if (w * span < span) {  // otherwise w is not rejected: fewer than `span` words are rejected
        const uint64_t limit = rejected_words(span);
        while (w * span < limit) w = tape.word64();
    }
    return mulhi64(w, span);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
