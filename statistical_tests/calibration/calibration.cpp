#include <rng/stats/calibration.hpp>

#include <rng/core/error.hpp>
#include <rng/core/stream.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "../battery/part_files.hpp"
#include "../battery/run_workers.hpp"
#include "../battery/state.hpp"
#include "../p_values/chi_square.hpp"

namespace rng::stats {

namespace {

constexpr std::size_t bins = 1000;  // joined to 100 or fewer when they are read

struct Tally {
    std::vector<uint64_t> histogram = std::vector<uint64_t>(bins);
    uint64_t values = 0, below[3] = {};
    double least_log10 = 0;
};

using Key = std::tuple<std::string, uint64_t, std::string>;  // stage, size, test with its part

constexpr double tails[3] = {1e-2, 1e-3, 1e-4};
constexpr double family_rates[3] = {1e-2, 1e-3, 1e-6};

/// Returns a uniform number in [0, 1) for the ties of one p-value.
double tie_breaker(uint64_t key, uint64_t index) { return (word(Stream<>(key).fork("ties"), index) + 0.5) * 0x1p-32; }

CalibrationRow read(const Key& key, const Tally& tally) {
    CalibrationRow row;
    std::tie(row.stage, row.size, row.test) = key;
    row.values = tally.values;
    row.least_log10 = tally.least_log10;
    const std::size_t joined = tally.values >= 1000 ? 100 : 10;
    std::vector<uint64_t> histogram(joined);
    for (std::size_t i = 0; i < bins; ++i) histogram[i * joined / bins] += tally.histogram[i];
    if (tally.values >= 100) {
        const std::vector<double> expected(joined, static_cast<double>(tally.values) / static_cast<double>(joined));
        row.chi_square_p = chi_square(histogram, expected).p.upper();
    }
    for (std::size_t i = 0; i < 3; ++i) {
        row.below[i] = tally.below[i];
        row.below_p[i] = row.below[i] ? binomial_p_value(row.below[i], tally.values, tails[i]).upper() : 1;
    }
    return row;
}

/// What batteries gave, before it is compared with anything. The counts of several are their sums.
struct Counts {
    uint64_t batteries = 0, p_values = 0, fired[3] = {};
    std::map<Key, Tally> tallies;
};

/// Runs the batteries of a range.
Counts counts_of(const CalibrationOptions& options, SegmentRange range) {
    Counts counts;
    uint64_t next = range.first;
    std::mutex mutex;
    bool has_failed = false;  // needs the mutex, as all above do

    const auto worker = [&](std::size_t) {
        for (;;) {
            uint64_t battery = 0;
            {
                const std::scoped_lock lock(mutex);
                if (next == range.last || has_failed || (options.stop && *options.stop)) return;
                battery = next++;
            }
            const uint64_t key = options.first_key + battery;
            const GeneratorUnderTest generator = options.generator(key);
            Options run;
            run.tier = options.tier;
            if (options.tier != Tier::structural) run.bytes = options.bytes;
            run.threads = 1;
            run.only = options.only;
            run.keep_going = true;
            run.repeat_suspicious = false;
            const Report report = run_battery(generator, run);

            const std::scoped_lock lock(mutex);
            double least = 0;
            uint64_t index = 0;
            for (const InterimAnalysis& analysis : report.analyses)
                for (const Result& result : analysis.results) {
                    Tally& tally = counts.tallies[{analysis.stage, analysis.size, result.name()}];
                    const double p = result.p.randomised(tie_breaker(key, index++));
                    ++tally.histogram[std::min(bins - 1, static_cast<std::size_t>(p * bins))];
                    ++tally.values;
                    const double log10_p = result.p.log10_two_sided();
                    for (std::size_t i = 0; i < 3; ++i) tally.below[i] += log10_p < std::log10(tails[i]);
                    tally.least_log10 = std::min(tally.least_log10, log10_p);
                    least = std::min(least, result.log10_adjusted);
                    ++counts.p_values;
                }
            for (std::size_t i = 0; i < 3; ++i) counts.fired[i] += least < std::log10(family_rates[i]);
            ++counts.batteries;
            if (options.progress) options.progress(counts.batteries);
        }
    };
    const auto on_failure = [&] {
        const std::scoped_lock lock(mutex);
        has_failed = true;
    };
    run_workers(static_cast<std::size_t>(std::max(1, options.threads)), worker, {.on_failure = on_failure});
    return counts;
}

Calibration compared(const Counts& counts) {
    Calibration calibration;
    calibration.batteries = counts.batteries;
    calibration.p_values = counts.p_values;
    for (std::size_t i = 0; i < 3; ++i) {
        const uint64_t fired = counts.fired[i];
        const PValue p = fired ? binomial_p_value(fired, counts.batteries, family_rates[i]) : PValue{};
        calibration.rates.push_back({family_rates[i], fired, p.upper()});
    }
    for (const auto& [key, tally] : counts.tallies) calibration.rows.push_back(read(key, tally));
    const auto severity = [](const CalibrationRow& row) {
        return std::tuple(std::min({row.chi_square_p, row.below_p[0], row.below_p[1], row.below_p[2]}), row.stage,
                          row.size, row.test);
    };
    std::ranges::sort(calibration.rows, {}, severity);
    const auto n = static_cast<double>(calibration.rows.size());
    for (const CalibrationRow& row : calibration.rows) {
        calibration.worst_chi_square_p = std::min(calibration.worst_chi_square_p, std::min(1.0, row.chi_square_p * n));
        calibration.worst_tail_p =
            std::min(calibration.worst_tail_p,
                     std::min(1.0, std::min({row.below_p[0], row.below_p[1], row.below_p[2]}) * 3 * n));
    }
    return calibration;
}

// Counts in a file of states: the sums are its first counters. Each tally is an analysis with one result, whose log10
// is the least, and a row of counters.

using Sums = std::array<uint64_t, 5>;
using Row = std::array<uint64_t, bins + 4>;

void put(const Counts& counts, State& state) {
    state.counts.push_back(
        packed(Sums{counts.batteries, counts.p_values, counts.fired[0], counts.fired[1], counts.fired[2]}));
    for (const auto& [key, tally] : counts.tallies) {
        const auto& [stage, size, test] = key;
        state.analyses.push_back({stage, size, {{test, "", {}, tally.least_log10}}});
        Row row{};
        std::ranges::copy(tally.histogram, row.begin());
        std::ranges::copy(std::array{tally.values, tally.below[0], tally.below[1], tally.below[2]}, row.begin() + bins);
        state.counts.push_back(packed(row));
    }
}

/// Returns false if the state holds no counts of batteries.
[[nodiscard]] bool add(const State& state, Counts& counts) {
    Sums sums{};
    if (state.counts.size() != state.analyses.size() + 1 || !add_packed(state.counts[0], sums)) return false;
    counts.batteries += sums[0];
    counts.p_values += sums[1];
    for (std::size_t i = 0; i < 3; ++i) counts.fired[i] += sums[2 + i];
    for (std::size_t k = 0; k < state.analyses.size(); ++k) {
        const InterimAnalysis& analysis = state.analyses[k];
        Row row{};
        if (analysis.results.size() != 1 || !add_packed(state.counts[k + 1], row)) return false;
        Tally& tally = counts.tallies[{analysis.stage, analysis.size, analysis.results[0].test}];
        for (std::size_t i = 0; i < bins; ++i) tally.histogram[i] += row[i];
        tally.values += row[bins];
        for (std::size_t i = 0; i < 3; ++i) tally.below[i] += row[bins + 1 + i];
        tally.least_log10 = std::min(tally.least_log10, analysis.results[0].log10_adjusted);
    }
    return true;
}

std::string identity(const CalibrationOptions& options) {
    std::string text = "calibration from " + options.generator(options.first_key).source->name() + " on, " +
                       std::to_string(options.batteries) + " batteries of " + std::to_string(options.bytes) +
                       " bytes, tier " + to_string(options.tier) + ", tests";
    for (const std::string& test : options.only) text += " " + test;
    return text;
}

}  // namespace

Calibration calibrate(const CalibrationOptions& options) {
    return compared(counts_of(options, {0, options.batteries}));
}

bool count_batteries(const CalibrationOptions& options, SegmentRange range, const std::string& file,
                     std::span<const std::string> arguments) {
    if (range.first >= range.last || range.last > options.batteries)
        rng::detail::refuse("count_batteries", "batteries must be A:B with 0 <= A < B <= " +
                                                   std::to_string(options.batteries) + ", got " + text_of(range));
    require_writable(file, StateFile::counts);
    State state;
    state.run = identity(options);
    state.part = range;
    state.arguments.assign(arguments.begin(), arguments.end());
    const Counts counts = counts_of(options, range);
    if (counts.batteries < range.last - range.first) return false;
    put(counts, state);
    save_state(file, state);
    return true;
}

Calibration merge_batteries(const CalibrationOptions& options, std::span<const std::string> files) {
    Counts counts;
    std::vector<PartFile> parts;
    for (const std::string& file : files) {
        const State state = load_state(file, identity(options), StateFile::counts);
        if (!add(state, counts)) refuse_state(file, "is damaged", StateFile::counts);
        parts.push_back({file, state.part});
    }
    require_whole("merge_batteries", "batteries", parts, options.batteries);
    return compared(counts);
}

}  // namespace rng::stats
