// freq16: how often each of the 65,536 values of 16 bits occurs.
//
// Null: n independent uniform values, so Pearson's X^2 of the counts is chi-square with 65,535 degrees of freedom in
// the limit; every cell expects 10 or more before anything is said. Source: Knuth, TAOCP 2, section 3.3.2.A. Cost: one
// increment for two bytes. Must fail: a counter that repeats after 2^20 blocks, at 32 MiB. Sound twin: the same with 64
// bits of counter.
#include <array>

#include "../gof/chi_square.hpp"
#include "test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t cells = 65536;

RNG_STATS_CLONES void count(std::span<const uint16_t> values, uint32_t* counts) {
    for (const uint16_t value : values) ++counts[value];
}

class Frequency16 final : public Test {
  public:
    Frequency16() : here_(cells) { counts.resize(cells); }

    void add(const Segment& segment) override {
        count(segment.words<uint16_t>(), here_.data());
        for (std::size_t i = 0; i < cells; ++i) counts[i] += std::exchange(here_[i], 0);
    }

    void results(Results& results) const override {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        if (n < 10 * cells) return;
        const std::vector<double> expected(cells, static_cast<double>(n) / cells);
        results.add("", chi_square(counts, expected).p);
    }

  private:
    std::vector<uint32_t> here_;  // of one segment: half the cache
};

}  // namespace

std::vector<NamedTest> frequency16(const Subject&, Effort) {
    std::vector<NamedTest> made;
    made.push_back({"freq16", std::make_unique<Frequency16>()});
    return made;
}

}  // namespace rng::stats::tests
