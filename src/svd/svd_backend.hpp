// SvdBackend: the matrices of the low-rank SVD, A (minus M), X and Z, in one memory. The memory is that of the host
// (host_backend.cpp) or of a GPU (cuda/svd_backend.hpp). Every sum has the order of docs/svd.md, so that all memories
// give the same bits.
//
// The rows of A, and the tall matrix with as many rows, may be spread over ranks. The other tall matrix, and everything
// of size q x q, is then on every rank, with the same bits. One process is a group without a RankLayout.
//
// All arithmetic is real. A complex tall matrix has its real parts in the columns [0, ld) and its imaginary parts in
// [ld, 2 ld). Products with such a matrix are those of real matrices twice as wide (docs/svd.md, "Complex matrices").
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <rng/detail/svd_input.hpp>

#include "../ranks/rank_layout.hpp"
#include "aligned.hpp"
#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline size_t padded(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// n x n in double precision, row after row without gaps.
struct SquareMatrix {
    size_t n;
    std::vector<double> v;
    explicit SquareMatrix(size_t size) : SquareMatrix(size, std::vector<double>(size * size)) {}
    SquareMatrix(size_t size, std::vector<double> values) : n(size), v(std::move(values)) {}
    [[nodiscard]] double& operator()(size_t i, size_t j) { return v[i * n + j]; }
    [[nodiscard]] double operator()(size_t i, size_t j) const { return v[i * n + j]; }
};

/// The tall matrices of the algorithm: X is p x q and Z is r x q, where p >= r are the sides of A.
enum class TallMatrix { x, z };

/// The shapes of A, X and Z.
struct SvdShape {
    size_t rows, cols;  // of A
    size_t q;           // columns of X and Z
    bool complex;
    size_t returned_q = q;  // columns of U and V: fewer than q with oversampling
    [[nodiscard]] bool is_wide() const { return rows < cols; }
    [[nodiscard]] size_t ld() const { return padded(q, rng_abi::pad); }
    [[nodiscard]] size_t parts() const { return complex ? 2 : 1; }  ///< real numbers of an element
    [[nodiscard]] size_t width() const { return ld() * parts(); }   ///< of a tall matrix, in values of T
};
/// Validates the arguments, as checked_svd() does.
[[nodiscard]] inline SvdShape checked_shape(const SvdInput& in) {
    const size_t q = checked_svd(in), most = std::min(in.a.rows, in.a.cols);
    const auto more = std::min<uint64_t>(static_cast<uint64_t>(in.oversampling), most - q);  // the sum cannot overflow
    return {in.a.rows, in.a.cols, q + static_cast<size_t>(more), in.a.is_complex, q};
}

/// Returns the greater of two magnitudes; NaN is above all numbers.
[[nodiscard]] inline double greater_magnitude(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

/// The entry of the greatest magnitude in a column; size is its squared magnitude, -1 where there is none.
struct LargestEntry {
    double size = -1;
    double re = 0, im = 0;
};

/// X or Z: all rows, or those that this rank has.
template <class T> class Tall {
  public:
    /// The matrix has `rows` rows. spread: null, or the layout of its rows over ranks, which must outlive this object.
    Tall(const SvdShape& shape, size_t rows, const RankLayout* spread)
        : shape_(shape),
          spread_(spread),
          first_(spread != nullptr ? spread->first() : 0),
          rows_(spread != nullptr ? spread->count() : rows),
          all_(rows) {}
    Tall(const Tall&) = delete;
    Tall& operator=(const Tall&) = delete;
    virtual ~Tall() = default;

    [[nodiscard]] const SvdShape& shape() const { return shape_; }
    [[nodiscard]] size_t rows() const { return all_; }
    /// Returns row i of the whole matrix.
    [[nodiscard]] T* row(size_t i) const { return values_ + (i - first_) * pitch_; }

    // Functions of the whole matrix, which are collective if it is spread.
    /// Returns Y^T Y of the width() columns, in double precision.
    [[nodiscard]] SquareMatrix gram();
    /// Returns the greatest magnitude of a value; infinity if a value is infinite or NaN.
    [[nodiscard]] double largest();
    /// Returns for each of the q columns the entry of the largest magnitude; the first one if several are tied.
    [[nodiscard]] std::vector<std::complex<double>> largest_per_column();

    // Functions of the rows here.
    /// Y = 2^exponent Omega. Omega holds the values of the stream from its position on.
    virtual void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) = 0;
    /// Y = Y W, W rounded to T.
    virtual void multiply_right(const SquareMatrix& w) = 0;
    /// Y = 2^exponent Y, by two factors, each in double precision: 2^(exponent / 2) and 2^(exponent - exponent / 2).
    virtual void scale(int exponent) = 0;
    /// Replaces a column: its real part, and the imaginary part after it. Element i becomes (int32(w) + 1/2) 2^-31
    /// factor, where w is word first + i of domain::svd_refill, counted from the stream's position.
    virtual void refill(size_t column, const StreamRecord& stream, uint64_t first, double factor) = 0;
    /// Writes the first returned_q columns of rows [first, first + rows) of those here, each column times its factor,
    /// from `out` on. `out` is in the same memory; strides are in elements.
    virtual void write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
                       ptrdiff_t row_stride, ptrdiff_t col_stride) = 0;

  protected:
    SvdShape shape_;
    const RankLayout* spread_;
    size_t first_, rows_, all_;  // rows_ of all_ rows are here, from first_ on
    T* values_ = nullptr;
    size_t pitch_ = shape_.width();  // values from a row to the next

  private:
    /// Returns Y^T Y of rows [first, first + rows) of those here, at least its upper triangle.
    [[nodiscard]] virtual std::vector<double> gram_of(size_t first, size_t rows) = 0;
    [[nodiscard]] virtual double largest_here() = 0;
    [[nodiscard]] virtual std::vector<LargestEntry> largest_per_column_here() = 0;
};

/// Rows of A, minus those of M: all, or a slab of those that a rank owns.
template <class T> class MatrixRows {
  public:
    /// The description must outlive this object.
    explicit MatrixRows(const MatrixDescription& a) : a_(a) {}
    MatrixRows(const MatrixRows&) = delete;
    MatrixRows& operator=(const MatrixRows&) = delete;
    virtual ~MatrixRows() = default;

    [[nodiscard]] size_t first_row() const { return a_.first_row; }

    /// Describes the first NaN or infinity in A, row by row: "A must be finite, got NaN at (3, 2)". Empty if there is
    /// none.
    [[nodiscard]] virtual std::string not_finite() = 0;
    /// Describes the first NaN or infinity in M, as above.
    [[nodiscard]] virtual std::string mean_not_finite() = 0;
    /// Returns max |A - M|, over real and imaginary parts; NaN if there is one.
    [[nodiscard]] virtual double largest_element() = 0;
    /// Writes the sums of columns [first, first + cols) of A^H, real and imaginary part in turn, to `out` on the host.
    /// `ones` and `sums` are rows of tall matrices, as many as A has rows or columns, before the first product. This
    /// call writes only to columns of them that every product overwrites.
    virtual void sum_columns(T* ones, T* sums, size_t first, size_t cols, T* out) = 0;
    /// Sets M to this row in host memory: an element for each column of A (real and imaginary parts in turn). The row
    /// must outlive this object. Null restores the caller's M.
    virtual void set_mean_row(const T* mean) = 0;

    /// Computes out = A b, or A^H b. b and out have q columns, as tall matrices have them.
    void apply(bool adjoint, const T* b, size_t q, T* out) {
        apply_rows(adjoint, prepared(adjoint, b, q), q, 0, adjoint ? a_.cols : a_.rows, out);
    }
    /// Returns b in the form of apply_rows(). It is valid until the next call, and as long as b is.
    [[nodiscard]] virtual const T* prepared(bool /*adjoint*/, const T* b, size_t /*q*/) { return b; }
    /// Computes rows [first, first + rows) of apply's result, to `out`; b is from prepared().
    virtual void apply_rows(bool adjoint, const T* b, size_t q, size_t first, size_t rows, T* out) = 0;

  protected:
    const MatrixDescription& a_;
};

/// The arguments of a backend. Everything that it refers to must outlive the backend.
struct BackendInput {
    const SvdInput& svd;  ///< the call and its options
    SvdShape shape;       ///< of the whole matrix
    std::span<const MatrixDescription> slabs;
    SvdOutput out;                      ///< a rank's U has the rows that the rank was given
    const RankLayout* ranks = nullptr;  ///< null in one process, where A is one slab
};

/// The matrices A (minus M), X and Z; T is float or double. If A is wide, "A" stands for its conjugate transpose. The
/// functions are collective if there are ranks. The memory is the host's, unless a derived class has another one.
template <class T> class SvdBackend {
  public:
    explicit SvdBackend(const BackendInput& in) : in_(in) {}
    SvdBackend(const SvdBackend&) = delete;
    SvdBackend& operator=(const SvdBackend&) = delete;
    virtual ~SvdBackend() = default;

    [[nodiscard]] Tall<T>& tall(TallMatrix which) { return has_rows_of_a(which) ? *of_rows_ : *of_columns_; }

    /// Describes the first NaN or infinity in A or M, as MatrixRows does.
    [[nodiscard]] std::string not_finite();
    [[nodiscard]] double largest_element();
    /// Sets M to the mean of each column of A, in place of an earlier M. It is called before X and Z are computed;
    /// requires q >= 1.
    void subtract_column_means();
    /// X = A Z, or Z = A^H X.
    void multiply_to(TallMatrix result);
    /// Writes the columns, each times its factor, to the result's U (rows of A) or V (columns of A).
    void write(TallMatrix which, const std::vector<std::complex<double>>& factors);
    void write_s(const std::vector<T>& s) { from_host(static_cast<T*>(in_.out.S), s.data(), s.size()); }

  protected:
    BackendInput in_;
    std::vector<std::unique_ptr<MatrixRows<T>>> slabs_;
    std::unique_ptr<Tall<T>> of_rows_, of_columns_;  // X and Z: that with the rows of A, that with its columns

  private:
    [[nodiscard]] bool has_rows_of_a(TallMatrix which) const { return (which == TallMatrix::x) != in_.shape.is_wide(); }
    [[nodiscard]] size_t width() const { return in_.shape.width(); }

    // Between this memory and the host's.
    /// Returns the memory in which values for `host` are computed: `host`, or this memory, where they stay until the
    /// next operation.
    [[nodiscard]] virtual T* room_for(T* host) { return host; }
    /// Takes values from room_for(host).
    virtual void to_host(T* /*host*/, const T* /*room*/, size_t /*n*/) {}
    virtual void from_host(T* to, const T* host, size_t n);
    /// Writes the first rows of U, which another rank owned; `rows` have no gaps.
    virtual void write_head(const std::vector<T>& rows);

    AlignedVector<T> mean_;
    std::vector<T> columns_;  // of_columns_, before it is copied to another memory
};

extern template class Tall<float>;
extern template class Tall<double>;
extern template class SvdBackend<float>;
extern template class SvdBackend<double>;

}  // namespace detail
RNG_END_NAMESPACE
