// Numbers as users type them and as files contain them. Every parser throws UsageError that names the option.
#pragma once

#include <rng/distributions/complex_normal.hpp>
#include <rng/float16.hpp>
#include <rng/vec.hpp>

#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cli {

/// Returns a number in [0, most], decimal or 0x hexadecimal. `range` is the message's text for the end of that
/// interval.
[[nodiscard]] uint64_t parse_u64(const std::string& option, const std::string& text, uint64_t most = UINT64_MAX,
                                 const std::string& range_end = "2^64 - 1");

/// Returns a number with a sign, in [least, most]; decimal, hexadecimal, or with an exponent (1e6).
[[nodiscard]] int64_t parse_i64(const std::string& option, const std::string& text, int64_t least, int64_t most);

/// Returns the numbers A and B of "A:B", with 0 <= A < B <= all. `what` names what A and B count, for messages.
[[nodiscard]] std::pair<uint64_t, uint64_t> parse_range(const std::string& option, const std::string& text,
                                                        uint64_t all, const std::string& what);

enum class Counted { things, bytes };

/// Returns a count: a whole number below 2^64, alone or with a suffix, or hexadecimal after 0x without a suffix.
/// Suffixes are:
/// - k, M, G, T, P (powers of 1000),
/// - Ki, Mi, ... (powers of 1024),
/// - an exponent (1e6),
/// - for bytes also kB, KiB, ...
[[nodiscard]] uint64_t parse_count(const std::string& option, const std::string& text,
                                   Counted counted = Counted::things);

/// Returns a real parameter, rounded once to its type. The text is decimal or hexadecimal floating point.
[[nodiscard]] float parse_f32(const std::string& option, const std::string& text);
[[nodiscard]] double parse_f64(const std::string& option, const std::string& text);

/// Returns a number in [0, most]; decimal, hexadecimal, or with an exponent (1e6).
[[nodiscard]] uint64_t parse_whole(const std::string& option, const std::string& text, uint64_t most);

template <class T> [[nodiscard]] T parse_parameter(const std::string& option, const std::string& text) {
    if constexpr (std::is_same_v<T, float>) {
        return parse_f32(option, text);
    } else if constexpr (std::is_same_v<T, double>) {
        return parse_f64(option, text);
    } else {
        using Limits = std::numeric_limits<T>;
        if constexpr (Limits::is_signed)
            return static_cast<T>(parse_i64(option, text, Limits::min(), Limits::max()));
        else
            return static_cast<T>(parse_whole(option, text, Limits::max()));
    }
}

template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<rng::complex<T>> = true;
template <class T> inline constexpr bool is_complex<std::complex<T>> = true;
/// The parts of a value: 2 of complex numbers, 2 to 4 of vectors, 1 of all others.
template <class T> inline constexpr unsigned parts_of = 1;
template <class T> inline constexpr unsigned parts_of<rng::complex<T>> = 2;
template <class T> inline constexpr unsigned parts_of<rng::vec2<T>> = 2;
template <class T> inline constexpr unsigned parts_of<rng::vec3<T>> = 3;
template <class T> inline constexpr unsigned parts_of<rng::vec4<T>> = 4;
template <class T> inline constexpr bool has_parts = 1 < parts_of<T>;
template <class T> inline constexpr bool is_vector = has_parts<T> && !is_complex<T>;
template <class T> inline constexpr bool is_half = std::is_same_v<T, rng::float16> || std::is_same_v<T, rng::bfloat16>;

/// Room for any value as text.
inline constexpr size_t max_value_chars = 128;

/// Writes the shortest text that reads back as the same value; returns its end. `to` has room for max_value_chars.
template <class T>
requires std::is_arithmetic_v<T>
char* put_value(char* to, T value) { return std::to_chars(to, to + max_value_chars, value).ptr; }

/// Writes a value of a 16-bit type: the fewest digits that round to the value.
template <class T>
requires is_half<T>
char* put_value(char* to, T value) {
    constexpr int enough = std::is_same_v<T, rng::float16> ? 5 : 4;
    for (int digits = 1;; ++digits) {
        char* const end =
            std::to_chars(to, to + max_value_chars, static_cast<float>(value), std::chars_format::general, digits).ptr;
        float back = 0;
        std::from_chars(to, end, back);
        if (digits == enough || T(back).bits == value.bits) return end;
    }
}

/// Writes a complex number as Python and NumPy do: 1.5-0.25j.
template <class T> char* put_value(char* to, const rng::complex<T>& value) {
    to = put_value(to, value.re);
    if (!std::signbit(value.im)) *to++ = '+';
    to = put_value(to, value.im);
    *to++ = 'j';
    return to;
}

/// Returns part k of a complex number or a vector.
template <class T> [[nodiscard]] auto part_of(const T& value, unsigned k) {
    if constexpr (is_complex<T>)
        return k == 0 ? value.re : value.im;
    else if constexpr (parts_of<T> == 2)
        return k == 0 ? value.x : value.y;
    else if constexpr (parts_of<T> == 3)
        return k == 0 ? value.x : k == 1 ? value.y : value.z;
    else
        return k == 0 ? value.x : k == 1 ? value.y : k == 2 ? value.z : value.w;
}

/// Writes the parts of a value in order, with this character between them.
template <class T> char* put_parts(char* to, const T& value, char between) {
    for (unsigned k = 0; k < parts_of<T>; ++k) {
        if (k > 0) *to++ = between;
        to = put_value(to, part_of(value, k));
    }
    return to;
}

template <class T> [[nodiscard]] std::string value_text(T value) {
    char text[max_value_chars];
    return {text, put_value(text, value)};
}

/// Returns "1.20 GiB", "430 M values": three digits and a power of 1000; for bytes ("B"), of 1024.
[[nodiscard]] std::string scaled(double amount, std::string_view unit);

}  // namespace cli
