// normal-pairs: radius and angle words of inverted normal pairs (rng/stats/inverted.hpp).
// Null: uniform words. X^2 is chi-square (inversion: Box, Muller, Ann. Math. Statist. 29, 1958).
// Statistic: X^2 of the first six bits of both words ("cells"), and of six bits of each from its 24th on ("radius",
// "angle").
// Flaw: Box-Muller on uniform numbers of 24 bits, at 2^10 pairs. Control: normal.
// Cost: three increments a pair.
// Derivation: docs/statistics/normal_pairs.md.
#include <rng/stats/inverted.hpp>

#include <array>

#include "../../p_values/chi_square.hpp"
#include "../test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t plane = 4096, line = 64;

class Pairs final : public Test {
  public:
    Pairs() : here_(plane + 2 * line) { counts.resize(here_.size()); }

    void add(const Segment& segment) override {
        const auto words = segment.words<uint32_t>();
        for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
            const uint32_t radius = words[i], angle = words[i + 1];
            ++here_[radius >> 26 << 6 | angle >> 26];
            ++here_[plane + (radius >> 2 & 63)];
            ++here_[plane + line + (angle >> 2 & 63)];
        }
        for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += std::exchange(here_[c], 0);
    }

    void results(Results& results) const override {
        const std::span<const uint64_t> all(counts);
        compare(results, "cells", all.first(plane));
        compare(results, "radius", all.subspan(plane, line));
        compare(results, "angle", all.subspan(plane + line, line));
    }

  private:
    static void compare(Results& results, const char* part, std::span<const uint64_t> counts) {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        const double expected = static_cast<double>(n) / static_cast<double>(counts.size());
        if (expected >= 10) results.add(part, chi_square(counts, std::vector<double>(counts.size(), expected)).p);
    }
    std::vector<uint32_t> here_;
};

}  // namespace

std::vector<NamedTest> pairs(const GeneratorUnderTest& generator, Effort) {
    if (!dynamic_cast<const InvertedPairs*>(generator.source.get())) return {};
    return one_test<Pairs>("normal-pairs");
}

}  // namespace rng::stats::tests
