#include <rng/stats/report.hpp>

#include <cmath>
#include <cstdio>

namespace rng::stats {

std::string probability_text(double log10) {
    char text[32];
    if (log10 < -99999) return std::isinf(log10) ? "0" : "< 10^-99999";
    if (log10 < -99)
        std::snprintf(text, sizeof text, "10^%.0f", log10);
    else
        std::snprintf(text, sizeof text, "%.2g", std::pow(10, log10));
    return text;
}

std::string bytes_text(uint64_t bytes) {
    constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 16384 && bytes % 1024 != 0) return std::to_string(bytes) + " bytes";
    auto amount = static_cast<double>(bytes);
    int unit = 0;
    for (; amount >= 1024; amount /= 1024) ++unit;
    const bool is_whole = amount == std::floor(amount);
    char text[40];
    std::snprintf(text, sizeof text, "%.*f %s",
                  is_whole       ? 0
                  : amount < 10  ? 2
                  : amount < 100 ? 1
                                 : 0,
                  amount, units[unit]);
    return text;
}

std::string size_text(const std::string& stage, uint64_t size) {
    return stage == "stream" ? bytes_text(size) : std::to_string(size) + (size == 1 ? " case" : " cases");
}

std::string part_text(const Report& report) {
    if (!report.is_partial()) return {};
    if (report.bytes >= report.bytes_asked) return " so far";
    const std::string read = " on " + bytes_text(report.bytes), whole = bytes_text(report.bytes_asked);
    if (report.bytes_are_named) return read + " of " + whole + " asked";
    return report.interrupted ? read + " of the tier's " + whole
                              : read + " (all there is; the tier takes " + whole + ")";
}

}  // namespace rng::stats
