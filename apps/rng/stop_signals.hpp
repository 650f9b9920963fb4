// Ctrl-C and its like, turned into a flag for work that ends by itself at the next good place.
#pragma once

#include <atomic>

namespace cli {

/// While one lives, the first SIGINT, SIGTERM or SIGHUP sets the flag; a second one acts as it would have before.
/// A signal that is ignored (nohup) stays so. Make it after the outputs, whose own handlers it stands in front of.
class StopSignals {
  public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    [[nodiscard]] static const std::atomic<bool>* flag();
    /// The signal that came; 0 if none did.
    [[nodiscard]] static int number();
};

}  // namespace cli
