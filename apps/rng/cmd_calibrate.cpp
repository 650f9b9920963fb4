// rng calibrate: runs the battery many times on OpenSSL's ciphers. Are its p-values uniform? Are its false alarms as
// rare as stated?
#include <CLI/CLI.hpp>
#include <rng/core/config.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "command.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "table.hpp"

#if defined(RNG_HAVE_CALIBRATION)
#include <nlohmann/json.hpp>

#include <rng/stats/calibration.hpp>
#include <rng/stats/report.hpp>
#endif

namespace cli {
namespace {

struct Options {
    std::string cipher = "chacha20", tier = "quick";
    std::optional<std::string> batteries, bytes, first_key, threads, json;
    std::vector<std::string> only;
    bool all = false;
    std::optional<std::string> part, counts;  // a range of the batteries, and where its counts go
    std::vector<std::string> merge;           // the files whose counts make the result

    void add_to(CLI::App& command);
};

void Options::add_to(CLI::App& command) {
    command.add_option("--cipher", cipher, "chacha20 or aes-128-ctr (default chacha20)")->type_name("C");
    command.add_option("--batteries", batteries, "How many batteries, such as 1000 or 10k (default 1000)")
        ->type_name("N");
    command.add_option("--bytes", bytes, "Bytes of a battery (default 64Mi)")->type_name("N");
    command.add_option("--tier", tier, "quick, or structural: no stream (default quick)")->type_name("T");
    command.add_option("--first-key", first_key, "Key of the first battery; the others follow (default 1)")
        ->type_name("K");
    command.add_option("--threads", threads, "Batteries at a time (default: one a processor)")->type_name("T");
    command.add_option("--only", only, "These tests alone")->delimiter(',')->type_name("TEST,...");
    command.add_option("--json", json, "All rows, as JSON")->type_name("FILE");
    command.add_flag("--all", all, "Show all rows");
    command.add_option("--part", part, "Run batteries A to B-1 (from 0 on) alone, and write --counts")
        ->type_name("A:B");
    command.add_option("--counts", counts, "Where the counts of --part go")->type_name("FILE");
    command.add_option("--merge", merge, "The result of all batteries that these files of --counts have counted")
        ->type_name("FILE...");
}

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

template <class T>
T one_of(const std::string& option, const std::string& text, const std::vector<std::pair<std::string, T>>& known) {
    std::vector<std::string> names;
    for (const auto& [name, value] : known) {
        if (name == text) return value;
        names.push_back(name);
    }
    throw UsageError(option + " must be one of " + join(names) + ", got " + text + did_you_mean(text, names));
}

std::string text_of(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

nlohmann::ordered_json json_of(const rng::stats::CalibrationOptions& run, const Calibration& result,
                               const Options& options) {
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

/// Returns the arguments that mean the same batteries.
std::vector<std::string> arguments_of(const Options& options) {
    std::vector<std::string> all{"--cipher", options.cipher, "--tier", options.tier};
    const auto put = [&](const char* option, const std::optional<std::string>& value) {
        if (value) all.insert(all.end(), {option, *value});
    };
    put("--batteries", options.batteries);
    put("--bytes", options.bytes);
    put("--first-key", options.first_key);
    if (!options.only.empty()) all.insert(all.end(), {"--only", join(options.only, ",")});
    return all;
}

/// Returns the options of the batteries that the files of --merge have counted, with the outputs of this command line.
Options of_merged_run(const Options& typed, const CLI::App& command_line) {
    constexpr std::string_view beside[] = {"--merge", "--json", "--all"};
    for (const CLI::Option* option : command_line.get_options())
        if (option->count() > 0 && std::ranges::find(beside, option->get_name()) == std::end(beside))
            throw UsageError(option->get_name() + " is not for --merge: the files know their run");
    if (typed.json) require_no_input("--json", *typed.json, typed.merge);
    std::vector<std::string> arguments = rng::stats::counts_arguments(typed.merge.front());
    Options options;
    CLI::App line;
    options.add_to(line);
    try {
        std::ranges::reverse(arguments);  // as CLI11 takes them
        line.parse(arguments);
    } catch (const CLI::Error&) {
        throw UsageError("counts " + typed.merge.front() + " is no file of rng calibrate --counts");
    }
    options.part.reset();
    options.merge = typed.merge;
    options.json = typed.json;
    options.all = typed.all;
    return options;
}

int run(const Options& typed, const CLI::App& command_line) {
    using rng::stats::NullCipher;
    using rng::stats::Tier;
    if (typed.part.has_value() != typed.counts.has_value())
        throw UsageError(typed.part ? "--part needs --counts FILE, where the counts go"
                                    : "--counts needs --part A:B, which are counted");
    if (typed.part && typed.json) throw UsageError("--json is for whole runs and --merge, got it with --part");
    const Options options = typed.merge.empty() ? typed : of_merged_run(typed, command_line);
    rng::stats::CalibrationOptions run;
    const auto cipher = one_of<NullCipher>(
        "--cipher", options.cipher, {{"chacha20", NullCipher::chacha20}, {"aes-128-ctr", NullCipher::aes128_ctr}});
    run.subject = [cipher](uint64_t key) { return rng::stats::null_subject(cipher, key, key % 2 ? 32 : 64); };
    run.tier = one_of<Tier>("--tier", options.tier, {{"structural", Tier::structural}, {"quick", Tier::quick}});
    if (options.batteries) run.batteries = parse_count("--batteries", *options.batteries);
    if (run.batteries > 1'000'000'000) throw UsageError("--batteries must be in [0, 10^9], got " + *options.batteries);
    if (options.first_key) run.first_key = parse_u64("--first-key", *options.first_key);
    if (options.bytes) run.bytes = parse_count("--bytes", *options.bytes, Counted::bytes);
    run.threads = options.threads ? static_cast<int>(parse_u64("--threads", *options.threads, 1024, "1024"))
                                  : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    run.only = options.only;
    std::unique_ptr<Output> json;  // made before the work, so that a bad name is reported at once
    if (options.json) json.reset(new Output(Output::file(*options.json)));

    if (options.part) {
        const auto [first, last] = parse_range("--part", *options.part, run.batteries, "batteries");
        Progress progress("rng calibrate", last - first, "batteries");
        run.progress = [&](uint64_t done) { progress.update(done); };
        static_cast<void>(rng::stats::count_batteries(run, {first, last}, *options.counts, arguments_of(options)));
        print("Counted batteries " + *options.part + " of " + std::to_string(run.batteries) +
              "; rng calibrate --merge makes the result\n");
        return 0;
    }
    Progress progress("rng calibrate", run.batteries, "batteries");
    run.progress = [&](uint64_t done) { progress.update(done); };
    const Calibration result =
        options.merge.empty() ? rng::stats::calibrate(run) : rng::stats::merge_batteries(run, options.merge);

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

int run(const Options&, const CLI::App&) {
    throw UsageError("this program was built without OpenSSL, whose ciphers it calibrates on");
}

#endif

}  // namespace

Command add_calibrate(CLI::App& program) {
    CLI::App* command = program.add_subcommand("calibrate", "Check the statistical tests against OpenSSL's ciphers");
    const auto options = std::make_shared<Options>();
    options->add_to(*command);
    command->footer(footer);
    return {command, [options, command] { return run(*options, *command); }};
}

}  // namespace cli
