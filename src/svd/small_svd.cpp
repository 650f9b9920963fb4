#include "small_svd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "aligned.hpp"
#include "host_product.hpp"
#include "jacobi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Rows of `planes` parts of ld values: real parts, then imaginary parts.
class Rows {
  public:
    Rows(size_t rows, size_t ld, size_t planes) : rows_(rows), ld_(ld), planes_(planes), v_(rows * width()) {}
    [[nodiscard]] double* operator[](size_t i) { return v_.data() + i * width(); }
    [[nodiscard]] const double* operator[](size_t i) const { return v_.data() + i * width(); }
    [[nodiscard]] std::complex<double> at(size_t i, size_t k) const {
        return {(*this)[i][k], planes_ == 2 ? (*this)[i][ld_ + k] : 0.0};
    }
    [[nodiscard]] size_t rows() const { return rows_; }
    [[nodiscard]] size_t width() const { return ld_ * planes_; }

    /// Returns the products of x and the conjugates of the first `count` rows: their real parts and then, if the
    /// numbers are complex, their imaginary parts.
    [[nodiscard]] std::vector<double> products(const double* x, size_t count) const {
        std::vector<double> sums(count * planes_);
        const double* const y = (*this)[0];
        kernels().multiply_rows(x, y, width(), count, width(), sums.data());
        if (planes_ == 2) {
            std::vector<double> minus(count);
            kernels().multiply_rows(x + ld_, y, width(), count, ld_, sums.data() + count);
            kernels().multiply_rows(x, y + ld_, width(), count, ld_, minus.data());
            for (size_t i = 0; i < count; ++i) sums[count + i] -= minus[i];
        }
        return sums;
    }
    [[nodiscard]] double length(const double* x) const {
        double square = 0;
        kernels().multiply_rows(x, x, width(), 1, width(), &square);
        return std::sqrt(square);
    }
    /// Row i = the products of x and the conjugates of upper's rows, scaled to length 1. Returns its length before.
    [[nodiscard]] double multiply(size_t i, const Rows& upper, const double* x) {
        double* const row = (*this)[i];
        const std::vector<double> products = upper.products(x, rows());
        for (size_t plane = 0; plane < planes_; ++plane)
            std::copy_n(products.data() + plane * rows(), rows(), row + plane * ld_);
        const double size = length(row);
        if (size > 0) divide(row, size);
        return size;
    }
    [[nodiscard]] Rows in_order(const std::vector<size_t>& order) const {
        Rows sorted(rows(), ld_, planes_);
        for (size_t c = 0; c < rows(); ++c) std::copy_n((*this)[order[c]], width(), sorted[c]);
        return sorted;
    }
    /// Makes row c, of length 1, orthonormal to the rows before it by Gram-Schmidt. Returns false if it lies too close
    /// to their span.
    [[nodiscard]] bool orthonormalise(size_t c) {
        double *const row = (*this)[c], *const all = (*this)[0];
        for (bool again = false;; again = true) {
            std::vector<double> factors = products(row, c);
            for (double& f : factors) f = -f;
            kernels().add_rows(factors.data(), all, width(), c, row, width());
            if (planes_ == 2) {  // i times the imaginary parts of the factors
                double* const im = factors.data() + c;
                kernels().add_rows(im, all, width(), c, row + ld_, ld_);
                for (size_t i = 0; i < c; ++i) im[i] = -im[i];
                kernels().add_rows(im, all + ld_, width(), c, row, ld_);
            }
            const double size = length(row);
            if (!(size > 0.5 / std::sqrt(static_cast<double>(rows())))) return false;
            divide(row, size);
            if (again || size > 0.5) return true;
        }
    }
    /// Replaces row c by the first unit vector that lies apart from the rows before it, orthonormal to them.
    void complete(size_t c) {
        for (size_t unit = 0; unit < rows(); ++unit) {
            for (size_t k = 0; k < width(); ++k) (*this)[c][k] = k == unit ? 1.0 : 0.0;
            if (orthonormalise(c)) return;
        }
    }
    void divide(double* x, double by) const {
        for (size_t k = 0; k < width(); ++k) x[k] /= by;
    }

  private:
    size_t rows_, ld_, planes_;
    AlignedVector<double> v_;
};

/// Writes column c of a matrix for multiply_right: element k is the conjugate of element k of row c.
void set_column(SquareMatrix& w, size_t c, const Rows& rows, const SvdShape& shape) {
    const size_t ld = shape.ld();
    for (size_t k = 0; k < shape.q; ++k) {
        const std::complex<double> v = std::conj(rows.at(c, k));
        w(k, c) = v.real();
        if (!shape.complex) continue;
        w(k, ld + c) = v.imag();
        w(ld + k, c) = -v.imag();
        w(ld + k, ld + c) = v.real();
    }
}

}  // namespace

SquareMatrix embedded_gram(const SquareMatrix& real, const SvdShape& shape) {
    const size_t q = shape.q, ld = shape.ld(), planes = shape.parts();
    SquareMatrix g(padded(planes * q, rng_abi::pad));
    for (size_t i = 0; i < q; ++i)
        for (size_t j = 0; j < q; ++j) {
            if (!shape.complex) {
                g(i, j) = real(i, j);
                continue;
            }
            const double re = real(i, j) + real(ld + i, ld + j), im = real(i, ld + j) - real(ld + i, j);
            g(2 * i, 2 * j) = g(2 * i + 1, 2 * j + 1) = re;
            g(2 * i, 2 * j + 1) = -im;
            g(2 * i + 1, 2 * j) = im;
        }
    return g;
}

SquareMatrix for_tall(const SquareMatrix& embedded, const SvdShape& shape) {
    const size_t q = shape.q, ld = shape.ld();
    SquareMatrix w(shape.width());
    for (size_t i = 0; i < q; ++i)
        for (size_t j = 0; j < q; ++j) {
            if (!shape.complex) {
                w(i, j) = embedded(i, j);
                continue;
            }
            const double re = embedded(2 * i, 2 * j), im = embedded(2 * i + 1, 2 * j);
            w(i, j) = w(ld + i, ld + j) = re;
            w(i, ld + j) = im;
            w(ld + i, j) = -im;
        }
    return w;
}

SmallSvd small_svd(const SquareMatrix& r, const SvdShape& shape, double tolerance) {
    const size_t q = shape.q, ld = shape.ld(), planes = shape.parts();
    double most = 0;
    for (const double v : r.v) most = std::max(most, std::fabs(v));
    int e = 0;
    if (most > 0) (void)std::frexp(most, &e);
    const double scale = std::ldexp(1.0, 1 - e);
    Rows upper(q, ld, planes);
    for (size_t i = 0; i < q; ++i)
        for (size_t k = i; k < q; ++k) {
            upper[i][k] = r(planes * i, planes * k) * scale;
            if (planes == 2) upper[i][ld + k] = r(2 * i + 1, 2 * k) * scale;
        }
    // R = v^H diag(sigma) u: Jacobi makes the rows of R orthogonal, which are then those of diag(sigma) u.
    Rows m = upper;
    jacobi(kernels(), m[0], q, ld, static_cast<int>(planes), tolerance);
    // u: the rows of m, divided by their lengths; v = R u / |R u|. A length has the relative errors of all rotations of
    // its row. |R u| has not, but its own errors are relative to R: it is sigma of the longer rows only.
    Rows v(q, ld, planes);
    std::vector<double> sigma(q);
    for (size_t i = 0; i < q; ++i) sigma[i] = m.length(m[i]);
    const double longest = *std::max_element(sigma.begin(), sigma.end());
    for (size_t i = 0; i < q; ++i) {
        if (!(sigma[i] > rng_abi::least_length)) {
            sigma[i] = 0;
            continue;
        }
        m.divide(m[i], sigma[i]);
        const double product = v.multiply(i, upper, m[i]);
        if (sigma[i] * 64 >= longest) sigma[i] = product;
    }
    std::vector<size_t> by_size(q);
    std::iota(by_size.begin(), by_size.end(), size_t{0});
    std::sort(by_size.begin(), by_size.end(),
              [&](size_t a, size_t b) { return sigma[a] > sigma[b] || (sigma[a] == sigma[b] && a < b); });
    Rows& u = upper = m.in_order(by_size);  // R is no longer needed
    v = v.in_order(by_size);

    SmallSvd result{SquareMatrix(shape.width()), SquareMatrix(shape.width()), std::vector<double>(q)};
    for (size_t c = 0; c < q; ++c) {
        const double size = sigma[by_size[c]];
        result.sigma[c] = size / scale;
        if (!(size > 0)) u.complete(c);
        // Where sigma is so small that rounding errors of R are most of R u, Gram-Schmidt removes what they have in
        // common with greater singular values.
        if (!(size > 0 && v.orthonormalise(c))) v.complete(c);
        set_column(result.uh, c, u, shape);
        set_column(result.vh, c, v, shape);
    }
    return result;
}

}  // namespace detail
RNG_END_NAMESPACE
