// Fingerprints of blocks: streams that coincide, or overlap 1, 10^3 and 10^6 blocks away, fail; those that lie far
// apart pass. One repeat has the p-value of its Poisson distribution.
#include <gtest/gtest.h>
#include <rng/stats/engines_under_test.hpp>

#include <cstring>

#include "../support/structural.hpp"

namespace {

using namespace structural;

/// Streams cut from one sequence of Philox4x32-10: stream i begins at block start(i). Blocks are those of the cipher,
/// or 4 bytes.
class Cut final : public StreamSet {
  public:
    using Start = uint64_t (*)(uint64_t index);
    explicit Cut(Start start, int block_bytes = 16) : start_(start), block_bytes_(block_bytes) {}
    [[nodiscard]] std::string name() const override { return "cut"; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] int block_bytes() const override { return block_bytes_; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        sequence_.read(start_(index) * static_cast<uint64_t>(block_bytes_) + position, to);
    }

  private:
    Start start_;
    int block_bytes_;
    CipherStream sequence_{Cipher{Cipher::Family::philox, 4, 32, 10}, 5};
};

std::map<std::string, PValue> results_with(Cut::Start start, uint64_t cases, int block_bytes = 16) {
    return results_of(generator_of_streams(std::make_shared<Cut>(start, block_bytes)), "fingerprints", cases);
}
/// Sixteen streams with this distance; all others far away.
template <uint64_t Distance> uint64_t at_distance(uint64_t i) {
    return i < 16 ? i * Distance : (uint64_t{1} << 45) + i * 64;
}

TEST(Fingerprints, FindOverlaps) {
    EXPECT_LT(results_with(at_distance<1>, 1).at("fingerprints/cut:starts").log10_upper, failed);
    EXPECT_LT(results_with(at_distance<1000>, 2).at("fingerprints/cut:runs").log10_upper, failed);
    EXPECT_LT(results_with(at_distance<1000000>, 160).at("fingerprints/cut:runs").log10_upper, failed);
    EXPECT_GT(least_log10(results_with(at_distance<uint64_t{1} << 30>, 160)), sound);
}

TEST(Fingerprints, FindOverlapsOfShortBlocks) {
    EXPECT_LT(results_with(at_distance<1001>, 2, 4).at("fingerprints/cut:runs").log10_upper, failed);
    EXPECT_GT(least_log10(results_with(at_distance<uint64_t{1} << 30>, 16, 4)), sound);
}

TEST(Fingerprints, FindAHashOfFewBits) {
    EXPECT_GT(least_log10(results_with([](uint64_t i) { return i << 20; }, 2)), sound);
    // Steele, Lea and Flood's mixing of 64 bits (OOPSLA 2014), of which 20 are kept.
    const auto hash = [](uint64_t i) {
        uint64_t h = (i + 1) * 0x9E3779B97F4A7C15u;
        h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
        h = (h ^ h >> 32) * 0x94D049BB133111EBu;
        return (h >> 44) << 30;
    };
    EXPECT_LT(results_with(hash, 16).at("fingerprints/cut:starts").log10_upper, failed);
    EXPECT_LT(
        results_with([](uint64_t i) { return (i & 0xffffffff) << 24; }, 4).at("fingerprints/cut:starts").log10_upper,
        failed);
}

TEST(Fingerprints, OfEnginesDiffer) {
    for (const char* engine : {"philox4x32-10", "threefry4x64-20"})
        EXPECT_GT(least_log10(results_of(engine_under_test(engine, 3), "fingerprints", 32)), sound) << engine;
}

TEST(Fingerprints, OneRepeatIsPoisson) {
    // Stream 7 begins as stream 8 ends: of 2 x 2048 fingerprints, two are one.
    const auto results = results_with([](uint64_t i) { return i == 8 ? (7 << 20) - 1 : i << 20; }, 1);
    const double n = 4096;
    EXPECT_NEAR(results.at("fingerprints/cut:starts").log10_upper, std::log10(n * (n - 1) / 2) - 64 * std::log10(2.0),
                1e-9);
}

TEST(Fingerprints, OfZerosRepeat) {
    class Zeros final : public StreamSet {
      public:
        [[nodiscard]] std::string name() const override { return "zeros"; }
        [[nodiscard]] int word_bits() const override { return 32; }
        [[nodiscard]] int block_bytes() const override { return 16; }
        void read(uint64_t, uint64_t, std::span<std::byte> to) const override { std::ranges::fill(to, std::byte{0}); }
    };
    EXPECT_LT(least_log10(results_of(generator_of_streams(std::make_shared<Zeros>()), "fingerprints", 1)), failed);
}

}  // namespace
