// complexity: the linear complexity of the lowest, the middle and the highest bit of each word, over 2^16 and 2^18
// words.
// Null: exact law of the complexity of uniform bits (linear_complexity.hpp).
// Statistic: deficits ("low-") and excesses ("low+"), summed over sequences of one length. Less data give one shorter
// sequence.
// Flaw: mt19937, whose complexity is 19,937, at 256 KiB. Control: ranlux48, which is not linear.
// Cost: 1.5 ms for 2^16 words, in one segment of 64; 12 ms for 2^18 words, in one of 1024.
// Derivation: docs/statistics/linear_complexity.md.
#include <array>
#include <bit>
#include <string>

#include "linear_complexity.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t short_period = 64, long_period = 1024;
constexpr std::size_t short_words = std::size_t{1} << 16, long_words = std::size_t{1} << 18;

struct Lane {
    const char* name;
    int (*bit)(int word_bits);
};
constexpr Lane lanes[] = {{"low", [](int) { return 0; }},
                          {"mid", [](int word_bits) { return word_bits / 2; }},
                          {"high", [](int word_bits) { return word_bits - 1; }}};

class Complexity final : public Test {
  public:
    Complexity() { counts.resize(2 * std::size(lanes) * fields); }

    void add(const Segment& segment) override {
        const std::size_t words = word_count(segment);
        if (is_sampled(segment, short_period) && (segment.index == 0 || words >= short_words))
            add(segment, std::bit_floor(std::min(words, short_words)), counts.data());
        if (is_sampled(segment, long_period) && segment.data.size() == segment_bytes && words >= long_words)
            add(segment, long_words, counts.data() + std::size(lanes) * fields);
    }

    void results(Results& results) const override {
        for (std::size_t i = 0; i < 2 * std::size(lanes); ++i) {
            const uint64_t* const count = counts.data() + i * fields;
            if (count[sequences] == 0) continue;
            const std::string name = lanes[i % std::size(lanes)].name + std::string(i < std::size(lanes) ? "" : "18");
            results.add(name + "-", deficits_p_value(count[deficits], count[sequences]));
            results.add(name + "+", excesses_p_value(count[excesses], count[sequences]));
        }
    }

  private:
    // Counts for each length and lane.
    enum { sequences, deficits, excesses, fields };

    static void add(const Segment& segment, std::size_t n, uint64_t* count) {
        if (n < 64) return;
        std::vector<uint64_t> bits(n / 64);
        for (const Lane& lane : lanes) {
            pack_lane(segment, lane.bit(segment.word_bits), 0, bits);
            const std::size_t complexity = linear_complexity(bits, n);
            ++count[sequences];
            count[deficits] += complexity < n / 2 ? n / 2 - complexity : 0;
            count[excesses] += complexity > n / 2 ? complexity - n / 2 : 0;
            count += fields;
        }
    }
};

}  // namespace

std::vector<NamedTest> complexity(const GeneratorUnderTest&, Effort) { return one_test<Complexity>("complexity"); }

}  // namespace rng::stats::tests
