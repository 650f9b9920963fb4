#include "test_options.hpp"

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>
#include <rng/stats/engines_under_test.hpp>
#include <rng/stats/test_catalogue.hpp>

#include <algorithm>
#include <utility>

#include "command.hpp"
#include "distributions.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "output.hpp"

namespace cli {
namespace {

using rng::stats::Tier;

constexpr Tier tiers[] = {Tier::structural, Tier::quick, Tier::standard, Tier::deep};
// The longest --timeout, in seconds: about 32 years.
constexpr uint64_t longest_timeout = 1'000'000'000;

constexpr const char* footer =
    "Sources: an engine of this library (or with other rounds: philox4x32-6), standard input, a file, what a command "
    "writes, values.\n\n"
    "Tiers: structural (block function and streams of an engine), quick (1 GiB, and these), standard (8 GiB), deep (1 "
    "TiB).\n\n"
    "A sound generator fails with probability 1e-6 at most, and is suspicious with 1e-3, over a whole run; where there "
    "are fresh seeds a suspicious test is repeated with four times the data. Results do not depend on --threads, nor "
    "on interruptions: Ctrl-C leaves a --checkpoint to --resume from (of several views one each: FILE.VIEW).\n\n"
    "Exit codes: 0 passed, 1 failed, 2 no verdict (a bad argument, input or output that failed or ended too soon, or "
    "no p-value), 3 suspicious, 128 + signal interrupted.\n\n"
    "Examples:\n"
    "  rng test                                   the default engine, 1 GiB\n"
    "  ./my_generator | rng test --stdin          bytes from any program\n"
    "  rng test --command './my_generator 42' --bytes 8Gi --word-bits 64\n"
    "  rng test --tier deep --checkpoint run.state      and again with --resume\n"
    "  rng test --engine philox4x32-6 --tier structural\n"
    "  rng test --npy z.npy --dist normal         values of any program, as numbers\n"
    "  rng test --segments 0:128 --counts a       half of the default run's 256 segments; b: 128:256\n"
    "  rng test --merge a b                       their report, as of one run\n";

}  // namespace

std::string shell_quoted(const std::string& text) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void TestOptions::add_to(CommandLine& command_line) {
    command_line.add_option("--engine", engine, "E",
                            "Engine, of any number of rounds (default " + std::string(rng::Philox4x32_10::name) + ")");
    command_line.add_flag("--stdin", from_stdin, "Test the bytes of standard input");
    command_line.add_option("--file", file, "F", "Test the bytes of a file, a named pipe or a device").not_empty();
    command_line.add_option("--command", command, "C", "Test what a shell command writes to its standard output")
        .not_empty();
    command_line.add_option("--npy", npy, "F", "Test the values of a NumPy file, which should follow --dist")
        .not_empty();
    command_line.add_option(
        "--dist", dist, "D",
        "Distribution, such as normal or 'normal(mean=1,stddev=2)'; without --npy this library's values of it");
    command_line.add_option("--dtype", dtype, "TYPE",
                            "Type of this library's values, as in rng list (default the first there)");
    address.add_options(command_line);
    command_line.add_option("--word-bits", word_bits, "B",
                            "Bits of a word of the generator: 8, 16, 32 or 64 (default 32; an engine's own)");
    command_line.add_option("--name", name, "NAME",
                            "What reports call the generator of --stdin, --file, --command or --npy");
    command_line
        .add_option(
            "--views", views, "V,...",
            "Read the words otherwise, such as low, bit0, decimated-64, seeds; or all. Each is a battery of its own")
        .delimiter(',');
    command_line.add_option("--tier", tier, "T", "structural, quick, standard or deep (default quick)");
    command_line.add_option("--bytes", bytes, "N",
                            "How many bytes instead of the tier's; k, M, ... and Ki, Mi, ... as in rng stream");
    command_line.add_option("--only", only, "TEST,...", "These tests alone, as named by --list or in a report")
        .delimiter(',');
    command_line.add_flag("--keep-going", keep_going, "Do not end with the first failure");
    command_line.add_option("--threads", threads, "T",
                            "Threads, 1 to 1024 (default RNG_NUM_THREADS, or all processors)");
    command_line.add_option(
        "--timeout", timeout, "S",
        "Seconds to wait for the next byte of --stdin, --command or a pipe (default 60; 0: for ever)");
    command_line
        .add_option("--json", json, "OUT", "Write every result as JSON (-: to standard output instead of the summary)")
        .not_empty();
    command_line.add_option("--html", html, "OUT", "Write a report with plots (-: as of --json)").not_empty();
    command_line
        .add_option("--checkpoint", checkpoint, "FILE", "Keep the state there, every half minute and at the end")
        .not_empty();
    command_line.add_flag("--resume", resume, "Go on from --checkpoint");
    command_line.add_option("--segments", segments, "A:B",
                            "Count segments A to B-1 (of 4 MiB, from 0 on) alone, into the file of --counts");
    command_line.add_option("--counts", counts, "FILE", "Where the counts of --segments go").not_empty();
    command_line
        .add_option("--merge", merge, "FILE...",
                    "Report on the whole run whose segments these files of --counts have counted")
        .not_empty();
    command_line.add_flag("--verbose", verbose, "Every result of every interim analysis, on standard error");
    command_line.add_flag("--list", list, "List the tests and what each must find, and exit");
    command_line.set_footer(footer);
}

void TestOptions::require_sound() const {
    std::vector<std::string> sources;
    if (engine) sources.push_back("--engine");
    if (from_stdin) sources.push_back("--stdin");
    if (file) sources.push_back("--file");
    if (command) sources.push_back("--command");
    if (npy) sources.push_back("--npy");
    if (sources.size() > 1) throw UsageError("one source at a time, got " + join(sources, " and "));
    if (!is_engine()) {
        const auto refuse = [&](const char* option, bool given) {
            if (given) throw UsageError(std::string(option) + " is for engines, got it with " + sources[0]);
        };
        refuse("--seed", address.seed.has_value());
        refuse("--id", address.id.has_value());
        refuse("--position", address.position.has_value());
    }
    if (word_bits && (is_engine() || npy))
        throw UsageError("--word-bits is for --stdin, --file and --command; engines and values have their own");
    if (name && is_engine())
        throw UsageError("--name is for --stdin, --file, --command and --npy; engines have their own");
    if (name && name->empty()) throw UsageError("--name must not be empty");
    if (npy && !dist) throw UsageError("--npy needs --dist, the distribution that its values should follow");
    if (dist && !is_engine() && !npy) throw UsageError("--dist is for --npy and engines, got it with " + sources[0]);
    if (dtype && (!dist || npy)) throw UsageError("--dtype is for --dist of an engine; a NumPy file has its own");
    if (dist && !npy && (address.id || address.position)) throw UsageError("--id and --position are not for --dist");
    if (from_stdin && (views.size() > 1 || views == std::vector<std::string>{"all"}))
        throw UsageError("--views must be one alone with --stdin, which can be read once, got " + join(views, ","));
    if (segments.has_value() != counts.has_value())
        throw UsageError(segments ? "--segments needs --counts FILE, where the counts go"
                                  : "--counts needs --segments A:B, which are counted");
    if (segments) {
        if (from_stdin || command)
            throw UsageError(
                "--segments needs a source that can be read from the middle: a file or an engine, got it with " +
                sources[0]);
        for (const auto& [option, given] :
             {std::pair("--json", json.has_value()), std::pair("--html", html.has_value()),
              std::pair("--checkpoint", checkpoint.has_value())})
            if (given) throw UsageError(std::string(option) + " is for whole runs and --merge, got it with --segments");
    }
    require_sound_outputs(checkpoint_if_any());
    static_cast<void>(battery());
    static_cast<void>(bits());
    static_cast<void>(patience());
    static_cast<void>(values());
}

void TestOptions::require_sound_outputs(const std::vector<std::string>& checkpoints) const {
    std::vector<std::pair<const char*, std::string>> outputs;
    if (json) outputs.emplace_back("--json", *json);
    if (html) outputs.emplace_back("--html", *html);
    for (const std::string& state : checkpoints) outputs.emplace_back("--checkpoint", state);
    if (counts) outputs.emplace_back("--counts", *counts);
    std::erase_if(outputs, [](const auto& output) { return canonical_path(output.second) == "/dev/null"; });

    std::vector<std::string> names;
    for (const auto& output : outputs) names.push_back(output.second);
    require_distinct("--json, --html and --checkpoint", names);
    std::vector<std::string> inputs = merge;
    for (const auto& input : {file, npy})
        if (input) inputs.push_back(*input);
    if (from_stdin) inputs.push_back(canonical_path("/dev/stdin"));  // the file, if it is one
    for (const auto& [option, target] : outputs)
        if (target != "-" || (target != json && target != html)) require_no_input(option, target, inputs);
    if (resume && !checkpoint) throw UsageError("--resume needs --checkpoint FILE");
}

TestOptions TestOptions::of_merged_run(const CommandLine& command_line) const {
    // The files define the run; the command line only defines what becomes of the report.
    require_only_beside_merge(command_line, {"--merge", "--json", "--html", "--checkpoint", "--threads", "--verbose"});
    require_sound_outputs(checkpoint_if_any());

    const std::vector<std::string> typed = rng::stats::counts_arguments(merge.front());
    TestOptions run;
    // A file must not be able to start programs, so its arguments are checked as those of --segments were.
    try {
        run = options_of<TestOptions>(typed);
        if (run.from_stdin || run.command || run.segments || !run.merge.empty())
            throw UsageError("--stdin, --command, --segments and --merge are not for parts");
        run.resume = run.list = false;
        run.counts.reset();
        run.require_sound();
    } catch (const std::exception& error) {
        throw UsageError("counts " + merge.front() + " has arguments that --segments does not take: " + error.what());
    }
    run.json = json;
    run.html = html;
    run.checkpoint = checkpoint;
    run.threads = threads;
    run.verbose = verbose;
    run.merge = merge;
    run.require_sound_outputs(run.checkpoint_if_any());  // the files may name one of the outputs as their source
    return run;
}

rng::stats::SegmentRange TestOptions::segment_range(uint64_t all) const {
    const auto [first, last] = parse_range("--segments", *segments, all, "segments");
    return {first, last};
}

std::string TestOptions::meant_by(std::string_view error) const {
    const auto of = [&](const std::string& typed, const std::vector<std::string>& known) {
        return error.ends_with("got " + typed) ? did_you_mean(typed, known) : "";
    };
    if (engine)
        if (const std::string found = of(*engine, rng::stats::engine_under_test_names()); !found.empty()) return found;
    std::vector<std::string> distributions, tests;
    for (const DistributionEntry& entry : distribution_entries()) distributions.push_back(entry.name);
    for (const rng::stats::TestDescription& row : rng::stats::test_catalogue()) tests.emplace_back(row.name);
    if (dist)
        if (const std::string found = of(dist->substr(0, dist->find('(')), distributions); !found.empty()) return found;
    for (const std::string& test : only)
        if (const std::string found = of(test, tests); !found.empty()) return found;
    return {};
}

std::string TestOptions::engine_name() const { return engine_of(engine.value_or(rng::Philox4x32_10::name)); }

StreamAddress::Values TestOptions::values() const { return address.values(rng::Stream<>::size_words); }

int TestOptions::bits() const {
    if (!word_bits) return 32;
    for (const char* const known : {"8", "16", "32", "64"})
        if (*word_bits == known) return std::stoi(*word_bits);
    throw UsageError("--word-bits must be 8, 16, 32 or 64, got " + *word_bits);
}

std::string TestOptions::report_name(const std::string& whole, const std::string& generator) const {
    return name && generator.starts_with(whole) ? *name + generator.substr(whole.size()) : generator;
}

std::chrono::milliseconds TestOptions::patience() const {
    const uint64_t seconds =
        timeout ? parse_u64("--timeout", *timeout, longest_timeout, std::to_string(longest_timeout)) : 60;
    return std::chrono::seconds(seconds);
}

rng::stats::Options TestOptions::battery() const {
    rng::stats::Options options;
    const auto* const found = std::ranges::find(tiers, tier, [](Tier t) { return std::string(to_string(t)); });
    if (found == std::end(tiers))
        throw UsageError("--tier must be structural, quick, standard or deep, got " + tier +
                         did_you_mean(tier, {"structural", "quick", "standard", "deep"}));
    options.tier = *found;
    if (bytes && options.tier == Tier::structural)
        throw UsageError("--bytes is not for --tier structural, which reads no stream");
    if (bytes) options.bytes = parse_count("--bytes", *bytes, Counted::bytes);
    if (threads) {
        options.threads = static_cast<int>(parse_u64("--threads", *threads, 1024, "1024"));
        if (options.threads == 0) throw UsageError("--threads must be a whole number in [1, 1024], got 0");
    }
    options.only = only;
    options.keep_going = keep_going;
    options.resume = resume;
    return options;
}

std::string TestOptions::repeat(const std::string& view) const {
    std::string text = "rng test";
    for (const std::string& argument : arguments(view)) text += " " + shell_quoted(argument);
    return text;
}

std::vector<std::string> TestOptions::arguments(const std::string& view) const {
    std::vector<std::string> all;
    const auto put = [&all](const char* option, const std::string& value) { all.insert(all.end(), {option, value}); };
    if (is_engine()) {
        const StreamAddress::Values where = values();
        put("--engine", engine_name());
        put("--seed", std::to_string(where.seed));
        if (where.id != 0) put("--id", std::to_string(where.id));
        if (where.position != 0) put("--position", std::to_string(where.position));
        if (dist) put("--dist", *dist);
        if (dtype) put("--dtype", dtype_of(*dtype));
    } else if (npy) {
        put("--npy", *npy);
        put("--dist", *dist);
    } else {
        if (from_stdin) all.emplace_back("--stdin");
        if (file) put("--file", *file);
        if (command) put("--command", *command);
        put("--word-bits", std::to_string(bits()));
    }
    if (name) put("--name", *name);
    if (!view.empty()) put("--views", view);
    put("--tier", tier);
    if (bytes) put("--bytes", std::to_string(parse_count("--bytes", *bytes, Counted::bytes)));
    if (!only.empty()) put("--only", join(only, ","));
    if (keep_going) all.emplace_back("--keep-going");
    return all;
}

}  // namespace cli
