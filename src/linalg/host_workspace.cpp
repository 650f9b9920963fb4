// What HostPlace and the algorithm allocate, summed up.
#include <rng/linalg/host_workspace.hpp>

#include <algorithm>
#include <limits>

#include <rng/isa.hpp>

#include "place.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

// In double precision, so that no shape is too large to be summed up.
size_t svd_host_workspace_for(const SvdInput& input, std::optional<size_t> entries) {
    const TallShape shape{input.rows, input.cols, checked_svd(input), input.is_complex};
    // A sparse matrix is sorted even where nothing is asked of it.
    if ((shape.q == 0 && !entries) || shape.rows == 0 || shape.cols == 0) return 0;
    const double value = input.is_double ? 8 : 4, parts = shape.complex ? 2 : 1;
    const auto rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols),
               q = static_cast<double>(shape.q), width = static_cast<double>(shape.width());
    const double p = std::max(rows, cols), r = std::min(rows, cols);

    const double tall = (p + r) * width * value;
    // The longer factor written out twice for complex products; or Omega as it is drawn.
    const double expanded = shape.complex ? 2 * p * width * value : 0;
    const double drawn = input.test_matrix == TestMatrix::rademacher ? r * q * 4
                         : shape.complex                             ? r * q * 2 * value
                                                                     : 0;
    // Nodes of the Gram matrix: about 64 leaves, and those under way. The q x q matrices, complex ones embedded.
    const double square = width * width * 8, leaves = std::min(64.0, p / 1024 + 1);
    const double squares = (leaves + 7) * square;
    // A product's panels and the levels of its sums, by thread.
    constexpr double chunk = 1 << 19;
    const double threads = num_threads(), panels = std::min(p / rng_abi::panel_rows + 1, threads);
    double levels = 2;
    for (double blocks = p * parts / rng_abi::sum_block; blocks >= 1; blocks /= 2) ++levels;
    const double products = panels * std::min(levels * chunk, p * width * value);
    const double mean = input.center ? cols * parts * value : 0;

    // A sparse matrix by rows and by columns: offsets, terms, values.
    const double stored = entries ? static_cast<double>(*entries) : 0, element = 8 + parts * value;
    const double offsets = entries ? 8 * (rows + cols + 2) : 0;
    const double kept = offsets + 2 * stored * parts * (8 + value);
    const double sorting = offsets + 8 * std::max(rows, cols) + stored * (2 * element + 8 * parts);

    const double most = tall + mean + std::max(sorting, kept + std::max(drawn, expanded + products + squares));
    return most < static_cast<double>(std::numeric_limits<size_t>::max()) ? static_cast<size_t>(most)
                                                                          : std::numeric_limits<size_t>::max();
}

}  // namespace detail
RNG_END_NAMESPACE
