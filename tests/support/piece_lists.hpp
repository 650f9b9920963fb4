// Lists for piecewise laws: those of PIECES in tests/reference/known_answers.py, where the model has a digest for each.
// They have pieces of unlike widths and heights, pieces of area 0, and a single piece.
#pragma once

#include <vector>

namespace support {

/// Boundaries, the densities of pieces for piecewise_constant, and those at boundaries for piecewise_linear.
template <class T> struct PieceLists { std::vector<T> boundaries, heights, tops; };

template <class T> std::vector<PieceLists<T>> piece_lists() {
    PieceLists<T> many;
    for (int k = 0; k <= 40; ++k) {
        many.boundaries.push_back(static_cast<T>(k * k) / 64 - 8);
        if (k < 40) many.heights.push_back(static_cast<T>(k % 7) / 8);
        many.tops.push_back(static_cast<T>(k % 5) / 4);
    }
    return {{{0, 1}, {2}, {0, 3}},
            {{-1, 0, T(0.5), 4}, {1, 0, T(0.25)}, {1, 0, 0, T(2.5)}},
            {{T(-0.75), T(-0.5), 0, T(0x1p-40), 1, 1000}, {0, 3, T(7.5), 0, T(0x1p-30)}, {0, 3, 0, T(0x1p70), 0, 0}},
            many,
            {{0, T(0.8125), 11}, {5, 3}, {3, 7, 1}}};
}

}  // namespace support
