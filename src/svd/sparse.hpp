// A sparse matrix as products read it: by rows and by columns, terms in ascending order.
#pragma once

#include <vector>

#include <rng/detail/matrix_description.hpp>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Rows of real terms: element k of a row begins at term parts * k.
template <class T> struct SparseRows {
    std::vector<size_t> offsets, terms;
    std::vector<T> values;
    [[nodiscard]] rng_abi::SparseOperand operand() const { return {offsets.data(), terms.data(), values.data()}; }
};

/// The rows of A and of its transpose (not conjugate). Throws Error (invalid_argument) if the indices do not fit a
/// matrix of that shape.
template <class T> struct HostSparseMatrix {
    SparseRows<T> rows, columns;
    HostSparseMatrix() = default;
    explicit HostSparseMatrix(const char* call, const MatrixDescription& matrix);
};

/// Throws that Error for the arrays of a matrix, but does not find an element that occurs twice.
void check_sparse(const char* call, const MatrixDescription& matrix);

extern template struct HostSparseMatrix<float>;
extern template struct HostSparseMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
