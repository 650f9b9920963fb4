// Matrices of q x q in double precision: Cholesky factors and triangles. Rows are ld apart, a multiple of 8.
#pragma once

#include "panels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Triangles {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// y += f x; n is a multiple of 8.
    RNG_FN static void axpy(double f, const double* x, double* y, size_t n) {
        for (size_t i = 0; i < n; i += V<double>::lanes)
            V<double>::store(y + i, L::fma(L::set(f), V<double>::load(x + i), V<double>::load(y + i)));
    }

    /// Returns the inner product by eight chains, added as ((0+4)+(2+6))+((1+5)+(3+7)).
    RNG_FN static double dot8(const double* a, const double* b, size_t n) {
        constexpr int regs = 8 / V<double>::lanes;
        reg<double> sum[regs];
        for (int r = 0; r < regs; ++r) sum[r] = L::set(0.0);
        for (size_t i = 0; i < n; i += 8)
            for (int r = 0; r < regs; ++r)
                sum[r] = L::fma(V<double>::load(a + i + r * V<double>::lanes),
                                V<double>::load(b + i + r * V<double>::lanes), sum[r]);
        double s[8];
        for (int r = 0; r < regs; ++r) V<double>::store(s + r * V<double>::lanes, sum[r]);
        return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }

    RNG_FN static double fma1(double a, double b, double c) { return lane::Scalar::fma(a, b, c); }
    RNG_FN static double root(double x) { return lane::Scalar::sqrt(x); }

    /// Computes upper R with R^T R = G + shift I. Returns the smallest pivot, which is not positive if there is no such
    /// R.
    static double cholesky(const double* g, size_t q, size_t ld, double shift, double* r) {
        double least = 1e300;
        for (size_t j = 0; j < q; ++j) {
            for (size_t k = 0; k < ld; ++k) r[j * ld + k] = k < j || k >= q ? 0.0 : g[j * ld + k];
            r[j * ld + j] += shift;
        }
        for (size_t i = 0; i < q; ++i) {
            double* const ri = r + i * ld;
            const double pivot = ri[i];
            if (!(pivot > least)) least = pivot;
            if (!(pivot > 0)) return pivot;
            const double d = root(pivot);
            ri[i] = d;
            for (size_t k = i + 1; k < q; ++k) ri[k] /= d;
            for (size_t j = i + 1; j < q; ++j) {
                const size_t from = j & ~size_t{7};  // what this writes below the diagonal is set to 0 at the end
                axpy(-ri[j], ri + from, r + j * ld + from, ld - from);
            }
        }
        for (size_t j = 0; j < q; ++j)
            for (size_t k = 0; k < j; ++k) r[j * ld + k] = 0;
        return least;
    }

    /// W = R^-1, upper.
    static void invert_upper(const double* r, size_t q, size_t ld, double* w) {
        for (size_t i = q; i-- > 0;) {
            double* const wi = w + i * ld;
            for (size_t k = 0; k < ld; ++k) wi[k] = k == i ? 1.0 : 0.0;
            for (size_t j = i + 1; j < q; ++j) {
                const size_t from = j & ~size_t{7};
                axpy(-r[i * ld + j], w + j * ld + from, wi + from, ld - from);
            }
            for (size_t k = i; k < q; ++k) wi[k] /= r[i * ld + i];
        }
    }

    /// C = A B, for upper matrices.
    static void multiply_upper(const double* a, const double* b, size_t q, size_t ld, double* c) {
        for (size_t i = 0; i < q; ++i) {
            for (size_t k = 0; k < ld; ++k) c[i * ld + k] = 0;
            for (size_t j = i; j < q; ++j) {
                const size_t from = j & ~size_t{7};
                axpy(a[i * ld + j], b + j * ld + from, c + i * ld + from, ld - from);
            }
        }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
