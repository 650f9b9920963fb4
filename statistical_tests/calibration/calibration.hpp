// Calibration: the battery on a null reference, many times over. Are the p-values uniform, and is the family-wise rate
// what it says?
#pragma once

#include <rng/stats/battery.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "null_reference.hpp"

namespace rng::stats {

struct CalibrationOptions {
    /// What battery number `key` tests: words of 32 and of 64 bits in turns, so that tests of lanes see both.
    std::function<Subject(uint64_t key)> subject = [](uint64_t key) {
        return null_subject(NullCipher::chacha20, key, key % 2 ? 32 : 64);
    };
    uint64_t batteries = 1000;
    uint64_t first_key = 1;
    Tier tier = Tier::quick;  ///< functional, or what functional tests are given beside a stream
    uint64_t bytes = uint64_t{1} << 26;
    std::vector<std::string> only;
    int threads = 1;  ///< batteries at a time
    std::function<void(uint64_t done)> progress;
    const std::atomic<bool>* stop = nullptr;
};

/// All p-values of one part of a test at one size.
struct CalibrationRow {
    std::string test;  ///< with its part
    std::string stage;
    uint64_t size = 0;
    uint64_t values = 0;
    double chi_square_p = 1;  ///< of 100 bins (fewer where a bin would expect less than 10) of randomised p-values
    uint64_t below[3] = {};   ///< two-sided p below 1e-2, 1e-3, 1e-4
    double below_p[3] = {1, 1, 1};  ///< probability of as many, or more, if p-values are what they say
    double least_log10 = 0;         ///< the smallest two-sided p
};

struct Calibration {
    uint64_t batteries = 0;
    uint64_t p_values = 0;
    /// Batteries with an adjusted p-value below each rate.
    struct Rate {
        double rate;
        uint64_t fired;
        double fired_p;  ///< probability of as many, or more, at that rate
    };
    std::vector<Rate> rates;
    std::vector<CalibrationRow> rows;  ///< worst first
    double worst_chi_square_p = 1;     ///< Bonferroni-adjusted for the rows
    double worst_tail_p = 1;           ///< likewise, of the tail counts
};

[[nodiscard]] Calibration calibrate(const CalibrationOptions& options);

}  // namespace rng::stats
