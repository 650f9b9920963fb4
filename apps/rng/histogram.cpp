#include "histogram.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {
namespace {

/// Returns a bar `length` columns long, in eighths of a column with Unicode. A count above zero is always visible.
std::string bar(double length, bool unicode) {
    std::string text;
    if (!unicode) {
        text.assign(static_cast<size_t>(length + 0.5), '#');
        return text.empty() && length > 0 ? "." : text;
    }
    constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    const int total = std::max(static_cast<int>(length * 8 + 0.5), length > 0 ? 1 : 0);
    for (int i = 0; i < total / 8; ++i) text += eighths[8];
    return text + eighths[total % 8];
}

}  // namespace

std::string edge_text(double edge) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", edge);
    return text;
}

std::string draw(const HistogramFigures& figures, int columns, bool unicode) {
    if (figures.n == 0) return "no values\n";
    char line[256];
    std::snprintf(line, sizeof line,
                  "n %llu  min %s  max %s\nmean %.6g  stddev %.6g  skewness %.4f  excess kurtosis %.4f\n\n",
                  static_cast<unsigned long long>(figures.n), figures.least.c_str(), figures.greatest.c_str(),
                  figures.mean, figures.stddev, figures.skewness, figures.excess_kurtosis);
    std::string text = line;
    if (figures.bins.empty()) return text + "every value is " + figures.least + "\n";

    uint64_t most = 0;
    size_t edge_width = figures.bins[0].to.empty() ? 1 : 11;
    for (const HistogramFigures::Bin& bin : figures.bins) {
        most = std::max(most, bin.count);
        edge_width = std::max({edge_width, bin.from.size(), bin.to.size()});
    }
    const size_t count_width = std::to_string(most).size();
    const auto right = [](const std::string& cell, size_t width) {
        return std::string(width - cell.size(), ' ') + cell;
    };
    for (const HistogramFigures::Bin& bin : figures.bins) {
        const bool is_last = &bin == &figures.bins.back();
        std::string row = right(bin.from, edge_width);
        if (!bin.to.empty()) row = "[" + row + "," + right(bin.to, edge_width) + (is_last ? "]" : ")");
        row += ' ' + right(std::to_string(bin.count), count_width) + ' ';
        const int room = std::max(10, columns - static_cast<int>(row.size()) - 1);  // leaves one free column
        row += bar(room * (static_cast<double>(bin.count) / static_cast<double>(most)), unicode);
        while (row.back() == ' ') row.pop_back();
        text += row + '\n';
    }
    return text;
}

}  // namespace cli
