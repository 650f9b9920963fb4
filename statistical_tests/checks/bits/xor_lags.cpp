// xor-lags: the Hamming weight of word i XOR word i + lag, summed over i; lags 1 to 16 and powers of two up to 2^19.
// Null: the sum of a lag is exactly binomial; different lags are uncorrelated (TestU01's swalk_ and sstring_ families;
// Knuth, TAOCP 2, section 3.3.3).
// Statistic: the smallest two-sided p of the lags 1 to 16 ("1-16") and of the powers of two ("powers").
// Flaw: LCG64, all bits, at 8 KiB; Philox4x32 of 5 rounds, at 2 MiB. Control: LCG64's high half; 10 rounds. xorwow is
// not found. Cost: 0.2 cycles a byte and lag; one segment of 32, and of that 512 KiB only for lags of 8 KiB or more.
// Derivation: docs/statistics/xor_lags.md.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32;
constexpr std::size_t block_bytes = std::size_t{1} << 13, long_lag_bytes = std::size_t{1} << 19;
constexpr std::size_t short_lags = 16, powers = 15, all_lags = short_lags + powers;  // 1 .. 16; 2^5 .. 2^19

std::size_t lag_of(std::size_t i) { return i < short_lags ? i + 1 : std::size_t{1} << (i - short_lags + 5); }

/// Returns the Hamming weight of the first `bytes` bytes of a XOR b. Requires a multiple of 8.
RNG_STATS_CLONES uint64_t weight_of_difference(const std::byte* a, const std::byte* b, std::size_t bytes) {
    const auto weight_at = [&](std::size_t i) {
        uint64_t x, y;
        std::memcpy(&x, a + i, 8);
        std::memcpy(&y, b + i, 8);
        return static_cast<uint64_t>(std::popcount(x ^ y));
    };
    uint64_t weight = 0, other = 0;
    std::size_t i = 0;
    for (; i + 32 <= bytes; i += 32) {
        weight += weight_at(i) + weight_at(i + 8);
        other += weight_at(i + 16) + weight_at(i + 24);
    }
    for (; i < bytes; i += 8) weight += weight_at(i);
    return weight + other;
}

class XorLags final : public Test {
  public:
    XorLags() { counts.resize(2 * all_lags); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        const std::size_t word_bytes = segment.word_bits == 64 ? 8 : 4;
        // Goes block by block, so that short lags find their words in the cache.
        for (std::size_t from = 0; from < segment.data.size(); from += block_bytes)
            for (std::size_t i = 0; i < all_lags; ++i)
                add_block(segment.data, from, lag_of(i) * word_bytes, counts.data() + 2 * i);
    }

    void results(Results& results) const override {
        add_part("1-16", 0, short_lags, results);
        add_part("powers", short_lags, all_lags, results);
    }

  private:
    static void add_block(std::span<const std::byte> data, std::size_t from, std::size_t lag, uint64_t* count) {
        if (2 * lag > data.size() || from + lag >= data.size() || (lag >= block_bytes && from >= long_lag_bytes))
            return;
        const std::size_t bytes = std::min(block_bytes, data.size() - lag - from) / 8 * 8;
        count[0] += bytes * 8;
        count[1] += weight_of_difference(data.data() + from, data.data() + from + lag, bytes);
    }

    void add_part(std::string part, std::size_t from, std::size_t to, Results& results) const {
        double least = 0, k = 0;  // log10 of the smallest p, and the number of lags
        for (std::size_t i = from; i < to; ++i) {
            if (counts[2 * i] == 0) continue;
            least = std::min(least, binomial_p_value(counts[2 * i + 1], counts[2 * i], 0.5).log10_two_sided());
            ++k;
        }
        if (k == 0) return;
        results.add(std::move(part), largest_of(k, least, least));
    }
};

}  // namespace

std::vector<NamedTest> xor_lags(const GeneratorUnderTest&, Effort) { return one_test<XorLags>("xor-lags"); }

}  // namespace rng::stats::tests
