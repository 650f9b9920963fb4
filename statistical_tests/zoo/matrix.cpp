#include <rng/stats/zoo.hpp>

#include <algorithm>
#include <cmath>

namespace rng::stats {

std::vector<ZooCell> zoo_cells(const Report& report) {
    const double limit = std::log10(report.policy.fail);
    std::vector<ZooCell> cells;
    for (const Look& look : report.looks)
        for (const Result& result : look.results) {
            const double p = result.log10_adjusted;
            auto cell = std::ranges::find(cells, result.test, &ZooCell::test);
            if (cell == cells.end()) {
                cells.push_back({result.test, p, look.stage, look.size, p < limit});
                continue;
            }
            const bool is_worse = p < cell->log10_adjusted;
            if (is_worse && !cell->is_rejection) {
                cell->stage = look.stage;
                cell->size = look.size;
                cell->is_rejection = p < limit;
            }
            if (is_worse) cell->log10_adjusted = p;
        }
    return cells;
}

}  // namespace rng::stats
