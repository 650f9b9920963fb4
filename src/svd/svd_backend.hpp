// What the low-rank SVD asks of the place where a matrix lies: host memory (host_place.hpp) or that of a GPU
// (cuda/svd.cu). Every sum has the order of docs/svd.md, so that each place gives the same bits.
//
// All arithmetic is real. A complex tall matrix has its real parts in the columns [0, ld) and its imaginary parts in
// [ld, 2 ld); products with it are those of real matrices twice as wide (docs/svd.md, "Complex matrices").
#pragma once

#include <complex>
#include <string>
#include <vector>

#include <rng/svd/svd_lowrank.hpp>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline size_t padded(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// n x n in double precision, row after row without gaps.
struct Square {
    size_t n;
    std::vector<double> v;
    explicit Square(size_t size) : n(size), v(n * n) {}
    [[nodiscard]] double& operator()(size_t i, size_t j) { return v[i * n + j]; }
    [[nodiscard]] double operator()(size_t i, size_t j) const { return v[i * n + j]; }
};

/// The tall matrices of the algorithm: X is p x q and Z is r x q, where p >= r are the sides of A.
enum class Tall { x, z };

/// The shape of everything.
struct TallShape {
    size_t rows, cols, q;  // of A, and how many columns X and Z have
    bool complex;
    [[nodiscard]] bool is_wide() const { return rows < cols; }
    [[nodiscard]] size_t tall_rows(Tall which) const { return is_wide() == (which == Tall::x) ? cols : rows; }
    [[nodiscard]] size_t ld() const { return padded(q, rng_abi::pad); }
    [[nodiscard]] size_t width() const { return ld() * (complex ? 2 : 1); }  ///< of a tall matrix, in values of T
};

/// A (less M), X and Z; T is float or double. "A" is its conjugate transpose in all of these where A is wide.
template <class T> class Place {
  public:
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    virtual ~Place() = default;

    /// Where A or M holds something that is no number: "A must be finite, got NaN at (3, 2)", of the first such element
    /// in the order of rows; empty if there is none.
    [[nodiscard]] virtual std::string not_finite() = 0;
    /// max |A - M|, over real and imaginary parts.
    [[nodiscard]] virtual double largest_element() = 0;
    /// From here on M is the mean of each column of A. Before X and Z are; q is 1 or more.
    virtual void subtract_column_means() = 0;

    /// Z = 2^exponent Omega, the values of the stream from its position on.
    virtual void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) = 0;
    /// X = A Z, or Z = A^H X.
    virtual void multiply_to(Tall result) = 0;

    /// Y^T Y of the width() columns of the tall matrix in double precision.
    [[nodiscard]] virtual Square gram(Tall which) = 0;
    /// Y = Y W, W rounded to T.
    virtual void multiply_right(Tall which, const Square& w) = 0;
    /// The greatest magnitude of a value; infinity if one is infinite or NaN.
    [[nodiscard]] virtual double largest(Tall which) = 0;
    /// Y = 2^exponent Y, by two factors, each in double precision: 2^(exponent / 2) and 2^(the rest).
    virtual void scale(Tall which, int exponent) = 0;
    /// Replaces a column (its real part, and the imaginary part after it): element i of it is
    /// (int32(word first + i of domain 252, counted from the stream's position) + 1/2) 2^-31 factor.
    virtual void refill(Tall which, size_t column, const StreamRecord& stream, uint64_t first, double factor) = 0;

    /// Of each of the q columns the first element of the greatest magnitude.
    [[nodiscard]] virtual std::vector<std::complex<double>> leaders(Tall which) = 0;
    /// Writes the columns, times a factor each, to the result's U (of A's rows) or V (of A's columns).
    virtual void write(Tall which, const std::vector<std::complex<double>>& factors) = 0;
};

}  // namespace detail
RNG_END_NAMESPACE
