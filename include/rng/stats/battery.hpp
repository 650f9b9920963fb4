// The battery: statistical tests of a generator, with a verdict.
//
//     #include <rng/stats/battery.hpp>
//     const rng::stats::Report report = rng::stats::test(my_generator, "mine");   // 1 GiB of it
//     std::cout << rng::stats::summary(report);
//
// Every p-value is Bonferroni-adjusted for the tests, their parts and the sizes at which the battery looks, so a sound
// generator fails with probability 1e-6 at most, however long it is tested. docs/statistics.md has the tests, their
// null distributions, what they find, and how they were calibrated.
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

#include "p_value.hpp"
#include "subject.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

enum class Tier {
    structural,  ///< block function and streams alone: avalanche, stream pairs, fingerprints. No long sequence is read.
    quick,       ///< 1 GiB, and the structural tests
    standard,    ///< 8 GiB, and the structural tests with more evaluations
    deep         ///< 1 TiB
};
[[nodiscard]] const char* to_string(Tier tier);
[[nodiscard]] uint64_t tier_bytes(Tier tier);

enum class Verdict { pass, suspicious, fail };
[[nodiscard]] const char* to_string(Verdict verdict);

/// Family-wise rates: the probability that a sound generator has any p-value beyond them, over a whole run.
struct Policy {
    double fail = 1e-6;
    double suspicious = 1e-3;
};

/// One p-value.
struct Result {
    std::string test;  ///< "hamming8"
    std::string part;  ///< "w<=3"; empty if the test has but one
    PValue p;
    double log10_adjusted;  ///< of the two-sided p-value times the number of tests, parts and looks: at most 0

    [[nodiscard]] std::string name() const { return part.empty() ? test : test + ":" + part; }
};

/// The results of all tests after so many bytes (or units of structural tests).
struct Look {
    std::string stage;  ///< "structural" or "stream"
    uint64_t size;      ///< bytes of "stream", units of "structural"
    std::vector<Result> results;
};

/// The worst verdict of these results.
[[nodiscard]] Verdict verdict_of(std::span<const Result> results, const Policy& policy);

struct Report {
    std::string subject;
    int word_bits = 0;
    Tier tier = Tier::quick;
    Policy policy;
    std::vector<std::string> only;  ///< the tests that were asked for; empty: all that apply
    bool keep_going = false;
    uint64_t bytes_asked = 0, bytes = 0;  ///< what was read; less than asked for where the source ended, or it failed
    bool source_ended = false;            ///< before the bytes that were asked for
    bool interrupted = false;             ///< stopped by Options::stop; the looks are those until then
    std::string checkpoint_error;         ///< why the last checkpoint could not be written; empty if it could
    std::string command;                  ///< that repeats the run; empty if no program filled it in
    std::vector<Look> looks;
    std::vector<Look> repeats;  ///< suspicious tests repeated alone from a fresh seed, with four times the data
    Verdict verdict = Verdict::pass;
    bool bytes_are_named = false;  ///< bytes_asked is Options::bytes; else the tier's, which nobody asked for
    std::string advice;            ///< on values that lie on a coarser grid than their law's; empty if there is none

    /// The most extreme result of all looks; null if there is none.
    [[nodiscard]] const Result* worst() const;
    /// Whether it speaks of less than was asked for. A failure does not: more data would not undo it.
    [[nodiscard]] bool is_partial() const {
        return verdict != Verdict::fail && (interrupted || (source_ended && bytes < bytes_asked));
    }
};

struct Progress {
    const char* stage;
    uint64_t done, total;   ///< in the stage's own unit
    const Look* look;       ///< the look just taken; null between looks
    bool repeated = false;  ///< suspicious tests are being repeated
};

struct Options {
    Tier tier = Tier::quick;
    std::optional<uint64_t> bytes;  ///< instead of the tier's
    int threads = 0;                ///< 0: rng::num_threads(). Results do not depend on it.
    Policy policy;
    std::vector<std::string> only;  ///< tests by name; empty: all that apply
    bool keep_going = false;        ///< after a failure
    bool repeat_suspicious = true;

    std::function<void(const Progress&)> progress;  ///< called from the calling thread, a few times a second
    /// Called from the calling thread after each look with the report until then, which says `interrupted`.
    std::function<void(const Report&)> on_partial_report;
    const std::atomic<bool>* stop = nullptr;  ///< set it, and the battery ends soon, with `interrupted`

    /// File for the state: at the beginning, every so often, when it is stopped, and at the end.
    std::string checkpoint;
    std::chrono::milliseconds save_every{30'000};
    /// Called from the calling thread, once at most, if the state cannot be written on the way (a full disk). The run
    /// goes on and tries again; Report::checkpoint_error has the last try.
    std::function<void(const std::string&)> warning;
    /// Go on from that file; one of a finished run gives its report again. A source without random access must begin at
    /// its beginning again. The report is that of a run that was not interrupted.
    bool resume = false;
};

/// Runs the tests. Throws Error (invalid_argument) on an unknown test, if none applies, or if there are fewer than 8
/// KiB; what the source throws; and (bad_state) if a checkpoint cannot be read, is damaged, is of another run, or
/// cannot be written at the beginning.
[[nodiscard]] Report run_battery(const Subject& subject, const Options& options = {});

/// The tests of `options` that apply to the subject, by name; run_battery() throws if there are none.
[[nodiscard]] std::vector<std::string> tests_of(const Subject& subject, const Options& options);

/// The same of a generator of <random>'s kind.
template <std::uniform_random_bit_generator G>
[[nodiscard]] Report test(G generator, std::string name = "generator", const Options& options = {}) {
    return run_battery(Subject{std::make_shared<UrbgSource<G>>(std::move(generator), std::move(name))}, options);
}

/// A few lines for a terminal: the verdict first, then the worst results.
[[nodiscard]] std::string summary(const Report& report);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
