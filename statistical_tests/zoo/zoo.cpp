#include <rng/stats/zoo.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <iterator>

#include "entries.hpp"

namespace rng::stats {

namespace {

struct Failure {
    std::string test, stage;
    uint64_t size = 0;
};

struct Outcome {
    Report report;
    double cpu_seconds;
};

/// Runs the battery on one generator, up to `limit` bytes or cases; 0 means as many as the tier has.
Outcome examine(const ZooEntry::Make& make, uint64_t seed, Tier tier, uint64_t limit, int threads) {
    const GeneratorUnderTest generator = make(seed);
    std::atomic<bool> stop = false;
    Options battery;
    battery.tier = tier;
    battery.threads = threads;
    battery.repeat_suspicious = false;
    if (tier != Tier::structural) {
        battery.bytes = limit;
    } else if (limit != 0) {
        battery.progress = [&](const Progress& progress) {
            stop = stop || (progress.analysis && progress.done >= limit);
        };
        battery.stop = &stop;
    }
    const std::clock_t start = std::clock();
    Report report = run_battery(generator, battery);
    return {std::move(report), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

/// Returns the first analysis with a failure, and its worst test. Without a failure, returns the last analysis and no
/// test.
Failure first_failure(const Report& report) {
    Failure failure;
    for (const InterimAnalysis& analysis : report.analyses) {
        failure.size = analysis.size;
        const auto worst = std::ranges::min_element(
            analysis.results, {}, [](const Result& r) { return std::pair(r.log10_adjusted, r.p.log10_two_sided()); });
        if (worst != analysis.results.end() && worst->log10_adjusted < std::log10(report.policy.fail))
            return {worst->name(), analysis.stage, analysis.size};
    }
    return failure;
}

}  // namespace

const std::vector<ZooEntry>& zoo_catalogue() {
    static const std::vector<ZooEntry> all = [] {
        using namespace zoo_entries;
        std::vector<ZooEntry> entries;
        for (auto* part : {linear, shift_register, historic, misuse, rounds, streams, distributions})
            std::ranges::move(part(), std::back_inserter(entries));
        return entries;
    }();
    return all;
}

ZooRow run_zoo_entry(const ZooEntry& entry, const ZooOptions& options) {
    ZooRow row;
    row.name = entry.name;
    row.description = entry.description;
    const Outcome flawed = examine(entry.make, options.seed, entry.tier, entry.limit, options.threads);
    row.cpu_seconds = flawed.cpu_seconds;
    row.verdict = flawed.report.verdict;
    row.cells = zoo_cells(flawed.report);
    const Failure failure = first_failure(flawed.report);
    row.caught_by = failure.test;
    row.stage = failure.stage;
    row.bytes = failure.size;

    row.control = entry.control;
    row.control_bytes = 4 * row.bytes;
    if (entry.tier != Tier::structural) row.control_bytes = std::min(row.control_bytes, options.control_bytes_at_most);
    const auto examine_control = [&](uint64_t seed) {
        const Outcome control = examine(entry.make_control, seed, entry.tier, row.control_bytes, options.threads);
        row.control_cpu_seconds += control.cpu_seconds;
        row.control_verdict = control.report.verdict;
        row.control_failed_by = first_failure(control.report).test;
    };
    examine_control(options.seed);
    if (row.control_verdict == Verdict::suspicious) {  // happens once in a thousand runs of sound generators
        row.control_bytes *= 4;
        examine_control(options.seed + 1);
    }
    return row;
}

bool is_as_expected(const ZooRow& row) {
    return row.verdict == Verdict::fail && (row.control.empty() || row.control_verdict == Verdict::pass);
}

}  // namespace rng::stats
