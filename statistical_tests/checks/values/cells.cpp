// cells4096 and anderson_darling: how the values' probabilities fall into 4096 equally likely cells.
//
// Null: multinomial. cells4096: Pearson's X^2, chi-square with 4095 degrees of freedom, from an expectation of 16 a
// cell on. anderson_darling: A^2 of the grouped sample, (1 / n) sum of Z_i^2 / (h_i (1 - h_i)) / 4096 over the borders
// h_i = i / 4096, Z_i the excess of values below the border (Choulakian, Lockhart, Stephens, Canad. J. Stat. 22, 1994).
// With equal cells its limit is that of A^2 itself, the sum of Y_j^2 / (j (j + 1)) of normal Y_j, cut off after j =
// 4095: the eigenvectors are the discrete Chebyshev polynomials, whose difference equation has these eigenvalues. What
// is cut off has the mean 1 / 4096 and a standard deviation of 4e-6, and is added as its mean. So the statistic is that
// of the whole sample, however long, not of pieces, and needs no sorting. Cost: one increment a value each. Must fail:
// integers as 24 bits modulo 1000003. Sound twin: uniform_int.
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

std::vector<NamedTest> cells4096(const Subject& subject, Effort) { return of_values<Cells4096>("cells4096", subject); }
std::vector<NamedTest> anderson_darling(const Subject& subject, Effort) {
    return of_values<AndersonDarling>("anderson-darling", subject);
}

}  // namespace rng::stats::tests
