// Stream pairs: p-values of ideal streams are uniform.
// These flaws fail, and their controls pass:
// - successive keys of few rounds,
// - two equal streams among many,
// - a bit of the stream's number that shows through.
#include <gtest/gtest.h>
#include <rng/stats/engines_under_test.hpp>

#include <cstring>

#include "../support/sampled.hpp"
#include "../support/structural.hpp"

namespace {

using namespace structural;

constexpr Cipher ideal{Cipher::Family::threefry, 4, 64, 20};

/// Ideal streams, changed by `flaw`.
class Streams final : public StreamSet {
  public:
    using Flaw = void (*)(uint64_t& index, uint64_t number, std::span<std::byte> bytes, bool before);
    Streams(uint64_t seed, Flaw flaw) : seed_(seed), flaw_(flaw) {}
    [[nodiscard]] std::string name() const override { return "mine"; }
    [[nodiscard]] int word_bits() const override { return 64; }
    [[nodiscard]] int block_bytes() const override { return 32; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        const uint64_t number = index;
        if (flaw_) flaw_(index, number, to, true);
        CipherStream(ideal, seed_, index).read(position, to);
        if (flaw_) flaw_(index, number, to, false);
    }

  private:
    uint64_t seed_;
    Flaw flaw_;
};

std::map<std::string, PValue> results_with(Streams::Flaw flaw, uint64_t cases = 1) {
    return results_of(generator_of_streams(std::make_shared<Streams>(1, flaw)), "stream-pairs", cases);
}

TEST(StreamPairs, OfIdealStreamsAreUniform) {
    Uniformity uniformity;
    for (uint64_t seed = 0; seed < 150; ++seed)
        uniformity.add(
            results_of(generator_of_streams(std::make_shared<Streams>(seed, nullptr)), "stream-pairs", 1 + seed % 2));
    uniformity.expect_uniform({"stream-pairs/mine:largest"});
}

/// The z with P(Z >= z) = p of the standard normal distribution.
double normal_quantile(double p) {
    double low = -10, high = 10;
    while (high - low > 1e-9) {
        const double z = (low + high) / 2;
        (std::erfc(z / std::sqrt(2.0)) / 2 > p ? low : high) = z;
    }
    return low;
}

TEST(StreamPairs, SumOfSquaresHasItsThreeMoments) {
    // If p-values are right, their normal quantiles have moments 0, 1 and 0; bounds of five standard errors.
    const uint64_t seeds = support::sampled(800);
    const auto n = static_cast<double>(seeds);
    double moments[4] = {};
    for (uint64_t seed = 1000; seed < 1000 + seeds; ++seed) {
        const auto results =
            results_of(generator_of_streams(std::make_shared<Streams>(seed, nullptr)), "stream-pairs", 1);
        const double z = normal_quantile(results.at("stream-pairs/mine:squares").upper());
        for (int k = 1; k < 4; ++k) moments[k] += std::pow(z, k) / n;
    }
    EXPECT_NEAR(moments[1], 0, 5 / std::sqrt(n));
    EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / n));
    EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / n));
}

TEST(StreamPairs, FindSuccessiveKeysOfFewRounds) {
    EXPECT_LT(least_log10(results_of(engine_under_test("philox4x32-4", 1), "stream-pairs/seeds", 1)), failed);
    EXPECT_GT(least_log10(results_of(engine_under_test("philox4x32-10", 1), "stream-pairs/seeds", 1)), sound);
}

TEST(StreamPairs, FindTwoEqualStreams) {
    const auto results = results_with([](uint64_t& index, uint64_t, std::span<std::byte>, bool before) {
        if (before && index == 900) index = 3;
    });
    // 2^-511 times half a million pairs.
    EXPECT_NEAR(results.at("stream-pairs/mine:largest").log10_upper,
                -511 * std::log10(2.0) + std::log10(1024. * 1023 / 2), 1e-6);
}

TEST(StreamPairs, FindComplements) {
    const auto results = results_with([](uint64_t& index, uint64_t number, std::span<std::byte> bytes, bool before) {
        if (number != 901) return;
        if (before) index = 3;
        if (!before)
            for (std::byte& b : bytes) b = ~b;
    });
    EXPECT_LT(results.at("stream-pairs/mine:largest").log10_upper, failed);
}

TEST(StreamPairs, FindABitOfTheNumber) {
    // Byte 5's lowest bit is bit 3 of the number in three of four streams.
    const auto results = results_with([](uint64_t&, uint64_t number, std::span<std::byte> bytes, bool before) {
        if (!before && (bytes[0] & std::byte{3}) != std::byte{0})
            bytes[5] = (bytes[5] & std::byte{0xfe}) | static_cast<std::byte>(number >> 3 & 1);
    });
    EXPECT_LT(results.at("stream-pairs/mine:index cell").log10_upper, failed);
}

TEST(StreamPairs, FindAFewCommonBits) {
    // In each stream the first 24 bits are those of one of sixteen: no pair is conspicuous, the sum is.
    const auto results = results_with([](uint64_t& index, uint64_t number, std::span<std::byte> bytes, bool before) {
        if (before || index != number) return;
        for (std::size_t i = 0; i < 3; ++i)
            bytes[i] = static_cast<std::byte>((number * 0x9E3779B97F4A7C15u >> 60) * 37 + i * 11);
    });
    EXPECT_LT(results.at("stream-pairs/mine:squares").log10_upper, failed);
    EXPECT_GT(results.at("stream-pairs/mine:largest").log10_upper, sound);
}

TEST(StreamPairs, OverlapNowhere) {
    /// Keeps what is read.
    class Recorder final : public StreamSet {
      public:
        [[nodiscard]] std::string name() const override { return "recorder"; }
        [[nodiscard]] int word_bits() const override { return 32; }
        [[nodiscard]] int block_bytes() const override { return 24; }
        void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
            EXPECT_EQ(position % 24, 0u);
            EXPECT_LT(index, uint64_t{1} << 56);
            EXPECT_TRUE(seen.insert({position, index}).second);
            longest = std::max(longest, to.size());
            positions.insert(position);
        }
        mutable std::set<std::pair<uint64_t, uint64_t>> seen;
        mutable std::set<uint64_t> positions;
        mutable std::size_t longest = 0;
    };
    const auto recorder = std::make_shared<Recorder>();
    static_cast<void>(results_of(generator_of_streams(recorder), "stream-pairs", 64));
    ASSERT_EQ(recorder->positions.size(), 64u);
    uint64_t end = 0;
    for (const uint64_t position : recorder->positions) {
        EXPECT_GE(position, end);
        end = position + recorder->longest;
    }
}

}  // namespace
