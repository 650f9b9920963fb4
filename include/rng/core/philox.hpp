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

/// Philox with N words of type W and R rounds: maps an N-word counter and an N/2-word key to N words.
/// K replaces the constants (random.hpp uses it for a std::philox_engine with other constants).
template <int N, class W, int R, class K = detail::PhiloxConstants<W>>
RNG_FN constexpr Words<W, N> philox(Words<W, N> c, Words<W, N / 2> key) {
    static_assert(N == 2 || N == 4, "Philox exists with 2 and 4 words");
    RNG_UNROLL
    for (int round = 0; round < R; ++round) {
        if constexpr (N == 2) {
            constexpr W m = K::mul2;
            const W hi = K::mulhi(m, c[0]), lo = static_cast<W>(m * c[0]);
            c = {{static_cast<W>(hi ^ key[0] ^ c[1]), lo}};
            key[0] = static_cast<W>(key[0] + K::weyl[0]);
        } else {
            constexpr W m0 = K::mul4[0], m1 = K::mul4[1], w0 = K::weyl[0], w1 = K::weyl[1];
            const W hi0 = K::mulhi(m0, c[0]), lo0 = static_cast<W>(m0 * c[0]);
            const W hi1 = K::mulhi(m1, c[2]), lo1 = static_cast<W>(m1 * c[2]);
            c = {{static_cast<W>(hi1 ^ c[1] ^ key[0]), lo1, static_cast<W>(hi0 ^ c[3] ^ key[1]), lo0}};
            key[0] = static_cast<W>(key[0] + w0);
            key[1] = static_cast<W>(key[1] + w1);
        }
    }
    return c;
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
