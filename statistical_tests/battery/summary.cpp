#include <rng/stats/battery.hpp>

#include <algorithm>
#include <cstdio>

namespace rng::stats {

std::string summary(const Report& report) {
    char line[256];
    std::string text = std::string(to_string(report.verdict)) + ": " + report.subject + "\n";
    std::vector<const Result*> results;
    if (!report.looks.empty())
        for (const Result& result : report.looks.back().results) results.push_back(&result);
    std::ranges::stable_sort(results, {}, [](const Result* r) { return r->log10_adjusted; });
    for (std::size_t i = 0; i < results.size() && i < 5; ++i) {
        std::snprintf(line, sizeof line, "  %-28s p = 10^%.2f, adjusted 10^%.2f\n", results[i]->name().c_str(),
                      results[i]->p.log10_two_sided(), results[i]->log10_adjusted);
        text += line;
    }
    return text;
}

}  // namespace rng::stats
