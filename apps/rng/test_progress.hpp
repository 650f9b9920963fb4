// What rng test shows while it works, on standard error: on a terminal how far it is, with rate and time left, and a
// line for each look; with `verbose` every result of it, wherever standard error goes.
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
    /// One line of what went wrong without ending the run.
    void warn(const std::string& what);

  private:
    using Clock = std::chrono::steady_clock;
    void wipe();
    void show_look(const rng::stats::Look& look);

    bool is_terminal_, verbose_, shown_ = false;
    rng::stats::Policy policy_;
    std::string stage_;  // that start_ and first_ are of
    Clock::time_point start_;
    uint64_t first_ = 0;  // done at start_
};

}  // namespace cli
