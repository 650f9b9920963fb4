// The options of rng test, as typed and checked.
#pragma once

#include <rng/stats/battery_parts.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "address.hpp"
#include "command.hpp"

namespace cli {

/// Returns a word that a shell reads as this text.
[[nodiscard]] std::string shell_quoted(const std::string& text);

struct TestOptions {
    std::optional<std::string> engine, file, command, npy;  // at most one; none: the default engine
    bool from_stdin = false;                                // true if standard input is tested
    std::optional<std::string> dist, dtype;  // of the values of --npy, or of the values to make from an engine
    StreamAddress address;
    std::optional<std::string> word_bits, timeout, name;

    std::string tier = "quick";
    std::optional<std::string> bytes, threads;
    std::vector<std::string> views, only;
    bool keep_going = false;  // true if the run continues after a failure
    bool list = false;        // true if the tests are listed, and none is run
    bool verbose = false;     // true if every p-value is printed

    std::optional<std::string> json, html, checkpoint;
    bool resume = false;  // true if the run continues from the checkpoint

    std::optional<std::string> segments, counts;  // of a part of the run, and where its counts go
    std::vector<std::string> merge;               // the files whose counts make a report

    /// The options as given on this command line. The object must stay where it is.
    void add_to(CommandLine& command_line);

    /// Throws UsageError if options contradict each other.
    void require_sound() const;
    /// Throws UsageError if a file would be written twice, or if it is an input. `checkpoints` are the files of
    /// --checkpoint: there may be one for each view.
    void require_sound_outputs(const std::vector<std::string>& checkpoints) const;
    /// Returns the options of the run that the files of --merge have counted, with the outputs of this one. Throws
    /// UsageError if there are other options beside --merge, and Error if the first file cannot be read.
    [[nodiscard]] TestOptions of_merged_run(const CommandLine& command_line) const;
    /// Returns the numbers A and B of --segments A:B. Throws UsageError if they are not a range of `all` segments.
    [[nodiscard]] rng::stats::SegmentRange segment_range(uint64_t all) const;
    /// Returns ": did you mean normal?" if the error ends with an unknown name of an engine, a distribution or a test;
    /// otherwise empty.
    [[nodiscard]] std::string meant_by(std::string_view error) const;
    [[nodiscard]] bool is_engine() const { return !from_stdin && !file && !command && !npy; }
    [[nodiscard]] std::string engine_name() const;
    [[nodiscard]] StreamAddress::Values values() const;
    [[nodiscard]] int bits() const;
    /// Returns the report's name for the generator whose own name is `whole`, or for the view whose own name is
    /// `generator`.
    [[nodiscard]] std::string report_name(const std::string& whole, const std::string& generator) const;
    [[nodiscard]] std::chrono::milliseconds patience() const;

    /// Returns all options except the checkpoint, which is per view, and progress output.
    [[nodiscard]] rng::stats::Options battery() const;
    /// Returns the command that repeats the run of one view. It has the options that change results, in one form and
    /// order.
    [[nodiscard]] std::string repeat(const std::string& view) const;
    /// Returns the arguments of that command, without the names of program and subcommand.
    [[nodiscard]] std::vector<std::string> arguments(const std::string& view) const;

  private:
    /// Returns --checkpoint as a list.
    [[nodiscard]] std::vector<std::string> checkpoint_if_any() const {
        return checkpoint ? std::vector{*checkpoint} : std::vector<std::string>{};
    }
};

}  // namespace cli
