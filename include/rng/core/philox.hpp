// Philox block functions: a counter and a key in, one block of random words out.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11). The constants are
// those of Random123 and of C++26's std::philox_engine.
// Oracle: philox<4, uint32_t, 10>({0, 0, 0, 0}, {0, 0}) = {6627e8d5, e169c58d, bc57ac4c, 9b00dbd8}.
#pragma once

#include "block.hpp"
#include "round_constants.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The precomputed keys of all rounds. Kernels take them as arguments, which saves an addition for each word and round.
template <class W, int N, int R> using PhiloxSchedule = Words<W, R * N / 2>;

namespace detail {

/// The keys of the rounds one after another, computed from the first or read from a schedule.
template <class W, int N, class K> struct ComputedRoundKeys {
    Words<W, N / 2> key;
    [[nodiscard]] RNG_FN constexpr W operator[](int i) const { return key[i]; }
    RNG_FN constexpr void next() {
        constexpr W w0 = K::weyl[0], w1 = K::weyl[1];
        key[0] = static_cast<W>(key[0] + w0);
        if constexpr (N == 4) key[1] = static_cast<W>(key[1] + w1);
    }
};
template <class W, int N> struct ReadRoundKeys {
    const W* key;
    [[nodiscard]] RNG_FN constexpr W operator[](int i) const { return key[i]; }
    RNG_FN constexpr void next() { key += N / 2; }
};

template <int N, class W, int R, class K, class Keys>
RNG_FN constexpr Words<W, N> philox_rounds(Words<W, N> c, Keys key) {
    static_assert(N == 2 || N == 4, "Philox exists with 2 and 4 words");
    RNG_UNROLL
    for (int round = 0; round < R; ++round) {
        if constexpr (N == 2) {
            constexpr W m = K::mul2;
            const Product<W> p = multiply(m, c[0]);
            c = {{static_cast<W>(p.high ^ key[0] ^ c[1]), p.low}};
        } else {
            constexpr W m0 = K::mul4[0], m1 = K::mul4[1];
            const Product<W> p0 = multiply(m0, c[0]), p1 = multiply(m1, c[2]);
            c = {{static_cast<W>(p1.high ^ c[1] ^ key[0]), p1.low, static_cast<W>(p0.high ^ c[3] ^ key[1]), p0.low}};
        }
        key.next();
    }
    return c;
}

}  // namespace detail

/// Philox with N words of type W and R rounds: maps an N-word counter and an N/2-word key to N words.
/// K replaces the constants (random.hpp uses it for a std::philox_engine with other constants).
template <int N, class W, int R, class K = detail::PhiloxConstants<W>>
RNG_FN constexpr Words<W, N> philox(Words<W, N> c, Words<W, N / 2> key) {
    return detail::philox_rounds<N, W, R, K>(c, detail::ComputedRoundKeys<W, N, K>{key});
}
/// Philox by the precomputed keys of all rounds.
template <int N, class W, int R>
RNG_FN constexpr Words<W, N> scheduled_philox(Words<W, N> c, const PhiloxSchedule<W, N, R>& schedule) {
    return detail::philox_rounds<N, W, R, detail::PhiloxConstants<W>>(c, detail::ReadRoundKeys<W, N>{schedule.v});
}

/// Returns the keys of all rounds.
template <int N, class W, int R> constexpr PhiloxSchedule<W, N, R> philox_schedule(const Words<W, N / 2>& first) {
    PhiloxSchedule<W, N, R> schedule{};
    detail::ComputedRoundKeys<W, N, detail::PhiloxConstants<W>> key{first};
    for (int round = 0; round < R; ++round, key.next())
        for (int i = 0; i < N / 2; ++i) schedule[round * N / 2 + i] = key[i];
    return schedule;
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
