// Which NaN a result is: x86 and GPUs make different ones.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// True for a NaN, whatever the compiler's flags say of NaN.
template <class T> [[nodiscard]] bool is_nan_number(T x) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    return (std::bit_cast<Bits>(x) & ~(Bits{1} << (8 * sizeof(T) - 1))) > infinity;
}
/// True if one of n numbers is NaN. Without a branch, for vectors.
template <class T> [[nodiscard]] bool has_nan(const T* x, size_t n) {
    bool is_nan = false;
    for (size_t i = 0; i < n; ++i) is_nan |= is_nan_number(x[i]);
    return is_nan;
}
/// Returns x; the quiet NaN without sign and payload for every NaN.
template <class T> [[nodiscard]] T with_one_nan(T x) {
    return is_nan_number(x) ? std::numeric_limits<T>::quiet_NaN() : x;
}

}  // namespace detail
RNG_END_NAMESPACE
