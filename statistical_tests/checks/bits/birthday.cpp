// birthday: equal spacings of points made of 1 to 16 successive words' highest or lowest bits.
// Null: the number of equal spacings is Poisson (Marsaglia, 1985; L'Ecuyer and Simard, 2001).
// Statistic: one exact Poisson p-value for each shape of point ("2x16high"). Counts of all sets of points add up.
// Flaw: RANDU, at 8 KiB. Control: a multiplicative generator modulo 2^61 - 1, its high 32 bits.
// Cost: 10 to 20 ns a point; one segment of 32, with at most 8 sets of a shape (2 of the large shapes).
// Derivation: docs/statistics/birthday.md.
#include <array>
#include <string>

#include "spacings.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32;
constexpr double least_mean = 1.0 / 4096;  // at this mean one coincidence is likely, four are not

struct Row {
    PointShape shape;
    std::size_t points;
};
constexpr Row rows[] = {
    {{1, 32, true}, 1 << 12},  {{2, 16, true}, 1 << 12},  {{3, 10, true}, 1 << 11},  {{4, 8, true}, 1 << 12},
    {{8, 4, true}, 1 << 12},   {{16, 2, true}, 1 << 12},  {{2, 22, true}, 1 << 16},  {{4, 11, true}, 1 << 16},
    {{1, 32, false}, 1 << 12}, {{2, 16, false}, 1 << 12}, {{3, 10, false}, 1 << 11}, {{4, 8, false}, 1 << 12},
    {{8, 4, false}, 1 << 12},  {{16, 2, false}, 1 << 12}, {{2, 22, false}, 1 << 16}, {{4, 11, false}, 1 << 16},
    {{2, 27, true}, 1 << 19},
};

class Birthday final : public Test {
  public:
    Birthday() { counts.resize(std::size(rows) * fields); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        with_words(segment, [&](auto words) {
            for (std::size_t i = 0; i < std::size(rows); ++i)
                if (!is_twice(rows[i], 8 * sizeof(words[0])))
                    add(words, rows[i], segment.index == 0, counts.data() + i * fields);
        });
    }

    void results(Results& results) const override {
        for (std::size_t i = 0; i < std::size(rows); ++i) {
            const auto& [shape, n] = rows[i];
            const uint64_t* const count = counts.data() + i * fields;
            double mean = static_cast<double>(count[whole]) * spacings_mean(static_cast<double>(n), shape.log2_cells());
            if (count[partial] >= 3) mean += spacings_mean(static_cast<double>(count[partial]), shape.log2_cells());
            if (mean < least_mean) continue;
            results.add(std::to_string(shape.words) + "x" + std::to_string(shape.bits) + (shape.high ? "high" : "low"),
                        poisson_p_value(count[equal], mean));
        }
    }

  private:
    // For each shape: Y, the number of sets of n points, and the points of a smaller set. Only the first segment makes
    // a smaller set.
    enum { equal, whole, partial, fields };

    /// True if the words are so narrow that the low bits are the whole word, which the "high" row already tests.
    static bool is_twice(const Row& row, std::size_t word_bits) {
        return !row.shape.high && static_cast<std::size_t>(row.shape.bits) == word_bits;
    }

    template <class W> void add(std::span<const W> words, const Row& row, bool first, uint64_t* count) {
        const auto t = static_cast<std::size_t>(row.shape.words);
        const std::size_t sets = std::min<std::size_t>(words.size() / t / row.points, row.points > 1 << 12 ? 2 : 8);
        for (std::size_t set = 0; set < sets; ++set)
            count[equal] += equal_among(words.subspan(set * row.points * t), row.shape, row.points);
        count[whole] += sets;
        if (sets == 0 && first) {
            const std::size_t n = words.size() / t;
            count[equal] += equal_among(words, row.shape, n);
            count[partial] += n;
        }
    }

    template <class W> uint64_t equal_among(std::span<const W> words, PointShape shape, std::size_t n) {
        if (shape.log2_cells() > 32) return equal_among(words, shape, n, points64_);
        return equal_among(words, shape, n, points32_);
    }
    template <class W, class P>
    uint64_t equal_among(std::span<const W> words, PointShape shape, std::size_t n, std::vector<P>& points) {
        points.resize(n);
        make_points(words, shape, std::span(points));
        return spacings_.count_equal(std::span(points), shape.log2_cells());
    }

    Spacings spacings_;
    std::vector<uint32_t> points32_;
    std::vector<uint64_t> points64_;
};

}  // namespace

std::vector<NamedTest> birthday(const GeneratorUnderTest&, Effort) { return one_test<Birthday>("birthday"); }

}  // namespace rng::stats::tests
