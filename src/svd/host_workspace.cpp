// The sum of the memory that the backend of the host and the algorithm allocate.
#include <rng/svd/host_workspace.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rng/isa.hpp>

#include "host_product.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

// The sums are in double precision, so that no shape is too large.
size_t svd_host_workspace_for(const SvdInput& input, std::optional<size_t> entries) {
    const SvdShape shape = checked_shape(input);
    // A sparse matrix is sorted even if q is 0.
    if ((shape.q == 0 && !entries) || shape.rows == 0 || shape.cols == 0) return 0;
    const double value = static_cast<double>(input.a.computed_bytes()), parts = shape.complex ? 2 : 1;
    const auto rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols),
               q = static_cast<double>(shape.q), width = static_cast<double>(shape.width());
    const double p = std::max(rows, cols), r = std::min(rows, cols);

    const auto pitch = static_cast<double>(row_values(shape.q, shape.parts(), is_compact(shape)));
    const double tall = (p + r) * pitch * value;
    // For complex products, the longer factor is expanded and kept. Omega is kept as it is drawn, a second time if
    // products must be scaled.
    const double expanded = shape.complex ? 2 * p * width * value : 0;
    const double drawn = input.test_matrix == TestMatrix::rademacher ? r * q * 4
                         : shape.complex                             ? r * q * 2 * value
                                                                     : 0;
    // A product of `outer` rows takes a panel, its part of b, and the sums of each level. The sums are for all rows, or
    // for the rows of a chunk.
    constexpr double panel = rng_abi::panel_rows, block = rng_abi::sum_block, most_of_level = 1 << 19;
    const auto product = [&](double outer, double terms, double bytes) {
        const double levels = std::floor(std::log2(terms / block + 1)) + 2;
        return (static_cast<double>(rng_abi::panel_values) + block * width) * bytes +
               levels * std::min(std::ceil(outer / panel) * panel * width * bytes,
                                 std::max(most_of_level, panel * width * bytes));
    };
    // The threads take a part of the rows each.
    const double threads = num_threads(), parts_wanted = threads == 1 ? 1 : 4 * threads;
    const auto products = [&](double outer, double terms) {
        const double panels = std::ceil(outer / panel);
        return std::min(threads, panels) * product(std::ceil(panels / parts_wanted) * panel, terms, value);
    };
    // The small matrices are q x q, complex ones embedded: at most eight, and six while X or Z is multiplied by one.
    // The Gram matrix is the sum of up to 65 groups of leaves; each thread works on one of them at a time.
    constexpr double leaf = 8 * block;
    const double square = width * width * 8, leaves = std::ceil(p / leaf);
    double group = 1;
    while (std::floor(leaves / group) > 64) group *= 2;
    const double groups = std::ceil(leaves / group);
    const double under_way =
        (value == 4 ? leaf * width * 8 : 0) + product(panel, leaf, 8) + (std::log2(group) + 1) * square;
    const double gram = (groups + 2) * square + std::min(threads, groups) * under_way;
    const double step =
        std::max({products(p, r * parts), products(r, p * parts), products(p, width) + 6 * square, gram, 8 * square});
    constexpr double small = 1 << 16;  // S, indices, the blocks' rounding
    const double mean = input.center ? cols * parts * value : 0;

    // A sparse matrix by rows and by columns: offsets, terms, values.
    const double stored = entries ? static_cast<double>(*entries) : 0, element = 8 + parts * value;
    const double offsets = entries ? 8 * (rows + cols + 2) : 0;
    const double kept = offsets + 2 * stored * parts * (8 + value);
    const double sorting = offsets + 8 * std::max(rows, cols) + stored * (2 * element + 8 * parts);

    const double most = small + tall + mean + std::max(sorting, kept + expanded + std::max(drawn, step));
    return most < static_cast<double>(std::numeric_limits<size_t>::max()) ? static_cast<size_t>(most)
                                                                          : std::numeric_limits<size_t>::max();
}

}  // namespace detail
RNG_END_NAMESPACE
