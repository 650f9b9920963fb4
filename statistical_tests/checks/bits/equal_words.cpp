// equal-words: how many of a segment's words of 32 bits (halves of wider words) occurred in the segment before.
// Null: Poisson, with mean n - k (1 - (1 - 1/k)^n) for n words of k = 2^32 values: 128 in 4 MiB (Knuth, TAOCP 2,
// section 3.3.2.I).
// Statistic: one exact Poisson p-value over all segments that are sampled.
// Flaw: a hash of a 32-bit counter, in which no word comes twice, at 4 MiB; a word in 1024 repeated, at 512 KiB.
// Control: SplitMix64, its high halves; no word repeated. Cost: a sort of 2^20 words; one segment of 128. Derivation:
// docs/statistics/equal_words.md.
#include <cmath>

#include "../radix_sort.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 128;
constexpr double least_mean = 1.0 / 64;

class EqualWords final : public Test {
  public:
    EqualWords() { counts.resize(fields); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        const auto words = segment.words<uint32_t>();
        words_.assign(words.begin(), words.end());
        radix_sort(std::span(words_), scratch_, 32);
        for (std::size_t i = 1; i < words_.size(); ++i) counts[equal] += words_[i] == words_[i - 1];
        if (words.size() == segment_bytes / 4)
            ++counts[whole];
        else
            counts[partial] += words.size();  // the first segment, or the last
    }

    void results(Results& results) const override {
        const double mean = static_cast<double>(counts[whole]) * mean_of(segment_bytes / 4) +
                            mean_of(static_cast<double>(counts[partial]));
        if (mean >= least_mean) results.add("", poisson_p_value(counts[equal], mean));
    }

  private:
    enum { equal, whole, partial, fields };

    /// Returns n - k (1 - (1 - 1/k)^n), without the cancellation.
    static double mean_of(double n) { return n + std::ldexp(std::expm1(n * std::log1p(-0x1p-32)), 32); }

    std::vector<uint32_t> words_, scratch_;
};

}  // namespace

std::vector<NamedTest> equal_words(const GeneratorUnderTest&, Effort) { return one_test<EqualWords>("equal-words"); }

}  // namespace rng::stats::tests
