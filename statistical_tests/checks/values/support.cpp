// support: values that the law does not have (NaN, 1.0 in [0, 1), 0.5 among integers), and values on a grid coarser
// than the law's.
// Null: no such value; a value is a multiple of a coarser step with probability 3/4 at most.
// Statistic: p = 0 for a single outlaw; for a grid with n multiples and no other value, n >= 256, (3/4)^n times the
// grids.
// Flaw: a single 1.0f in [0, 1); 23 bits as f32. Control: uniform.
// Cost: one comparison a value; 42 roundings for each of the first 2048 values of a segment.
// Derivation: docs/statistics/support.md.
#include <algorithm>
#include <limits>

#include "../bits/cells.hpp"
#include "support.hpp"

namespace rng::stats::tests {
namespace {

constexpr const char* names[outlaw_kinds] = {"nan", "infinite", "below", "above", "off_grid"};

/// Grids of steps 1, 1/base, 1/base^2 ..., for values whose law has others at a `room`th of the step.
struct Grids {
    int base, count;
    double room;
};
constexpr Grids grids[] = {{2, 32, 2}, {10, 10, 8}};
constexpr int all_grids = grids[0].count + grids[1].count;
constexpr std::size_t most_compared = 2048;
constexpr double least_counted = 256;
// Neighbouring values between the quartiles: if fewer, most may be multiples by chance
constexpr double least_spread = 8;
constexpr double log10_by_chance = -0.12493873660829995;  // log10 of 3/4

/// Returns the part's name for a grid of base^-digits.
std::string name_of(int base, int digits) {
    return "multiples of " + (digits == 0 ? "1" : std::to_string(base) + "^-" + std::to_string(digits));
}

class Support final : public Test {
  public:
    explicit Support(const Law& law) : law_(law), spread_(law->quantile(-0.25) - law->quantile(0.25)) {
        counts.resize(outlaw_kinds + 2 * all_grids);
    }

    void add(const Segment& segment) override {
        for (std::size_t i = 0; i < segment.probabilities.size(); ++i)
            if (std::isnan(segment.probabilities[i]))
                ++counts[static_cast<std::size_t>(law_->reason(segment.values[i]))];
        for (const double value : segment.values.first(std::min(most_compared, segment.values.size()))) compare(value);
    }

    void results(Results& results) const override {
        for (std::size_t kind = 0; kind < outlaw_kinds; ++kind)
            if (counts[kind] > 0) results.add(names[kind], {0, -std::numeric_limits<double>::infinity()});
        coarsest_grid(results);
    }

  private:
    /// Returns the place of a grid's two counts: values that distinguish grids, and multiples among them.
    static std::size_t place(int grid) { return static_cast<std::size_t>(outlaw_kinds + 2 * grid); }

    void compare(double value) {
        const double fineness = law_->fineness(value);
        if (!std::isfinite(value) || !std::isfinite(fineness) || spread_ < least_spread * fineness) return;
        int grid = 0;
        for (const auto& [base, count, room] : grids) {
            const double error = base == 2 ? 0 : fineness;
            double steps = 1;  // of the grid in 1: exact, so that quotients are rounded once
            for (int i = 0; i < count; ++i, ++grid, steps *= base) {
                if (steps * fineness * room > 1 || (base == 10 && spread_ * steps < 1)) continue;
                ++counts[place(grid)];
                counts[place(grid) + 1] += std::fabs(std::round(value * steps) / steps - value) <= error;
            }
        }
    }
    void coarsest_grid(Results& results) const {
        double coarsest = 0;
        std::string name;
        PValue p;
        int grid = 0;
        for (const auto& [base, count, room] : grids)
            for (int i = 0; i < count; ++i, ++grid) {
                const auto n = static_cast<double>(counts[place(grid)]);
                const double step = std::pow(base, -i);
                if (n < least_counted || counts[place(grid) + 1] != counts[place(grid)] || step <= coarsest) continue;
                coarsest = step;
                name = name_of(base, i);
                p.log10_upper = n * log10_by_chance + std::log10(static_cast<double>(all_grids));
            }
        if (coarsest > 0) results.add(name, p);
    }

    Law law_;
    double spread_;  // distance between the quartiles
};

}  // namespace

std::vector<NamedTest> support(const GeneratorUnderTest& generator, Effort) {
    return of_values<Support>("support", generator);
}

}  // namespace rng::stats::tests

std::string rng::stats::grid_explanation(std::span<const InterimAnalysis> analyses, const ValueLaw& law) {
    using namespace tests;
    for (const InterimAnalysis& analysis : analyses)
        for (const Result& result : analysis.results)
            for (const auto& [base, count, room] : grids)
                for (int i = 0; i < count; ++i) {
                    const std::string name = name_of(base, i), parameter = law.grid_parameter(base, i);
                    if (result.test != "support" || result.part != name) continue;
                    return "The values lie on a grid of " + name.substr(name.rfind(' ') + 1) +
                           ", coarser than their distribution's. " +
                           (parameter.empty() ? "Values that were rounded cannot be tested against this law."
                                              : "If the grid is meant, " + parameter +
                                                    " among the parameters of --dist tests a file's values on it.");
                }
    return {};
}
