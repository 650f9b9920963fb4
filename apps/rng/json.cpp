#include "json.hpp"

#include <cstdio>

namespace cli {

std::string hexadecimal(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
    return text;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
        if (byte < 0x20) {
            result += escaped;
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
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
