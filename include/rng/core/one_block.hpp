// The base of counter_engine.hpp: arithmetic of counters, and the buffer of one block.
#pragma once

#include "block.hpp"
#include "standard.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Adds n to the number whose digits c holds, least significant first. A carry out of the last digit is dropped.
template <class W, int N> RNG_FN constexpr Words<W, N> counter_plus(Words<W, N> c, uint64_t n) {
    RNG_UNROLL  // a loop would put the counter in memory
    for (int i = 0; i < N; ++i) {
        c[i] = static_cast<W>(c[i] + static_cast<W>(n));
        const bool carry = c[i] < static_cast<W>(n);
        if constexpr (sizeof(W) == 4)
            n = (n >> 32) + carry;
        else
            n = carry;
    }
    return c;
}
/// Returns c - n, computed as ~(~c + n).
template <class W, int N> RNG_FN constexpr Words<W, N> counter_minus(Words<W, N> c, uint64_t n) {
    for (int i = 0; i < N; ++i) c[i] = static_cast<W>(~c[i]);
    c = counter_plus(c, n);
    for (int i = 0; i < N; ++i) c[i] = static_cast<W>(~c[i]);
    return c;
}

/// A seed sequence of the standard, as far as a concept can check it.
template <class S, class UInt>
concept seed_sequence = !std::is_convertible_v<S&, UInt> && requires(S & s, uint32_t* p) {
    s.generate(p, p);
};

/// The buffer of one block. E has word, counter_type, key_type and block().
template <class E> struct OneBlock {
    using engine = E;
    using word = typename E::word;
    static constexpr unsigned size = E::counter_type::size();  ///< in words of the engine
    static constexpr bool uses_library = false;

    typename E::counter_type words{};

    /// Computes the blocks from `counter` on, and moves the counter past them.
    RNG_FN constexpr void refill(typename E::counter_type& counter, const typename E::key_type& key) {
        words = E::block(counter, key);
        counter = counter_plus(counter, 1);
    }
    [[nodiscard]] RNG_FN constexpr word operator[](unsigned i) const {
        // In kernels, an index that is known only at run time would put the block in local memory.
        if constexpr (size == 2)
            return i & 1 ? words[1] : words[0];
        else
            return i & 2 ? (i & 1 ? words[3] : words[2]) : (i & 1 ? words[1] : words[0]);
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
