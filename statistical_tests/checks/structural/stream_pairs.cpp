// stream-pairs: whether streams that are neighbours by number (seeds, ids, forks) resemble each other.
//
// A unit is 512 bits of each of 1024 streams: of numbers in a row, or a power of two apart, from 0 or across 2^32, and
// from a position of the streams that is the unit's own, so that no bits are looked at twice.
//
// Null: independent uniform bits. All pairs of streams: the weight of their exclusive or is binomial; "largest" is the
// farthest from half of all pairs, as if they were independent, which they are two by two. "squares"
// is the sum of squared deviations d^2, d the number of equal bits less that of unequal ones. With N streams of m bits
// its mean is P m, P = N (N - 1) / 2, as E d^2 = m. Pairs are pairwise independent, and E d^4 = 3 m^2 - 2 m, so its
// variance is 2 P m (m - 1). Three pairs are dependent where they are one pair, E (d^2 - m)^3 = 8 m (m - 1) (m - 2), or
// a triangle, whose product (d12^2 - m) (d23^2 - m) (d13^2 - m) has mean 4 m (m - 1): so the third central moment is 8
// P m (m - 1) (m - 2) + 4 N (N - 1) (N - 2) m (m - 1). The p-value is that of a gamma distribution with these three
// moments. "index": where one bit of the stream's number is flipped, each of the 512 bits flips in half of the 512
// pairs (bit_table.hpp; rows of different flips share streams, so rows are judged one by one).
//
// Cost: 5e5 weights of 512 bits a unit, 4 ms. Must fail: key = seed + i with Philox4x32-4. Sound twin: Philox4x32-10.
#include <rng/core/config.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "../../simd/kernels.hpp"
#include "../bits/bit_table.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t streams = 1024, bits = 512, words = bits / 64, index_bits = 10;
static_assert(streams == std::size_t{1} << index_bits);

using Rows = std::vector<uint64_t>;  // word w of stream i at i * words + w

RNG_STATS_CLONES void count_pairs(const uint64_t* rows, uint32_t* histogram) {
    for (std::size_t i = 1; i < streams; ++i) {
        uint64_t mine[words];
        for (std::size_t w = 0; w < words; ++w) mine[w] = rows[i * words + w];
        for (std::size_t j = 0; j < i; ++j) {
            int weight = 0;
            RNG_UNROLL
            for (std::size_t w = 0; w < words; ++w) weight += std::popcount(mine[w] ^ rows[j * words + w]);
            ++histogram[weight];
        }
    }
}

class StreamPairs final : public Test {
  public:
    /// A set of `streams` streams at least.
    StreamPairs(std::shared_ptr<const StreamSet> set, uint64_t units)
        : set_(std::move(set)),
          units_(units),
          most_apart_(static_cast<int>(std::min<long>(32, std::bit_width(set_->count() / streams) - 1))),
          rows_(streams * words),
          here_(bits + 1) {
        counts.resize(1 + bits + 1 + index_bits * bits);
    }

    [[nodiscard]] uint64_t units() const override { return units_; }

    void add(const Segment& segment) override {
        // Units 0, 4, 8...: numbers in a row from 0; then across 2^32, and 2^j apart.
        const uint64_t unit = segment.index;
        const bool is_small = most_apart_ < 32;  // then in a row from 0 instead of across 2^32
        const uint64_t first = unit % 4 == 1 && !is_small ? (uint64_t{1} << 32) - streams / 2 : 0;
        const uint64_t shift = unit % 4 < 2 || most_apart_ == 0 ? 0 : 1 + unit / 2 % static_cast<unsigned>(most_apart_);
        // A power of two of blocks, which is at least as long as what is read.
        const auto block = static_cast<uint64_t>(set_->block_bytes());
        const uint64_t position = unit * std::bit_ceil((bits / 8 + block - 1) / block) * block;
        for (uint64_t i = 0; i < streams; ++i)
            set_->read(first + (i << shift), position,
                       {reinterpret_cast<std::byte*>(rows_.data() + i * words), bits / 8});

        ++counts[0];
        count_pairs(rows_.data(), here_.data());
        for (std::size_t i = 0; i <= bits; ++i) counts[1 + i] += std::exchange(here_[i], 0);
        for (std::size_t k = 0; k < index_bits; ++k) count_flips(k);
    }

    void results(Results& results) const override {
        const uint64_t units = counts[0];
        if (units == 0) return;
        const std::span<const uint64_t> histogram = std::span<const uint64_t>(counts).subspan(1, bits + 1);
        constexpr double n = streams, m = bits, pairs = n * (n - 1) / 2;
        double squares = 0;
        uint64_t farthest = 0;
        for (std::size_t weight = 0; weight <= bits; ++weight) {
            const double d = m - 2 * static_cast<double>(weight);
            squares += static_cast<double>(histogram[weight]) * d * d;
            if (histogram[weight] > 0)
                farthest = std::max<uint64_t>(farthest, weight > bits / 2 ? weight : bits - weight);
        }
        const double all = static_cast<double>(units);
        const auto of_one = [](uint64_t weight) {
            if (weight > bits) return -std::numeric_limits<double>::infinity();
            return std::log10(2.0) + binomial_p_value(weight, bits, 0.5).log10_upper;
        };
        results.add("largest", largest_of(all * pairs, of_one(farthest), of_one(farthest + 1)));

        const double mean = all * pairs * m, variance = all * 2 * pairs * m * (m - 1);
        const double third = all * (8 * pairs * m * (m - 1) * (m - 2) + 4 * n * (n - 1) * (n - 2) * m * (m - 1));
        // Gamma of shape a: skewness 2 / sqrt(a).
        const double a = 4 * variance * variance * variance / (third * third);
        results.add("squares", gamma_p_value(std::max(0.0, a + (squares - mean) * std::sqrt(a / variance)), a));
        add_bit_rows(results, "index ", std::span<const uint64_t>(counts).subspan(2 + bits), bits, units * streams / 2);
    }

  private:
    /// Streams i and i + 2^k, of which the number's bit k is 0 and 1.
    void count_flips(std::size_t k) {
        constexpr std::size_t pairs = streams / 2;
        std::vector<uint32_t> differences(pairs * 2 * words), set(bits);
        std::size_t pair = 0;
        for (std::size_t i = 0; i < streams; ++i) {
            if (i >> k & 1) continue;
            for (std::size_t w = 0; w < words; ++w) {
                const uint64_t d = rows_[i * words + w] ^ rows_[(i | std::size_t{1} << k) * words + w];
                differences[2 * w * pairs + pair] = static_cast<uint32_t>(d);
                differences[(2 * w + 1) * pairs + pair] = static_cast<uint32_t>(d >> 32);
            }
            ++pair;
        }
        lane_kernels().count_bits(differences.data(), pairs, 2 * words, set.data());
        for (std::size_t b = 0; b < bits; ++b) counts[2 + bits + k * bits + b] += set[b];
    }

    std::shared_ptr<const StreamSet> set_;
    uint64_t units_;
    int most_apart_;  // log2 of the farthest that numbers lie apart
    Rows rows_;
    std::vector<uint32_t> here_;
};

}  // namespace

std::vector<NamedTest> stream_pairs(const Subject& subject, Effort effort) {
    const uint64_t units = (effort.tier <= Tier::quick      ? 64
                            : effort.tier == Tier::standard ? 640
                                                            : 6400) *
                           effort.factor;
    std::vector<NamedTest> made;
    for (const auto& set : subject.streams)
        if (set->count() >= streams)
            made.push_back({"stream-pairs/" + set->name(), std::make_unique<StreamPairs>(set, units)});
    return made;
}

}  // namespace rng::stats::tests
