// The battery: statistical tests of a generator, with a verdict.
//
//     #include <rng/stats/battery.hpp>
//     const rng::stats::Report report = rng::stats::test(my_generator, "mine");   // 1 GiB of it
//     std::cout << rng::stats::summary(report);
//
// Every p-value is Bonferroni-adjusted for the tests, their parts and the interim analyses.
// So a sound generator fails with probability 1e-6 at most, for any length of the test.
// docs/statistics.md lists the tests and their null distributions, describes what they find, and reports how they were
// calibrated.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generator_under_test.hpp"
#include "p_value.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How much a run tests.
enum class Tier {
    structural,  ///< block function and streams only: avalanche, stream pairs, fingerprints. No long sequence is read.
    quick,       ///< 1 GiB, and the structural tests
    standard,    ///< 8 GiB, and the structural tests with more evaluations
    deep         ///< 1 TiB
};
/// Returns "structural", "quick", "standard" or "deep".
[[nodiscard]] const char* to_string(Tier tier);
/// Returns the bytes that a tier reads; 0 for `structural`.
[[nodiscard]] uint64_t tier_bytes(Tier tier);

/// The outcome of a run, by the rates of Policy.
enum class Verdict { pass, suspicious, fail };
/// Returns "pass", "suspicious" or "fail".
[[nodiscard]] const char* to_string(Verdict verdict);

/// Family-wise rates: the probability that a sound generator has any p-value beyond the rate in a whole run.
struct Policy {
    double fail = 1e-6;
    double suspicious = 1e-3;
};

/// One p-value.
struct Result {
    std::string test;  ///< "hamming8"
    std::string part;  ///< "w<=3"; empty if the test has only one part
    PValue p;
    double log10_adjusted;  ///< the two-sided p-value times the number of tests, parts and interim analyses: log10 at
                            ///< most 0

    /// Returns "hamming8:w<=3".
    [[nodiscard]] std::string name() const { return part.empty() ? test : test + ":" + part; }
};

/// The results of all tests after one number of bytes (or of cases of structural tests).
struct InterimAnalysis {
    std::string stage;  ///< "structural" or "stream"
    uint64_t size;      ///< bytes of "stream", cases of "structural"
    std::vector<Result> results;
};
using Look [[deprecated("use InterimAnalysis")]] = InterimAnalysis;

/// Returns the worst verdict of these results.
[[nodiscard]] Verdict verdict_of(std::span<const Result> results, const Policy& policy);

/// The result of a run.
struct Report {
    std::string generator;
    int word_bits = 0;
    Tier tier = Tier::quick;
    Policy policy;
    std::vector<std::string> only;  ///< the requested tests; empty: all that apply
    bool keep_going = false;
    uint64_t bytes_asked = 0, bytes = 0;  ///< `bytes` were read: fewer than asked if the source ended or failed
    bool source_ended = false;            ///< true if the source ended before the requested bytes
    bool interrupted = false;      ///< true if Options::stop stopped the run; `analyses` then holds those before that
    std::string checkpoint_error;  ///< why the last checkpoint could not be written; empty if it could
    std::string command;           ///< the command that repeats the run; empty if no program filled it in
    std::vector<InterimAnalysis> analyses;
    /// Suspicious tests repeated alone from a fresh seed, with four times the data.
    std::vector<InterimAnalysis> repeats;
    Verdict verdict = Verdict::pass;
    bool bytes_are_named = false;  ///< true if bytes_asked is Options::bytes; false if it is the tier's
    std::string advice;            ///< on values that lie on a coarser grid than their law's; empty if there is none

    /// Returns the most extreme result of all analyses; null if there is none.
    [[nodiscard]] const Result* worst() const;
    /// Returns true if the verdict covers less data than was requested. A failure is never partial: more data would not
    /// undo it.
    [[nodiscard]] bool is_partial() const {
        return verdict != Verdict::fail && (interrupted || (source_ended && bytes < bytes_asked));
    }
};

/// How far a run is.
struct Progress {
    const char* stage;
    uint64_t done, total;             ///< bytes of "stream", cases of "structural"
    const InterimAnalysis* analysis;  ///< the one just made; null between two
    bool repeated = false;            ///< true while suspicious tests are being repeated
};

/// What a run tests, and how it reports.
struct Options {
    Tier tier = Tier::quick;
    std::optional<uint64_t> bytes;  ///< read this many instead of the tier's bytes
    int threads = 0;                ///< 0: rng::num_threads(). Results do not depend on it.
    Policy policy;
    std::vector<std::string> only;  ///< tests by name; empty: all that apply
    bool keep_going = false;        ///< true if the run continues after a failure
    bool repeat_suspicious = true;  ///< true if suspicious tests run again from a fresh seed

    std::function<void(const Progress&)> progress;  ///< called from the calling thread, a few times a second
    /// Called from the calling thread after each interim analysis, with the report up to then; its `interrupted` is
    /// true.
    std::function<void(const Report&)> on_partial_report;
    const std::atomic<bool>* stop = nullptr;  ///< if it becomes true, the battery ends soon, with `interrupted` set

    /// The file for the state. It is written at the beginning, at intervals, when the run is stopped, and at the end.
    std::string checkpoint;
    std::chrono::milliseconds save_every{30'000};
    /// Called from the calling thread, at most once, if the state cannot be written during the run (a full disk).
    /// The run continues and tries again; Report::checkpoint_error has the reason of the last failure.
    std::function<void(const std::string&)> warning;
    /// True if the run continues from the checkpoint file. The file of a finished run gives its report again.
    /// A source without random access must start from its beginning again.
    /// The report is the same as that of a run that was not interrupted.
    bool resume = false;
};

/// Runs the tests and returns the report. Throws:
/// - Error (invalid_argument) on an unknown test, if no test applies, or if there are fewer than 8 KiB;
/// - any exception of the source;
/// - Error (bad_state) if a checkpoint cannot be read, is damaged, or belongs to another run;
/// - Error (bad_state) if a checkpoint cannot be written at the beginning.
[[nodiscard]] Report run_battery(const GeneratorUnderTest& generator, const Options& options = {});

/// Returns the names of the tests of `options` that apply to the generator. run_battery() throws if there are none.
[[nodiscard]] std::vector<std::string> tests_of(const GeneratorUnderTest& generator, const Options& options);

/// Runs the battery on a generator of <random>'s kind.
template <std::uniform_random_bit_generator G>
[[nodiscard]] Report test(G generator, std::string name = "generator", const Options& options = {}) {
    return run_battery(GeneratorUnderTest{std::make_shared<UrbgSource<G>>(std::move(generator), std::move(name))},
                       options);
}

/// Returns a few lines for a terminal: the verdict first, then the worst results.
[[nodiscard]] std::string summary(const Report& report);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
