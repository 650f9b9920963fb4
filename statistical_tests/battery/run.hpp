// One pass of one set of tests over one subject: deals units out to threads, adds up their counts, and looks at the
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
#include "units.hpp"

namespace rng::stats {

/// The least that anything is said of.
inline constexpr uint64_t first_look_bytes = uint64_t{1} << 13;

/// As looks have it.
[[nodiscard]] inline const char* to_string(Stage stage) { return stage == Stage::functional ? "functional" : "stream"; }

class Run {
  public:
    /// `only` are the tests, `bytes` (a multiple of 8) what is read of the source at most. With effort.factor > 1 they
    /// are repeated: looked at once, at the end. Looks go to `looks`, which is one of `state`.
    Run(const Subject& subject, const Options& options, const std::vector<std::string>& only, Effort effort,
        uint64_t bytes, State& state, std::vector<Look>& looks);

    /// The tests by name.
    [[nodiscard]] std::string tests() const;
    /// Takes the counts of `state`. Throws Error (bad_state) if they are of another version, or the source's bytes are
    /// not those that were counted.
    void resume();
    /// Goes through both stages; false if it was stopped before, and then the checkpoint is written.
    bool go();
    [[nodiscard]] bool source_ended() const { return source_ended_; }
    /// Why the last checkpoint could not be written; empty if it could.
    [[nodiscard]] const std::string& save_problem() const { return save_problem_; }

  private:
    using Clock = std::chrono::steady_clock;
    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }

    [[nodiscard]] std::vector<NamedTest> make(Stage stage) const;
    [[nodiscard]] std::size_t tests_in_all() const { return tests_[0].size() + tests_[1].size(); }
    [[nodiscard]] bool repeats() const { return effort_.factor > 1; }
    [[nodiscard]] bool stopped() const { return options_.stop && options_.stop->load(); }
    [[nodiscard]] bool has_failed() const;
    [[nodiscard]] uint64_t segments() const { return (bytes_ + segment_bytes - 1) / segment_bytes; }
    [[nodiscard]] uint64_t next_look(uint64_t done, uint64_t total) const;
    void save();
    void look(Stage stage, uint64_t size, uint64_t total, std::span<const NamedTest> tests);
    [[nodiscard]] bool was_looked_at(uint64_t bytes) const;

    bool functional();
    bool stream();
    bool small_looks();
    bool process(Stage stage, Units& units, uint64_t end, uint64_t total);
    void work(Stage stage, Units& units, uint64_t end, uint64_t total);
    void add_up(Stage stage);

    const Subject& subject_;
    const Options& options_;
    const std::vector<std::string>& only_;
    Effort effort_;
    uint64_t bytes_;
    State& state_;
    std::vector<Look>& looks_;
    int threads_;
    std::array<std::vector<NamedTest>, 2> tests_;                 // by stage
    std::array<std::vector<std::vector<NamedTest>>, 2> helpers_;  // of the threads but the first
    std::atomic<bool> pause_ = false;
    Clock::time_point last_save_;
    std::string save_problem_;
    bool has_warned_ = false;  // of a save problem
    bool source_ended_ = false;
};

}  // namespace rng::stats
