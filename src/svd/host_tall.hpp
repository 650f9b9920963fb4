// Rows of a tall matrix of the low-rank SVD in host memory: all of X or Z, or those that one rank has.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <rng/detail/stream_record.hpp>

#include "aligned.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class HostTall {
  public:
    /// Makes rows [first, first + rows) of a matrix of `all` rows: zeros.
    HostTall(const SvdShape& shape, size_t first, size_t rows, size_t all)
        : shape_(shape), first_(first), rows_(rows), all_(all), values_(rows * shape.width()) {}

    [[nodiscard]] T* row(size_t i) { return values_.data() + i * shape_.width(); }
    [[nodiscard]] size_t rows() const { return rows_; }
    [[nodiscard]] AlignedVector<T>& values() { return values_; }

    // The operations of SvdBackend, on these rows.
    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent);
    /// Returns the upper triangle of Y^T Y of rows [first, first + rows): width() x width() values.
    [[nodiscard]] std::vector<double> gram(size_t first, size_t rows) const;
    void multiply_right(const SquareMatrix& w);
    [[nodiscard]] double largest() const;
    void scale(int exponent);
    void refill(size_t column, const StreamRecord& stream, uint64_t first, double factor);
    [[nodiscard]] std::vector<LargestEntry> largest_per_column() const;
    /// Writes rows [first, first + rows) from `out` on; strides are in elements.
    void write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
               ptrdiff_t row_stride, ptrdiff_t col_stride) const;

  private:
    [[nodiscard]] size_t parts() const { return shape_.complex ? 2 : 1; }
    /// The computed columns: all, or those of the real parts and as many imaginary parts.
    [[nodiscard]] size_t used() const { return shape_.width() - shape_.ld() + shape_.q; }

    SvdShape shape_;
    size_t first_, rows_, all_;
    AlignedVector<T> values_;
};

/// Returns how many columns of X and Z products compute: the other columns of a tall matrix are 0 and stay 0.
template <class T> [[nodiscard]] size_t computed_columns(const SvdShape& shape);

extern template class HostTall<float>;
extern template class HostTall<double>;

}  // namespace detail
RNG_END_NAMESPACE
