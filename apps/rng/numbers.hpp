// Numbers as users type them and as files hold them. Every parser throws UsageError that names the option.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace cli {

/// Decimal or 0x hexadecimal in [0, most]; `range` is how the message writes that interval's end.
[[nodiscard]] uint64_t parse_u64(const std::string& option, const std::string& text, uint64_t most = UINT64_MAX,
                                 const std::string& range_end = "2^64 - 1");

/// The same with a sign, in [least, most].
[[nodiscard]] int64_t parse_i64(const std::string& option, const std::string& text, int64_t least, int64_t most);

/// A number of bytes: a whole number, with k, M, G, T, P (powers of 1000; also kB, ...) or Ki, Mi, ... (of 1024; also
/// KiB, ...).
[[nodiscard]] uint64_t parse_bytes(const std::string& option, const std::string& text);

/// A real parameter, rounded once to its type: decimal or hexadecimal floating point.
[[nodiscard]] float parse_f32(const std::string& option, const std::string& text);
[[nodiscard]] double parse_f64(const std::string& option, const std::string& text);

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
            return static_cast<T>(parse_u64(option, text, Limits::max(), std::to_string(Limits::max())));
    }
}

/// Room for any value as text.
inline constexpr size_t max_value_chars = 32;

/// The shortest text that reads back as the same value; returns its end. `to` has room for max_value_chars.
template <class T>
requires std::is_arithmetic_v<T>
char* put_value(char* to, T value) { return std::to_chars(to, to + max_value_chars, value).ptr; }

template <class T> [[nodiscard]] std::string value_text(T value) {
    char text[max_value_chars];
    return {text, put_value(text, value)};
}

/// "1.2 GB", "430 M values": three digits and a power of 1000.
[[nodiscard]] std::string scaled(double amount, std::string_view unit);

}  // namespace cli
