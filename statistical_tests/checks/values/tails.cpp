// tails: how many values lie beyond the quantiles of 2^-12, 2^-14, ..., 2^-50 on either side, and the farthest of all.
// Null: counts are binomial; the farthest of n values lies beyond 2^-k with probability 1 - (1 - 2^-k)^n.
// Statistic: exact p-values of each count that expects 16 ("lower2^-12"), and of the farthest values ("lowest",
// "highest").
// Flaw: a normal law cut at |z| = 4. Control: normal.
// Cost: one increment a value.
// Derivation: docs/statistics/tails.md.
#include <algorithm>

#include "../bits/cells.hpp"

namespace rng::stats::tests {
namespace {

constexpr int shells = 1024, first_tail = 12, last_tail = 50, tail_step = 2;
constexpr double least_expected = 16;

/// log10 of 1 - (1 - q)^n and of (1 - q)^n.
double log10_any(double n, double q) { return std::log10(-std::expm1(n * std::log1p(-q))); }
double log10_none(double n, double q) { return n * std::log1p(-q) * 0.43429448190325182765; }  // log10(e)

class Tails final : public Test {
  public:
    explicit Tails(const Law& law) : tail_bits_(law->tail_bits()), here_(2 * shells) { counts.resize(2 * shells); }

    void add(const Segment& segment) override {
        for (const double t : segment.probabilities) {
            if (t != t) continue;
            const int shell = std::max(shell_of(t), 0);
            ++here_[static_cast<std::size_t>(std::signbit(t) ? shells + shell : shell)];
        }
        for (std::size_t s = 0; s < counts.size(); ++s) counts[s] += std::exchange(here_[s], 0);
    }

    void results(Results& results) const override {
        uint64_t n = 0;
        for (const uint64_t c : counts) n += c;
        if (n == 0) return;
        for (int k = first_tail; k <= std::min(last_tail, tail_bits_); k += tail_step) {
            const double q = std::ldexp(1.0, -k);
            if (static_cast<double>(n) * q < least_expected) break;
            for (const bool upper : {false, true})
                results.add((upper ? "upper2^-" : "lower2^-") + std::to_string(k),
                            binomial_p_value(beyond(upper, k), n, q));
        }
        for (const bool upper : {false, true}) farthest(results, static_cast<double>(n), upper);
    }

  private:
    [[nodiscard]] uint64_t beyond(bool upper, int k) const {
        uint64_t sum = 0;
        for (int shell = k; shell < shells; ++shell) sum += counts[static_cast<std::size_t>(upper * shells + shell)];
        return sum;
    }
    void farthest(Results& results, double n, bool upper) const {
        int k = shells - 1;
        while (k > 0 && counts[static_cast<std::size_t>(upper * shells + k)] == 0) --k;
        PValue p;
        p.log10_upper = log10_any(n, std::ldexp(1.0, -k));
        if (k < tail_bits_) p.log10_lower = log10_none(n, std::ldexp(1.0, -k - 1));
        results.add(upper ? "highest" : "lowest", p);
    }

    int tail_bits_;
    std::vector<uint32_t> here_;
};

}  // namespace

std::vector<NamedTest> tails(const GeneratorUnderTest& generator, Effort) {
    return of_values<Tails>("tails", generator);
}

}  // namespace rng::stats::tests
