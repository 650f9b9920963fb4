// Text in columns and in lines.
#pragma once

#include <string>
#include <vector>

namespace cli {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, `gap` spaces apart.
[[nodiscard]] std::string table(const std::vector<Row>& rows, size_t gap = 2);

/// Returns lines of at most `width` characters; only a wider word makes a longer line.
/// A continued line begins under the last column. Two or more spaces separate columns.
[[nodiscard]] std::string wrapped(const std::string& text, size_t width);

[[nodiscard]] std::string join(const std::vector<std::string>& parts, const std::string& separator = ", ");

}  // namespace cli
