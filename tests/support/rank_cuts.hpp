// Cuts of rows for ranks.
#pragma once

#include <rng/at.hpp>
#include <rng/distributions/uniform_int.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

/// Cuts of `rows` rows for so many ranks: random ones, of which some coincide, so that ranks have no rows.
inline std::vector<size_t> random_cuts(size_t rows, int ranks, size_t seed) {
    std::vector<size_t> cuts{0};
    for (int i = 1; i < ranks; ++i) {
        const auto draw = [&](int k, uint32_t most) {
            return at(rng::Stream<>{seed}, rng::uniform_int<uint32_t>{0, most}, static_cast<uint64_t>(2 * i + k));
        };
        const bool repeats = draw(0, 3) == 0;  // an empty rank
        cuts.push_back(repeats ? cuts.back() : draw(1, static_cast<uint32_t>(rows)));
    }
    cuts.push_back(rows);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

}  // namespace support
