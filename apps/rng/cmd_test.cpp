// rng test: the statistical battery on an engine, standard input, a file or a command.
#include <rng/stats/battery_parts.hpp>
#include <rng/stats/report.hpp>
#include <rng/stats/test_catalogue.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "command.hpp"
#include "names.hpp"
#include "output.hpp"
#include "stop_signals.hpp"
#include "test_generator.hpp"
#include "test_options.hpp"
#include "test_progress.hpp"
#include "test_run.hpp"

namespace cli {
namespace {

using namespace rng::stats;

constexpr int exit_suspicious = 3;
// If no size was requested, a stream that ends below this number of bytes gets no verdict.
// Its writer may have stopped at once, and only few tests have results after so little data.
constexpr uint64_t least_of_a_stream = uint64_t{1} << 20;

bool exists(const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }

/// Returns why a report has no verdict, although nothing failed; empty if it has one.
std::string why_no_verdict(const Report& report, const Source& source, const std::optional<uint64_t>& asked) {
    if (report.source_ended && asked && report.bytes < *asked / 8 * 8) return ended_early(source, *asked, report.bytes);
    if (report.source_ended && !asked && !source.size() && report.bytes < least_of_a_stream)
        return source.name() + " ended after " + std::to_string(report.bytes) +
               " bytes; a stream that gives less than " + std::to_string(least_of_a_stream) +
               " may have died; if so few are meant, say --bytes " + std::to_string(report.bytes);
    if (!report.worst() && !report.interrupted)
        return "no test gave a p-value of " + source.name() + ": more data might, or other tests (--only)";
    return {};
}

/// Collects all errors; they are reported after all other output.
class Failures {
  public:
    /// Runs the work; returns false if it threw.
    template <class Work> bool of(Work work) {
        try {
            work();
            return true;
        } catch (const ReaderGone&) {  // the reader has what it wanted
            return true;
        } catch (const std::exception& error) {
            add(error.what());
            return false;
        }
    }
    void add(const std::string& what) {
        if (!what.empty() && std::ranges::find(all_, what) == all_.end()) all_.push_back(what);
    }
    void raise() const {
        if (!all_.empty()) throw UsageError(join(all_, "; "));
    }

  private:
    std::vector<std::string> all_;
};

/// The JSON file as it is written after interim analyses, at intervals of some seconds. So a user can follow a long
/// run, and a killed run leaves its results. An output that is written in place is written only once, at the end.
class JsonSoFar {
  public:
    explicit JsonSoFar(const std::optional<std::string>& file) {
        if (file && *file != "-" && Output::appears_whole(*file)) file_ = *file;
    }
    void write(const std::vector<Report>& finished, const Report& report, TestProgress& progress) {
        if (file_.empty() || Clock::now() - last_ < std::chrono::seconds(2)) return;
        std::vector<Report> all = finished;
        all.push_back(report);
        const std::string text = json_report(all);
        try {
            Output output = Output::file(file_);
            output.write(text.data(), text.size());
            output.finish();
        } catch (const WriteError& error) {  // a full disk, for example, which may have room again later
            if (!std::exchange(has_warned_, true)) progress.warn(error.what());
        }
        last_ = Clock::now();
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::string file_;
    Clock::time_point last_ = Clock::now();
    bool has_warned_ = false;
};

/// One run of rng test: its views one after another, and all output about them.
class TestRun {
  public:
    TestRun(const TestOptions& options, BatteryOfView battery_of)
        : options_(options),
          battery_of_(std::move(battery_of)),
          json_so_far_(options.json),
          views_(chosen_views(options)) {
        require_sound_checkpoints();
        // Opened before the work, so that an output that cannot be written is reported at once.
        json_ = begin(options.json);
        html_ = begin(options.html);
    }

    int go() {
        const StopSignals signals;  // after the outputs, because it replaces their own handler for a time
        std::string text;           // text that standard output has not had yet
        std::size_t summed_up = 0;
        for (const std::string& view : views_) {
            const bool is_whole = failures_.of([&] { test_view(view); });
            if (!is_whole && last_ && last_->worst()) {  // its source failed during the run
                reports_.push_back(*last_);
                has_failed_source_ = true;
            }
            if (reports_.size() > summed_up) text += (summed_up++ > 0 ? "\n" : "") + summary(reports_.back());
            if (!is_whole || reports_.back().interrupted || &view == &views_.back()) break;
            const bool is_written = failures_.of([&] { show(text); });
            if (!is_written && !json_ && !html_) break;
            text.clear();
        }
        if (reports_.empty()) failures_.raise();
        const bool is_interrupted = StopSignals::number() != 0 && reports_.back().interrupted;
        if (is_interrupted) text += how_to_go_on();
        write(text);
        const Verdict verdict = std::ranges::max(reports_, {}, &Report::verdict).verdict;
        if (verdict != Verdict::fail)
            for (const std::string& reason : no_verdict_) failures_.add(reason);
        failures_.raise();
        if (is_interrupted) return exit_by_signal + StopSignals::number();
        switch (verdict) {
            case Verdict::pass: return 0;
            case Verdict::suspicious: return exit_suspicious;
            default: return exit_failed;
        }
    }

  private:
    static std::unique_ptr<Output> begin(const std::optional<std::string>& file) {
        if (!file) return nullptr;
        return std::unique_ptr<Output>(new Output(*file == "-" ? Output::standard_output() : Output::file(*file)));
    }

    /// If there are several views, each has its own checkpoint.
    [[nodiscard]] std::string checkpoint_name(const std::string& view) const {
        std::string suffix = views_.size() > 1 ? "." + view : "";
        std::ranges::replace(suffix, '/', '-');
        return *options_.checkpoint + suffix;
    }

    void require_sound_checkpoints() const {
        if (!options_.checkpoint) return;
        std::vector<std::string> files;
        for (const std::string& view : views_) files.push_back(checkpoint_name(view));
        options_.require_sound_outputs(files);
        if (options_.resume) return;
        for (const std::string& file : files) require_new_checkpoint(file);
    }

    void test_view(const std::string& view) {
        last_.reset();
        const GeneratorUnderTest whole = make_generator(options_);
        const GeneratorUnderTest generator = viewed(whole, view);
        rng::stats::Options battery = options_.battery();
        require_bytes(*generator.source, battery.bytes);
        const auto as_named = [&](Report report) {
            report.generator = options_.report_name(whole.source->name(), report.generator);
            report.command = options_.repeat(view);
            return report;
        };
        TestProgress progress(options_.verbose, battery.policy);
        battery.progress = [&](const rng::stats::Progress& p) { progress.update(p); };
        battery.warning = [&](const std::string& what) { progress.warn(what); };
        battery.on_partial_report = [&](const Report& report) {
            last_ = as_named(report);
            json_so_far_.write(reports_, *last_, progress);
        };
        battery.stop = StopSignals::flag();
        if (options_.checkpoint) {
            battery.checkpoint = checkpoint_name(view);
            // The first view must have begun; later ones may not have.
            battery.resume = options_.resume && (reports_.empty() || exists(battery.checkpoint));
        }
        const Report& report = reports_.emplace_back(as_named(battery_of_(options_, view, generator, battery)));
        failures_.add(report.checkpoint_error);
        const std::string reason = why_no_verdict(report, *generator.source, battery.bytes);
        if (!reason.empty()) no_verdict_.push_back(reason);
    }

    [[nodiscard]] std::string how_to_go_on() const {
        if (!options_.checkpoint) return "\nInterrupted; there is no --checkpoint to continue from.\n";
        return "\nInterrupted; go on with " + options_.repeat(join(views_, ",")) + " --checkpoint " +
               shell_quoted(*options_.checkpoint) + " --resume\n";
    }

    void show(const std::string& text) const {
        if (options_.json != "-" && options_.html != "-") print(text);
    }

    /// Writes files before standard output, because the reader of standard output may have gone away.
    void write(const std::string& text) {
        const auto finish = [&](const std::unique_ptr<Output>& output, const auto& make_report) {
            if (!output) return;
            failures_.of([&] {
                const std::string report = make_report();
                output->write(report.data(), report.size());
                output->finish();
            });
        };
        const auto finish_json = [&] {
            finish(json_, [&] { return json_report(reports_, has_failed_source_ || !no_verdict_.empty()); });
        };
        const auto finish_html = [&] {
            finish(html_, [&] { return html_report(reports_, options_.repeat(join(views_, ","))); });
        };
        if (options_.json != "-") finish_json();
        finish_html();
        if (options_.json == "-") finish_json();
        failures_.of([&] { show(text); });
    }

    const TestOptions& options_;
    BatteryOfView battery_of_;
    JsonSoFar json_so_far_;
    std::vector<std::string> views_;  // one without a name if no view was requested
    std::unique_ptr<Output> json_, html_;
    std::vector<Report> reports_;
    std::optional<Report> last_;  // report of the current view, at its last analysis
    bool has_failed_source_ = false;
    std::vector<std::string> no_verdict_;  // why the exit code is 2, unless something failed
    Failures failures_;
};

/// Counts the segments of --segments.
int count(const TestOptions& options) {
    const std::vector<std::string> views = chosen_views(options);
    if (views.size() > 1)
        throw UsageError("--segments is for one view at a time, and this run has " + join(views, " and ") +
                         ": choose with --views");
    const GeneratorUnderTest generator = viewed(make_generator(options), views[0]);
    rng::stats::Options battery = options.battery();
    require_bytes(*generator.source, battery.bytes);
    const uint64_t all = segments_of(generator, battery);
    const SegmentRange range = options.segment_range(all);
    TestProgress progress(options.verbose, battery.policy);
    battery.progress = [&](const rng::stats::Progress& p) { progress.update(p); };
    const StopSignals signals;
    battery.stop = StopSignals::flag();
    const bool is_whole = count_segments(generator, battery, range, *options.counts, options.arguments(views[0]));
    if (!is_whole) {
        std::fprintf(stderr, "rng test: interrupted: counts %s was not written\n", options.counts->c_str());
        return exit_by_signal + StopSignals::number();
    }
    print("Counted segments " + *options.segments + " of " + std::to_string(all) +
          "; rng test --merge makes the report\n");
    return 0;
}

int list() {
    std::vector<Row> rows;
    for (const TestDescription& row : test_catalogue()) {
        rows.push_back({row.name, row.summary});
        rows.push_back(
            {row.stage == Stage::stream ? "  stream" : "  functions", std::string("must find ") + row.must_fail});
    }
    print(wrapped(table(rows), terminal_columns()));
    return 0;
}

/// The battery as rng test runs it.
Report battery_of_one_process(const TestOptions& options, const std::string&, const GeneratorUnderTest& generator,
                              const rng::stats::Options& battery) {
    return options.merge.empty() ? run_battery(generator, battery) : merge_counts(generator, battery, options.merge);
}

int run(const TestOptions& options, const CommandLine& command_line, const BatteryOfView& battery_of) {
    // Exit code 1 is a verdict here, so every other error that ends the run counts as an error of its input or output.
    try {
        if (options.list) return list();
        if (battery_of) {
            refuse_over_ranks("rng test", "segments",
                              {{"--segments", options.segments.has_value()},
                               {"--counts", options.counts.has_value()},
                               {"--merge", !options.merge.empty()}});
            options.require_sound();
            return TestRun(options, battery_of).go();
        }
        if (!options.merge.empty()) {
            const TestOptions run = options.of_merged_run(command_line);
            return TestRun(run, battery_of_one_process).go();
        }
        options.require_sound();
        return options.segments ? count(options) : TestRun(options, battery_of_one_process).go();
    } catch (const std::exception& error) {
        throw UsageError(error.what() + options.meant_by(error.what()));
    }
}

}  // namespace

Command add_test(CommandLine& program, const BatteryOfView& battery_of) {
    CommandLine command = program.add_command("test", "Test the statistical quality of a generator");
    const auto options = std::make_shared<TestOptions>();
    options->add_to(command);
    return {command, [options, command, battery_of] { return run(*options, command, battery_of); }};
}

Command add_test(CommandLine& program) { return add_test(program, {}); }

}  // namespace cli
