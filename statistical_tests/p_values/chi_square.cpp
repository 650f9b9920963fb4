#include "chi_square.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "require.hpp"

namespace rng::stats {

ChiSquare chi_square(std::span<const uint64_t> observed, std::span<const double> expected, double least_expected) {
    using detail::require;
    require(observed.size() == expected.size(), "chi_square", "there must be an expectation for each count",
            expected.size());
    require(least_expected > 0, "chi_square", "least_expected must be positive", least_expected);

    struct Cell {
        double observed, expected;
    };
    std::vector<Cell> cells;
    Cell open{0, 0};
    double total = 0, total_expected = 0;
    bool impossible = false;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        require(expected[i] >= 0 && std::isfinite(expected[i]), "chi_square",
                "expectations must be finite and at least 0", expected[i]);
        const auto count = static_cast<double>(observed[i]);
        impossible = impossible || (count > 0 && expected[i] == 0);
        total += count;
        total_expected += expected[i];
        open.observed += count;
        open.expected += expected[i];
        if (open.expected >= least_expected) {
            cells.push_back(open);
            open = {0, 0};
        }
    }
    require(std::abs(total - total_expected) <= 1e-9 * total_expected, "chi_square",
            "expectations must have the counts' sum", total_expected);
    require(cells.size() >= 2, "chi_square", "at least two cells must be left after merging", cells.size());
    cells.back().observed += open.observed;
    cells.back().expected += open.expected;

    double statistic = impossible ? std::numeric_limits<double>::infinity() : 0;
    for (const Cell& cell : cells) {
        const double difference = cell.observed - cell.expected;
        statistic += difference * difference / cell.expected;
    }
    return {statistic, cells.size(), chi_square_p_value(statistic, static_cast<double>(cells.size() - 1))};
}

}  // namespace rng::stats
