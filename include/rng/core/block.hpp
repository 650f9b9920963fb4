// Words<T, N>: an array of N unsigned words.
// The counter, the key and the output of a block function have this type.
//
// std::array would do on the host; its members are not callable in kernels without relaxed-constexpr flags.
#pragma once

#include "config.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class T, int N> struct Words {
    T v[static_cast<unsigned>(N)];

    RNG_FN constexpr T& operator[](int i) { return v[i]; }
    RNG_FN constexpr const T& operator[](int i) const { return v[i]; }
    [[nodiscard]] static constexpr int size() { return N; }

    friend RNG_FN constexpr bool operator==(const Words& a, const Words& b) {
        for (int i = 0; i < N; ++i)
            if (!(a.v[i] == b.v[i])) return false;
        return true;
    }
    friend RNG_FN constexpr bool operator!=(const Words& a, const Words& b) { return !(a == b); }
};

namespace detail {

#if defined(__SIZEOF_INT128__)
__extension__ using uint128 = unsigned __int128;
#endif

/// High half of the 64 x 64-bit product.
RNG_FN constexpr uint64_t mulhi64(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using u128 = unsigned __int128;  // no warning under -Wpedantic
    return static_cast<uint64_t>((static_cast<u128>(a) * b) >> 64);
#else
    const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
    const uint64_t mid2 = a0 * b1 + (mid & 0xffffffffu);
    return a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

/// High half of the 32 x 32-bit product.
RNG_FN constexpr uint32_t mulhi32(uint32_t a, uint32_t b) {
    return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
