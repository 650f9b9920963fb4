#include "numbers.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "usage_error.hpp"

namespace cli {
namespace {

/// The digits at the front of `text`; nothing if there are none or they overflow.
struct Digits {
    bool ok = false;
    uint64_t value = 0;
    std::string_view rest;
};

Digits leading_digits(std::string_view text, int base) {
    Digits digits;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), digits.value, base);
    digits.ok = parsed.ec == std::errc();
    digits.rest = text.substr(static_cast<size_t>(parsed.ptr - text.data()));
    return digits;
}

bool is_hexadecimal(std::string_view text) {
    return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/// Returns the factor of a suffix, or 0: k, Mi, e6; for bytes kB and MiB too.
uint64_t factor_of(std::string_view suffix, Counted counted) {
    uint64_t factor = 1;
    if (suffix.starts_with('e') || suffix.starts_with('E')) {
        const Digits exponent =
            leading_digits(suffix.substr(suffix.starts_with("e+") || suffix.starts_with("E+") ? 2 : 1), 10);
        if (!exponent.ok || !exponent.rest.empty() || exponent.value > 19) return 0;  // 10^19 is the largest below 2^64
        for (uint64_t i = 0; i < exponent.value; ++i) factor *= 10;
        return factor;
    }
    if (counted == Counted::bytes && suffix.ends_with('B')) suffix.remove_suffix(1);
    if (suffix.empty()) return 1;
    constexpr std::string_view prefixes = "kMGTP";
    const auto power = prefixes.find(suffix[0] == 'K' ? 'k' : suffix[0]);
    const bool binary = suffix.size() == 2 && suffix[1] == 'i';
    if (power == std::string_view::npos || (suffix.size() > 1 && !binary)) return 0;
    for (size_t i = 0; i <= power; ++i) factor *= binary ? 1024 : 1000;
    return factor;
}

/// Returns a number without a sign, decimal or hexadecimal, if the text is one.
std::optional<uint64_t> magnitude_of(std::string_view text) {
    const bool hexadecimal = is_hexadecimal(text);
    const Digits digits = leading_digits(text.substr(hexadecimal ? 2 : 0), hexadecimal ? 16 : 10);
    return digits.ok && digits.rest.empty() ? std::optional(digits.value) : std::nullopt;
}

/// Returns "1000000" for "1e6"; any other text stays the same.
std::string without_exponent(const std::string& text) {
    const std::string_view number = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    const Digits digits = leading_digits(number, 10);
    if (!digits.ok || !(digits.rest.starts_with('e') || digits.rest.starts_with('E')) ||
        factor_of(digits.rest, Counted::things) == 0)
        return text;
    const size_t zeros = leading_digits(digits.rest.substr(digits.rest.find_first_of("0123456789")), 10).value;
    return text.substr(0, text.size() - digits.rest.size()) + std::string(zeros, '0');
}

/// strtof and strtod read hexadecimal floats, and report by errno that a value does not fit. "inf" is a number here: a
/// distribution tells whether it takes one.
template <class T>
T parse_real(const std::string& option, const std::string& text, T (*convert)(const char*, char**), const char* type) {
    char* end = nullptr;
    errno = 0;
    const T value = convert(text.c_str(), &end);
    const bool whole =
        !text.empty() && end == text.c_str() + text.size() && !std::isspace(static_cast<unsigned char>(text[0]));
    if (!whole || std::isnan(value))
        throw UsageError(option + " must be a number, got " + (text.empty() ? "nothing" : text));
    if (errno == ERANGE)
        throw UsageError(option + " must fit in " + type + ", got " + text + " (it " +
                         (std::isinf(value) ? "overflows)" : "underflows)"));
    return value;
}

}  // namespace

uint64_t parse_u64(const std::string& option, const std::string& text, uint64_t most, const std::string& range_end) {
    const std::optional<uint64_t> value = magnitude_of(text);
    if (!value || *value > most)
        throw UsageError(option + " must be a whole number in [0, " + range_end + "], got " +
                         (text.empty() ? "nothing" : text));
    return *value;
}

uint64_t parse_whole(const std::string& option, const std::string& text, uint64_t most) {
    const std::optional<uint64_t> value = magnitude_of(without_exponent(text));
    if (!value || *value > most)
        throw UsageError(option + " must be a whole number in [0, " + std::to_string(most) + "], got " +
                         (text.empty() ? "nothing" : text));
    return *value;
}

int64_t parse_i64(const std::string& option, const std::string& text, int64_t least, int64_t most) {
    const std::string number = without_exponent(text);
    const bool negative = number.starts_with('-');
    const std::optional<uint64_t> magnitude = magnitude_of(std::string_view(number).substr(negative ? 1 : 0));
    const uint64_t room = negative ? uint64_t{0} - static_cast<uint64_t>(least) : static_cast<uint64_t>(most);
    if (!magnitude || *magnitude > room)
        throw UsageError(option + " must be a whole number in [" + std::to_string(least) + ", " + std::to_string(most) +
                         "], got " + (text.empty() ? "nothing" : text));
    return static_cast<int64_t>(negative ? uint64_t{0} - *magnitude : *magnitude);
}

std::pair<uint64_t, uint64_t> parse_range(const std::string& option, const std::string& text, uint64_t all,
                                          const std::string& what) {
    const auto refuse = [&] {
        throw UsageError(option + " must be A:B with 0 <= A < B <= " + std::to_string(all) + ", the " + what +
                         " of this run, got " + text);
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) refuse();
    std::pair<uint64_t, uint64_t> range;
    try {
        range = {parse_u64(option, text.substr(0, colon)), parse_u64(option, text.substr(colon + 1))};
    } catch (const UsageError&) {
        refuse();
    }
    if (range.first >= range.second || range.second > all) refuse();
    return range;
}

uint64_t parse_count(const std::string& option, const std::string& text, Counted counted) {
    if (is_hexadecimal(text)) return parse_u64(option, text);
    const Digits digits = leading_digits(text, 10);
    const uint64_t factor = digits.ok ? factor_of(digits.rest, counted) : 0;
    if (factor == 0 || digits.value > UINT64_MAX / factor)
        throw UsageError(
            option + " must be a whole number below 2^64 (units: k, M, G, T, P, Ki, Mi, Gi, Ti, Pi; or as 1e6), got " +
            (text.empty() ? "nothing" : text));
    return digits.value * factor;
}

float parse_f32(const std::string& option, const std::string& text) {
    return parse_real<float>(option, text, std::strtof, "f32");
}

double parse_f64(const std::string& option, const std::string& text) {
    return parse_real<double>(option, text, std::strtod, "f64");
}

std::string scaled(double amount, std::string_view unit) {
    const bool is_bytes = unit == "B";
    const char* const prefixes[] = {"", is_bytes ? "K" : "k", "M", "G", "T", "P", "E"};
    const double base = is_bytes ? 1024 : 1000;
    size_t power = 0;
    while (amount >= base - 0.5 && power + 1 < std::size(prefixes)) {
        amount /= base;
        ++power;
    }
    char text[32];
    const int decimals = power == 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
    const char* const between = power == 0 ? "" : is_bytes ? "i" : " ";  // "1.20 GiB", "1.20 M values", "12 values"
    std::snprintf(text, sizeof text, "%.*f %s%s", decimals, amount, prefixes[power], between);
    return text + std::string(unit);
}

}  // namespace cli
