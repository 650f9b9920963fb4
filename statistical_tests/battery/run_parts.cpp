// Run's work on parts of a run: counting one, and adding them up again.
#include <rng/core/error.hpp>

#include <algorithm>
#include <bit>
#include <ranges>
#include <string>
#include <utility>

#include "run.hpp"

namespace rng::stats {

uint64_t Run::first_case(uint64_t segment) const {
    if (!has_stream()) return segment;
    // All structural tests take about the same time, so each case of a test with few cases takes longer.
    const uint64_t cases = structural_cases();
    const auto cost = [&](uint64_t first_cases) {
        uint64_t sum = 0;
        for (const NamedTest& named : tests_[index(Stage::structural)])
            sum += std::min(first_cases, named.test->cases()) * (cases / named.test->cases());
        return sum;
    };
    // There are fewer than 2^26 cases and 2^38 segments. Without their last bits the product fits.
    const int last_bits = std::max(0, static_cast<int>(std::bit_width(segments())) - 32);
    const uint64_t share = cost(cases) * (segment >> last_bits) / (segments() >> last_bits);
    return *std::ranges::partition_point(std::views::iota(uint64_t{0}, cases),
                                         [&](uint64_t first_cases) { return cost(first_cases) < share; });
}

uint64_t Run::beginning() const {
    if (!has_stream()) return 0;
    std::vector<std::byte> bytes(first_analysis_bytes);
    static_cast<void>(generator_.source->read(0, bytes));
    return checksum(bytes);
}

void Run::hand_over() {
    for (const auto& tests : tests_)
        for (const NamedTest& named : tests) state_.counts.push_back(packed(named.test->counts));
}

/// Moves the counts since the last range into a new range.
void Run::keep(Stage stage) {
    const uint64_t number = index(stage), last = state_.done[index(stage)];
    const auto [first_segment, last_segment] = state_.part;
    uint64_t first = stage == Stage::stream ? first_segment : first_case(first_segment);
    if (!state_.ranges.empty() && state_.ranges.back().stage == number) first = state_.ranges.back().last;
    if (first == last) return;
    RangeCounts& range = state_.ranges.emplace_back(RangeCounts{number, first, last, {}});
    for (const NamedTest& named : tests_[index(stage)]) {
        range.counts.push_back(packed(named.test->counts));
        std::ranges::fill(named.test->counts, 0);
    }
}

bool Run::count(SegmentRange part) {
    last_save_ = Clock::now();
    state_.part = part;
    state_.beginning = beginning();
    state_.done = {first_case(part.first), part.first};
    if (!structural(first_case(part.last))) return false;
    keep(Stage::structural);
    if (!has_stream()) return true;
    if (!stream(part.last)) return false;
    if (source_ended_)
        rng::detail::raise(ErrorCode::bad_state, "count_segments: " + generator_.source->name() + " ended after " +
                                                     std::to_string(state_.phase_bytes) + " bytes, within the run");
    keep(Stage::stream);
    return true;
}

void Run::add(Stage stage, const State& part, const std::string& file) {
    auto& tests = tests_[index(stage)];
    const uint64_t total = stage == Stage::stream ? segments() : structural_cases();
    const auto size = [&](uint64_t done) {
        return stage == Stage::stream ? std::min(done * segment_bytes, bytes_) : done;
    };
    if (part.part.first == 0) {
        for (const InterimAnalysis& taken : part.analyses)
            if (taken.stage == to_string(stage)) analyses_.push_back(taken);
        if (stage == Stage::stream) state_.phase_bytes = part.phase_bytes;
    }
    for (const RangeCounts& range : part.ranges) {
        if (range.stage != index(stage) || (part.part.first > 0 && has_failed())) continue;
        if (range.counts.size() != tests.size()) refuse_state(file, "is damaged", StateFile::counts);
        for (std::size_t i = 0; i < tests.size(); ++i)
            if (!add_packed(range.counts[i], tests[i].test->counts))
                refuse_state(file, "is damaged", StateFile::counts);
        state_.done[index(stage)] = range.last;
        if (stage == Stage::stream) state_.phase_bytes = size(range.last);
        const bool is_analysis = std::has_single_bit(range.last) || range.last == total;
        if (is_analysis && part.part.first > 0) analyse(stage, size(range.last), total, tests);
    }
}

}  // namespace rng::stats
