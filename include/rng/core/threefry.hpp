// Threefry block functions: Threefish with fewer rounds and without the tweak.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11); rotations and parity
// constants are those of Random123.
// Oracle: threefry<2, uint64_t, 20>({0, 0}, {0, 0}) = {c2b6e3a8c2c69865, 6f81ed42f350084d}.
#pragma once

#include "block.hpp"
#include "round_constants.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Threefry with N words of type W and R rounds: maps an N-word counter and an N-word key to N words.
template <int N, class W, int R> RNG_FN constexpr Words<W, N> threefry(Words<W, N> x, const Words<W, N>& key) {
    static_assert(N == 2 || N == 4, "Threefry exists with 2 and 4 words");
    using K = detail::ThreefryConstants<W>;
    W schedule[static_cast<unsigned>(N + 1)] = {};
    schedule[N] = K::parity;
    for (int i = 0; i < N; ++i) {
        schedule[i] = key[i];
        schedule[N] = static_cast<W>(schedule[N] ^ key[i]);
        x[i] = static_cast<W>(x[i] + key[i]);
    }
    RNG_UNROLL
    for (int round = 0; round < R; ++round) {
        if constexpr (N == 2) {
            x[0] = static_cast<W>(x[0] + x[1]);
            x[1] = static_cast<W>(detail::rotate_left(x[1], K::rotation2(round % 8)) ^ x[0]);
        } else {
            // Odd rounds pair words 0 with 3 and 2 with 1: the permutation of Threefish, without moving words.
            const int a = round % 2 ? 3 : 1, b = round % 2 ? 1 : 3;
            x[0] = static_cast<W>(x[0] + x[a]);
            x[a] = static_cast<W>(detail::rotate_left(x[a], K::rotation4(round % 8, 0)) ^ x[0]);
            x[2] = static_cast<W>(x[2] + x[b]);
            x[b] = static_cast<W>(detail::rotate_left(x[b], K::rotation4(round % 8, 1)) ^ x[2]);
        }
        if (round % 4 == 3) {
            const int injection = round / 4 + 1;
            for (int i = 0; i < N; ++i) x[i] = static_cast<W>(x[i] + schedule[(injection + i) % (N + 1)]);
            x[N - 1] = static_cast<W>(x[N - 1] + static_cast<W>(injection));
        }
    }
    return x;
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
