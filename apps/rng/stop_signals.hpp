// Ctrl-C and similar signals set a flag; work that reads the flag ends by itself at the next suitable place.
#pragma once

#include <atomic>

namespace cli {

/// During its lifetime, the first SIGINT, SIGTERM or SIGHUP sets the flag; a second one acts as it would have before.
/// An ignored signal (nohup) stays ignored. Make the object after the outputs: it replaces their handlers for a time.
class StopSignals {
  public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    [[nodiscard]] static const std::atomic<bool>* flag();
    /// Returns the signal that came; 0 if none came.
    [[nodiscard]] static int number();
};

}  // namespace cli
