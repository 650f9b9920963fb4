// The options of rng calibrate, as typed and checked.
#pragma once

#include <rng/stats/calibration.hpp>

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace cli {

struct CalibrateOptions {
    std::string cipher = "chacha20", tier = "quick";
    std::optional<std::string> batteries, bytes, first_key, threads, json;
    std::vector<std::string> only;
    bool all = false;                         // true if all rows are shown
    std::optional<std::string> part, counts;  // a range of the batteries, and where its counts go
    std::vector<std::string> merge;           // the files whose counts make the result

    std::optional<std::string> checkpoint;  // over ranks alone: the folder of their counts
    bool resume = false;                    // true if the run continues from the checkpoint

    /// The options as given on this command line. The object must stay where it is.
    void add_to(CommandLine& command_line);
    /// Adds --checkpoint and --resume, which ranks take beside.
    void add_checkpoint_to(CommandLine& command_line);

    /// Throws UsageError if options contradict each other.
    void require_sound() const;
    /// Returns the batteries to run. Throws UsageError if an option has no such value, or if the program was built
    /// without OpenSSL.
    [[nodiscard]] rng::stats::CalibrationOptions calibration() const;
    /// Returns the options that mean the same batteries, in one form and order.
    [[nodiscard]] std::vector<std::string> arguments() const;

    /// Returns the options of the batteries that the files of --merge have counted, with the outputs of this command
    /// line. Throws UsageError if it has other options, and Error if the first file cannot be read.
    [[nodiscard]] CalibrateOptions of_merged_run(const CommandLine& command_line) const;
};

}  // namespace cli
