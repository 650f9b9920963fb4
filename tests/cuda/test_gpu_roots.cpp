// Roots of maps (lane::sqrt_in_range) against sqrt.rn, on a GPU.
#include <gtest/gtest.h>

#include <rng/device.hpp>
#include <rng/generator.hpp>

#include "roots.hpp"

namespace {

class GpuRoots : public testing::Test {
  protected:
    void SetUp() override {
        if (rng::devices().size() < 2) GTEST_SKIP() << "no GPU on this machine";
    }
};

TEST_F(GpuRoots, EveryFloatSignificand) { EXPECT_EQ(wrong_roots_f32(), 0u); }
TEST_F(GpuRoots, DoublesSpreadAndNextToSquares) { EXPECT_EQ(wrong_roots_f64(), 0u); }

}  // namespace
