// birthday-decimated: birthday spacings of every 2^6th, 2^8th, ... 2^16th word. The low bits of generators modulo a
// power of two have short periods. Decimation by 2^k shortens them by as much (Entacher, 1998).
// Null: the number of equal spacings is Poisson (spacings.hpp).
// Statistic: a Poisson p-value for each decimation and shape ("2^8,4x8low"), over sets of up to 2^13 points of 32 bits.
// Flaw: the high half of LCG64 (Knuth's MMIX), at 4 MiB. Control: the same generator through PCG's finaliser.
// Cost: nothing except at interim analyses, which take 6 ms.
// Derivation: docs/statistics/birthday.md.
#include <array>
#include <string>

#include "spacings.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr int decimations[] = {6, 8, 10, 12, 14, 16};                            // log2
constexpr std::size_t slots = std::size_t{1} << 17, words_of_slots = slots / 4;  // of one decimation
constexpr std::size_t most_points = std::size_t{1} << 13, least_points = 512;
constexpr int cells = 32;  // log2

class BirthdayDecimated final : public Test {
  public:
    BirthdayDecimated() { counts.resize(1 + std::size(decimations) * words_of_slots); }

    void add(const Segment& segment) override {
        with_words(segment, [&](auto words) {
            // Every segment before this one was whole.
            const uint64_t first = segment.index * (segment_bytes / sizeof(words[0]));
            counts[0] += words.size();
            for (std::size_t d = 0; d < std::size(decimations); ++d) {
                uint64_t* const slot_words = counts.data() + 1 + d * words_of_slots;
                uint64_t slot = first >> decimations[d];
                for (std::size_t i = 0; i < words.size() && slot < slots; i += std::size_t{1} << decimations[d], ++slot)
                    slot_words[slot / 4] += ends_of(words[i]) << 16 * (slot % 4);
            }
        });
    }

    void results(Results& results) const override {
        for (std::size_t d = 0; d < std::size(decimations); ++d) {
            const std::size_t taken = std::min<uint64_t>(((counts[0] - 1) >> decimations[d]) + 1, slots);
            if (counts[0] == 0 || taken / 4 < least_points) continue;
            std::vector<uint16_t> ends(taken);
            for (std::size_t i = 0; i < taken; ++i)
                ends[i] = static_cast<uint16_t>(counts[1 + d * words_of_slots + i / 4] >> 16 * (i % 4));
            for (const PointShape shape : {PointShape{4, 8, true}, PointShape{8, 4, true}, PointShape{16, 2, true},
                                           PointShape{4, 8, false}, PointShape{8, 4, false}, PointShape{16, 2, false}})
                add_result("2^" + std::to_string(decimations[d]) + "," + std::to_string(shape.words) + "x" +
                               std::to_string(shape.bits) + (shape.high ? "high" : "low"),
                           ends, shape, results);
        }
    }

  private:
    /// Returns a word's 8 highest bits above its 8 lowest.
    template <class W> static uint64_t ends_of(W word) {
        return static_cast<uint64_t>(word >> (8 * sizeof(W) - 8)) << 8 | static_cast<uint8_t>(word);
    }

    static void add_result(std::string part, std::span<const uint16_t> ends, PointShape shape, Results& results) {
        const auto t = static_cast<std::size_t>(shape.words);
        const std::size_t n = std::min(ends.size() / t, most_points), sets = n == 0 ? 0 : ends.size() / t / n;
        if (n < least_points) return;
        Spacings spacings;
        std::vector<uint32_t> points(n);
        uint64_t equal = 0;
        for (std::size_t set = 0; set < sets; ++set) {
            make_points(ends.subspan(set * n * t), shape, std::span(points));
            equal += spacings.count_equal(std::span(points), cells);
        }
        results.add(std::move(part),
                    poisson_p_value(equal, static_cast<double>(sets) * spacings_mean(static_cast<double>(n), cells)));
    }
};

}  // namespace

std::vector<NamedTest> birthday_decimated(const GeneratorUnderTest&, Effort) {
    return one_test<BirthdayDecimated>("birthday-decimated");
}

}  // namespace rng::stats::tests
