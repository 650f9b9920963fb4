// The zoo's outcome: what the battery said of each flawed generator and of its sound twin. html_zoo() draws it.
#pragma once

#include <rng/stats/battery.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace rng::stats {

/// The worst that one test said of a generator over all looks.
struct ZooCell {
    std::string test;           ///< "hamming8", without its part
    double log10_adjusted;      ///< of the worst part in the worst look: at most 0, -infinity for p = 0
    std::string stage;          ///< of the first look beyond the failing rate, else of the worst one
    uint64_t size;              ///< of that look: bytes of "stream", units of "functional"
    bool is_rejection = false;  ///< whether it lies beyond the failing rate
};

/// A flawed generator with its twin: the same with the flaw repaired.
struct ZooRow {
    std::string name;         ///< "minstd"
    std::string description;  ///< the flaw in one line
    Verdict verdict = Verdict::pass;
    std::string caught_by;  ///< the test that failed first; empty if none did
    std::string stage;      ///< of the look that failed: "stream" or "functional"; empty if none did
    uint64_t bytes = 0;  ///< that it took to fail: bytes of "stream", units of "functional"; all of them if it passed
    double cpu_seconds = 0;      ///< of generator and tests
    std::vector<ZooCell> cells;  ///< tests that said something, in any order

    std::string twin;  ///< its name; empty if there is none
    Verdict twin_verdict = Verdict::pass;
    uint64_t twin_bytes = 0;
    double twin_cpu_seconds = 0;
    std::string twin_failed_by = {};  ///< the test that failed first; empty if it passed
};

/// The cells of a report: each test's worst result and the size at which it was first found.
[[nodiscard]] std::vector<ZooCell> zoo_cells(const Report& report);

}  // namespace rng::stats
