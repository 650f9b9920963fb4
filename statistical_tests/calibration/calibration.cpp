#include <rng/stats/calibration.hpp>

#include <rng/core/stream.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "../battery/run_workers.hpp"
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

}  // namespace

Calibration calibrate(const CalibrationOptions& options) {
    std::map<Key, Tally> tallies;
    Calibration calibration;
    uint64_t fired[3] = {}, next = 0;
    std::mutex mutex;
    bool has_failed = false;  // needs the mutex, as all above do

    const auto worker = [&](std::size_t) {
        for (;;) {
            uint64_t battery = 0;
            {
                const std::scoped_lock lock(mutex);
                if (next == options.batteries || has_failed || (options.stop && *options.stop)) return;
                battery = next++;
            }
            const uint64_t key = options.first_key + battery;
            const Subject subject = options.subject(key);
            Options run;
            run.tier = options.tier;
            if (options.tier != Tier::structural) run.bytes = options.bytes;
            run.threads = 1;
            run.only = options.only;
            run.keep_going = true;
            run.repeat_suspicious = false;
            const Report report = run_battery(subject, run);

            const std::scoped_lock lock(mutex);
            double least = 0;
            uint64_t index = 0;
            for (const Look& look : report.looks)
                for (const Result& result : look.results) {
                    Tally& tally = tallies[{look.stage, look.size, result.name()}];
                    const double p = result.p.randomised(tie_breaker(key, index++));
                    ++tally.histogram[std::min(bins - 1, static_cast<std::size_t>(p * bins))];
                    ++tally.values;
                    const double log10_p = result.p.log10_two_sided();
                    for (std::size_t i = 0; i < 3; ++i) tally.below[i] += log10_p < std::log10(tails[i]);
                    tally.least_log10 = std::min(tally.least_log10, log10_p);
                    least = std::min(least, result.log10_adjusted);
                    ++calibration.p_values;
                }
            for (std::size_t i = 0; i < 3; ++i) fired[i] += least < std::log10(family_rates[i]);
            ++calibration.batteries;
            if (options.progress) options.progress(calibration.batteries);
        }
    };
    const auto on_failure = [&] {
        const std::scoped_lock lock(mutex);
        has_failed = true;
    };
    run_workers(static_cast<std::size_t>(std::max(1, options.threads)), worker, {.on_failure = on_failure});

    for (std::size_t i = 0; i < 3; ++i)
        calibration.rates.push_back(
            {family_rates[i], fired[i],
             fired[i] ? binomial_p_value(fired[i], calibration.batteries, family_rates[i]).upper() : 1});
    for (const auto& [key, tally] : tallies) calibration.rows.push_back(read(key, tally));
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

}  // namespace rng::stats
