#include "spacings.hpp"

#include <bit>
#include <cmath>

#include "../radix_sort.hpp"

namespace rng::stats {

namespace {

template <class T> uint64_t count_equal_of(std::span<T> points, std::vector<T>& scratch, int log2_cells) {
    if (points.size() < 3) return 0;
    radix_sort(points, scratch, log2_cells);
    T most = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        points[i] = points[i + 1] - points[i];
        most |= points[i];
    }
    const auto gaps = points.first(points.size() - 1);
    radix_sort(gaps, scratch, static_cast<int>(std::bit_width(most)));
    uint64_t equal = 0;
    for (std::size_t i = 1; i < gaps.size(); ++i) equal += gaps[i] == gaps[i - 1];
    return equal;
}

}  // namespace

double spacings_mean(double n, int log2_cells) {
    const double m = std::ldexp(1.0, log2_cells);
    return n * (n - 1) * (n - 2) / (4 * m) - n * n * n * n * n / (18 * m * m);
}

uint64_t Spacings::count_equal(std::span<uint32_t> points, int log2_cells) {
    return count_equal_of(points, scratch32_, log2_cells);
}
uint64_t Spacings::count_equal(std::span<uint64_t> points, int log2_cells) {
    return count_equal_of(points, scratch64_, log2_cells);
}

}  // namespace rng::stats
