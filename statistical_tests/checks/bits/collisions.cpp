// collisions: how often an overlapping tuple of successive words' bits occurred before.
// Null: beginnings of runs of collisions are Poisson (L'Ecuyer, Simard and Wegenkittl, 2002: CollisionOver).
// Statistic: one exact Poisson p-value for each shape of tuple ("4x7low"). A collision counts if the tuple before did
// not collide.
// Flaw: Philox4x32 of 4 rounds, at 256 KiB; RANDU, at 32 KiB. Control: 10 rounds; a multiplicative generator modulo
// 2^61 - 1, its high 32 bits. Cost: 5 ns a word and shape; of one segment of 32, 2^17 words at most. Derivation:
// docs/statistics/collisions.md.
#include <array>
#include <string>

#include "spacings.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32;
constexpr std::size_t set_words = std::size_t{1} << 16, most_sets = 2;
constexpr double least_mean = 1.0 / 64;
constexpr int cells = 28;  // log2
constexpr PointShape shapes[] = {{2, 14, true},  {4, 7, true},  {7, 4, true},  {14, 2, true},  {28, 1, true},
                                 {2, 14, false}, {4, 7, false}, {7, 4, false}, {14, 2, false}, {28, 1, false}};

/// Returns the mean number of runs of collisions among n tuples.
double mean_of(double n, int bits) {
    const double agree = std::ldexp(1.0, -bits);
    return std::ldexp(n * (n - 1) / 2 * (1 - agree) + (n - 1) * agree, -cells);
}

class Collisions final : public Test {
  public:
    Collisions() : table_(2 * set_words) { counts.resize(std::size(shapes) * fields); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        with_words(segment, [&](auto words) {
            for (std::size_t i = 0; i < std::size(shapes); ++i) {
                uint64_t* const count = counts.data() + i * fields;
                const std::size_t sets = std::min(words.size() / set_words, most_sets);
                for (std::size_t set = 0; set < sets; ++set)
                    count[runs] += runs_among(words.subspan(set * set_words, set_words), shapes[i]);
                count[whole] += sets;
                if (sets == 0 && segment.index == 0) {
                    count[runs] += runs_among(words, shapes[i]);
                    count[partial] += words.size();
                }
            }
        });
    }

    void results(Results& results) const override {
        for (std::size_t i = 0; i < std::size(shapes); ++i) {
            const uint64_t* const count = counts.data() + i * fields;
            const auto mean_of_words = [&](std::size_t words) {
                return mean_of(static_cast<double>(words) - shapes[i].words + 1, shapes[i].bits);
            };
            double mean = static_cast<double>(count[whole]) * mean_of_words(set_words);
            if (count[partial] != 0) mean += mean_of_words(count[partial]);
            if (mean < least_mean) continue;
            results.add(std::to_string(shapes[i].words) + "x" + std::to_string(shapes[i].bits) +
                            (shapes[i].high ? "high" : "low"),
                        poisson_p_value(count[runs], mean));
        }
    }

  private:
    // For each shape: runs of collisions, sets of 2^16 words, words of a smaller set. Only the first segment has a
    // smaller set.
    enum { runs, whole, partial, fields };

    template <class W> uint64_t runs_among(std::span<const W> words, PointShape shape) {
        const int shift = shape.high ? static_cast<int>(8 * sizeof(W)) - shape.bits : 0;
        const uint32_t field = (1u << shape.bits) - 1;
        std::ranges::fill(table_, 0);
        uint32_t tuple = 0;
        std::size_t i = 0;
        const auto next = [&] {
            tuple = (tuple << shape.bits | (static_cast<uint32_t>(words[i++] >> shift) & field)) & ((1u << cells) - 1);
        };
        while (i + 1 < static_cast<std::size_t>(shape.words)) next();
        uint64_t result = 0;
        bool before = false;
        while (i < words.size()) {
            next();
            const bool collides = !insert(tuple);
            result += collides && !before;
            before = collides;
        }
        return result;
    }

    /// Returns false if the tuple was in the table already. Open addressing, Fibonacci hashing (Knuth, TAOCP 3, section
    /// 6.4).
    bool insert(uint32_t tuple) {
        constexpr uint32_t mask = 2 * set_words - 1;
        for (uint32_t at = (tuple * 0x9e3779b1u) >> 15;; at = (at + 1) & mask) {
            if (table_[at] == 0) {
                table_[at] = tuple + 1;
                return true;
            }
            if (table_[at] == tuple + 1) return false;
        }
    }

    std::vector<uint32_t> table_;  // each tuple + 1; 0 is an empty slot
};

}  // namespace

std::vector<NamedTest> collisions(const GeneratorUnderTest&, Effort) { return one_test<Collisions>("collisions"); }

}  // namespace rng::stats::tests
