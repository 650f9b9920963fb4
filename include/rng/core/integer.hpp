// Which types are integers here, and Integer: a parameter that takes them and nothing else.
//
// Integers are told apart by width and sign: long and long long are one where both have 64 bits. bool and the character
// types are none, char included: its sign is the compiler's choice. signed char and unsigned char are 8-bit integers.
#pragma once

#include <type_traits>

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

/// The intN_t or uintN_t of an integer's width and sign; any other type is itself.
template <class T> using fixed_width = typename decltype(fixed_width_tag<T>())::type;

/// For a static_assert that fails whenever its template is used.
template <class...> inline constexpr bool never = false;

/// Types that may be given for an integer: enumerations and classes that convert to one, too.
template <class T>
inline constexpr bool stands_for_an_integer = integer<T> || std::is_enum_v<T> ||
                                              (std::is_class_v<T> && requires(const T& x) {
                                                  requires std::is_integral_v<decltype(x + 0)>;  // not of a float16
                                              });

}  // namespace detail

/// A uint64_t as a parameter. An integer below 0 becomes its value modulo 2^64: a seed may be that; a tag, an index or
/// a count is then out of its range (but for below(), which takes any). A floating-point number, a bool or a character
/// does not compile.
struct Integer {
    uint64_t value;

    template <class T>
    requires(!std::is_class_v<T> && std::is_convertible_v<T, uint64_t>) RNG_FN constexpr Integer(T number)
        : value(static_cast<uint64_t>(number)) {
        static_assert(detail::stands_for_an_integer<T>,
                      "rng: a seed, tag, id, position, index or count is an integer: write fork(7), not fork(7.0), "
                      "fork(true) or fork('7')");
    }
    /// By reference: a std::atomic is not copied.
    template <class T>
    requires(std::is_class_v<T>&& std::is_convertible_v<const T&, uint64_t>) RNG_FN constexpr Integer(const T& number)
        : value(static_cast<uint64_t>(number)) {
        static_assert(detail::stands_for_an_integer<T>,
                      "rng: a seed, tag, id, position, index or count is an integer: write fork(7), not fork(7.0), "
                      "fork(true) or fork('7')");
    }
    RNG_FN constexpr operator uint64_t() const { return value; }
};

RNG_END_NAMESPACE

#include "restore_macros.inc"
