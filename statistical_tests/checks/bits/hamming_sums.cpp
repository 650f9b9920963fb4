// hamming-sums: Hamming weights of runs of 2^j 64-bit words, j = 1..19, as symbols; overlapping tuples of 5 or fewer.
// Null: a run's weight is binomial; coefficients of tuples are uncorrelated (tuples.hpp).
// Statistic: for each j, sums of squared coefficients ("2^3:w<=2") and the largest coefficient ("2^3:max").
// Flaw: weights that are too even over long stretches, such as a counter's. Control: the counter's bits mixed.
// Cost: a cycle for four bytes.
// Derivation: docs/statistics/tuples.md.
#include <algorithm>

#include "tuples.hpp"

namespace rng::stats::tests {
namespace {

constexpr int levels = 19;  // 2^19 words are a segment
constexpr int longest = 5;
constexpr std::size_t cells = 243;         // 3^5
constexpr std::size_t chunk_words = 4096;  // their sums lie in the first cache
constexpr int levels_of_chunk = 12;        // 2^12 words are a chunk
constexpr std::size_t segment_words = segment_bytes / 8;

/// Returns the length of tuples of a level: 5, or less if a segment has fewer than 16 runs.
constexpr int length_of(int level) {
    const int runs = 1 << (levels - level);
    return runs >= 16 ? longest : runs >= 8 ? 4 : runs >= 4 ? 2 : 1;
}

RNG_STATS_CLONES void weights(const uint64_t* words, std::size_t n, uint32_t* to) {
    map_each(words, n, to, [](uint64_t x) { return hamming_weight(x); });
}

/// Adds neighbours; `to` may be `from`.
RNG_STATS_CLONES void sum_pairs(const uint32_t* __restrict from, std::size_t n, uint32_t* __restrict to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[2 * i] + from[2 * i + 1];
}

RNG_STATS_CLONES void symbols_of(const uint32_t* sums, std::size_t n, uint32_t least, uint32_t most, uint8_t* to) {
    map_each(sums, n, to, [=](uint32_t sum) { return (sum >= least) + (sum > most); });
}

RNG_STATS_CLONES void index_fives(const uint8_t* __restrict s, std::size_t n, uint8_t* __restrict to) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] = static_cast<uint8_t>(3 * (3 * (3 * (3 * s[i] + s[i + 1]) + s[i + 2]) + s[i + 3]) + s[i + 4]);
}

/// Counts in two rows of counters in turn, so that increments of the same cell do not wait for each other.
RNG_STATS_CLONES void count(const uint8_t* indices, std::size_t n, uint32_t* even, uint32_t* odd) {
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        ++even[indices[i]];
        ++odd[indices[i + 1]];
    }
    if (i < n) ++even[indices[i]];
}

class HammingSums final : public Test {
  public:
    HammingSums() : sums_(2 * chunk_words), chunks_(segment_words / chunk_words), symbols_(segment_words + 64) {
        counts.resize(levels * cells);
        indices_.resize(segment_words / 2);
        for (int level = 1; level <= levels; ++level) bands_[level] = WeightBand::of(uint64_t{64} << level);
    }

    void add(const Segment& segment) override {
        const auto words = segment.words<uint64_t>();
        std::size_t used[levels + 1] = {}, chunks = 0;
        for (std::size_t at = 0; at < words.size(); at += chunk_words) {
            const std::size_t n = std::min(chunk_words, words.size() - at);
            weights(words.data() + at, n, sums_.data());
            halve(n, 1, levels_of_chunk, used);
            if (n == chunk_words) chunks_[chunks++] = sums_[0];
        }
        std::copy_n(chunks_.begin(), chunks, sums_.begin());
        halve(chunks, levels_of_chunk + 1, levels, used);
        for (int level = 1; level <= levels; ++level) count_level(level, used[level]);
    }

    void results(Results& results) const override {
        for (int level = 1; level <= levels; ++level) {
            const int k = length_of(level);
            const std::size_t size = k == 5 ? 243 : k == 4 ? 81 : k == 2 ? 9 : 3;
            const int two[] = {std::min(2, k), k};
            add_tuple_results(results, "2^" + std::to_string(level) + ":", {row(level), size}, k, bands_[level].law,
                              {two, k > 2 ? 2u : 1u});
        }
    }

  private:
    [[nodiscard]] const uint64_t* row(int level) const {
        return counts.data() + static_cast<std::size_t>(level - 1) * cells;
    }
    /// Returns the place of a level's symbols, which lie behind those of the level below.
    [[nodiscard]] uint8_t* symbols(int level) {
        return symbols_.data() + (segment_words - (segment_words >> (level - 1)));
    }

    /// Adds n sums of the level below `first` up to the levels `first` to `last`, one after another. Appends each
    /// level's symbols to the `used` ones, and counts them there.
    void halve(std::size_t n, int first, int last, std::size_t* used) {
        uint32_t *from = sums_.data(), *to = from + chunk_words;
        for (int level = first; level <= last; ++level) {
            n /= 2;
            sum_pairs(from, n, to);
            symbols_of(to, n, bands_[level].least, bands_[level].most, symbols(level) + used[level]);
            used[level] += n;
            std::swap(from, to);
        }
        sums_[0] = from[0];
    }

    void count_level(int level, std::size_t n) {
        const auto k = static_cast<std::size_t>(length_of(level));
        if (n < k) return;
        uint64_t* const to = counts.data() + static_cast<std::size_t>(level - 1) * cells;
        const uint8_t* const s = symbols(level);
        if (k == longest) {
            uint32_t even[256] = {}, odd[256] = {};
            index_fives(s, n - 4, indices_.data());
            count(indices_.data(), n - 4, even, odd);
            for (std::size_t i = 0; i < cells; ++i) to[i] += even[i] + odd[i];
            return;
        }
        for (std::size_t i = 0; i + k <= n; ++i) {
            std::size_t index = 0;
            for (std::size_t j = 0; j < k; ++j) index = 3 * index + s[i + j];
            ++to[index];
        }
    }

    std::array<WeightBand, levels + 1> bands_{};
    std::vector<uint32_t> sums_, chunks_;
    std::vector<uint8_t> symbols_, indices_;
};

}  // namespace

std::vector<NamedTest> hamming_sums(const GeneratorUnderTest&, Effort) { return one_test<HammingSums>("hamming-sums"); }

}  // namespace rng::stats::tests
