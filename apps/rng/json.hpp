// Values in the form of JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

/// 64-bit numbers are strings in JSON: most readers would round them to doubles.
[[nodiscard]] std::string hexadecimal(uint64_t value);

/// Returns the length of the UTF-8 character at the front of the text; 0 if there is none.
[[nodiscard]] size_t utf8_length(std::string_view text);
[[nodiscard]] bool is_utf8(std::string_view text);

/// Returns the text in quotes. Control characters are escaped. Each byte that is no UTF-8 becomes U+FFFD: JSON has no
/// other text.
[[nodiscard]] std::string quoted(const std::string& text);

/// Names and values; each value is already JSON.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

/// Returns an object, with one line for each member if `in_lines` is true.
[[nodiscard]] std::string json_object(const JsonMembers& members, bool in_lines = false);

}  // namespace cli
