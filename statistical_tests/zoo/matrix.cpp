#include <rng/stats/zoo.hpp>

#include <algorithm>
#include <cmath>

namespace rng::stats {

std::vector<ZooCell> zoo_cells(const Report& report) {
    const double limit = std::log10(report.policy.fail);
    std::vector<ZooCell> cells;
    for (const InterimAnalysis& analysis : report.analyses)
        for (const Result& result : analysis.results) {
            const double p = result.log10_adjusted;
            auto cell = std::ranges::find(cells, result.test, &ZooCell::test);
            if (cell == cells.end()) {
                cells.push_back({result.test, p, analysis.stage, analysis.size, p < limit});
                continue;
            }
            const bool is_worse = p < cell->log10_adjusted;
            if (is_worse && !cell->is_rejection) {
                cell->stage = analysis.stage;
                cell->size = analysis.size;
                cell->is_rejection = p < limit;
            }
            if (is_worse) cell->log10_adjusted = p;
        }
    return cells;
}

}  // namespace rng::stats
