#include "small_svd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "aligned.hpp"
#include "host_product.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Rows of `planes` parts of ld values: real parts, then imaginary parts.
class Rows {
  public:
    Rows(size_t rows, size_t ld, size_t planes) : ld_(ld), planes_(planes), v_(rows * ld * planes) {}
    [[nodiscard]] double* operator[](size_t i) { return v_.data() + i * width(); }
    [[nodiscard]] const double* operator[](size_t i) const { return v_.data() + i * width(); }
    [[nodiscard]] std::complex<double> at(size_t i, size_t k) const {
        return {(*this)[i][k], planes_ == 2 ? (*this)[i][ld_ + k] : 0.0};
    }
    [[nodiscard]] size_t width() const { return ld_ * planes_; }

    /// x times the conjugate of y.
    [[nodiscard]] std::complex<double> dot(const double* x, const double* y) const {
        const double re = kernels().dot8(x, y, width());
        if (planes_ == 1) return re;
        return {re, kernels().dot8(x + ld_, y, ld_) - kernels().dot8(x, y + ld_, ld_)};
    }
    /// y += f x.
    void add(std::complex<double> f, const double* x, double* y) const {
        kernels().axpy(f.real(), x, y, width());
        if (planes_ == 1) return;
        kernels().axpy(-f.imag(), x + ld_, y, ld_);
        kernels().axpy(f.imag(), x, y + ld_, ld_);
    }

  private:
    size_t ld_, planes_;
    AlignedVector<double> v_;
};

/// Writes column c of a matrix for multiply_right: element k is the conjugate of a row's element k.
void set_column(SquareMatrix& w, size_t c, const Rows& rows, size_t row, const SvdShape& shape) {
    const size_t ld = shape.ld();
    for (size_t k = 0; k < shape.q; ++k) {
        const std::complex<double> v = std::conj(rows.at(row, k));
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

SmallSvd small_svd(const SquareMatrix& r, const SvdShape& shape, double tolerance,
                   const std::function<bool(double* m, double* v, double tolerance)>& elsewhere) {
    const size_t q = shape.q, ld = shape.ld(), planes = shape.parts();
    double most = 0;
    for (const double v : r.v) most = std::max(most, std::fabs(v));
    int e = 0;
    if (most > 0) (void)std::frexp(most, &e);
    const double scale = std::ldexp(1.0, 1 - e);
    // R = v^H m with unitary v, and m's rows become orthogonal.
    Rows m(q, ld, planes), v(q, ld, planes);
    for (size_t i = 0; i < q; ++i)
        for (size_t k = i; k < q; ++k) {
            m[i][k] = r(planes * i, planes * k) * scale;
            if (planes == 2) m[i][ld + k] = r(2 * i + 1, 2 * k) * scale;
        }
    std::vector<double> norms(q + 1);
    std::vector<size_t> order(q + 1);
    if (elsewhere && elsewhere(m[0], v[0], tolerance)) {
        for (size_t i = 0; i < q; ++i) norms[i] = std::sqrt(kernels().dot8(m[i], m[i], m.width()));
    } else {
        kernels().jacobi(m[0], v[0], q, ld, static_cast<int>(planes), tolerance, norms.data(), order.data());
        // One Newton-Schulz step: v + (I - v v^H) v / 2.
        Rows better(q, ld, planes);
        for (size_t i = 0; i < q; ++i) {
            for (size_t j = 0; j < q; ++j) v.add(((i == j ? 1.0 : 0.0) - v.dot(v[i], v[j])) * 0.5, v[j], better[i]);
            for (size_t k = 0; k < v.width(); ++k) better[i][k] = v[i][k] + better[i][k];
        }
        v = std::move(better);
    }
    std::vector<size_t> by_size(q);
    std::iota(by_size.begin(), by_size.end(), size_t{0});
    std::sort(by_size.begin(), by_size.end(),
              [&](size_t a, size_t b) { return norms[a] > norms[b] || (norms[a] == norms[b] && a < b); });

    SmallSvd result{SquareMatrix(shape.width()), SquareMatrix(shape.width()), std::vector<double>(q)};
    Rows u(q, ld, planes);
    for (size_t c = 0; c < q; ++c) {
        const size_t i = by_size[c];
        double* const uc = u[c];
        if (norms[i] > rng_abi::least_length) {
            result.sigma[c] = norms[i] / scale;
            for (size_t k = 0; k < u.width(); ++k) uc[k] = m[i][k] / norms[i];
        } else {  // completed from unit vectors, by Gram-Schmidt twice
            for (size_t unit = 0; unit < q; ++unit) {
                for (size_t k = 0; k < u.width(); ++k) uc[k] = k == unit ? 1.0 : 0.0;
                for (int twice = 0; twice < 2; ++twice)
                    for (size_t before = 0; before < c; ++before) u.add(-u.dot(uc, u[before]), u[before], uc);
                const double length = std::sqrt(u.dot(uc, uc).real());
                if (!(length > 0.5 / std::sqrt(static_cast<double>(q)))) continue;
                for (size_t k = 0; k < u.width(); ++k) uc[k] /= length;
                break;
            }
        }
        set_column(result.uh, c, u, c, shape);
        set_column(result.vh, c, v, i, shape);
    }
    return result;
}

}  // namespace detail
RNG_END_NAMESPACE
