// cuRAND's host generator, which runs without a GPU: its Philox words are ours, in a different order.
//
// In its default ordering, value i is word i mod 4 of block (i / 4) / 65536 of subsequence (i / 4) mod 65536.
// A subsequence is one of our streams.
// The ordering was measured with CUDA 13.0; cuRAND's documentation gives the 65536 subsequences.
#include <curand.h>
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cstdint>
#include <vector>

namespace {

using rng::Stream;

constexpr uint64_t subsequences = 65536;

/// Returns word i in cuRAND's default ordering.
uint32_t word_in_curand_order(uint64_t seed, uint64_t i) {
    return rng::word(Stream<>{seed, i / 4 % subsequences}, i / 4 / subsequences * 4 + i % 4);
}

class Curand : public testing::Test {
  protected:
    // Seeded and moved on; three blocks of every subsequence, and a part of the fourth.
    static constexpr std::size_t n = 4 * subsequences * 3 + 1000;
    void make(uint64_t seed, uint64_t offset) {
        if (generator_ != nullptr) curandDestroyGenerator(generator_);
        ASSERT_EQ(curandCreateGeneratorHost(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10), CURAND_STATUS_SUCCESS);
        ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator_, seed), CURAND_STATUS_SUCCESS);
        ASSERT_EQ(curandSetGeneratorOffset(generator_, offset), CURAND_STATUS_SUCCESS);
    }
    void TearDown() override {
        if (generator_ != nullptr) curandDestroyGenerator(generator_);
    }
    curandGenerator_t generator_ = nullptr;
};

TEST_F(Curand, Words) {
    for (const uint64_t seed : {uint64_t{0}, uint64_t{42}, uint64_t{0xdeadbeefcafef00d}}) {
        make(seed, 0);
        std::vector<unsigned> theirs(n);
        ASSERT_EQ(curandGenerate(generator_, theirs.data(), n), CURAND_STATUS_SUCCESS);
        std::size_t different = 0;
        for (uint64_t i = 0; i < n; ++i) different += theirs[i] != word_in_curand_order(seed, i);
        EXPECT_EQ(different, 0u) << "seed " << seed;
    }
}

// Its offset counts words, as our positions do within a stream; successive calls go on.
TEST_F(Curand, OffsetsAndSuccessiveCalls) {
    make(42, 1'000'003);
    std::vector<unsigned> theirs(10'000);
    ASSERT_EQ(curandGenerate(generator_, theirs.data(), 3000), CURAND_STATUS_SUCCESS);
    ASSERT_EQ(curandGenerate(generator_, theirs.data() + 3000, 7000), CURAND_STATUS_SUCCESS);
    std::size_t different = 0;
    for (uint64_t i = 0; i < theirs.size(); ++i) different += theirs[i] != word_in_curand_order(42, 1'000'003 + i);
    EXPECT_EQ(different, 0u);
}

// Its uniforms are of (0, 1], x * 2^-32 + 2^-33 rounded to f32. uniform_open_closed rounds the same word up to a
// multiple of 2^-24 instead: nowhere less, and at most 2^-24 more.
TEST_F(Curand, Uniforms) {
    make(42, 0);
    std::vector<float> theirs(n);
    ASSERT_EQ(curandGenerateUniform(generator_, theirs.data(), n), CURAND_STATUS_SUCCESS);
    std::size_t different = 0, far = 0;
    for (uint64_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(word_in_curand_order(42, i));
        different += theirs[i] != x * 0x1p-32f + 0x1p-33f;
        const Stream<> s{42, i / 4 % subsequences, i / 4 / subsequences * 4 + i % 4};
        const float ours = rng::at(s, rng::uniform_open_closed<float>{}, 0);
        far += !(theirs[i] <= ours && ours - theirs[i] <= 0x1p-24f);
    }
    EXPECT_EQ(different, 0u);
    EXPECT_EQ(far, 0u);
}

// A seed that differs in one bit gives other words: the comparisons above can fail.
TEST_F(Curand, AnotherSeedIsSeen) {
    make(43, 0);
    std::vector<unsigned> theirs(1000);
    ASSERT_EQ(curandGenerate(generator_, theirs.data(), theirs.size()), CURAND_STATUS_SUCCESS);
    std::size_t different = 0;
    for (uint64_t i = 0; i < theirs.size(); ++i) different += theirs[i] != word_in_curand_order(42, i);
    EXPECT_EQ(different, 1000u);
}

}  // namespace
