// rng test: the statistical battery on an engine, a file, standard input or a command.
#include <rng/stats/battery.hpp>
#include <rng/stats/engine.hpp>

#include <memory>

#include "command.hpp"
#include "engines.hpp"
#include "numbers.hpp"
#include "output.hpp"

namespace cli {
namespace {

struct Options {
    EngineOption engine;
    std::optional<std::string> seed, bytes;
    std::string tier = "quick";
    int threads = 0;
    std::vector<std::string> only;
};

int run(const Options& options) {
    rng::stats::Options battery;
    battery.threads = options.threads;
    battery.only = options.only;
    if (options.bytes) battery.bytes = parse_bytes("--bytes", *options.bytes);
    battery.progress = [](const rng::stats::Progress& progress) {
        if (progress.look)
            std::fprintf(stderr, "%s %llu: %s\n", progress.stage, static_cast<unsigned long long>(progress.done),
                         progress.look->results.empty() ? "" : progress.look->results[0].name().c_str());
    };
    rng::stats::Report report;
    const uint64_t seed = options.seed ? parse_u64("--seed", *options.seed) : rng::default_seed;
    options.engine.visit([&](auto tag) {
        report = rng::stats::run_battery(rng::stats::subject_of<typename decltype(tag)::type>(seed), battery);
    });
    print(rng::stats::summary(report));
    switch (report.verdict) {
        case rng::stats::Verdict::pass: return 0;
        case rng::stats::Verdict::suspicious: return 3;
        default: return exit_failed;
    }
}

}  // namespace

Command add_test(CLI::App& program) {
    CLI::App* command = program.add_subcommand("test", "Test the statistical quality of a generator");
    const auto options = std::make_shared<Options>();
    options->engine.add_to(*command);
    command->add_option("--seed", options->seed, "Seed")->type_name("S");
    command->add_option("--bytes", options->bytes, "How many bytes")->type_name("N");
    command->add_option("--threads", options->threads, "Threads")->type_name("T");
    command->add_option("--only", options->only, "Tests")->delimiter(',')->type_name("TEST,...");
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
