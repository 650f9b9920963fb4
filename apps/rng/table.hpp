// Text in columns.
#pragma once

#include <string>
#include <vector>

namespace cli {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces apart.
[[nodiscard]] std::string table(const std::vector<Row>& rows);

[[nodiscard]] std::string join(const std::vector<std::string>& parts, const std::string& separator = ", ");

}  // namespace cli
