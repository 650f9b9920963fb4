// The zoo: generators known to be flawed, each with a sound twin, the same construction without the flaw. The battery
// must reject the one and pass the other, or the battery is what is flawed.
//
//     for (const rng::stats::ZooEntry& entry : rng::stats::zoo_catalogue()) run_zoo_entry(entry);
//
// To add one: its class in a header of statistical_tests/zoo, named after its kind, and a line in the .cpp of that
// kind.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How many bytes PractRand 0.95 needs to fail it ("stdin", default folding), or how many it found clean.
struct PractRandFigure {
    uint64_t bytes = 0;  ///< 0: not measured
    bool is_clean = false;
};

struct ZooEntry {
    using Make = std::function<Subject(uint64_t seed)>;

    std::string name;         ///< "minstd-top16"
    std::string description;  ///< the flaw, in one line
    std::string origin;       ///< who made it, or where the flaw is described
    PractRandFigure practrand;
    std::string expected;  ///< tests that are there for it
    Tier tier;             ///< quick: by its bytes; structural: by its function or its streams
    uint64_t limit;        ///< bytes, or units of structural tests: it must be caught by then
    Make make;
    std::string twin;
    Make make_twin;
};

/// All of them, by kind.
[[nodiscard]] const std::vector<ZooEntry>& zoo_catalogue();

/// The worst that one test said of a generator over all looks.
struct ZooCell {
    std::string test;           ///< "hamming8", without its part
    double log10_adjusted;      ///< of the worst part in the worst look: at most 0, -infinity for p = 0
    std::string stage;          ///< of the first look beyond the failing rate, else of the worst one
    uint64_t size;              ///< of that look: bytes of "stream", units of "structural"
    bool is_rejection = false;  ///< whether it lies beyond the failing rate
};

/// A flawed generator with its twin: the same with the flaw repaired.
struct ZooRow {
    std::string name;         ///< "minstd"
    std::string description;  ///< the flaw in one line
    Verdict verdict = Verdict::pass;
    std::string caught_by;  ///< the test that failed first; empty if none did
    std::string stage;      ///< of the look that failed: "stream" or "structural"; empty if none did
    uint64_t bytes = 0;  ///< that it took to fail: bytes of "stream", units of "structural"; all of them if it passed
    double cpu_seconds = 0;      ///< of generator and tests
    std::vector<ZooCell> cells;  ///< tests that said something, in any order

    std::string twin;  ///< its name; empty if there is none
    Verdict twin_verdict = Verdict::pass;
    uint64_t twin_bytes = 0;
    double twin_cpu_seconds = 0;
    std::string twin_failed_by = {};  ///< the test that failed first; empty if it passed
};

struct ZooOptions {
    int threads = 0;  ///< as of the battery
    uint64_t seed = 1;
    /// The twin gets four times the bytes that the flaw took, but no more than this.
    uint64_t twin_bytes_at_most = uint64_t{1} << 28;
};

/// Has the battery look at the flawed generator until it fails or the limit is reached, and at its twin up to four
/// times the data that the flaw took. Throws what run_battery does.
[[nodiscard]] ZooRow run_zoo_entry(const ZooEntry& entry, const ZooOptions& options = {});

/// Whether the flaw was caught and the twin passed.
[[nodiscard]] bool is_as_expected(const ZooRow& row);

/// The cells of a report: each test's worst result and the size at which it was first found.
[[nodiscard]] std::vector<ZooCell> zoo_cells(const Report& report);

/// The matrix of generators and tests, and what caught each of them. A row's cells may be in any order.
[[nodiscard]] std::string html_zoo(std::span<const ZooRow> rows, const Policy& policy = {},
                                   const std::string& command = {});

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
