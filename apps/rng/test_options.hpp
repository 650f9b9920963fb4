// The options of rng test, as typed and checked.
#pragma once

#include <rng/stats/battery.hpp>

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
    bool keep_going = false;  // true if the run goes on after a failure
    bool list = false;        // true if the tests are listed, and none is run
    bool verbose = false;     // true if every p-value is printed

    std::optional<std::string> json, html, checkpoint;
    bool resume = false;  // true if the run goes on from the checkpoint

    void add_to(CLI::App& program);

    /// Throws UsageError if options contradict each other.
    void require_sound() const;
    /// Returns ": did you mean normal?" if the error ends with an unknown name of an engine, a distribution or a test;
    /// otherwise empty.
    [[nodiscard]] std::string meant_by(std::string_view error) const;
    [[nodiscard]] bool is_engine() const { return !from_stdin && !file && !command && !npy; }
    [[nodiscard]] std::string engine_name() const;
    [[nodiscard]] StreamAddress::Values values() const;
    [[nodiscard]] int bits() const;
    /// Returns the report's name for the subject whose own name is `whole`, or for the view whose own name is
    /// `subject`.
    [[nodiscard]] std::string subject_name(const std::string& whole, const std::string& subject) const;
    [[nodiscard]] std::chrono::milliseconds patience() const;

    /// Returns all options except the checkpoint, which is per view, and progress output.
    [[nodiscard]] rng::stats::Options battery() const;
    /// Returns the command that repeats the run of one view. It has the options that change results, in one form and
    /// order.
    [[nodiscard]] std::string repeat(const std::string& view) const;
};

}  // namespace cli
