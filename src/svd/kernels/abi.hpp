// The table of the fixed-order kernels of one instruction set: plain data, as kernels.hpp explains.
#pragma once

#include <rng/detail/element_type.hpp>

#include <cstddef>
#include <cstdint>

namespace rng_abi {

using std::ptrdiff_t;
using std::size_t;

inline constexpr size_t sum_block = 128;  // terms of one chain; a complex number is two
inline constexpr int panel_rows = 48;     // rows of a product that are computed together
inline constexpr size_t pad = 16;         // a multiple of it fills registers of any instruction set

/// Rows of the small SVD that are this short count as 0, if the greatest element is in [1, 2). They are noise that
/// Jacobi reduced. Products of shorter rows would also keep too few bits above the subnormal numbers. The square of a
/// product that still counts as a rotation is at least 2^-50^2 2^-210^4 = 2^-940.
inline constexpr double least_length = 0x1p-210;

/// A sparse matrix: row i has the terms offsets[i] to offsets[i + 1], in ascending order.
struct SparseOperand {
    const size_t* offsets;
    const size_t* terms;
    const void* values;
};

/// A matrix as products read it, in real terms. Those of element (i, k) are at data[parts * (i * row_stride + k *
/// col_stride)], minus those of the mean.
struct Operand {
    const void* data;
    ptrdiff_t row_stride, col_stride;  // in elements
    ElementType type;                  // of the terms
    int parts;                         // terms of an element: 2 if it is complex
    const void* mean;                  // null, or of the computed type
    ptrdiff_t mean_row_stride, mean_col_stride;
    const SparseOperand* sparse;  // null, or read instead of data; only with a mean
};

/// out[i][j] = sum over k_begin <= k < k_end of a[i][k] b[k - k_begin][j], with rows x cols elements in rows of ldo
/// values.
/// Preconditions:
/// - A row of b may be read up to a multiple of `pad`: the rows after it, or room after the last one, have these
/// values.
/// - If `continued` is false, k_begin is a multiple of sum_block.
/// - If `continued` is true, all terms are of one block, and `out` holds the sum of the block's terms before them.
using ProductFunction = void (*)(const Operand& a, size_t rows, size_t k_begin, size_t k_end, const void* b, size_t ldb,
                                 size_t cols, void* out, size_t ldo, bool continued, void* workspace);

/// out (rows x cols, in rows of ldo values) = the sparse matrix a, from row `first` on, times b. Rows of b are read as
/// in a ProductFunction.
using SparseProductFunction = void (*)(const SparseOperand& a, size_t first, size_t rows, const void* b, size_t ldb,
                                       size_t cols, void* out, size_t ldo);

/// Room for one panel; its rows may have small gaps between them.
inline constexpr size_t panel_values = panel_rows * (sum_block + pad);

/// Room for whole registers, of any instruction set, in a row of `cols` values.
constexpr size_t whole_registers(size_t cols) { return (cols + pad - 1) / pad * pad; }

/// Returns the number of panels of a product at a time: their sums of one level fill a quarter of a second-level cache.
constexpr size_t chunk_panels(size_t rows, size_t cols, size_t value_bytes) {
    constexpr size_t bytes = size_t{1} << 19;
    const size_t panels = (rows + panel_rows - 1) / panel_rows,
                 most = bytes / (panel_rows * whole_registers(cols) * value_bytes);
    return most < 1 ? 1 : panels < most ? panels : most;
}

/// Returns the workspace of a product of k_end - k_begin terms, in values.
constexpr size_t product_workspace(size_t rows, size_t terms, size_t cols, size_t value_bytes) {
    size_t levels = 1;
    for (size_t blocks = terms / sum_block + 1; blocks > 0; blocks >>= 1) ++levels;
    const size_t sums = chunk_panels(rows, cols, value_bytes) * panel_rows;
    return panel_values + (sum_block + levels * sums) * whole_registers(cols);
}

/// Two rows of a matrix.
struct RowPair {
    uint32_t a, b;
};

/// Makes the rows of each pair of m orthogonal by a rotation of at most 45 degrees. Pairs whose product is at most
/// `tolerance` times their lengths are orthogonal. Returns true if any pair was rotated.
/// - Rows are `width` apart and have `planes` parts of width / planes values; the greatest element of m is in [1, 2).
/// - norms has the squares of the lengths of the rows of m, which are kept up to date.
/// - Rows not longer than least_length do not change.
/// Requires that pairs have no row in common.
using RotateFunction = bool (*)(double* m, size_t width, int planes, double tolerance, double* norms,
                                const RowPair* pairs, size_t count);

struct LinalgFunctions {
    size_t register_bytes;
    ProductFunction product_f32, product_f64;
    SparseProductFunction sparse_product_f32, sparse_product_f64;
    double (*cholesky)(const double* g, size_t q, size_t ld, double shift, double* r, double* column);
    void (*invert_upper)(const double* r, size_t q, size_t ld, double* w, double* row);
    void (*multiply_upper)(const double* a, const double* b, size_t q, size_t ld, double* c);
    RotateFunction rotate_pairs;
    void (*add_rows)(const double* f, const double* x, size_t ld, size_t rows, double* y, size_t n);
    void (*multiply_rows)(const double* x, const double* y, size_t ld, size_t rows, size_t n, double* sums);
};

}  // namespace rng_abi
