#include "json.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

std::string hexadecimal(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
    return text;
}

size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (size_t i = 1; i < length; ++i)
        if (byte(i) >> 6 != 2) return 0;
    // The Unicode Standard, table 3-7: neither overlong, nor a surrogate, nor above U+10FFFF.
    const unsigned second = byte(1);
    const bool is_out = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return is_out ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (const size_t length = utf8_length(text)) text.remove_prefix(length);
    return text.empty();
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (std::string_view rest = text; !rest.empty();) {
        const size_t length = utf8_length(rest);
        const char c = rest[0];
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", length == 0 ? 0xfffdu : static_cast<unsigned char>(c));
        if (c == '"' || c == '\\') result += '\\';
        if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20))
            result += escaped;
        else
            result += rest.substr(0, length);
        rest.remove_prefix(std::max<size_t>(length, 1));
    }
    return result + "\"";
}

std::string json_object(const JsonMembers& members, bool in_lines) {
    std::string text;
    for (const auto& [name, value] : members)
        text += (text.empty() ? ""
                 : in_lines   ? ","
                              : ", ") +
                std::string(in_lines ? "\n  " : "") + quoted(name) + ": " + value;
    return "{" + text + (in_lines ? "\n}" : "}");
}

}  // namespace cli
