// fill_undefined: fills new memory with NaN or the largest integer, so that reads before the first write become
// visible.
//
//     std::vector<float> scratch(n);
//     rng::fill_undefined(scratch);              // NaN: whatever is computed from them is NaN
//
// The values are those of torch.utils.deterministic.fill_uninitialized_memory: NaN for real and complex numbers, and
// the largest integer.
#pragma once

#include <limits>
#include <ranges>
#include <type_traits>

#include "float16.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T> [[nodiscard]] constexpr T undefined_value() {
    if constexpr (std::is_same_v<T, float16>)
        return float16::from_bits(0x7e00);
    else if constexpr (std::is_same_v<T, bfloat16>)
        return bfloat16::from_bits(0x7fc0);
    else if constexpr (requires(T x) { x.re + x.im; })
        return {undefined_value<decltype(T::re)>(), undefined_value<decltype(T::im)>()};
    else if constexpr (requires { typename T::value_type; })  // std::complex
        return {undefined_value<typename T::value_type>(), undefined_value<typename T::value_type>()};
    else if constexpr (std::numeric_limits<T>::has_quiet_NaN)
        return std::numeric_limits<T>::quiet_NaN();
    else
        return std::numeric_limits<T>::max();
}

}  // namespace detail

/// Sets each element to NaN if it is of float, double, a complex type of these, float16 or bfloat16. Integers are set
/// to the largest of their type, and bool to true.
template <std::ranges::forward_range R> void fill_undefined(R&& out) {
    using T = std::ranges::range_value_t<R>;
    for (T& x : out) x = detail::undefined_value<T>();
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
