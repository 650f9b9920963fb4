// What one rank does for the low-rank SVD over ranks on its own data. They lie in the memory of the host
// (host_rank_part.cpp) or of a GPU (cuda/svd_rank_part.hpp). No function here sends anything, and every sum has the
// order of docs/svd.md.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <rng/detail/stream_record.hpp>

#include "../ranks/rank_layout.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The two tall matrices. A rank has the rows that it owns of the one with the rows of A. It has the one with A's
/// columns as a whole.
enum class RankTall { of_rows, of_columns };

/// The rows of A that a rank owns, in pieces; and its rows of the tall matrices. Piece k: layout.pieces()[k].
template <class T> class RankPart {
  public:
    RankPart() = default;
    RankPart(const RankPart&) = delete;
    RankPart& operator=(const RankPart&) = delete;
    virtual ~RankPart() = default;

    /// Describes the first NaN or infinity in this rank's rows of A, or of M; empty if there is none.
    [[nodiscard]] virtual std::string not_finite(bool of_mean) = 0;
    /// Returns max |A - M| of these rows; 0 without rows.
    [[nodiscard]] virtual double largest_element() = 0;

    /// Makes the tall matrix with A's rows a column of ones, for column_sums() alone.
    virtual void begin_column_sums() = 0;
    /// Sums columns [first, first + cols) of the piece's adjoint times ones: real and imaginary part in turn.
    virtual void column_sums(size_t piece, size_t first, size_t cols, T* out) = 0;
    /// Ends the column sums: M is this row from here on.
    virtual void set_mean_row(const std::vector<T>& mean) = 0;

    // The operations of SvdBackend.
    virtual void draw_test_matrix(RankTall which, const StreamRecord& stream, TestMatrix kind, int exponent) = 0;
    /// The tall matrix with A's rows = A times the other one.
    virtual void multiply_rows() = 0;
    /// Called before products() of the same tall matrix.
    virtual void begin_products() = 0;
    /// Computes rows [first, first + cols) of the piece's adjoint times its rows of the tall matrix: the piece's node.
    virtual void products(size_t piece, size_t first, size_t cols, T* out) = 0;
    /// Returns memory of the host for the tall matrix with A's columns; take_columns() makes it that matrix.
    [[nodiscard]] virtual T* room_for_columns() = 0;
    virtual void take_columns() = 0;
    /// Returns Y^T Y of rows [first, first + rows), at least its upper triangle.
    [[nodiscard]] virtual std::vector<double> gram(RankTall which, size_t first, size_t rows) = 0;
    [[nodiscard]] virtual bool jacobi(double* /*m*/, double* /*v*/, double /*tolerance*/) { return false; }
    virtual void multiply_right(RankTall which, const SquareMatrix& w) = 0;
    [[nodiscard]] virtual double largest(RankTall which) = 0;
    virtual void scale(RankTall which, int exponent) = 0;
    virtual void refill(RankTall which, size_t column, const StreamRecord& stream, uint64_t first, double factor) = 0;
    [[nodiscard]] virtual std::vector<LargestEntry> largest_per_column(RankTall which) = 0;

    /// Writes V.
    virtual void write_columns(const std::vector<std::complex<double>>& factors) = 0;
    /// Writes the rows of U that this rank owns and was given. Returns the others, without gaps.
    [[nodiscard]] virtual std::vector<std::byte> write_rows(const std::vector<std::complex<double>>& factors) = 0;
    /// Writes the first rows of U, which another rank owned: without gaps, as write_rows() returned them.
    virtual void write_head(const std::vector<std::byte>& rows) = 0;
};

/// A piece of A: the rows of node layout.pieces()[k], the first of which is row `first` of those of this rank.
struct RankPiece {
    MatrixDescription description;
    size_t first = 0;
};

/// What a rank's part is made of. All of it must outlive the part.
struct RankPartInput {
    const RankLayout& layout;
    const SvdShape& shape;  ///< of the whole matrix
    const std::vector<RankPiece>& pieces;
    bool has_mean;  ///< true if there is an M, or will be
    SvdOutput out;
};

/// The memory in which a rank has its data.
class RankPlace {
  public:
    RankPlace() = default;
    RankPlace(const RankPlace&) = delete;
    RankPlace& operator=(const RankPlace&) = delete;
    virtual ~RankPlace() = default;

    /// Throws Error (invalid_argument) if the arrays of a sparse matrix are not sound. Need not see an element that is
    /// there twice.
    virtual void check_sparse(const char* call, const MatrixDescription& matrix) = 0;
    /// Returns rows [first, first + rows) of a matrix of elements of `bytes` bytes: row after row, without gaps.
    [[nodiscard]] virtual std::vector<std::byte> packed(const DenseDescription& from, size_t first, size_t rows,
                                                        size_t bytes) = 0;
    /// Returns an array as the host reads it, valid as long as this object.
    [[nodiscard]] virtual const std::byte* on_host(const void* array, size_t bytes) = 0;
    /// Returns the bytes in this memory, valid as long as this object.
    [[nodiscard]] virtual const void* kept(std::vector<std::byte> bytes) = 0;
    /// Makes a part of float, or of double.
    virtual void make(const RankPartInput& input, std::unique_ptr<RankPart<float>>& part) = 0;
    virtual void make(const RankPartInput& input, std::unique_ptr<RankPart<double>>& part) = 0;
    /// Writes S from values of the host, and waits until the whole result is there.
    virtual void finish(void* s, const void* values, size_t bytes) = 0;
};

}  // namespace detail
RNG_END_NAMESPACE
