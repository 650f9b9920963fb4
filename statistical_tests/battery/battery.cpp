// The battery as a whole: runs the tests, repeats suspicious ones, and keeps an interrupted run.
#include <rng/stats/battery.hpp>

#include <rng/core/error.hpp>

#include <algorithm>
#include <sstream>

#include "../checks/catalogue.hpp"
#include "../checks/values/support.hpp"
#include "run.hpp"
#include "state.hpp"
#include "verdict.hpp"
#include "whole_run.hpp"

namespace rng::stats {

namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 60;
constexpr uint64_t more_when_repeated = 4;

void require_known(const std::vector<std::string>& only, const GeneratorUnderTest& generator, Effort effort) {
    for (const std::string& name : only) {
        bool known = false;
        std::string all;
        for (const TestDescription& row : test_catalogue()) {
            known = known || name == row.name;
            all += (all.empty() ? "" : ", ") + std::string(row.name);
        }
        for (const Stage stage : {Stage::structural, Stage::stream})
            known = known || !make_tests(stage, generator, effort, {&name, 1}).empty();
        if (!known) rng::detail::refuse("run_battery", "test must be one of " + all + ", got " + name);
    }
}

uint64_t checked_bytes(const Options& options) {
    const uint64_t bytes = options.bytes.value_or(tier_bytes(options.tier));
    if (options.tier != Tier::structural && (bytes < first_analysis_bytes || bytes > most_bytes))
        rng::detail::refuse("run_battery", "bytes must be in [" + std::to_string(first_analysis_bytes) +
                                               ", 2^60], got " + std::to_string(bytes));
    return bytes / 8 * 8;
}

/// Returns `bytes`, or the size of the source if the source has fewer.
uint64_t at_hand(const Source& source, uint64_t bytes) {
    const uint64_t step = granularity(source);
    return std::min(bytes, source.size().value_or(bytes) / step * step);
}

Report report_of(const GeneratorUnderTest& generator, const Options& options, uint64_t asked, const State& state,
                 bool whole) {
    Report report;
    report.generator = generator.source->name();
    report.word_bits = generator.source->word_bits();
    report.tier = options.tier;
    report.policy = options.policy;
    report.only = options.only;
    report.keep_going = options.keep_going;
    report.bytes_asked = asked;
    report.bytes = state.bytes;
    report.source_ended = state.source_ended;
    report.interrupted = !whole;
    report.verdict = verdict_of(state.repeats.empty() || !whole ? state.analyses : state.repeats, options.policy);
    report.analyses = state.analyses;
    report.repeats = state.repeats;
    report.bytes_are_named = options.bytes.has_value();
    if (const auto* const values = dynamic_cast<const ValueSource*>(generator.source.get()))
        report.advice = grid_explanation(report.analyses, *values->law());
    return report;
}

}  // namespace

const char* to_string(Tier tier) {
    switch (tier) {
        case Tier::structural: return "structural";
        case Tier::quick: return "quick";
        case Tier::standard: return "standard";
        default: return "deep";
    }
}

uint64_t tier_bytes(Tier tier) {
    switch (tier) {
        case Tier::structural: return 0;
        case Tier::quick: return uint64_t{1} << 30;
        case Tier::standard: return uint64_t{1} << 33;
        default: return uint64_t{1} << 40;
    }
}

Plan checked_plan(const GeneratorUnderTest& generator, const Options& options) {
    const Effort effort{options.tier, 1};
    const uint64_t asked = checked_bytes(options);
    require_known(options.only, generator, effort);
    return {effort, asked, at_hand(*generator.source, asked)};
}

std::string identity(const GeneratorUnderTest& generator, const Options& options, const Plan& plan,
                     const std::string& tests) {
    std::ostringstream text;
    text.precision(17);
    text << generator.source->name() << ", " << generator.source->word_bits() << "-bit words, ";
    if (generator.source->size()) text << *generator.source->size() << " bytes long, ";
    text << plan.asked << " bytes, tier " << to_string(options.tier)
         << (options.keep_going ? ", after failures too" : "")
         << (options.repeat_suspicious ? "" : ", nothing repeated") << ", fail " << options.policy.fail
         << ", suspicious " << options.policy.suspicious << ", tests " << tests;
    return text.str();
}

Report run_battery(const GeneratorUnderTest& generator, const Options& options) {
    return run_from(generator, options, {});
}

Report run_from(const GeneratorUnderTest& generator, const Options& given, std::optional<State> from) {
    using Phase = State::Phase;
    Options options = given;
    const Plan plan = checked_plan(generator, options);
    const uint64_t asked = plan.asked;

    State state;
    if (given.on_partial_report)
        options.progress = [&](const Progress& progress) {
            if (given.progress) given.progress(progress);
            if (!progress.analysis) return;
            Report report = report_of(generator, options, asked, state, false);
            if (!progress.repeated)
                report.bytes = progress.analysis->stage == to_string(Stage::stream) ? progress.done : 0;
            given.on_partial_report(report);
        };
    Run run(generator, options, options.only, plan.effort, plan.bytes, state, state.analyses);
    const std::string name = identity(generator, options, plan, run.tests());
    const bool is_begun = from || options.resume;
    if (is_begun) state = from ? *std::move(from) : load_state(options.checkpoint, name);
    state.run = name;

    bool whole = true;
    std::string checkpoint_error;
    if (state.phase == Phase::tests) {
        if (is_begun) run.resume();
        whole = run.go();
        checkpoint_error = run.save_problem();
        state.bytes = state.phase_bytes;
        state.source_ended =
            run.source_ended() || (whole && state.bytes > 0 && state.bytes < asked && state.bytes == plan.bytes);
        if (whole) {
            const bool again = options.repeat_suspicious && generator.reseeded &&
                               verdict_of(state.analyses, options.policy) == Verdict::suspicious;
            state.phase = again ? Phase::repeats : Phase::over;
            state.done = {};
            state.phase_bytes = 0;
        }
    }
    if (state.phase == Phase::repeats) {
        const GeneratorUnderTest fresh = generator.reseeded(1);
        const std::vector<std::string> only = suspicious_tests(state.analyses, options.policy);
        Run repetition(fresh, options, only, {options.tier, more_when_repeated},
                       at_hand(*fresh.source, asked * more_when_repeated), state, state.repeats);
        if (!state.counts.empty()) repetition.resume();
        whole = repetition.go();
        checkpoint_error = repetition.save_problem();
        if (whole) state.phase = Phase::over;
    }
    if (whole && !options.checkpoint.empty()) checkpoint_error = try_save(options.checkpoint, state);
    Report report = report_of(generator, options, asked, state, whole);
    report.checkpoint_error = checkpoint_error;
    return report;
}

std::vector<std::string> tests_of(const GeneratorUnderTest& generator, const Options& options) {
    std::vector<std::string> names;
    for (const Stage stage : {Stage::structural, Stage::stream}) {
        if (stage == Stage::stream && options.tier == Tier::structural) continue;
        for (const NamedTest& made : make_tests(stage, generator, {options.tier, 1}, options.only))
            names.push_back(made.name);
    }
    return names;
}

}  // namespace rng::stats
