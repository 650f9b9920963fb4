// cells4096, anderson-darling: how the values' probabilities fall into 4096 equally likely cells.
// Null: multinomial. X^2 is chi-square; A^2 has its limit law (Choulakian, Lockhart, Stephens, 1994).
// Statistic: X^2 once a cell expects 16; A^2 of the whole grouped sample from 4096 values on.
// Flaw: integers as 24 bits modulo 1000003. Control: uniform_int.
// Cost: one increment a value each.
// Derivation: docs/statistics/cells.md.
#include "../bits/cells.hpp"
#include "../../p_values/anderson_darling.hpp"
#include "../../p_values/chi_square.hpp"

namespace rng::stats::tests {
namespace {

class CellTest : public Test {
  public:
    explicit CellTest(const Law&) : here_(cells + 1) { counts.resize(cells); }

    void add(const Segment& segment) override {
        for (const double t : segment.probabilities) ++here_[static_cast<std::size_t>(cell_of(t))];
        for (std::size_t c = 0; c < cells; ++c) counts[c] += std::exchange(here_[c], 0);
    }

  protected:
    [[nodiscard]] double size() const {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        return static_cast<double>(n);
    }

  private:
    std::vector<uint32_t> here_;
};

class Cells4096 final : public CellTest {
  public:
    using CellTest::CellTest;
    void results(Results& results) const override {
        const double n = size();
        if (n < 16 * cells) return;
        results.add("", chi_square(counts, std::vector<double>(cells, n / cells)).p);
    }
};

class AndersonDarling final : public CellTest {
  public:
    using CellTest::CellTest;
    void results(Results& results) const override {
        const double n = size();
        if (n < cells) return;
        double below = 0, sum = 0;
        for (int i = 1; i < cells; ++i) {
            below += static_cast<double>(counts[static_cast<std::size_t>(i - 1)]);
            const double h = static_cast<double>(i) / cells, z = below - n * h;
            sum += z * z / (h * (1 - h));
        }
        results.add("", anderson_darling_limit_p_value(sum / (n * cells) + 1.0 / cells));
    }
};

}  // namespace

std::vector<NamedTest> cells4096(const GeneratorUnderTest& generator, Effort) {
    return of_values<Cells4096>("cells4096", generator);
}
std::vector<NamedTest> anderson_darling(const GeneratorUnderTest& generator, Effort) {
    return of_values<AndersonDarling>("anderson-darling", generator);
}

}  // namespace rng::stats::tests
