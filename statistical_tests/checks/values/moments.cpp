// moments: polynomials of degrees 1 to 8 in the value, orthonormal under its law. The k-th is what is left of the k-th
// moment when the lower moments are right.
// Null: sums of scores of cells, by their saddle point (p_values/scores.hpp; Neyman, Skand. Aktuarietidskr. 20, 1937).
// Statistic: one p-value for each degree ("1" to "8"), from 4096 values on. Laws with fewer than nine values have fewer
// polynomials.
// Flaw: sums of 12 uniform numbers as normal ones, at 2^17 values (the 4th). Control: normal.
// Cost: one increment a value.
// Derivation: docs/statistics/moments.md.
#include "../../p_values/scores.hpp"
#include "../bits/cells.hpp"

namespace rng::stats::tests {
namespace {

constexpr int halvings = 8, degrees = 8;
constexpr int inner = 4096 - 2, side = halvings + 1, all_cells = inner + 2 * side;

/// Returns the number of a cell, in this order: shells of the lower end (12 ... 19 and all beyond), inner cells, shells
/// of the upper end, NaN.
int fine_cell_of(double t) {
    const int c = cell_of(t);
    if (c > 0 && c < cells - 1) return side + c - 1;
    if (c == cells) return all_cells;
    const int shell = std::min(shell_of(t) - 12, halvings);
    return c == 0 ? side - 1 - shell : side + inner + shell;
}

class Moments final : public Test {
  public:
    explicit Moments(const Law& law) : law_(law), here_(all_cells + 1) { counts.resize(all_cells); }

    void add(const Segment& segment) override {
        for (const double t : segment.probabilities) ++here_[static_cast<std::size_t>(fine_cell_of(t))];
        for (std::size_t c = 0; c < all_cells; ++c) counts[c] += std::exchange(here_[c], 0);
    }

    void results(Results& results) const override {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        if (n < cells) return;
        std::vector<double> probabilities(all_cells, 1.0 / cells), x(all_cells);
        const auto put = [&](int cell, double probability, double middle) {
            probabilities[static_cast<std::size_t>(cell)] = probability;
            x[static_cast<std::size_t>(cell)] = law_->quantile(middle);
        };
        for (int c = 0; c < inner; ++c) {
            const double middle = (c + 1.5) / cells;
            put(side + c, 1.0 / cells, middle < 0.5 ? middle : middle - 1);
        }
        for (int shell = 0; shell <= halvings; ++shell) {
            const double outer = shell < halvings ? std::ldexp(1.0, -13 - shell) : 0,
                         width = std::ldexp(1.0, -12 - shell);
            put(side - 1 - shell, width - outer, (width + outer) / 2);
            put(side + inner + shell, width - outer, -(width + outer) / 2);
        }
        const auto polynomials = orthonormal_polynomials(x, probabilities, degrees);
        for (std::size_t k = 0; k < polynomials.size(); ++k)
            results.add(std::to_string(k + 1), score_p_value(counts, probabilities, polynomials[k]));
    }

  private:
    Law law_;
    std::vector<uint32_t> here_;
};

}  // namespace

std::vector<NamedTest> moments(const GeneratorUnderTest& generator, Effort) {
    return of_values<Moments>("moments", generator);
}

}  // namespace rng::stats::tests
