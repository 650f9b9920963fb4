// freq16 of bytes: the flaw that it must reject, its control, and its statistic against one written out.
//
#include <gtest/gtest.h>

#include "../../statistical_tests/zoo/historic.hpp"
#include "../support/battery.hpp"

using namespace rng::stats;
using namespace rng::stats::zoo;

namespace {

Report bytes_of(auto generator, uint64_t bytes) {
    return support::run_test(support::generator_of(std::move(generator)), "freq16", bytes, true);
}

/// Bytes 0, 1, ..., 255, 0, ...: every count is what is expected. With `extra` more zeros at the start.
struct Cycle : Whole<uint8_t> {
    uint8_t operator()() {
        if (extra == 0) return n++;
        --extra;
        return 0;
    }
    int extra = 0;
    uint8_t n = 0;
};

}  // namespace

TEST(FrequencyOfBytes, RejectsTheSecondByteOfRc4) {
    EXPECT_EQ(bytes_of(Rc4<1>(1), 1 << 16).verdict, Verdict::fail);
    EXPECT_EQ(bytes_of(Rc4<768>(1), 1 << 16).verdict, Verdict::pass);
}

TEST(FrequencyOfBytes, ChiSquare) {
    const Report even = bytes_of(Cycle(), 1 << 16);
    EXPECT_EQ(even.analyses.front().results.size(), 0u);                // 8 KiB: 32 a cell
    EXPECT_LT(even.analyses.back().results.at(0).p.log10_lower, -300);  // X^2 = 0
    // 256 zeros more of 65,536: a cell of 511 and the others of 255; (255^2 + 255) / 256.
    Cycle cycle;
    cycle.extra = 256;
    const PValue p = bytes_of(cycle, 1 << 16).analyses.back().results.at(0).p;
    EXPECT_NEAR(p.log10_upper, chi_square_p_value((255.0 * 255 + 255) / 256, 255).log10_upper, 1e-9);
}
