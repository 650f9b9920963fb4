// stream-pairs: whether neighbours among streams (seeds, ids, forks) resemble each other, by 512 bits of each of 1024.
// Null: independent uniform bits. The weight of two streams' exclusive or is binomial.
// Statistic: the farthest pair ("largest"), and the sum of squared deviations by its three moments ("squares"). Bits
// that follow a bit of the number ("index row", "index cell"; bit_table.hpp).
// Flaw: key = seed + i with Philox4x32-4. Control: Philox4x32-10.
// Cost: 5e5 weights of 512 bits a case, 4 ms.
// Derivation: docs/statistics/stream_pairs.md.
#include <rng/core/config.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

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
    /// Requires a set of at least `streams` streams.
    StreamPairs(std::shared_ptr<const StreamSet> set, uint64_t cases)
        : set_(std::move(set)),
          cases_(cases),
          most_apart_(static_cast<int>(std::min<long>(32, std::bit_width(set_->count() / streams) - 1))),
          rows_(streams * words),
          here_(bits + 1) {
        counts.resize(1 + bits + 1 + index_bits * bits);
    }

    [[nodiscard]] uint64_t cases() const override { return cases_; }

    void add(const Segment& segment) override {
        // Cases 0, 4, 8 ... take numbers in a row from 0. Cases 1, 5, 9 ... take numbers across 2^32, all others
        // numbers 2^j apart.
        const uint64_t index = segment.index;
        const bool is_small = most_apart_ < 32;  // true if the set has too few streams to cross 2^32: from 0
        const uint64_t first = index % 4 == 1 && !is_small ? (uint64_t{1} << 32) - streams / 2 : 0;
        const uint64_t shift =
            index % 4 < 2 || most_apart_ == 0 ? 0 : 1 + index / 2 % static_cast<unsigned>(most_apart_);
        // A power of two of blocks, which is at least as long as the bits that are read.
        const auto block = static_cast<uint64_t>(set_->block_bytes());
        const uint64_t position = index * std::bit_ceil((bits / 8 + block - 1) / block) * block;
        for (uint64_t i = 0; i < streams; ++i)
            set_->read(first + (i << shift), position,
                       {reinterpret_cast<std::byte*>(rows_.data() + i * words), bits / 8});

        ++counts[0];
        count_pairs(rows_.data(), here_.data());
        for (std::size_t i = 0; i <= bits; ++i) counts[1 + i] += std::exchange(here_[i], 0);
        for (std::size_t k = 0; k < index_bits; ++k) count_flips(k);
    }

    void results(Results& results) const override {
        const uint64_t cases = counts[0];
        if (cases == 0) return;
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
        const double all = static_cast<double>(cases);
        const auto of_one = [](uint64_t weight) {
            if (weight > bits) return -std::numeric_limits<double>::infinity();
            return std::log10(2.0) + binomial_p_value(weight, bits, 0.5).log10_upper;
        };
        results.add("largest", largest_of(all * pairs, of_one(farthest), of_one(farthest + 1)));

        const double mean = all * pairs * m, variance = all * 2 * pairs * m * (m - 1);
        const double third = all * (8 * pairs * m * (m - 1) * (m - 2) + 4 * n * (n - 1) * (n - 2) * m * (m - 1));
        // A gamma distribution of shape a has the skewness 2 / sqrt(a).
        const double a = 4 * variance * variance * variance / (third * third);
        results.add("squares", gamma_p_value(std::max(0.0, a + (squares - mean) * std::sqrt(a / variance)), a));
        add_bit_rows(results, "index ", std::span<const uint64_t>(counts).subspan(2 + bits), bits, cases * streams / 2);
    }

  private:
    /// Counts differences of streams i and i + 2^k, whose numbers differ in bit k alone.
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
        count_bits(differences.data(), pairs, 2 * words, set.data());
        for (std::size_t b = 0; b < bits; ++b) counts[2 + bits + k * bits + b] += set[b];
    }

    std::shared_ptr<const StreamSet> set_;
    uint64_t cases_;
    int most_apart_;  // log2 of the greatest distance of two successive numbers
    Rows rows_;
    std::vector<uint32_t> here_;
};

}  // namespace

std::vector<NamedTest> stream_pairs(const GeneratorUnderTest& generator, Effort effort) {
    const uint64_t cases = effort.cases(64, 640, 6400);
    std::vector<NamedTest> made;
    for (const auto& set : generator.streams)
        if (set->count() >= streams)
            made.push_back({"stream-pairs/" + set->name(), std::make_unique<StreamPairs>(set, cases)});
    return made;
}

}  // namespace rng::stats::tests
