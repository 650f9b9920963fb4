// birthday: birthday spacings of points made of 1 to 16 successive words' highest or lowest bits (spacings.hpp).
//
// Null: Poisson; n = 2^12 points of 2^32 cells, 2^11 of 2^30 or 2^16 of 2^44 have means 4, 2 and 4, and repetitions add
// up; so does one set of 2^19 points of 2^54 cells a segment (2), as many as a congruential generator of period 2^43
// must show itself by (2^4 times the cube root: L'Ecuyer and Simard, 2001). With too little data for n points there is
// one set of fewer: its mean is small, but a lattice of few planes has all spacings equal. Cost: 10 to 20 ns a point;
// one segment of 32, and of that at most 8 sets of a shape (2 of the large). Must fail: RANDU, at 8 KiB. Sound twin: a
// multiplicative generator modulo 2^61 - 1, its high 32 bits.
#include <array>
#include <string>

#include "spacings.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32;
constexpr double least_mean = 1.0 / 4096;  // one coincidence is no news then, four are

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
    // Of each shape: Y, sets of n points, and points of a smaller set (only the first segment makes one).
    enum { equal, whole, partial, fields };

    /// The lowest bits of a word that are also its highest.
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

std::vector<NamedTest> birthday(const Subject&, Effort) {
    std::vector<NamedTest> made;
    made.push_back({"birthday", std::make_unique<Birthday>()});
    return made;
}

}  // namespace rng::stats::tests
