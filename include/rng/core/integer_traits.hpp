// Which types are integers in this library.
//
// Integers are distinguished by width and sign: long and long long are the same type if both have 64 bits.
// signed char and unsigned char are 8-bit integers.
// bool and the character types are not integers, and neither is char, whose sign depends on the compiler.
#pragma once

#include "standard.hpp"
#include "type_list.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T>
inline constexpr bool is_character =
    is_same<T, char> || is_same<T, wchar_t> || is_same<T, char8_t> || is_same<T, char16_t> || is_same<T, char32_t>;

template <class T>
inline constexpr bool integer = std::is_integral_v<T> && sizeof(T) <= 8 && !is_same<T, bool> && !is_character<T>;

template <class T> constexpr auto fixed_width_tag() {
    if constexpr (!integer<T>)
        return type_tag<T>{};
    else if constexpr (sizeof(T) == 1)
        return type_tag<std::conditional_t<std::is_signed_v<T>, int8_t, uint8_t>>{};
    else if constexpr (sizeof(T) == 2)
        return type_tag<std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>>{};
    else if constexpr (sizeof(T) == 4)
        return type_tag<std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>{};
    else
        return type_tag<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>{};
}

/// The intN_t or uintN_t with the integer's width and sign. Any other type stays the same.
template <class T> using fixed_width = typename decltype(fixed_width_tag<T>())::type;

/// The integers in which distributions count: signed, of 32 or 64 bits.
template <class T> inline constexpr bool is_count = integer<T> && sizeof(T) >= 4 && static_cast<T>(-1) < T(0);

/// False, for a static_assert that fails whenever its template is used.
template <class...> inline constexpr bool never = false;

/// True if a T may be given for an integer: integers, enumerations, and classes that convert to one.
template <class T>
inline constexpr bool stands_for_an_integer =
    integer<T> || std::is_enum_v<T> || (std::is_class_v<T> && requires(const T& x) {
        requires std::is_integral_v<decltype(x + 0)>;  // so float16 is excluded
    });

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
