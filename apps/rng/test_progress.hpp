// The output of rng test on standard error while it works.
// On a terminal it shows the progress, with rate and time left, and a line for each interim analysis.
// With `verbose` it shows every result of an interim analysis, on a terminal or not.
#pragma once

#include <rng/stats/battery.hpp>

#include <chrono>
#include <string>

namespace cli {

class TestProgress {
  public:
    TestProgress(bool verbose, const rng::stats::Policy& policy);
    TestProgress(const TestProgress&) = delete;
    TestProgress& operator=(const TestProgress&) = delete;
    ~TestProgress();

    void update(const rng::stats::Progress& progress);
    /// Shows one line about an error that does not end the run.
    void warn(const std::string& what);

  private:
    using Clock = std::chrono::steady_clock;
    void wipe();
    void show_analysis(const rng::stats::InterimAnalysis& analysis);

    bool is_terminal_, verbose_, shown_ = false;
    rng::stats::Policy policy_;
    std::string stage_;  // the stage of start_ and first_
    Clock::time_point start_;
    uint64_t first_ = 0;  // `done` at the time start_
};

}  // namespace cli
