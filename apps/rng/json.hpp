// Values in the form of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// 64-bit numbers are strings in JSON: most readers would round them to doubles.
[[nodiscard]] std::string hexadecimal(uint64_t value);

/// Returns the text in quotes. Control characters are escaped; bytes from 0x80 on do not change.
[[nodiscard]] std::string quoted(const std::string& text);

/// Names and values; each value is already JSON.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

/// Returns an object, with one line for each member if `in_lines` is true.
[[nodiscard]] std::string json_object(const JsonMembers& members, bool in_lines = false);

}  // namespace cli
