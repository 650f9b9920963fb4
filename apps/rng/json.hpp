// Values as JSON has them.
#pragma once

#include <cstdint>
#include <string>

namespace cli {

/// 64-bit numbers are strings in JSON: most readers would round them to doubles.
[[nodiscard]] std::string hexadecimal(uint64_t value);

/// In quotes; control characters are escaped, bytes from 0x80 on stay as they are.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace cli
