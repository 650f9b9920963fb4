// The constants of Philox and Threefry: multipliers, Weyl increments, rotations, parity.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11), and Random123.
#pragma once

#include "block.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class W> struct PhiloxConstants;

template <> struct PhiloxConstants<uint32_t> {
    static constexpr uint32_t mul2 = 0xD256D193u;                    // the multiplier of the 2-word form
    static constexpr uint32_t mul4[2] = {0xD2511F53u, 0xCD9E8D57u};  // the multipliers of the 4-word form
    static constexpr uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};  // golden ratio, sqrt(3) - 1
};

template <> struct PhiloxConstants<uint64_t> {
    static constexpr uint64_t mul2 = 0xD2B74407B1CE6E93u;
    static constexpr uint64_t mul4[2] = {0xD2E7470EE14C6C93u, 0xCA5A826395121157u};
    static constexpr uint64_t weyl[2] = {0x9E3779B97F4A7C15u, 0xBB67AE8584CAA73Bu};
};

template <class W> struct ThreefryConstants;

template <> struct ThreefryConstants<uint32_t> {
    static constexpr uint32_t parity = 0x1BD11BDAu;
    RNG_FN static constexpr int rotation2(int i) {
        constexpr int r[8] = {13, 15, 26, 6, 17, 29, 16, 24};
        return r[i];
    }
    RNG_FN static constexpr int rotation4(int i, int pair) {
        constexpr int r[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
        return r[i][pair];
    }
};

template <> struct ThreefryConstants<uint64_t> {
    static constexpr uint64_t parity = 0x1BD11BDAA9FC1A22u;
    RNG_FN static constexpr int rotation2(int i) {
        constexpr int r[8] = {16, 42, 12, 31, 16, 32, 24, 21};
        return r[i];
    }
    RNG_FN static constexpr int rotation4(int i, int pair) {
        constexpr int r[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};
        return r[i][pair];
    }
};

template <class W> RNG_FN constexpr W rotate_left(W x, int n) {
    return static_cast<W>((x << n) | (x >> (8 * static_cast<int>(sizeof(W)) - n)));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
