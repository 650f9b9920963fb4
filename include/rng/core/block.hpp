// Words<T, N>: an array of N unsigned words.
// The counter, the key and the output of a block function have this type.
//
// std::array would suffice on the host, but its members are not callable in kernels without relaxed-constexpr flags.
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

/// Both halves of a product. If they were computed separately, compilers for GPUs would emit two multiplications.
template <class W> struct Product { W high, low; };

RNG_FN constexpr Product<uint32_t> multiply(uint32_t a, uint32_t b) {
    uint64_t p = 0;
#if defined(__CUDA_ARCH__)
    // Inline PTX, because nvcc loses the width of an operand that was truncated from 64 bits, and adds products of
    // zeros.
    if (!__builtin_is_constant_evaluated())
        asm("mul.wide.u32 %0, %1, %2;" : "=l"(p) : "r"(a), "r"(b));
    else
#endif
        p = static_cast<uint64_t>(a) * b;
    return {static_cast<uint32_t>(p >> 32), static_cast<uint32_t>(p)};
}
RNG_FN constexpr Product<uint64_t> multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using u128 = unsigned __int128;  // no warning under -Wpedantic
    const u128 p = static_cast<u128>(a) * b;
    return {static_cast<uint64_t>(p >> 64), static_cast<uint64_t>(p)};
#else
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return {__umul64hi(a, b), a * b};  // NVRTC
#endif
    const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
    const uint64_t mid2 = a0 * b1 + (mid & 0xffffffffu);
    return {a1 * b1 + (mid >> 32) + (mid2 >> 32), a * b};
#endif
}

RNG_FN constexpr uint64_t mulhi64(uint64_t a, uint64_t b) { return multiply(a, b).high; }
RNG_FN constexpr uint32_t mulhi32(uint32_t a, uint32_t b) { return multiply(a, b).high; }

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
