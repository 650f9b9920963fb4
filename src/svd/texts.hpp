// Texts in which the calls of the low-rank SVD refuse an argument (refuse() itself: rng/core/error.hpp).
#pragma once

#include <cmath>
#include <string>

#include <rng/detail/svd_input.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Names an element of A or M that is infinite or NaN.
[[nodiscard]] inline std::string not_finite_text(const std::string& name, double value, size_t row, size_t col) {
    return name + " must be finite, got " +
           (std::isnan(value) ? "NaN"
            : value < 0       ? "-infinity"
                              : "infinity") +
           " at (" + std::to_string(row) + ", " + std::to_string(col) + ")";
}

[[nodiscard]] inline std::string shape_text(size_t rows, size_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
}

}  // namespace detail
RNG_END_NAMESPACE
