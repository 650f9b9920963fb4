// cuRAND's host generator, which runs without a GPU: its Philox words are ours, in a different order.
//
// The functions of interop/curand.hpp give its words and uniform numbers, in its default ordering.
// The ordering was measured with CUDA 13.0; cuRAND's documentation gives the 65536 subsequences.
#include <curand.h>
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/interop/curand.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace {

using rng::Stream;

constexpr std::size_t round_of_all = 4 * 65536;  // four words of each subsequence

/// Returns how many of the generator's numbers from `offset` on are not ours.
template <class T> std::size_t different(const std::vector<T>& theirs, const std::vector<T>& ours) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) count += theirs[i] != ours[i];
    return count;
}
std::vector<uint32_t> words(uint64_t seed, std::size_t n, uint64_t offset = 0) {
    std::vector<uint32_t> ours(n);
    rng::curand::generate(ours, seed, offset);
    return ours;
}

class Curand : public testing::Test {
  protected:
    // Seeded and moved on; three blocks of every subsequence, and a part of the fourth.
    static constexpr std::size_t n = 3 * round_of_all + 1000;
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
        std::vector<uint32_t> theirs(n);
        ASSERT_EQ(curandGenerate(generator_, theirs.data(), n), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(different(theirs, words(seed, n)), 0u) << "seed " << seed;
    }
}

// Its offset counts words, as our positions do within a stream; successive calls go on.
TEST_F(Curand, OffsetsAndSuccessiveCalls) {
    make(42, 1'000'003);
    std::vector<uint32_t> theirs(10'000);
    ASSERT_EQ(curandGenerate(generator_, theirs.data(), 3000), CURAND_STATUS_SUCCESS);
    ASSERT_EQ(curandGenerate(generator_, theirs.data() + 3000, 7000), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(different(theirs, words(42, theirs.size(), 1'000'003)), 0u);
}

// uniform_open_closed rounds the same word up to a multiple of 2^-24 instead: nowhere less, and at most 2^-24 more.
TEST_F(Curand, Uniforms) {
    make(42, 0);
    std::vector<float> theirs(n), ours(n);
    ASSERT_EQ(curandGenerateUniform(generator_, theirs.data(), n), CURAND_STATUS_SUCCESS);
    rng::curand::generate_uniform(std::span(ours), 42);
    EXPECT_EQ(different(theirs, ours), 0u);
    std::size_t far = 0;
    for (uint64_t i = 0; i < n; ++i) {
        const Stream<> s = rng::curand::stream(42, i / 4 % 65536, i / round_of_all * 4 + i % 4);
        EXPECT_EQ(rng::at(s, rng::curand::uniform{}, 0), ours[i]);
        const float open_closed = rng::at(s, rng::uniform_open_closed<float>{}, 0);
        far += !(theirs[i] <= open_closed && open_closed - theirs[i] <= 0x1p-24f);
    }
    EXPECT_EQ(far, 0u);
}

TEST_F(Curand, UniformDoubles) {
    make(42, 0);
    std::vector<double> theirs(n), ours(n);
    ASSERT_EQ(curandGenerateUniformDouble(generator_, theirs.data(), n), CURAND_STATUS_SUCCESS);
    rng::curand::generate_uniform(std::span(ours), 42);
    EXPECT_EQ(different(theirs, ours), 0u);
}

/// curand_uniform_double's formula, by hand.
TEST(CurandDevice, ADoubleOfOneWord) {
    const Stream<> s = rng::curand::stream(42, 7, 3);
    std::vector<double> x(1000);
    rng::fill(x, rng::curand::uniform_double{}, s);
    for (uint64_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(x[i], word(s, 3 + i) * 0x1p-32 + 0x1p-32);
        EXPECT_EQ(x[i], rng::at(s, rng::curand::uniform_double{}, i));
    }
}

// A seed that differs in one bit gives other words: the comparisons above can fail.
TEST_F(Curand, AnotherSeedIsSeen) {
    make(43, 0);
    std::vector<uint32_t> theirs(1000);
    ASSERT_EQ(curandGenerate(generator_, theirs.data(), theirs.size()), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(different(theirs, words(42, 1000)), 1000u);
}

}  // namespace
