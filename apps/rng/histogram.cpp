#include "histogram.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace cli {
namespace {

/// A bar `length` columns long; Unicode has eighths of a column. A count that is not zero is never invisible.
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

std::string draw(const HistogramFigures& figures, int columns, bool unicode) {
    if (figures.n == 0) return "no values\n";
    char line[256];
    std::snprintf(line, sizeof line,
                  "n %llu  min %s  max %s\nmean %.6g  stddev %.6g  skewness %.4f  excess kurtosis %.4f\n\n",
                  static_cast<unsigned long long>(figures.n), figures.least.c_str(), figures.greatest.c_str(),
                  figures.mean, figures.stddev, figures.skewness, figures.excess_kurtosis);
    std::string text = line;
    if (figures.least == figures.greatest) return text + "every value is " + figures.least + "\n";

    const uint64_t most = *std::max_element(figures.counts.begin(), figures.counts.end());
    const int count_width = static_cast<int>(std::to_string(most).size());
    const int room = std::max(10, columns - 2 * 11 - 7 - count_width);  // "[edge, edge) count bar" and a free column
    const double step = figures.hi / histogram_bins - figures.lo / histogram_bins;  // hi - lo could overflow
    for (int i = 0; i < histogram_bins; ++i) {
        const uint64_t count = figures.counts[static_cast<size_t>(i)];
        const bool last = i + 1 == histogram_bins;
        const double from = figures.lo + i * step, to = last ? figures.hi : figures.lo + (i + 1) * step;
        std::snprintf(line, sizeof line, "[%11.4g,%11.4g%c %*llu ", from, to, last ? ']' : ')', count_width,
                      static_cast<unsigned long long>(count));
        text += line + bar(room * (static_cast<double>(count) / static_cast<double>(most)), unicode);
        while (text.back() == ' ') text.pop_back();
        text += '\n';
    }
    return text;
}

int terminal_columns() {
    winsize size = {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

bool terminal_is_unicode() {
    // The first of these that is set decides, as in setlocale().
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (!value || !*value) continue;
        const std::string_view locale = value;
        return locale.ends_with("UTF-8") || locale.ends_with("utf8") || locale.ends_with("UTF8") ||
               locale.ends_with("utf-8");
    }
    return false;
}

}  // namespace cli
