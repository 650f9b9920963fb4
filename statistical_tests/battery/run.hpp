// One pass of one set of tests over one generator. Distributes work over threads, adds up their counts, and computes
// p-values at sizes that double.
#pragma once

#include <rng/stats/battery.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "../checks/catalogue.hpp"
#include "state.hpp"
#include "work_queue.hpp"

namespace rng::stats {

/// The least number of bytes that tests are given.
inline constexpr uint64_t first_analysis_bytes = uint64_t{1} << 13;

/// Returns the stage's name, as in InterimAnalysis.
[[nodiscard]] inline const char* to_string(Stage stage) { return stage == Stage::structural ? "structural" : "stream"; }

class Run {
  public:
    /// `only` names the tests; at most `bytes` (a multiple of granularity()) are read from the source. If effort.factor
    /// > 1, tests are repeated, and analysed once, at the end. Analyses are appended to `analyses`, one of the two
    /// lists in `state`.
    Run(const GeneratorUnderTest& generator, const Options& options, const std::vector<std::string>& only,
        Effort effort, uint64_t bytes, State& state, std::vector<InterimAnalysis>& analyses);

    /// Returns the names of the tests.
    [[nodiscard]] std::string tests() const;
    /// Continues from the counts of `state`. Throws Error (bad_state) if the counts are of another version, or if the
    /// source's first bytes are not the ones that were counted.
    void resume();
    /// Runs both stages. If the run was stopped before the end, writes the checkpoint and returns false.
    bool go();

    /// Returns true if a test reads the stream.
    [[nodiscard]] bool has_stream() const { return !tests_[index(Stage::stream)].empty(); }
    /// Returns the number of segments; that of structural cases if no test reads the stream.
    [[nodiscard]] uint64_t parts() const { return has_stream() ? segments() : structural_cases(); }
    /// Counts a part of the run, and stores the counts of its ranges in the state. Returns false if the run was stopped
    /// before.
    bool count(SegmentRange part);
    /// Adds what a part has counted in a stage, and makes the analyses that it completes. Parts come in their order;
    /// the rest is dropped after a failure. `file` is for messages.
    void add(Stage stage, const State& part, const std::string& file);
    /// Moves the counts into the state, as for a checkpoint.
    void hand_over();
    /// Returns the checksum of the source's first bytes; 0 if no test reads the stream.
    [[nodiscard]] uint64_t beginning() const;

    /// Returns true if an analysis has failed, and the run ends there.
    [[nodiscard]] bool has_failed() const;
    [[nodiscard]] bool source_ended() const { return source_ended_; }
    /// Returns why the last checkpoint could not be written; empty if it was written.
    [[nodiscard]] const std::string& save_problem() const { return save_problem_; }

  private:
    using Clock = std::chrono::steady_clock;
    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }

    [[nodiscard]] std::vector<NamedTest> make(Stage stage) const;
    [[nodiscard]] std::size_t tests_in_all() const { return tests_[0].size() + tests_[1].size(); }
    [[nodiscard]] bool repeats() const { return effort_.factor > 1; }
    [[nodiscard]] bool stopped() const { return options_.stop && options_.stop->load(); }
    [[nodiscard]] uint64_t segments() const { return (bytes_ + segment_bytes - 1) / segment_bytes; }
    [[nodiscard]] uint64_t structural_cases() const;
    /// Returns the case at which the structural tests' share of a segment begins. All shares take about the same time.
    [[nodiscard]] uint64_t first_case(uint64_t segment) const;
    /// Returns true if analyses are made from the counts; false if the counts are stored by range, because segments
    /// before them are counted elsewhere.
    [[nodiscard]] bool is_from_start() const { return state_.part.first == 0; }
    [[nodiscard]] uint64_t next_analysis(uint64_t done, uint64_t total) const;
    void save();
    void analyse(Stage stage, uint64_t size, uint64_t total, std::span<const NamedTest> tests);
    [[nodiscard]] bool was_analysed(uint64_t bytes) const;

    void keep(Stage stage);
    bool structural(uint64_t last);
    bool stream(uint64_t last);
    bool small_analyses();
    bool process(Stage stage, WorkQueue& queue, uint64_t end, uint64_t total);
    void work(Stage stage, WorkQueue& queue, uint64_t end, uint64_t total);
    void add_up(Stage stage);

    const GeneratorUnderTest& generator_;
    const Options& options_;
    const std::vector<std::string>& only_;
    Effort effort_;
    uint64_t bytes_;
    State& state_;
    std::vector<InterimAnalysis>& analyses_;
    int threads_;
    std::array<std::vector<NamedTest>, 2> tests_;                 // by stage
    std::array<std::vector<std::vector<NamedTest>>, 2> helpers_;  // tests of all threads except the first
    std::atomic<bool> pause_ = false;
    Clock::time_point last_save_;
    std::string save_problem_;
    bool has_warned_ = false;  // true if a warning of a save problem was given
    bool source_ended_ = false;
};

}  // namespace rng::stats
