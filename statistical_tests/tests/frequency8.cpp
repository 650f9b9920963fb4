// freq8: how often each of the 256 values of a byte occurs.
//
// Null: n independent uniform values, so Pearson's X^2 of the counts is chi-square with 255 degrees of freedom in the
// limit; every cell expects 64 or more before anything is said. freq16 needs some hundred times as much data before it
// says anything. Source: Knuth, TAOCP 2, section 3.3.2.A. Cost: one increment a byte; one segment of 8. Must fail: the
// second byte of RC4, which is 0 twice as often as others, at 64 KiB. Sound twin: its 769th byte.
#include <array>

#include "../gof/chi_square.hpp"
#include "test.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t cells = 256;
constexpr uint64_t period = 8, least_expected = 64;

class Frequency8 final : public Test {
  public:
    Frequency8() { counts.resize(cells); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        // Neighbours have tables of their own, or equal ones would wait for each other.
        std::array<std::array<uint32_t, cells>, 4> here{};
        const auto bytes = segment.words<uint8_t>();
        for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
            for (std::size_t k = 0; k < 4; ++k) ++here[k][bytes[i + k]];
        for (const auto& table : here)
            for (std::size_t v = 0; v < cells; ++v) counts[v] += table[v];
    }

    void results(Results& results) const override {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        if (n < least_expected * cells) return;
        const std::vector<double> expected(cells, static_cast<double>(n) / cells);
        results.add("", chi_square(counts, expected).p);
    }
};

}  // namespace

std::vector<NamedTest> frequency8(const Subject&, Effort) {
    std::vector<NamedTest> made;
    made.push_back({"freq8", std::make_unique<Frequency8>()});
    return made;
}

}  // namespace rng::stats::tests
