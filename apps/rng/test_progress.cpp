#include "test_progress.hpp"

#include <rng/stats/report.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <vector>

#include "numbers.hpp"

namespace cli {
namespace {

using namespace rng::stats;

std::string duration_text(double seconds) {
    char text[40];
    if (seconds < 90)
        std::snprintf(text, sizeof text, "%.0f s", seconds);
    else if (seconds < 5400)
        std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    else if (seconds < 48 * 3600)
        std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
    else
        std::snprintf(text, sizeof text, "%.1f days", seconds / 86400);
    return text;
}

}  // namespace

TestProgress::TestProgress(bool verbose, const Policy& policy)
    : is_terminal_(::isatty(STDERR_FILENO) == 1), verbose_(verbose), policy_(policy), start_(Clock::now()) {}

TestProgress::~TestProgress() { wipe(); }

void TestProgress::wipe() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

void TestProgress::warn(const std::string& what) {
    wipe();
    std::fprintf(stderr, "rng test: warning: %s; the run goes on\n", what.c_str());
}

void TestProgress::update(const Progress& progress) {
    if (progress.analysis && (is_terminal_ || verbose_)) {
        wipe();
        show_analysis(*progress.analysis);
    }
    if (!is_terminal_ || progress.total == 0) return;
    const std::string stage = std::string(progress.stage) + (progress.repeated ? ", again" : "");
    const auto now = Clock::now();
    if (stage != stage_) {
        stage_ = stage;
        start_ = now;
        first_ = progress.done;
    }
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
    const double rate = (done - static_cast<double>(first_)) / std::max(seconds, 1e-9);
    const std::string unit = std::string(progress.stage) == "stream" ? "B" : "cases";
    shown_ = true;
    std::fprintf(stderr, "\r\033[Krng test: %s %.0f %%, %s of %s", stage.c_str(), 100 * done / total,
                 size_text(progress.stage, progress.done).c_str(), size_text(progress.stage, progress.total).c_str());
    if (seconds > 0.5 && rate > 0)
        std::fprintf(stderr, ", %s/s, %s left", scaled(rate, unit).c_str(),
                     duration_text((total - done) / rate).c_str());
    std::fflush(stderr);
}

/// Shows the worst result; if `verbose`, all results, the worst first.
void TestProgress::show_analysis(const InterimAnalysis& analysis) {
    std::vector<const Result*> results;
    for (const Result& result : analysis.results) results.push_back(&result);
    std::ranges::sort(results, {}, [](const Result* result) {
        return std::tuple(result->log10_adjusted, result->p.log10_two_sided(), result->name());
    });
    std::fprintf(stderr, "%10s  %-10s", size_text(analysis.stage, analysis.size).c_str(),
                 results.empty() ? "too little" : to_string(verdict_of(analysis.results, policy_)));
    for (std::size_t i = 0; i < results.size() && (i == 0 || verbose_); ++i)
        std::fprintf(stderr, "%s  %-28s p %-8s corrected %s\n", i == 0 ? "" : "                      ",
                     results[i]->name().c_str(), probability_text(results[i]->p.log10_two_sided()).c_str(),
                     probability_text(results[i]->log10_adjusted).c_str());
    if (results.empty()) std::fputc('\n', stderr);
}

}  // namespace cli
