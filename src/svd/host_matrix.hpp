// The matrix A of an SVD in host memory, minus M: dense, in row shards or sparse, of any element type.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rng/detail/matrix_description.hpp>

#include "aligned.hpp"
#include "kernels/abi.hpp"
#include "sparse.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class HostMatrix {
  public:
    /// The description must outlive this object. If `fast`, dense products go to a BLAS. Throws Error
    /// (invalid_argument) if a sparse matrix is not sound.
    HostMatrix(const char* call, const MatrixDescription& a, bool fast);

    /// Describes the first NaN or infinity in A, row by row; empty if there is none.
    [[nodiscard]] std::string not_finite() const;
    /// Describes the first NaN or infinity in M, as above.
    [[nodiscard]] std::string mean_not_finite() const;
    /// Returns max |A - M|, over real and imaginary parts.
    [[nodiscard]] double largest_element() const;
    /// Sets M to this row from here on: an element for each column of A (real and imaginary parts in turn).
    void set_mean_row(std::vector<T> mean);

    /// Computes out = A b, or A^H b. b and out have ld columns, and as many imaginary parts after them if A is complex.
    /// Only the first `columns` are computed. The other columns of b must be 0; those of out do not change.
    void apply(bool adjoint, const T* b, size_t ld, size_t columns, T* out) {
        apply_rows(adjoint, prepared(adjoint, b, ld), ld, columns, 0, adjoint ? a_.cols : a_.rows, out);
    }
    /// Returns b as apply_rows takes it. That is valid until the next call, and while b is.
    [[nodiscard]] const T* prepared(bool adjoint, const T* b, size_t ld) {
        return parts_ == 2 ? expand(b, adjoint ? a_.rows : a_.cols, ld, adjoint) : b;
    }
    /// Computes rows [first, first + rows) of apply's result, to `out`; b is from prepared(). Requires one part, if A
    /// is dense and not all rows are asked for.
    void apply_rows(bool adjoint, const T* b, size_t ld, size_t columns, size_t first, size_t rows, T* out);

  private:
    using Operand = rng_abi::Operand;

    [[nodiscard]] bool is_sparse() const { return a_.sparse.index_bytes != 0; }
    [[nodiscard]] T term(const void* data, ptrdiff_t at) const;
    [[nodiscard]] T element(const DenseDescription& rows, size_t i, size_t j, int part) const;
    [[nodiscard]] T mean_element(size_t i, size_t j, int part) const;
    void take_mean();
    [[nodiscard]] Operand operand(const DenseDescription& rows, size_t first_row) const;
    void product(const Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t columns, T* out) const;
    [[nodiscard]] const T* expand(const T* b, size_t rows, size_t ld, bool conjugate);
    void sum_over_shards(size_t outer, const T* b, size_t width, T* out) const;

    const MatrixDescription& a_;
    bool fast_;
    int parts_;  // real terms of an element of A
    HostSparseMatrix<T> sparse_;
    const T* mean_ = nullptr;  // M, or null
    ptrdiff_t mean_row_stride_ = 0, mean_col_stride_ = 0;
    std::vector<T> own_mean_;
    AlignedVector<T> expanded_;
};

extern template class HostMatrix<float>;
extern template class HostMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
