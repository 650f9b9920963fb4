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

/// A word that a shell reads as this text.
[[nodiscard]] std::string shell_quoted(const std::string& text);

struct TestOptions {
    std::optional<std::string> engine, file, command, npy;  // at most one; none: the default engine
    bool from_stdin = false;
    std::optional<std::string> dist, dtype;  // of the values of --npy, or those to make of an engine
    StreamAddress address;
    std::optional<std::string> word_bits, timeout, name;

    std::string tier = "quick";
    std::optional<std::string> bytes, threads;
    std::vector<std::string> views, only;
    bool keep_going = false, list = false, verbose = false;

    std::optional<std::string> json, html, checkpoint;
    bool resume = false;

    void add_to(CLI::App& program);

    /// Throws UsageError on options that do not go together.
    void require_sound() const;
    /// ": did you mean normal?" if the error ends with the name of an engine, a distribution or a test that there is
    /// not; else empty.
    [[nodiscard]] std::string meant_by(std::string_view error) const;
    [[nodiscard]] bool is_engine() const { return !from_stdin && !file && !command && !npy; }
    [[nodiscard]] std::string engine_name() const;
    [[nodiscard]] StreamAddress::Values values() const;
    [[nodiscard]] int bits() const;
    /// What a report calls the subject whose own name is `whole`, or the view of it whose own name is `subject`.
    [[nodiscard]] std::string subject_name(const std::string& whole, const std::string& subject) const;
    [[nodiscard]] std::chrono::milliseconds patience() const;

    /// But for the checkpoint, which a view has one of each, and what shows the progress.
    [[nodiscard]] rng::stats::Options battery() const;
    /// The command that repeats the run of one view: what changes results, in one form and order.
    [[nodiscard]] std::string repeat(const std::string& view) const;
};

}  // namespace cli
