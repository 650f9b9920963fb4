// Birthday spacings: n points of {0, ..., m - 1} are sorted. Y counts the spacings between neighbours that equal a
// smaller-ranked one (the number of spacings less the number of different ones).
// Null: Y is Poisson in the limit (Marsaglia, 1985; L'Ecuyer and Simard, 2001). The mean here is of the next order:
//     E Y = n (n - 1) (n - 2) / (4 m) - n^5 / (18 m^2).
// Oracle: points 1, 4, 7, 20, 23 have spacings 3, 3, 13, 3, so Y = 2.
// Derivation: docs/statistics/birthday.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rng::stats {

/// Returns E Y of n points out of m = 2^log2_cells.
[[nodiscard]] double spacings_mean(double n, int log2_cells);

/// Counts Y. Keeps its scratch memory between calls.
class Spacings {
  public:
    /// Returns Y of these points, and sorts them. Requires points below 2^log2_cells.
    [[nodiscard]] uint64_t count_equal(std::span<uint32_t> points, int log2_cells);
    [[nodiscard]] uint64_t count_equal(std::span<uint64_t> points, int log2_cells);

  private:
    std::vector<uint32_t> scratch32_;
    std::vector<uint64_t> scratch64_;
};

/// How t successive words make a point: of b bits of each word, the highest or the lowest.
struct PointShape {
    int words, bits;
    bool high;
    [[nodiscard]] int log2_cells() const { return words * bits; }
};

/// Stores the points that successive words make: words / shape.words of them.
template <class W, class P> void make_points(std::span<const W> words, PointShape shape, std::span<P> points) {
    const int shift = shape.high ? static_cast<int>(8 * sizeof(W)) - shape.bits : 0;
    const W mask = static_cast<W>(~W{0}) >> (static_cast<int>(8 * sizeof(W)) - shape.bits);
    const W* word = words.data();
    if (shape.words == 1) {
        for (P& point : points) point = static_cast<P>(*word++ >> shift & mask);
        return;
    }
    for (P& point : points) {
        P made = 0;
        for (int j = 0; j < shape.words; ++j) made = static_cast<P>(made << shape.bits | (*word++ >> shift & mask));
        point = made;
    }
}

}  // namespace rng::stats
