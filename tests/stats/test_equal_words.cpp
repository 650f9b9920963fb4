// equal-words: its mean against the series of the exact one, the flaws that it must reject and their controls.
//
#include <gtest/gtest.h>

#include <cmath>

#include "../../statistical_tests/zoo/historic.hpp"
#include "../../statistical_tests/zoo/misuse.hpp"
#include "../support/battery.hpp"

using namespace rng::stats;
using namespace rng::stats::zoo;

namespace {

Report equal_words_of(auto generator, uint64_t bytes, bool keep_going = false) {
    return support::run_test(support::generator_of(std::move(generator)), "equal-words", bytes, keep_going);
}

/// A counter: all words different, so the lower tail of a Poisson distribution is exp(-mean).
struct Counter : Whole<uint32_t> {
    uint32_t operator()() { return n++; }
    uint32_t n = 0;
};

}  // namespace

TEST(EqualWords, MeanOfOneSegment) {
    // n - k (1 - (1 - 1/k)^n) with k = 2^32, n = 2^20, by the series n (n - 1) / 2k - n (n - 1)(n - 2) / 6k^2 + ...
    const double n = 0x1p20, k = 0x1p32, mean = n * (n - 1) / (2 * k) - n * (n - 1) * (n - 2) / (6 * k * k);
    const Report report = equal_words_of(Counter(), uint64_t{1} << 22, true);
    EXPECT_NEAR(report.analyses.back().results.at(0).p.log10_lower, -mean / std::log(10.0), 1e-5);
}

TEST(EqualWords, Rejects) {
    const Report hash = equal_words_of(Hash32(1), uint64_t{1} << 22);
    EXPECT_EQ(hash.verdict, Verdict::fail);
    EXPECT_LT(hash.worst()->p.log10_lower, -12);
    const Report repeated = equal_words_of(RepeatedWord<1024>(1), uint64_t{1} << 19);
    EXPECT_EQ(repeated.verdict, Verdict::fail);
    EXPECT_LT(repeated.worst()->p.log10_upper, -12);
}

TEST(EqualWords, PassesTheirControls) {
    EXPECT_EQ(equal_words_of(Slice<SplitMix64, 32, 32>(1), uint64_t{1} << 24).verdict, Verdict::pass);
    EXPECT_EQ(equal_words_of(RepeatedWord<0>(1), uint64_t{1} << 24).verdict, Verdict::pass);
}

// The segments that it samples are added up: 129 segments hold two sets.
TEST(EqualWords, AddsSegments) {
    const Report report = equal_words_of(Counter(), uint64_t{129} << 22, true);
    EXPECT_NEAR(report.analyses.back().results.at(0).p.log10_lower, -2 * 127.98962 / std::log(10.0), 1e-3);
}
