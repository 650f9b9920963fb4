// The progress of long work, on one line of a terminal's standard error that is wiped at the end.
// Nothing is shown during the first half second, or if standard error is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace cli {

class Progress {
  public:
    /// `unit` is the unit that is counted, such as "B" or "values". If `wanted` is false, nothing is shown.
    Progress(std::string label, uint64_t total, std::string unit, bool wanted = true);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    void update(uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;
    std::string label_, unit_;
    uint64_t total_;
    bool enabled_, shown_ = false;
    Clock::time_point start_, next_;
};

}  // namespace cli
