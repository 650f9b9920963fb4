// The zoo: generators known to be flawed, each with a sound twin, the same construction without the flaw. The battery
// must reject the one and pass the other, or the battery is what is flawed.
//
// To add one: its class in a header here, named after its kind, and a line in the .cpp of that kind.
#pragma once

#include <rng/stats/battery.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "matrix.hpp"

namespace rng::stats {

/// What PractRand 0.95 needs to fail it ("stdin", default folding), or how much it found clean.
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
    Tier tier;             ///< quick: by its bytes; functional: by its function or its streams
    uint64_t limit;        ///< bytes, or units of functional tests: it must be caught by then
    Make make;
    std::string twin;
    Make make_twin;
};

/// All of them, by kind.
[[nodiscard]] const std::vector<ZooEntry>& zoo_catalogue();

struct ZooOptions {
    int threads = 0;  ///< as of the battery
    uint64_t seed = 1;
    /// Of the twin: four times what the flaw took, but no more than this.
    uint64_t twin_bytes_at_most = uint64_t{1} << 28;
};

/// Has the battery look at the flawed generator until it fails or the limit is reached, and at its twin up to four
/// times the data that the flaw took. Throws what run_battery does.
[[nodiscard]] ZooRow run_zoo_entry(const ZooEntry& entry, const ZooOptions& options = {});

/// Whether the flaw was caught and the twin passed.
[[nodiscard]] bool is_as_expected(const ZooRow& row);

}  // namespace rng::stats
