// Matrices of q x q in double precision: Cholesky factors and triangles. Rows are ld apart, a multiple of 8.
#pragma once

#include "panels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Triangles {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// y += the sum of f[i] times row i of x, a chain in ascending order. n is a multiple of 8.
    RNG_FN static void add_rows(const double* f, const double* x, size_t ld, size_t rows, double* y, size_t n) {
        size_t i = 0;
        for (; i + 4 <= rows; i += 4) add_rows<4>(f + i, x + i * ld, ld, y, n);
        for (; i < rows; ++i) add_rows<1>(f + i, x + i * ld, ld, y, n);
    }

    /// sums[p] = the inner product of x[p] and y[p], by eight chains that are added as ((0+4)+(2+6))+((1+5)+(3+7)).
    /// Several products at a time hide the latency of their chains.
    template <int Products>
    RNG_FN static void dot8(const double* const (&x)[Products], const double* const (&y)[Products], size_t n,
                            double (&sums)[Products]) {
        constexpr int regs = 8 / V<double>::lanes;
        reg<double> chains[Products][regs];
        RNG_UNROLL
        for (int p = 0; p < Products; ++p) {
            RNG_UNROLL
            for (int r = 0; r < regs; ++r) chains[p][r] = L::set(0.0);
        }
        for (size_t i = 0; i < n; i += 8) {
            RNG_UNROLL
            for (int p = 0; p < Products; ++p) {
                RNG_UNROLL
                for (int r = 0; r < regs; ++r) {
                    const size_t k = i + static_cast<size_t>(r * V<double>::lanes);
                    chains[p][r] = L::fma(V<double>::load(x[p] + k), V<double>::load(y[p] + k), chains[p][r]);
                }
            }
        }
        RNG_UNROLL
        for (int p = 0; p < Products; ++p) {
            double s[8];
            RNG_UNROLL
            for (int r = 0; r < regs; ++r) V<double>::store(s + r * V<double>::lanes, chains[p][r]);
            sums[p] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        }
    }
    /// sums[i] = the inner product of x and row i of y, by dot8. Rows of y are `ld` apart.
    RNG_FN static void multiply_rows(const double* x, const double* y, size_t ld, size_t rows, size_t n, double* sums) {
        size_t i = 0;
        for (; i + 4 <= rows; i += 4) {
            const double* const row = y + i * ld;
            double sum[4];
            dot8<4>({x, x, x, x}, {row, row + ld, row + 2 * ld, row + 3 * ld}, n, sum);
            for (int k = 0; k < 4; ++k) sums[i + k] = sum[k];
        }
        for (; i < rows; ++i) {
            double sum[1];
            dot8<1>({x}, {y + i * ld}, n, sum);
            sums[i] = sum[0];
        }
    }

    RNG_FN static double fma1(double a, double b, double c) { return lane::Scalar::fma(a, b, c); }
    RNG_FN static double root(double x) { return lane::Scalar::sqrt(x); }

    /// Computes upper R with R^T R = G + shift I. Returns the smallest pivot, which is not positive if there is no such
    /// R. `column` has room for q values.
    static double cholesky(const double* g, size_t q, size_t ld, double shift, double* r, double* column) {
        double least = 1e300;
        for (size_t j = 0; j < q; ++j) {
            double* const rj = r + j * ld;
            const size_t from = j & ~size_t{7};
            for (size_t k = 0; k < ld; ++k) rj[k] = k < j || k >= q ? 0.0 : g[j * ld + k];
            rj[j] += shift;
            for (size_t i = 0; i < j; ++i) column[i] = -r[i * ld + j];
            add_rows(column, r + from, ld, j, rj + from, ld - from);
            for (size_t k = from; k < j; ++k) rj[k] = 0;
            const double pivot = rj[j];
            if (!(pivot > least)) least = pivot;
            if (!(pivot > 0)) return pivot;
            const double d = root(pivot);
            rj[j] = d;
            for (size_t k = j + 1; k < q; ++k) rj[k] /= d;
        }
        return least;
    }

    /// W = R^-1, upper. `row` has room for q values.
    static void invert_upper(const double* r, size_t q, size_t ld, double* w, double* row) {
        for (size_t i = q; i-- > 0;) {
            double* const wi = w + i * ld;
            for (size_t k = 0; k < ld; ++k) wi[k] = k == i ? 1.0 : 0.0;
            for (size_t j = i + 1; j < q; ++j) row[j] = -r[i * ld + j];
            add_triangle(row + i + 1, w, ld, i + 1, q, wi);
            for (size_t k = i; k < q; ++k) wi[k] /= r[i * ld + i];
        }
    }

    /// C = A B, for upper matrices.
    static void multiply_upper(const double* a, const double* b, size_t q, size_t ld, double* c) {
        for (size_t i = 0; i < q; ++i) {
            for (size_t k = 0; k < ld; ++k) c[i * ld + k] = 0;
            add_triangle(a + i * ld + i, b, ld, i, q, c + i * ld);
        }
    }

  private:
    /// y += the sum of f[i - first] times row i of upper x, for rows [first, last).
    RNG_FN static void add_triangle(const double* f, const double* x, size_t ld, size_t first, size_t last, double* y) {
        for (size_t i = first; i < last; i += 4) {
            const size_t from = i & ~size_t{7};
            add_rows(f + (i - first), x + i * ld + from, ld, last - i < 4 ? last - i : 4, y + from, ld - from);
        }
    }
    template <int Rows> RNG_FN static void add_rows(const double* f, const double* x, size_t ld, double* y, size_t n) {
        for (size_t k = 0; k < n; k += V<double>::lanes) {
            reg<double> sum = V<double>::load(y + k);
            RNG_UNROLL
            for (size_t i = 0; i < Rows; ++i) sum = L::fma(L::set(f[i]), V<double>::load(x + i * ld + k), sum);
            V<double>::store(y + k, sum);
        }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
