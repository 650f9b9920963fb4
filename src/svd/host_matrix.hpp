// The matrix A of an SVD in host memory, minus M: dense, in row shards or sparse, of any element type.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aligned.hpp"
#include "sparse.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class HostMatrix final : public MatrixRows<T> {
  public:
    /// If `fast`, dense products go to a BLAS. compact: true if rows of tall matrices have no gaps. Throws Error
    /// (invalid_argument) if a sparse matrix is not valid.
    HostMatrix(const char* call, const MatrixDescription& a, bool fast, bool compact = false);

    [[nodiscard]] std::string not_finite() override;
    [[nodiscard]] std::string mean_not_finite() override;
    [[nodiscard]] double largest_element() override;
    void sum_columns(T* ones, T* sums, size_t first, size_t cols, T* out) override;
    void set_mean_row(const T* mean) override;
    [[nodiscard]] const T* prepared(bool adjoint, const T* b, size_t q) override {
        return parts_ == 2 ? expand(b, adjoint ? a_.rows : a_.cols, padded(q, rng_abi::pad), adjoint) : b;
    }
    /// If A is dense and not all rows are computed, requires one part. Only computed_columns() are computed. The other
    /// columns of b must be 0; those of out do not change. After the last row of b there is room that may be read.
    void apply_rows(bool adjoint, const T* b, size_t q, size_t first, size_t rows, T* out) override;

  private:
    using Operand = rng_abi::Operand;
    using MatrixRows<T>::a_;

    [[nodiscard]] bool is_sparse() const { return a_.sparse.index_bytes != 0; }
    [[nodiscard]] T term(const void* data, ptrdiff_t at) const;
    [[nodiscard]] T element(const DenseDescription& rows, size_t i, size_t j, int part) const;
    [[nodiscard]] T mean_element(size_t i, size_t j, int part) const;
    void take_mean();
    [[nodiscard]] Operand operand(const DenseDescription& rows, size_t first_row) const;
    void product(const Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t columns, T* out) const;
    [[nodiscard]] const T* expand(const T* b, size_t rows, size_t ld, bool conjugate);
    void sum_over_shards(size_t outer, const T* b, size_t width, T* out) const;

    bool fast_, compact_;
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
