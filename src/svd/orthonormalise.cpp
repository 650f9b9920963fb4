#include "orthonormalise.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "host_product.hpp"
#include "small_svd.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The factors of one pass, from the Gram matrix G = Y^T Y of n columns: G = R^T R, or G plus a shift, and W = R^-1.
struct QrPass {
    SquareMatrix r, w;
    double deviation = 0;  // the greatest |G - I|
    bool shifted;          // G was too close to a singular matrix

    QrPass(SquareMatrix g, size_t n, double shift) : r(g.n), w(g.n) {
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) deviation = std::max(deviation, std::fabs(g(i, j) - (i == j ? 1.0 : 0.0)));
        // The factorisation is of G with its columns scaled to length 1; R and W are scaled back.
        std::vector<double> d(n), room(n);
        for (size_t j = 0; j < n; ++j) d[j] = 1.0 / std::sqrt(g(j, j));
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) g(i, j) = i == j ? 1.0 : g(i, j) * d[i] * d[j];
        shifted = !(kernels().cholesky(g.v.data(), n, g.n, 0, r.v.data(), room.data()) > 64 * shift);
        if (shifted) kernels().cholesky(g.v.data(), n, g.n, shift, r.v.data(), room.data());
        kernels().invert_upper(r.v.data(), n, r.n, w.v.data(), room.data());
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                w(i, j) *= d[i];
                r(i, j) /= d[j];
            }
    }
};

}  // namespace

template <class T> int orthonormalise(Tall<T>& y, bool tight, RandomColumns& refills, SquareMatrix* r_total) {
    const SvdShape& shape = y.shape();
    const size_t planes = shape.parts(), q = shape.q, n = planes * q;
    constexpr int extreme = sizeof(T) == 4 ? 40 : 400, most_passes = 10;
    const double unit = 0x1p-1 * static_cast<double>(std::numeric_limits<T>::epsilon());
    const double shift = std::ldexp(static_cast<double>(q), -44);
    int exponent = 0;
    if (r_total)
        for (size_t i = 0; i < n; ++i) (*r_total)(i, i) = 1;
    const double most = y.largest();
    if (most > 0 && (most > std::ldexp(1.0, extreme) || most < std::ldexp(1.0, -extreme))) {
        (void)std::frexp(most, &exponent);
        y.scale(-exponent);
    }
    double first_norm = 0;  // the norm of the longest column
    // stretch[j] is the factor by which the passes have stretched the rest of column j. It is empty for a random
    // column, which is never lost.
    std::vector<std::optional<double>> stretch(q, 1.0);
    for (int pass = 0; pass < most_passes; ++pass) {
        SquareMatrix g = embedded_gram(y.gram(), shape);
        const auto length = [&](size_t j) { return std::sqrt(g(planes * j, planes * j)); };
        if (pass == 0)
            for (size_t j = 0; j < q; ++j) first_norm = std::max(first_norm, length(j));
        bool changed = false;
        for (size_t j = 0; j < q; ++j) {
            if (!stretch[j] || length(j) * *stretch[j] > 4 * unit * first_norm) continue;
            refills.write(y, j);
            stretch[j].reset();
            changed = true;
            if (r_total)
                for (size_t i = planes * j; i < planes * (j + 1); ++i)
                    for (size_t k = 0; k < n; ++k) (*r_total)(i, k) = 0;
        }
        if (changed) g = embedded_gram(y.gram(), shape);
        const QrPass qr(std::move(g), n, shift);
        for (size_t j = 0; j < q; ++j)
            if (stretch[j]) *stretch[j] *= qr.r(planes * j, planes * j);
        if (r_total) {
            SquareMatrix product(qr.r.n);
            kernels().multiply_upper(qr.r.v.data(), r_total->v.data(), n, qr.r.n, product.v.data());
            *r_total = std::move(product);
        }
        y.multiply_right(for_tall(qr.w, shape));
        if (!qr.shifted && (!tight || qr.deviation < 0.1)) break;
    }
    return exponent;
}
template int orthonormalise(Tall<float>&, bool, RandomColumns&, SquareMatrix*);
template int orthonormalise(Tall<double>&, bool, RandomColumns&, SquareMatrix*);

}  // namespace detail
RNG_END_NAMESPACE
