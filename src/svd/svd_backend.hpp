// SvdBackend: the operations of the low-rank SVD on matrices in one memory.
// The memory is the host's (host_backend.hpp) or a GPU's (cuda/svd.cu).
// Every sum has the order of docs/svd.md, so that all backends give the same bits.
//
// All arithmetic is real. A complex tall matrix has its real parts in the columns [0, ld) and its imaginary parts in
// [ld, 2 ld).
// Products with such a matrix are those of real matrices twice as wide (docs/svd.md, "Complex matrices").
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include <rng/detail/svd_input.hpp>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline size_t padded(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// n x n in double precision, row after row without gaps.
struct SquareMatrix {
    size_t n;
    std::vector<double> v;
    explicit SquareMatrix(size_t size) : n(size), v(n * n) {}
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
    [[nodiscard]] bool is_wide() const { return rows < cols; }
    [[nodiscard]] size_t tall_rows(TallMatrix which) const {
        return is_wide() == (which == TallMatrix::x) ? cols : rows;
    }
    [[nodiscard]] size_t ld() const { return padded(q, rng_abi::pad); }
    [[nodiscard]] size_t width() const { return ld() * (complex ? 2 : 1); }  ///< of a tall matrix, in values of T
};

/// The entry of the greatest magnitude in a column; size is its squared magnitude, -1 where there is none.
struct LargestEntry {
    double size = -1;
    double re = 0, im = 0;
};

/// Returns the means of the columns from their sums in A^H times ones: an element for each column, parts in turn.
template <class T> [[nodiscard]] std::vector<T> column_means(std::vector<T> sums, size_t rows, bool is_complex) {
    for (size_t i = 0; i < sums.size(); ++i)
        sums[i] = (is_complex && i % 2 != 0 ? -sums[i] : sums[i]) / static_cast<T>(rows);
    return sums;
}

/// Completes Y^T Y from its upper triangle.
[[nodiscard]] SquareMatrix symmetric(std::vector<double> upper, const SvdShape& shape);

/// The matrices A (minus M), X and Z; T is float or double. If A is wide, "A" stands for its conjugate transpose.
template <class T> class SvdBackend {
  public:
    SvdBackend() = default;
    SvdBackend(const SvdBackend&) = delete;
    SvdBackend& operator=(const SvdBackend&) = delete;
    virtual ~SvdBackend() = default;

    /// Describes the first NaN or infinity in A or M, row by row: "A must be finite, got NaN at (3, 2)". Empty if
    /// there is none.
    [[nodiscard]] virtual std::string not_finite() = 0;
    /// Returns max |A - M|, over real and imaginary parts.
    [[nodiscard]] virtual double largest_element() = 0;
    /// Makes M the mean of each column of A, in place of an earlier M. Called before X and Z are made; requires q >= 1.
    virtual void subtract_column_means() = 0;

    /// Z = 2^exponent Omega. Omega holds the values of the stream from its position on.
    virtual void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) = 0;
    /// X = A Z, or Z = A^H X.
    virtual void multiply_to(TallMatrix result) = 0;

    /// Returns Y^T Y of the width() columns of the tall matrix, in double precision.
    [[nodiscard]] virtual SquareMatrix gram(TallMatrix which) = 0;
    /// Does what LinalgFunctions::jacobi does to m and v, then a Newton-Schulz step to v, as small_svd() does. Returns
    /// false if the host is to do it.
    [[nodiscard]] virtual bool jacobi(double* /*m*/, double* /*v*/, double /*tolerance*/) { return false; }
    /// Y = Y W, W rounded to T.
    virtual void multiply_right(TallMatrix which, const SquareMatrix& w) = 0;
    /// Returns the greatest magnitude of a value; infinity if a value is infinite or NaN.
    [[nodiscard]] virtual double largest(TallMatrix which) = 0;
    /// Y = 2^exponent Y, by two factors, each in double precision: 2^(exponent / 2) and 2^(exponent - exponent / 2).
    virtual void scale(TallMatrix which, int exponent) = 0;
    /// Replaces a column: its real part, and the imaginary part after it. Element i becomes (int32(w) + 1/2) 2^-31
    /// factor.
    /// w is word first + i of domain::svd_refill, counted from the stream's position.
    virtual void refill(TallMatrix which, size_t column, const StreamRecord& stream, uint64_t first, double factor) = 0;

    /// Returns for each of the q columns the entry of the largest magnitude; the first one if several are tied.
    [[nodiscard]] virtual std::vector<std::complex<double>> largest_per_column(TallMatrix which) = 0;
    /// Writes the columns, each times its factor, to the result's U (rows of A) or V (columns of A).
    virtual void write(TallMatrix which, const std::vector<std::complex<double>>& factors) = 0;

    // A backend whose rows lie on several ranks cannot refuse a call, or do the work again, on one of them alone.
    /// Throws Error (invalid_argument) "call: what", for what follows from results of the functions above.
    [[noreturn]] virtual void refuse_call(const char* call, const std::string& what) { refuse(call, what); }
    /// Runs part(), which may throw an Error on one rank alone: then all ranks throw it.
    virtual void attempt(const std::function<void()>& part) { part(); }
    /// Called before the generator is claimed. Throws Error on all ranks if it has moved since the call began.
    virtual void check_unmoved(const Generator& /*generator*/) {}
    /// Called when the claim found that another thread had moved the generator, before the work is done again.
    virtual void begin_again() {}
};

}  // namespace detail
RNG_END_NAMESPACE
