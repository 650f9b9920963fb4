// The quality of a decomposition of rng svd: the size of the difference from the matrix.
#pragma once

#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include "matrix_file.hpp"
#include "numbers.hpp"

namespace cli::quality {

template <class T> using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
template <class T> Wide<T> wide(const T& x) {
    if constexpr (is_half<T>)
        return static_cast<float>(x);
    else
        return static_cast<Wide<T>>(x);
}

inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(const std::complex<double>& x) { return std::conj(x); }
inline double greater_part(double x) { return std::fabs(x); }
inline double greater_part(const std::complex<double>& x) { return std::max(std::fabs(x.real()), std::fabs(x.imag())); }

/// x times the conjugate of y. The operators of std::complex would check for NaN each time.
inline double times_conjugate(double x, double y) { return x * y; }
inline std::complex<double> times_conjugate(const std::complex<double>& x, const std::complex<double>& y) {
    return {x.real() * y.real() + x.imag() * y.imag(), x.imag() * y.real() - x.real() * y.imag()};
}
/// The real part of times_conjugate(x, y).
inline double dot(double x, double y) { return x * y; }
inline double dot(const std::complex<double>& x, const std::complex<double>& y) {
    return x.real() * y.real() + x.imag() * y.imag();
}
template <class W> double square(const W& x) { return dot(x, x); }

/// A sum that also keeps its rounding errors: A. Neumaier, ZAMM 54 (1974), 39-51.
class Sum {
    double sum_ = 0, lost_ = 0;

  public:
    void add(double x) {
        const double sum = sum_ + x;
        lost_ += std::fabs(sum_) >= std::fabs(x) ? sum_ - sum + x : x - sum + sum_;
        sum_ = sum;
    }
    [[nodiscard]] double value() const { return sum_ + lost_; }
};

/// Calls use(row, column, value) for every element, or for every stored element, in the order of memory.
template <class T, class Use> void for_each_element(const DenseMatrix<T>& matrix, const Use& use) {
    const auto* x = matrix.values.data();
    const size_t outer = matrix.column_major ? matrix.cols : matrix.rows;
    const size_t inner = matrix.column_major ? matrix.rows : matrix.cols;
    for (size_t a = 0; a < outer; ++a)
        for (size_t b = 0; b < inner; ++b, ++x) matrix.column_major ? use(b, a, wide(*x)) : use(a, b, wide(*x));
}
template <class T, class Use> void for_each_element(const SparseMatrix<T>& matrix, const Use& use) {
    for (size_t i = 0; i < matrix.rows; ++i)
        for (auto k = static_cast<size_t>(matrix.row_offsets[i]); k < static_cast<size_t>(matrix.row_offsets[i + 1]);
             ++k)
            use(i, static_cast<size_t>(matrix.columns[k]), wide(matrix.values[k]));
}

/// The approximation of a matrix as L R^H, times a power of two. L is U diag(S) and R is V.
/// For a centred matrix, L has a last column of ones, and R a last column of the conjugate means.
template <class C> struct Model {
    using W = Wide<C>;
    const rng::LowRankSvd<C>& svd;
    double scale;
    std::vector<W> means;  ///< times scale; empty if the matrix was not centred

    [[nodiscard]] size_t q() const { return svd.S.size(); }
    [[nodiscard]] size_t rank() const { return q() + (means.empty() ? 0 : 1); }
    [[nodiscard]] W mean(size_t j) const { return means.empty() ? W{} : means[j]; }
    [[nodiscard]] W left(size_t i, size_t k) const {
        return k < q() ? wide(svd.U(i, k)) * (static_cast<double>(svd.S[k]) * scale) : W{1};
    }
    [[nodiscard]] W right(size_t j, size_t k) const { return k < q() ? wide(svd.V(j, k)) : conjugate(means[j]); }
    [[nodiscard]] double square_of_norm() const;
};

/// The lower triangle of F^H F of F(i, k), rows x rank. It is computed in blocks: sums over many rows would lose
/// digits.
template <class W, class F> std::vector<W> gram(size_t rows, size_t rank, const F& f) {
    constexpr size_t block = 1024;
    std::vector<W> total(rank * rank), part(rank * rank), row(rank);
    for (size_t begin = 0; begin < rows; begin += block) {
        std::ranges::fill(part, W{});
        for (size_t i = begin; i < std::min(begin + block, rows); ++i) {
            for (size_t k = 0; k < rank; ++k) row[k] = f(i, k);
            for (size_t k = 0; k < rank; ++k)
                for (size_t l = 0; l <= k; ++l) part[k * rank + l] += times_conjugate(row[l], row[k]);
        }
        for (size_t k = 0; k < total.size(); ++k) total[k] += part[k];
    }
    return total;
}

/// ||L R^H||^2 is the trace of L^H L R^H R.
/// The sum of squares of S would be wrong in its last digits, because rounded factors are not orthonormal.
/// A good approximation leaves a residual of the size of these last digits.
template <class C> double Model<C>::square_of_norm() const {
    if (rank() == 0) return 0;  // 10^18 rows without elements take no memory, but time
    const auto l = gram<W>(svd.U.rows, rank(), [this](size_t i, size_t k) { return left(i, k); });
    const auto r = gram<W>(svd.V.rows, rank(), [this](size_t j, size_t k) { return right(j, k); });
    Sum sum;
    for (size_t k = 0; k < l.size(); ++k) sum.add(dot(l[k], r[k]) * (k % (rank() + 1) == 0 ? 1 : 2));
    return sum.value();
}

/// ||A - U diag(S) V^H|| / ||A|| in the Frobenius norm, in double precision; 0 for a matrix of zeros.
/// If the matrix was centred, A means A minus its column means.
struct Residual {
    double value = 0;    ///< not finite if it is not known
    bool below = false;  ///< true if the value is a bound: rounding errors leave no more
    size_t step = 1;     ///< the distance between two rows that are summed

    template <class M, class C> Residual(const M& matrix, const rng::LowRankSvd<C>& svd, bool center) {
        if (matrix.rows == 0 || matrix.cols == 0) return;
        double greatest = 0;
        for (const auto& x : matrix.values) greatest = std::max(greatest, greater_part(wide(x)));
        if (greatest == 0) return;
        // Scaled so that elements are near 1: squares of others would overflow or vanish.
        Model<C> model{svd, std::ldexp(1.0, std::clamp(-std::ilogb(greatest), -1000, 1000)), {}};
        if (center) {
            model.means.resize(matrix.cols);
            for_each_element(matrix, [&](size_t, size_t j, const auto& x) { model.means[j] += x * model.scale; });
            for (auto& mean : model.means) mean /= static_cast<double>(matrix.rows);
        }
        compute(matrix, model);
    }

    /// Returns the memory that the residual needs beyond the matrix and the factors.
    static double bytes(const MatrixShape& shape, double q, bool center) {
        const double rank = q + (center ? 1 : 0);
        const double values = (center ? static_cast<double>(shape.cols) : 0) +
                              (shape.entries ? 3 * rank * rank + 2 * rank : row_block * q);
        return values * (shape.is_complex ? 16 : 8);
    }

  private:
    static constexpr size_t row_block = 8;  // rows that share each element of V after one load from memory

    /// Sums over every step-th row, so that there are at most 2^28 products. This takes a good part of a second, like
    /// the decomposition.
    template <class T, class C> void compute(const DenseMatrix<T>& matrix, const Model<C>& model) {
        const double rows = static_cast<double>(matrix.rows);
        const double products =
            rows * static_cast<double>(matrix.cols) * static_cast<double>(model.q() + 1) * (is_complex<T> ? 4 : 1);
        step = static_cast<size_t>(std::clamp(std::ceil(products / (1u << 28)), 1.0, rows));
        // Rows of zeros give no information: then more rows are summed.
        while (!compute_sampled(matrix, model) && step > 1) step = (step + 1) / 2;
    }

    /// Returns false if all rows in the sum are zero.
    template <class T, class C> bool compute_sampled(const DenseMatrix<T>& matrix, const Model<C>& model) {
        using W = Wide<C>;
        const size_t q = model.q();
        const auto view = matrix.view();
        std::vector<W> factors(q * row_block);
        double all = 0, left = 0;
        const size_t sampled = (matrix.rows - 1) / step + 1;
        for (size_t first = 0; first < sampled; first += row_block) {
            const size_t count = std::min(row_block, sampled - first);
            for (size_t k = 0; k < q; ++k)
                for (size_t r = 0; r < count; ++r) factors[k * row_block + r] = model.left((first + r) * step, k);
            for (size_t j = 0; j < matrix.cols; ++j) {
                W rest[row_block] = {};
                for (size_t r = 0; r < count; ++r) {
                    rest[r] = wide(view((first + r) * step, j)) * model.scale - model.mean(j);
                    all += square(rest[r]);
                }
                for (size_t k = 0; k < q; ++k) {
                    const W v = wide(model.svd.V(j, k));
                    for (size_t r = 0; r < row_block; ++r) rest[r] -= times_conjugate(factors[k * row_block + r], v);
                }
                for (size_t r = 0; r < count; ++r) left += square(rest[r]);
            }
        }
        value = all > 0 ? std::sqrt(left / all) : 0;
        return all > 0;
    }

    /// Sums over the stored entries only. Elsewhere A is 0, and the squares there are those of L R^H minus those at the
    /// entries.
    /// The difference has an error of some 10^-15 of its terms.
    template <class T> void compute(const SparseMatrix<T>& matrix, const Model<T>& model) {
        using W = Wide<T>;
        const size_t q = model.q();
        Sum all, left;
        std::vector<W> factors(q);
        size_t row = matrix.rows;  // the row of the current factors
        for_each_element(matrix, [&](size_t i, size_t j, const W& x) {
            if (i != row)
                for (size_t k = 0; k < q; ++k) factors[k] = model.left(i, k);
            row = i;
            const W mean = model.mean(j), a = x * model.scale;
            W approximation = mean;
            for (size_t k = 0; k < q; ++k) approximation += times_conjugate(factors[k], model.right(j, k));
            all.add(square(a - mean));
            all.add(-square(mean));
            left.add(square(a - approximation));
            left.add(-square(approximation));
        });
        for (const W& mean : model.means) all.add(square(mean) * static_cast<double>(matrix.rows));
        const double modelled = model.square_of_norm();
        left.add(modelled);

        const double noise = 1e-14 * std::max(all.value(), modelled);
        below = left.value() <= noise;
        value = noise < all.value() ? std::sqrt((below ? noise : left.value()) / all.value())
                                    : std::numeric_limits<double>::quiet_NaN();
    }
};

}  // namespace cli::quality
