#include "table.hpp"

#include <algorithm>
#include <sstream>

namespace cli {

std::string table(const std::vector<Row>& rows, size_t gap) {
    std::vector<size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const Row& row : rows) {
        for (size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size()) text.append(widths[i] + gap - row[i].size(), ' ');
        }
        text += '\n';
    }
    return text;
}

std::string wrapped(const std::string& text, size_t width) {
    std::string all, line;
    for (std::istringstream lines(text); std::getline(lines, line); all += line + '\n') {
        const size_t gap = line.rfind("  ");
        const size_t column = gap == std::string::npos ? 0 : gap + 2;
        while (line.size() > width) {
            const size_t space = line.rfind(' ', width);
            if (space == std::string::npos || space <= column) break;
            all += line.substr(0, space) + '\n';
            line = std::string(column, ' ') + line.substr(space + 1);
        }
    }
    return all;
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
    std::string text;
    for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : separator) + parts[i];
    return text;
}

}  // namespace cli
