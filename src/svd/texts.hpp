// The texts of the errors of the low-rank SVD (refuse() itself: rng/core/error.hpp).
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

/// Texts of faults in the arrays of a sparse matrix.
class SparseTexts {
  public:
    explicit SparseTexts(const MatrixDescription& matrix) : name_(matrix.name), a_(matrix.sparse) {}

    /// Checks the sizes of the arrays, for `outer` rows (columns, if the matrix lies by columns). Empty if they are
    /// right.
    [[nodiscard]] std::string sizes(size_t outer) const {
        if (a_.offset_count != outer + 1)
            return name_ + " must have " + std::to_string(outer + 1) + " " + one_ + " offsets for " +
                   std::to_string(outer) + " " + one_ + "s, got " + std::to_string(a_.offset_count);
        if (a_.index_count != a_.value_count)
            return name_ + " has " + std::to_string(a_.value_count) + " values but " + std::to_string(a_.index_count) +
                   " " + other_ + " indices";
        return "";
    }
    [[nodiscard]] std::string offset(size_t i, int64_t value) const {
        return name_ + " must have " + one_ + " offsets that ascend from 0 to " + std::to_string(a_.value_count) +
               ", the number of values; offset " + std::to_string(i) + " is " + std::to_string(value);
    }
    [[nodiscard]] std::string index(size_t k, int64_t value, size_t inner) const {
        return name_ + " must have " + other_ + " indices in [0, " + std::to_string(inner) + "), index " +
               std::to_string(k) + " is " + std::to_string(value);
    }
    [[nodiscard]] std::string twice(size_t row, size_t col) const {
        return name_ + " has element (" + std::to_string(row) + ", " + std::to_string(col) + ") twice";
    }

  private:
    const std::string& name_;
    const SparseDescription& a_;
    const char* one_ = a_.by_columns ? "column" : "row";
    const char* other_ = a_.by_columns ? "row" : "column";
};

}  // namespace detail
RNG_END_NAMESPACE
