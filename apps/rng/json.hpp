// Values as JSON has them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// 64-bit numbers are strings in JSON: most readers would round them to doubles.
[[nodiscard]] std::string hexadecimal(uint64_t value);

/// In quotes; control characters are escaped, bytes from 0x80 on stay as they are.
[[nodiscard]] std::string quoted(const std::string& text);

/// Names and values; each value is JSON already.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

/// An object, on a line for each member if so wanted.
[[nodiscard]] std::string json_object(const JsonMembers& members, bool in_lines = false);

}  // namespace cli
