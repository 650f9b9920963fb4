// Birthday spacings: n points of {0, ..., m - 1} are sorted, and Y counts the spacings between neighbours that equal a
// smaller-ranked one (the number of spacings less that of different ones).
//
// Null: Y is Poisson in the limit, with mean n^3 / (4 m). Sources: Marsaglia, "A Current View of Random Number
// Generators", 1985; L'Ecuyer and Simard, "On the performance of birthday spacings tests with certain families of
// random number generators", Math. Comput. Simul. 55, 2001, who ask for n <= m^(5/12). Oracle: points 1, 4, 7, 20, 23
// have spacings 3, 3, 13, 3, so Y = 2.
//
// The mean here is of the next order. Of the n + 1 gaps that n points leave of the circle's length 1 cut at 0, two are
// equal to within 1/m with probability n / (2 m), three with n^2 / (3 m^2) (to the order of n / m); the n - 1 gaps
// between points are (n - 1)(n - 2) / 2 pairs, and a value shared by k gaps counts k - 1 = C(k, 2) - C(k, 3) + ..., so
//     E Y = n (n - 1) (n - 2) / (4 m) - n^5 / (18 m^2).
// What remains is of the order of (mean / n)^2, relative: simulation gave 14.986 +- 0.008 where n = 256, m = 2^18, and
// this formula 14.924. The variance is below the mean, by about 3 mean / n, relative (0.178 there), so tails are
// conservative. Here mean / n is 2^-8 at most: the variance is then 1 % less, and p = 1e-11 a third too large.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rng::stats {

/// E Y of n points out of m = 2^log2_cells.
[[nodiscard]] double spacings_mean(double n, int log2_cells);

/// Counts Y. Holds its scratch memory between calls.
class Spacings {
  public:
    /// Y of these points, all below 2^log2_cells; sorts them.
    [[nodiscard]] uint64_t count_equal(std::span<uint32_t> points, int log2_cells);
    [[nodiscard]] uint64_t count_equal(std::span<uint64_t> points, int log2_cells);

  private:
    std::vector<uint32_t> scratch32_;
    std::vector<uint64_t> scratch64_;
};

/// How t successive words make a point: b of each one's bits, the highest or the lowest.
struct PointShape {
    int words, bits;
    bool high;
    [[nodiscard]] int log2_cells() const { return words * bits; }
};

/// The points that successive words make, words / shape.words of them, into `points`.
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
