// The zoo: generators known to be flawed. Each has a control, the same construction without the flaw.
// The battery must reject the flawed generator and pass the control; otherwise the battery itself is flawed.
//
//     for (const rng::stats::ZooEntry& entry : rng::stats::zoo_catalogue())
//         std::cout << entry.name << (is_as_expected(run_zoo_entry(entry)) ? ": caught\n" : ": missed\n");
//
// To add a generator, put its class into a header of statistical_tests/zoo. The header is named after the generator's
// kind. Then add a line to the .cpp file of that kind.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The bytes that PractRand 0.95 needs to fail the generator ("stdin", default folding), or the bytes that it found
/// clean.
struct PractRandFigure {
    uint64_t bytes = 0;  ///< 0: not measured
    bool is_clean = false;
};

/// A flawed generator, and how to make it.
struct ZooEntry {
    using Make = std::function<GeneratorUnderTest(uint64_t seed)>;

    std::string name;         ///< "minstd-top16"
    std::string description;  ///< the flaw, in one line
    std::string origin;       ///< the author, or the place where the flaw is described
    PractRandFigure practrand;
    std::string expected;  ///< the tests that are there to find it
    Tier tier;             ///< quick: tested by its bytes; structural: by its function or its streams
    uint64_t limit;        ///< bytes, or cases of structural tests: the battery must find the flaw within them
    Make make;
    std::string control;
    Make make_control;
};

/// Returns all generators of the zoo, by kind.
[[nodiscard]] const std::vector<ZooEntry>& zoo_catalogue();

/// The worst result of one test for a generator, over all interim analyses.
struct ZooCell {
    std::string test;       ///< "hamming8", without its part
    double log10_adjusted;  ///< the worst part in the worst analysis: at most 0, -infinity for p = 0
    std::string stage;      ///< of the first analysis beyond the failing rate; if there is none, of the worst analysis
    uint64_t size;          ///< the size of that analysis: bytes of "stream", cases of "structural"
    bool is_rejection = false;  ///< true if the p-value is beyond the failing rate
};

/// A flawed generator with its control: the same with the flaw repaired.
struct ZooRow {
    std::string name;         ///< "minstd"
    std::string description;  ///< the flaw in one line
    Verdict verdict = Verdict::pass;
    std::string caught_by;   ///< the test that failed first; empty if none did
    std::string stage;       ///< the stage of the analysis that failed: "stream" or "structural"; empty if none failed
    uint64_t bytes = 0;      ///< read until it failed: bytes of "stream", cases of "structural"; all bytes if it passed
    double cpu_seconds = 0;  ///< of the generator and the tests
    std::vector<ZooCell> cells;  ///< the tests with a result, in any order

    std::string control;  ///< the control's name; empty if there is none
    Verdict control_verdict = Verdict::pass;
    uint64_t control_bytes = 0;
    double control_cpu_seconds = 0;
    std::string control_failed_by = {};  ///< the test that failed first; empty if it passed
};

/// How an entry of the zoo is tested.
struct ZooOptions {
    int threads = 0;  ///< as in the battery's Options
    uint64_t seed = 1;
    /// The control gets four times the bytes that the flaw took, but not more than this.
    uint64_t control_bytes_at_most = uint64_t{1} << 28;
};

/// Runs the battery on the flawed generator until it fails or the limit is reached, then on its control.
/// The control gets up to four times the data that the flaw took. Throws as run_battery does.
[[nodiscard]] ZooRow run_zoo_entry(const ZooEntry& entry, const ZooOptions& options = {});

/// Returns true if the battery caught the flaw and passed the control.
[[nodiscard]] bool is_as_expected(const ZooRow& row);

/// Returns the cells of a report: each test's worst result and the size at which it was first found.
[[nodiscard]] std::vector<ZooCell> zoo_cells(const Report& report);

/// Returns the web page of generators by tests, with the test that caught each generator. A row's cells may be in any
/// order.
[[nodiscard]] std::string html_zoo(std::span<const ZooRow> rows, const Policy& policy = {},
                                   const std::string& command = {});

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
