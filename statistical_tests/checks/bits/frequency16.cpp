// freq16: how often each of the 65,536 values of 16 bits occurs, and each of the 256 values of 8 bits.
// Null: independent uniform values; X^2 is chi-square in the limit (Knuth, TAOCP 2, section 3.3.2.A).
// Statistic: X^2 of values of 16 bits once cells expect 10, and of bytes ("bytes") once cells expect 64.
// Flaw: the second byte of RC4, at 64 KiB; a counter that repeats after 2^20 blocks, at 32 MiB. Control: the same with
// 64 bits of counter. Cost: one increment for two bytes. Derivation: docs/statistics/frequency16.md.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "../../p_values/chi_square.hpp"
#include "../test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t cells = 65536;

RNG_STATS_CLONES void count(const uint16_t* values, std::size_t n, uint8_t* counts) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t four;
        std::memcpy(&four, values + i, 8);
        ++counts[four & 0xffff];
        ++counts[four >> 16 & 0xffff];
        ++counts[four >> 32 & 0xffff];
        ++counts[four >> 48];
    }
    for (; i < n; ++i) ++counts[values[i]];
}

class Frequency16 final : public Test {
  public:
    Frequency16() : here_(cells) { counts.resize(cells); }

    void add(const Segment& segment) override {
        const auto values = segment.words<uint16_t>();
        std::ranges::fill(here_, 0);
        count(values.data(), values.size(), here_.data());
        // The sum shows if a byte ran over. Sound values give each cell of a segment 32 counts, and none of them 255.
        if (std::accumulate(here_.begin(), here_.end(), uint64_t{0}) != values.size()) {
            for (const uint16_t value : values) ++counts[value];
            return;
        }
        for (std::size_t i = 0; i < cells; ++i) counts[i] += here_[i];
    }

    void results(Results& results) const override {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        if (n < 32 * 256) return;
        std::vector<uint64_t> bytes(256);
        for (std::size_t v = 0; v < cells; ++v) {
            bytes[v % 256] += counts[v];
            bytes[v / 256] += counts[v];
        }
        results.add("bytes", chi_square(bytes, std::vector<double>(256, static_cast<double>(n) / 128)).p);
        if (n < 10 * cells) return;
        const std::vector<double> expected(cells, static_cast<double>(n) / cells);
        results.add("", chi_square(counts, expected).p);
    }

  private:
    std::vector<uint8_t> here_;  // counts of one segment, in bytes: most of them stay in the first cache
};

}  // namespace

std::vector<NamedTest> frequency16(const GeneratorUnderTest&, Effort) { return one_test<Frequency16>("freq16"); }

}  // namespace rng::stats::tests
