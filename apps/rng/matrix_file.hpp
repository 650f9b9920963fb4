// A matrix read from a file: dense or sparse, in the type of the file.
//
//   .npy   NumPy format 1.0 to 3.0: two dimensions, f2, f4, f8, c8, c16, b1, i1 to i8 or u1 to u8,
//          either byte order, in C or Fortran order
//
//   .mtx   Matrix Market (Boisvert, Pozo, Remington, NISTIR 5935, 1996): array is dense, coordinate is sparse
//
// The first bytes of the file decide, not its name. Oracle: "%%MatrixMarket matrix array real general\n1 1\n2\n" is
// (2).
#pragma once

#include <rng/rng.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input_file.hpp"

namespace cli {

template <class T> struct DenseMatrix {
    using value_type = T;
    size_t rows = 0, cols = 0;
    bool column_major = false;  ///< true: column after column; false: row after row
    std::vector<T> values;

    [[nodiscard]] rng::matrix_view<const T> view() const {
        return column_major ? rng::matrix_view<const T>::column_major(values.data(), rows, cols)
                            : rng::matrix_view<const T>::row_major(values.data(), rows, cols);
    }
};

/// A matrix in compressed rows; the columns of a row ascend.
template <class T> struct SparseMatrix {
    using value_type = T;
    size_t rows = 0, cols = 0;
    std::vector<int64_t> row_offsets;  ///< rows + 1
    std::vector<int64_t> columns;
    std::vector<T> values;

    [[nodiscard]] rng::csr_view<T> view() const { return {rows, cols, row_offsets, columns, values}; }
};

using AnyMatrix =
    std::variant<DenseMatrix<rng::float16>, DenseMatrix<float>, DenseMatrix<double>, DenseMatrix<std::complex<float>>,
                 DenseMatrix<std::complex<double>>, SparseMatrix<float>, SparseMatrix<double>,
                 SparseMatrix<std::complex<float>>, SparseMatrix<std::complex<double>>>;

/// The facts about a matrix that are known before memory is allocated for it.
struct MatrixShape {
    uint64_t rows, cols;
    bool is_complex, is_double;         ///< the type of the matrix, except for 16-bit numbers
    std::optional<uint64_t> entries{};  ///< of a sparse matrix: the most entries that it may have
};
/// Throws UsageError if there is not enough memory for the matrix and the work on it.
using ShapeCheck = std::function<void(const MatrixShape&)>;

/// Returns the matrix of a file. Throws UsageError, one line that names the file and the error, if the file:
/// - is damaged or cut short,
/// - has too many bytes,
/// - holds anything but a matrix of real or complex numbers.
/// Memory is allocated only after `check` has seen the shape, and only as much as the size of the file justifies.
[[nodiscard]] AnyMatrix read_matrix(InputFile& file, const ShapeCheck& check);

// The two formats, from the first byte on.
[[nodiscard]] AnyMatrix read_npy(InputFile& file, const ShapeCheck& check);
[[nodiscard]] AnyMatrix read_matrix_market(InputFile& file, const ShapeCheck& check);

}  // namespace cli
