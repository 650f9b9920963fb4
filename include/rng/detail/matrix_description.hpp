// A matrix with its types erased, for the low-rank SVD on the host and on GPUs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "element_type.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A dense matrix, or some rows of one. Strides are in elements.
struct DenseDescription {
    const void* data = nullptr;
    size_t rows = 0, cols = 0;
    ptrdiff_t row_stride = 0, col_stride = 0;

    [[nodiscard]] ptrdiff_t offset(size_t i, size_t j) const {
        return static_cast<ptrdiff_t>(i) * row_stride + static_cast<ptrdiff_t>(j) * col_stride;
    }
    /// Returns this matrix with its only row, or its only column, repeated as often as another matrix needs it.
    [[nodiscard]] DenseDescription repeated() const {
        return {data, rows, cols, rows == 1 ? 0 : row_stride, cols == 1 ? 0 : col_stride};
    }
};

/// A sparse matrix by rows, or by columns.
struct SparseDescription {
    const void *offsets, *indices, *values;
    size_t offset_count, index_count, value_count;
    int index_bytes;  // 4 or 8; 0: the matrix is dense
    bool by_columns;  // true if the values lie column by column
};

/// A matrix A, and M, which is subtracted from it.
struct MatrixDescription {
    std::string name = "A";  // for messages
    rng_abi::ElementType type{};
    bool is_double = false, is_complex = false;
    size_t rows = 0, cols = 0;
    std::vector<DenseDescription> parts = {};  ///< row shards of a dense matrix, from the first row on
    SparseDescription sparse = {};
    DenseDescription mean = {};  ///< M, with A's numbers of rows and columns, or 1; null data: no M
    /// For messages about a piece of a larger matrix: its first row, and the first row of its M.
    size_t first_row = 0, first_mean_row = 0;

    /// Returns how many real numbers an element has.
    [[nodiscard]] int real_parts() const { return is_complex ? 2 : 1; }
    /// Returns the bytes of a real number of the results.
    [[nodiscard]] size_t computed_bytes() const { return is_double ? 8 : 4; }
    /// Returns the bytes of a real number of A and M.
    [[nodiscard]] size_t stored_bytes() const {
        return type == rng_abi::ElementType::same ? computed_bytes() : size_t{2};
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
