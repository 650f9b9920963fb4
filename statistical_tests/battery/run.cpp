#include "run.hpp"

#include <rng/core/error.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "run_workers.hpp"
#include "verdict.hpp"

namespace rng::stats {

namespace {

constexpr auto report_every = std::chrono::milliseconds(200);

/// More threads than this number would not finish sooner. Each thread has some 90 MB of counters to clear and to add
/// up.
int most_useful_threads() { return 2 * std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace

Run::Run(const GeneratorUnderTest& generator, const Options& options, const std::vector<std::string>& only,
         Effort effort, uint64_t bytes, State& state, std::vector<InterimAnalysis>& analyses)
    : generator_(generator),
      options_(options),
      only_(only),
      effort_(effort),
      bytes_(bytes),
      state_(state),
      analyses_(analyses),
      threads_(std::min(options.threads > 0 ? options.threads : num_threads(), most_useful_threads())) {
    tests_[index(Stage::structural)] = make(Stage::structural);
    if (effort.tier != Tier::structural) tests_[index(Stage::stream)] = make(Stage::stream);
    if (tests_in_all() == 0)
        rng::detail::refuse("run_battery", "none of the tests applies to " + generator.source->name());
}

std::vector<NamedTest> Run::make(Stage stage) const { return make_tests(stage, generator_, effort_, only_); }

std::string Run::tests() const {
    std::string text;
    for (const auto& tests : tests_)
        for (const NamedTest& named : tests) text += (text.empty() ? "" : " ") + named.name;
    return text;
}

void Run::resume() {
    const std::string& file = options_.checkpoint;
    auto from = state_.counts.begin();
    for (auto& tests : tests_)
        for (NamedTest& named : tests) {
            if (from == state_.counts.end() || !add_packed(*from++, named.test->counts))
                refuse_state(file, "is of another version");
        }
    if (from != state_.counts.end()) refuse_state(file, "is of another version");
    state_.counts.clear();
    if (state_.done[index(Stage::stream)] == 0) {
        // The small analyses have no counts to continue from, so they are made anew.
        std::erase_if(analyses_,
                      [](const InterimAnalysis& analysis) { return analysis.stage == to_string(Stage::stream); });
        state_.phase_bytes = 0;
        return;
    }
    const uint64_t now = beginning();
    if (now != state_.beginning && !stopped())
        refuse_state(file, "is of other bytes: " + generator_.source->name() + " began differently then");
}

bool Run::go() {
    last_save_ = Clock::now();
    if (!options_.checkpoint.empty()) {
        save();
        // An unwritable checkpoint is reported at once, not after hours.
        if (!save_problem_.empty()) rng::detail::raise(ErrorCode::bad_state, save_problem_);
    }
    if (structural(structural_cases()) && stream(segments())) return true;
    if (!options_.checkpoint.empty()) save();
    return false;
}

bool Run::has_failed() const { return !options_.keep_going && verdict_of(analyses_, options_.policy) == Verdict::fail; }

uint64_t Run::next_analysis(uint64_t done, uint64_t total) const {
    return repeats() ? total : std::min(total, std::bit_ceil(done + 1));
}

void Run::save() {
    hand_over();
    save_problem_ = try_save(options_.checkpoint, state_);
    state_.counts.clear();
    last_save_ = Clock::now();
}

void Run::analyse(Stage stage, uint64_t size, uint64_t total, std::span<const NamedTest> tests) {
    if (!is_from_start()) return keep(stage);
    analyses_.push_back({to_string(stage), size, read_off(tests, tests_in_all(), repeats() ? 1 : most_analyses)});
    if (options_.progress) options_.progress({to_string(stage), size, total, &analyses_.back(), repeats()});
}

bool Run::was_analysed(uint64_t bytes) const {
    return !analyses_.empty() && analyses_.back().stage == to_string(Stage::stream) && analyses_.back().size == bytes;
}

uint64_t Run::structural_cases() const {
    uint64_t most = 0;
    for (const NamedTest& named : tests_[index(Stage::structural)]) most = std::max(most, named.test->cases());
    return most;
}

bool Run::structural(uint64_t last) {
    auto& tests = tests_[index(Stage::structural)];
    const uint64_t total = structural_cases();
    const uint64_t& done = state_.done[index(Stage::structural)];
    CaseQueue queue(done);
    while (done < last && !has_failed()) {
        const uint64_t next = next_analysis(done, total);
        if (!process(Stage::structural, queue, std::min(next, last), total)) return false;
        if (done == next) analyse(Stage::structural, done, total, tests);
    }
    return true;
}

bool Run::stream(uint64_t last) {
    auto& tests = tests_[index(Stage::stream)];
    if (tests.empty() || has_failed()) return true;
    const uint64_t& done = state_.done[index(Stage::stream)];
    if (done == 0 && is_from_start()) {
        if (stopped() || !small_analyses()) return false;
        if (done == 0) return true;  // the data were less than a segment
    }
    SegmentQueue queue(*generator_.source, done, bytes_, [this] { return stopped(); });
    while (!queue.ended() && done < last && !has_failed()) {
        const uint64_t next = next_analysis(done, segments());
        const bool whole = process(Stage::stream, queue, std::min(next, last), bytes_);
        state_.phase_bytes = queue.bytes();
        if (!whole) return false;
        source_ended_ = queue.ended();
        // It was already analysed if the source turns out to end there.
        if ((done == next || source_ended_) && !was_analysed(queue.bytes()))
            analyse(Stage::stream, queue.bytes(), bytes_, tests);
    }
    return true;
}

/// Makes the analyses below one segment as soon as their bytes are there, each with fresh tests. Returns false if the
/// run was stopped.
bool Run::small_analyses() {
    auto& tests = tests_[index(Stage::stream)];
    SegmentBuffer buffer(*generator_.source);
    const std::size_t step = granularity(*generator_.source);
    const std::size_t whole = static_cast<std::size_t>(std::min<uint64_t>(segment_bytes, bytes_));
    std::size_t size = 0;
    do {
        const std::size_t end =
            repeats() ? whole : std::min<std::size_t>(whole, size == 0 ? first_analysis_bytes : 2 * size);
        const std::size_t got = buffer.read(size, end - size, size), before = size;
        if (stopped()) return false;
        source_ended_ = got < end - size;
        size = (size + got) / step * step;
        if (size < first_analysis_bytes)
            rng::detail::refuse("run_battery", generator_.source->name() + " ended after " +
                                                   std::to_string(generator_.source->size().value_or(got)) +
                                                   " bytes, the least is " + std::to_string(first_analysis_bytes));
        if (before == 0) state_.beginning = checksum(buffer.segment(0, first_analysis_bytes).data);
        if (size == before || size == segment_bytes) continue;
        const std::vector<NamedTest> fresh = make(Stage::stream);
        for (const NamedTest& named : fresh) named.test->add(buffer.segment(0, size));
        state_.phase_bytes = size;
        analyse(Stage::stream, size, bytes_, fresh);
        if (has_failed()) return true;
    } while (size < whole && !source_ended_);
    if (whole < segment_bytes || source_ended_) return true;
    // The segment is in memory, and a source without random access would not give it again.
    for (const NamedTest& named : tests) named.test->add(buffer.segment(0, segment_bytes));
    state_.done[index(Stage::stream)] = 1;
    state_.phase_bytes = segment_bytes;
    if (!repeats() || segments() == 1) analyse(Stage::stream, segment_bytes, bytes_, tests);
    return true;
}

/// Lets all tests of a stage count the work below `end`, on all threads. Returns false if the run was stopped before.
bool Run::process(Stage stage, WorkQueue& queue, uint64_t end, uint64_t total) {
    uint64_t& done = state_.done[index(stage)];
    for (;;) {
        pause_ = false;
        work(stage, queue, end, total);
        done = queue.next_index();
        if (done >= end || queue.ended()) return true;
        if (stopped()) return false;
        // Saves only here, where an analysis is still to come: a state saved at the size of an analysis includes that
        // analysis.
        if (stage == Stage::stream) state_.phase_bytes = done * segment_bytes;
        save();
        if (save_problem_.empty() || std::exchange(has_warned_, true)) continue;
        if (options_.warning) options_.warning(save_problem_);
    }
}

void Run::work(Stage stage, WorkQueue& queue, uint64_t end, uint64_t total) {
    const auto n =
        static_cast<std::size_t>(std::clamp<uint64_t>(end - queue.next_index(), 1, static_cast<uint64_t>(threads_)));
    auto& helpers = helpers_[index(stage)];
    while (helpers.size() + 1 < n) helpers.push_back(make(stage));

    const auto worker = [&](std::size_t i) {
        std::vector<NamedTest>& tests = i == 0 ? tests_[index(stage)] : helpers[i - 1];
        SegmentBuffer buffer = stage == Stage::stream ? SegmentBuffer(*generator_.source) : SegmentBuffer();
        Segment segment;
        while (!pause_ && !stopped() && queue.next(end, buffer, segment))
            for (const NamedTest& named : tests)
                if (stage == Stage::stream || segment.index < named.test->cases()) named.test->add(segment);
    };
    const uint64_t item_size = stage == Stage::stream ? segment_bytes : 1;
    const auto report = [&] {
        if (!options_.checkpoint.empty() && Clock::now() - last_save_ > options_.save_every) pause_ = true;
        if (options_.progress)
            options_.progress(
                {to_string(stage), std::min(queue.next_index() * item_size, total), total, nullptr, repeats()});
    };
    run_workers(n, worker, {[&] { pause_ = true; }, report, std::min(report_every, options_.save_every)});
    add_up(stage);
}

void Run::add_up(Stage stage) {
    for (auto& tests : helpers_[index(stage)])
        for (std::size_t i = 0; i < tests.size(); ++i) {
            auto &to = tests_[index(stage)][i].test->counts, &from = tests[i].test->counts;
            for (std::size_t k = 0; k < to.size(); ++k) to[k] += std::exchange(from[k], 0);
        }
}

}  // namespace rng::stats
