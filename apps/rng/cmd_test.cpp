// rng test: the statistical battery on an engine, standard input, a file or a command.
#include <rng/stats/battery.hpp>
#include <rng/stats/sources.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "command.hpp"
#include "output.hpp"
#include "statistical_tests/battery/html.hpp"
#include "statistical_tests/battery/json.hpp"
#include "statistical_tests/sources/distributions.hpp"
#include "statistical_tests/sources/engines.hpp"
#include "statistical_tests/sources/views.hpp"
#include "statistical_tests/tests/catalogue.hpp"
#include "stop_signals.hpp"
#include "test_options.hpp"
#include "test_progress.hpp"

namespace cli {
namespace {

using namespace rng::stats;

constexpr int exit_suspicious = 3;
constexpr int exit_by_signal = 128;

/// A subject that nothing was read of yet.
Subject make_subject(const TestOptions& options) {
    const StreamOptions stream{options.bits(), options.patience(), StopSignals::flag()};
    if (options.from_stdin) {
        if (::isatty(STDIN_FILENO) == 1) throw UsageError("standard input must be a pipe or a file, got a terminal");
        return {std::make_shared<StreamSource>(STDIN_FILENO, "standard input", stream)};
    }
    if (options.file) return {open_source(*options.file, stream)};
    if (options.command) return {std::make_shared<CommandSource>(*options.command, stream)};
    if (options.npy) return npy_subject(*options.npy, *options.dist);
    const StreamAddress::Values where = options.values();
    if (options.dist)
        return distribution_subject(*options.dist, options.dtype.value_or(""), {options.engine_name(), where.seed});
    return engine_subject(options.engine_name(), where.seed, where.id, where.position);
}

std::vector<std::string> chosen_views(const TestOptions& options) {
    if (options.views.empty() && options.dist) return default_views(make_subject(options), options.only);
    if (options.views != std::vector<std::string>{"all"}) return options.views;
    return view_names(make_subject(options));
}

/// Of several views each has its own.
std::string checkpoint_name(const TestOptions& options, const std::string& view, bool is_one_of_several) {
    std::string suffix = is_one_of_several ? "." + view : "";
    std::ranges::replace(suffix, '/', '-');
    return *options.checkpoint + suffix;
}

bool exists(const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }

void require_bytes(const Source& source, const std::optional<uint64_t>& asked, uint64_t there) {
    if (asked && there < *asked / 8 * 8)
        throw UsageError(source.name() + " ended after " + std::to_string(there) + " of the " + std::to_string(*asked) +
                         " bytes of --bytes; without it the verdict is on what there is");
}

Report test_view(const TestOptions& options, const std::string& view, const std::string& checkpoint, bool resume,
                 const std::function<void(const Report&)>& so_far) {
    const Subject whole = make_subject(options);
    const Subject subject = view.empty() ? whole : make_view(whole, view);
    rng::stats::Options battery = options.battery();
    if (const auto size = subject.source->size()) require_bytes(*subject.source, battery.bytes, *size);
    TestProgress progress(options.verbose, battery.policy);
    battery.progress = [&progress](const rng::stats::Progress& p) { progress.update(p); };
    if (so_far)
        battery.so_far = [&](const Report& report) {
            Report with_command = report;
            with_command.command = options.repeat(view);
            so_far(with_command);
        };
    battery.stop = StopSignals::flag();
    battery.checkpoint = checkpoint;
    battery.resume = resume;
    Report report = run_battery(subject, battery);
    if (report.source_ended) require_bytes(*subject.source, battery.bytes, report.bytes);
    report.command = options.repeat(view);
    return report;
}

std::string how_to_go_on(const TestOptions& options, const std::vector<std::string>& views) {
    if (!options.checkpoint) return "\nInterrupted; there is no --checkpoint to go on from.\n";
    return "\nInterrupted; go on with " + options.repeat(join(views, ",")) + " --checkpoint " + *options.checkpoint +
           " --resume\n";
}

std::unique_ptr<Output> begin(const std::optional<std::string>& file) {
    if (!file) return nullptr;
    return std::unique_ptr<Output>(new Output(*file == "-" ? Output::standard_output() : Output::file(*file)));
}

/// Writes what there is after looks, some seconds apart, so that a long run can be followed and one that is killed has
/// left something; not to what is no file, which is written once.
class JsonSoFar {
  public:
    explicit JsonSoFar(const std::optional<std::string>& file) {
        if (file && *file != "-" && (!exists(*file) || std::filesystem::is_regular_file(*file))) file_ = *file;
    }
    [[nodiscard]] bool is_wanted() const { return !file_.empty(); }
    void write(const std::vector<Report>& finished, const Report& report) {
        if (Clock::now() - last_ < std::chrono::seconds(2)) return;
        std::vector<Report> all = finished;
        all.push_back(report);
        const std::string text = json_report(all);
        Output output = Output::file(file_);
        output.write(text.data(), text.size());
        output.finish();
        last_ = Clock::now();
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::string file_;
    Clock::time_point last_ = Clock::now();
};

template <class Text> void finish(const std::unique_ptr<Output>& output, Text make_text) {
    if (!output) return;
    const std::string text = make_text();
    output->write(text.data(), text.size());
    output->finish();
}

int test(const TestOptions& options) {
    std::vector<std::string> views = chosen_views(options);
    const bool several = views.size() > 1;
    const std::vector<std::string> batteries = views.empty() ? std::vector<std::string>{""} : views;
    if (options.checkpoint)
        for (const std::string& view : batteries)
            if (const std::string file = checkpoint_name(options, view, several); !options.resume && exists(file))
                throw UsageError("checkpoint " + file + " is there already: go on from it with --resume, or remove it");

    // Begun before the work, so that what cannot be written is known.
    const bool json_to_standard_output = options.json == "-";
    const std::unique_ptr<Output> json = begin(options.json), html = begin(options.html);

    const StopSignals signals;
    std::vector<Report> reports;
    JsonSoFar json_so_far(options.json);
    std::function<void(const Report&)> so_far;
    if (json_so_far.is_wanted()) so_far = [&](const Report& report) { json_so_far.write(reports, report); };
    for (const std::string& view : batteries) {
        std::string checkpoint;
        bool resume = false;
        if (options.checkpoint) {
            checkpoint = checkpoint_name(options, view, several);
            // Of several views the first must have begun, the others may not.
            resume = options.resume && (reports.empty() || exists(checkpoint));
        }
        reports.push_back(test_view(options, view, checkpoint, resume, so_far));
        if (!json_to_standard_output) print((reports.size() > 1 ? "\n" : "") + summary(reports.back()));
        if (reports.back().interrupted) break;
    }
    finish(json, [&] { return json_report(reports); });
    finish(html, [&] { return html_report(reports, options.repeat(join(views, ","))); });
    if (reports.back().interrupted) {
        if (!json_to_standard_output) print(how_to_go_on(options, views));
        return exit_by_signal + StopSignals::number();
    }
    switch (std::ranges::max(reports, {}, &Report::verdict).verdict) {
        case Verdict::pass: return 0;
        case Verdict::suspicious: return exit_suspicious;
        default: return exit_failed;
    }
}

int list() {
    std::vector<Row> rows = {{"test", "of", "must find", "what it looks at"}};
    for (const CatalogueRow& row : catalogue())
        rows.push_back({row.name, row.stage == Stage::stream ? "stream" : "functions", row.must_fail, row.summary});
    print(table(rows));
    return 0;
}

int run(const TestOptions& options) {
    // Exit code 1 is a verdict here, so everything else that ends the run is an error of its input or output.
    try {
        if (options.list) return list();
        options.require_sound();
        return test(options);
    } catch (const std::exception& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

Command add_test(CLI::App& program) {
    CLI::App* command = program.add_subcommand("test", "Test the statistical quality of a generator");
    const auto options = std::make_shared<TestOptions>();
    options->add_to(*command);
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
