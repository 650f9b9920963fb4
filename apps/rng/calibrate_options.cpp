#include "calibrate_options.hpp"

#include <rng/isa.hpp>

#include <utility>

#include "command.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "output.hpp"

namespace cli {

void CalibrateOptions::add_to(CommandLine& command_line) {
    command_line.add_option("--cipher", cipher, "C", "chacha20 or aes-128-ctr (default chacha20)");
    command_line.add_option("--batteries", batteries, "N", "How many batteries, such as 1000 or 10k (default 1000)");
    command_line.add_option("--bytes", bytes, "N", "Bytes of a battery (default 64Mi)");
    command_line.add_option("--tier", tier, "T", "quick, or structural: no stream (default quick)");
    command_line.add_option("--first-key", first_key, "K", "Key of the first battery; the others follow (default 1)");
    command_line.add_option("--threads", threads, "T",
                            "Batteries at a time (default: RNG_NUM_THREADS, or one a processor)");
    command_line.add_option("--only", only, "TEST,...", "These tests alone").delimiter(',');
    command_line.add_option("--json", json, "FILE", "All rows, as JSON").not_empty();
    command_line.add_flag("--all", all, "Show all rows");
    command_line.add_option("--part", part, "A:B", "Run batteries A to B-1 (from 0 on) alone, and write --counts");
    command_line.add_option("--counts", counts, "FILE", "Where the counts of --part go").not_empty();
    command_line
        .add_option("--merge", merge, "FILE...",
                    "The result of all batteries that these files of --counts have counted")
        .not_empty();
}

void CalibrateOptions::add_checkpoint_to(CommandLine& command_line) {
    command_line
        .add_option("--checkpoint", checkpoint, "FOLDER", "Keep the counts of finished batteries there, in a folder")
        .not_empty();
    command_line.add_flag("--resume", resume, "Go on from --checkpoint");
}

void CalibrateOptions::require_sound() const {
    if (part.has_value() != counts.has_value())
        throw UsageError(part ? "--part needs --counts FILE, where the counts go"
                              : "--counts needs --part A:B, which are counted");
    if (part && json) throw UsageError("--json is for whole runs and --merge, got it with --part");
    if (json && checkpoint) require_distinct("--json and --checkpoint", {*json, *checkpoint});
    if (resume && !checkpoint) throw UsageError("--resume needs --checkpoint FOLDER");
    if (checkpoint && !resume) require_new_checkpoint(*checkpoint);
}

std::vector<std::string> CalibrateOptions::arguments() const {
    std::vector<std::string> all_arguments{"--cipher", cipher, "--tier", tier};
    const auto put = [&](const char* option, const std::optional<std::string>& value) {
        if (value) all_arguments.insert(all_arguments.end(), {option, *value});
    };
    put("--batteries", batteries);
    put("--bytes", bytes);
    put("--first-key", first_key);
    if (!only.empty()) put("--only", join(only, ","));
    return all_arguments;
}

CalibrateOptions CalibrateOptions::of_merged_run(const CommandLine& command_line) const {
    require_only_beside_merge(command_line, {"--merge", "--json", "--all"});
    if (json) require_no_input("--json", *json, merge);
    const std::vector<std::string> typed = rng::stats::counts_arguments(merge.front());
    CalibrateOptions options;
    try {
        options = options_of<CalibrateOptions>(typed);
    } catch (const UsageError&) {
        throw UsageError("counts " + merge.front() + " is not a file of rng calibrate --counts");
    }
    options.part.reset();
    options.merge = merge;
    options.json = json;
    options.all = all;
    return options;
}

#if defined(RNG_HAVE_CALIBRATION)

namespace {

template <class T>
T one_of(const std::string& option, const std::string& text, const std::vector<std::pair<std::string, T>>& known) {
    std::vector<std::string> names;
    for (const auto& [name, value] : known) {
        if (name == text) return value;
        names.push_back(name);
    }
    throw UsageError(option + " must be one of " + join(names) + ", got " + text + did_you_mean(text, names));
}

}  // namespace

rng::stats::CalibrationOptions CalibrateOptions::calibration() const {
    using rng::stats::NullCipher;
    using rng::stats::Tier;
    rng::stats::CalibrationOptions run;
    const auto kind = one_of<NullCipher>("--cipher", cipher,
                                         {{"chacha20", NullCipher::chacha20}, {"aes-128-ctr", NullCipher::aes128_ctr}});
    run.generator = [kind](uint64_t key) { return rng::stats::null_generator(kind, key, key % 2 ? 32 : 64); };
    run.tier = one_of<Tier>("--tier", tier, {{"structural", Tier::structural}, {"quick", Tier::quick}});
    if (batteries) run.batteries = parse_count("--batteries", *batteries);
    if (run.batteries > 1'000'000'000) throw UsageError("--batteries must be in [0, 10^9], got " + *batteries);
    if (first_key) run.first_key = parse_u64("--first-key", *first_key);
    if (bytes) run.bytes = parse_count("--bytes", *bytes, Counted::bytes);
    run.threads = threads ? static_cast<int>(parse_u64("--threads", *threads, 1024, "1024")) : rng::num_threads();
    run.only = only;
    return run;
}

#else

rng::stats::CalibrationOptions CalibrateOptions::calibration() const {
    throw UsageError("this program was built without OpenSSL, whose ciphers it calibrates on");
}

#endif

}  // namespace cli
