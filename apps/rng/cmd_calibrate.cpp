// rng calibrate: runs the battery many times on OpenSSL's ciphers. Are its p-values uniform? Are its false alarms as
// rare as stated?
#include <rng/core/config.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "calibrate_run.hpp"
#include "command.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "table.hpp"

#if defined(RNG_HAVE_CALIBRATION)
#include <nlohmann/json.hpp>

#include <rng/stats/report.hpp>
#endif

namespace cli {
namespace {

constexpr const char* footer =
    "Each battery is keyed by a number of its own. Each p-value that it gives, at every size, is counted. A test is in "
    "order if its p-values are uniform (chi-square over 100 bins), and if few are very small. No more of them than "
    "chance allows may be below 1e-2, 1e-3 and 1e-4. Batteries fire at a family-wise rate as often as it says, or less "
    "often.\n\n"
    "Exit codes: 0 in bounds; 1 out of bounds (a probability below 1e-6, or a battery that failed); 2 a bad "
    "argument.\n\n"
    "Examples:\n"
    "  rng calibrate                                   (1000 batteries of 64 MiB)\n"
    "  rng calibrate --batteries 50 --bytes 1Gi\n"
    "  rng calibrate --batteries 10000 --bytes 4Mi --cipher aes-128-ctr\n"
    "  rng calibrate --tier structural --batteries 100\n"
    "  rng calibrate --part 0:500 --counts a           half of 1000; b: 500:1000; then --merge a b\n";

#if defined(RNG_HAVE_CALIBRATION)

using rng::stats::Calibration;
using rng::stats::CalibrationRow;

std::string text_of(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

nlohmann::ordered_json json_of(const rng::stats::CalibrationOptions& run, const Calibration& result,
                               const CalibrateOptions& options) {
    nlohmann::ordered_json rates = nlohmann::ordered_json::array(), rows = nlohmann::ordered_json::array();
    for (const Calibration::Rate& rate : result.rates)
        rates.push_back({{"rate", rate.rate}, {"fired", rate.fired}, {"probability", rate.fired_p}});
    for (const CalibrationRow& row : result.rows)
        rows.push_back({{"test", row.test},
                        {"stage", row.stage},
                        {"size", row.size},
                        {"values", row.values},
                        {"chi_square_p", row.chi_square_p},
                        {"below", row.below},
                        {"below_p", row.below_p},
                        {"least_log10", row.least_log10}});
    return {{"version", RNG_VERSION},
            {"cipher", options.cipher},
            {"batteries", result.batteries},
            {"first_key", run.first_key},
            {"tier", options.tier},
            {"bytes", run.bytes},
            {"p_values", result.p_values},
            {"worst_chi_square_p", result.worst_chi_square_p},
            {"worst_tail_p", result.worst_tail_p},
            {"family_rates", rates},
            {"rows", rows}};
}

Calibration calibration_of_one_process(const CalibrateOptions& options, const rng::stats::CalibrationOptions& run) {
    return options.merge.empty() ? rng::stats::calibrate(run) : rng::stats::merge_batteries(run, options.merge);
}

int run(const CalibrateOptions& typed, const CommandLine& command_line, const CalibrationOf& calibration_of) {
    if (calibration_of)
        refuse_over_ranks("rng calibrate", "batteries",
                          {{"--part", typed.part.has_value()},
                           {"--counts", typed.counts.has_value()},
                           {"--merge", !typed.merge.empty()}});
    typed.require_sound();
    const CalibrateOptions options = typed.merge.empty() ? typed : typed.of_merged_run(command_line);
    rng::stats::CalibrationOptions run = options.calibration();
    std::unique_ptr<Output> json;  // made before the work, so that a bad name is reported at once
    if (options.json) json.reset(new Output(Output::file(*options.json)));

    if (options.part) {
        const auto [first, last] = parse_range("--part", *options.part, run.batteries, "batteries");
        Progress progress("rng calibrate", last - first, "batteries");
        run.progress = [&](uint64_t done) { progress.update(done); };
        static_cast<void>(rng::stats::count_batteries(run, {first, last}, *options.counts, options.arguments()));
        print("Counted batteries " + *options.part + " of " + std::to_string(run.batteries) +
              "; rng calibrate --merge makes the result\n");
        return 0;
    }
    Progress progress("rng calibrate", run.batteries, "batteries");
    run.progress = [&](uint64_t done) { progress.update(done); };
    const Calibration result = (calibration_of ? calibration_of : calibration_of_one_process)(options, run);

    // The name comes last: it is the column that may go on in another line.
    std::vector<Row> rows = {{"size", "n", "uniform", "below", "tail", "least", "test"}};
    const std::size_t shown = options.all ? result.rows.size() : std::min<std::size_t>(12, result.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const CalibrationRow& row = result.rows[i];
        rows.push_back(
            {rng::stats::size_text(row.stage, row.size), std::to_string(row.values), text_of(row.chi_square_p),
             std::to_string(row.below[0]) + "/" + std::to_string(row.below[1]) + "/" + std::to_string(row.below[2]),
             text_of(std::min({row.below_p[0], row.below_p[1], row.below_p[2]})), "10^" + text_of(row.least_log10),
             row.test});
    }
    std::string text = std::to_string(result.batteries) + " batteries on " + options.cipher + ", " +
                       std::to_string(result.p_values) + " p-values of " + std::to_string(result.rows.size()) +
                       " parts and sizes; the worst:\n\n" +
                       "n: p-values; uniform: the p-value of their fit; below: how many are below 1e-2,\n"
                       "1e-3 and 1e-4; tail: the p-value of these counts; least: the least p-value\n\n" +
                       wrapped(table(rows), terminal_columns()) + "\n";
    bool in_bounds = std::min(result.worst_chi_square_p, result.worst_tail_p) >= 1e-6;
    for (const Calibration::Rate& rate : result.rates) {
        text += "fired at a family-wise rate of " + text_of(rate.rate) + ": " + std::to_string(rate.fired) + " of " +
                std::to_string(result.batteries) + "\n";
        in_bounds = in_bounds && rate.fired_p >= 1e-6;
    }
    in_bounds = in_bounds && result.rates.back().fired == 0;
    text += "worst adjusted probability: uniformity " + text_of(result.worst_chi_square_p) + ", tails " +
            text_of(result.worst_tail_p) + "\n" + (in_bounds ? "in bounds\n" : "OUT OF BOUNDS\n");
    if (json) {
        const std::string content = json_of(run, result, options).dump(1) + "\n";
        json->write(content.data(), content.size());
        json->finish();
    }
    print(text);
    return in_bounds ? 0 : exit_failed;
}

#else

int run(const CalibrateOptions& options, const CommandLine&, const CalibrationOf&) {
    static_cast<void>(options.calibration());  // says that OpenSSL is missing
    return exit_usage;
}

#endif

}  // namespace

Command add_calibrate(CommandLine& program, const CalibrationOf& calibration_of) {
    CommandLine command =
        program.add_command("calibrate", "Check the statistical tests against OpenSSL's ciphers", footer);
    const auto options = std::make_shared<CalibrateOptions>();
    options->add_to(command);
    if (calibration_of) options->add_checkpoint_to(command);
    return {command, [options, command, calibration_of] { return run(*options, command, calibration_of); }};
}

Command add_calibrate(CommandLine& program) { return add_calibrate(program, {}); }

}  // namespace cli
