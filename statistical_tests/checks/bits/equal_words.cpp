// equal-words: how many of a segment's words of 32 bits (halves, of wider words) are ones that occurred in it before.
//
// Null: n independent words of k = 2^32 values; their number less that of different ones is Poisson in the limit of
// small n / k, here 2^-12 at most, with mean n - k (1 - (1 - 1/k)^n): 128 a segment of 4 MiB. The variance is below the
// mean by a factor of about 1 - n / k. Source: Knuth, TAOCP 2, section 3.3.2.I (collisions). Cost: a sort of 2^20
// words; one segment of 128. Must fail: a hash of a 32-bit counter, in which no word comes twice, at 4 MiB; a word in
// 1024 repeated, at 512 KiB. Sound twins: SplitMix64, its high halves; no word repeated.
#include <algorithm>
#include <cmath>

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
        std::ranges::sort(words_);
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

    /// n - k (1 - (1 - 1/k)^n), without the cancellation.
    static double mean_of(double n) { return n + std::ldexp(std::expm1(n * std::log1p(-0x1p-32)), 32); }

    std::vector<uint32_t> words_;
};

}  // namespace

std::vector<NamedTest> equal_words(const Subject&, Effort) {
    std::vector<NamedTest> made;
    made.push_back({"equal-words", std::make_unique<EqualWords>()});
    return made;
}

}  // namespace rng::stats::tests
