// The SVD of a matrix of q rows in double precision, by one-sided Jacobi rotations.
#pragma once

#include "triangles.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Jacobi : Triangles<L> {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;
    using Triangles<L>::dot8;
    using Triangles<L>::fma1;
    using Triangles<L>::root;

    /// Writes c x - s y and s x + c y. The destinations may be x and y, in either order.
    RNG_FN static void rotate(const double* x, const double* y, size_t n, double c, double s, double* first,
                              double* second) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> xi = V<double>::load(x + i), yi = V<double>::load(y + i);
            V<double>::store(first + i, L::fnma(L::set(s), yi, L::mul(L::set(c), xi)));
            V<double>::store(second + i, L::fma(L::set(s), xi, L::mul(L::set(c), yi)));
        }
    }
    RNG_FN static void exchange(double* x, double* y, size_t n) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> xi = V<double>::load(x + i), yi = V<double>::load(y + i);
            V<double>::store(x + i, yi);
            V<double>::store(y + i, xi);
        }
    }

    /// Multiplies y by the complex number re + i im. The imaginary parts of y begin n values after the real parts.
    RNG_FN static void turn(double* y, size_t n, double re, double im) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> yr = V<double>::load(y + i), yi = V<double>::load(y + n + i);
            V<double>::store(y + i, L::fnma(L::set(im), yi, L::mul(L::set(re), yr)));
            V<double>::store(y + n + i, L::fma(L::set(im), yr, L::mul(L::set(re), yi)));
        }
    }

    /// One-sided Jacobi on the rows of m, with pairs in round-robin order.
    /// - m has q rows of `planes` parts of ld values; its greatest element is in [1, 2).
    /// - v begins as I and collects the rotations.
    /// - The rows come out in descending length; rows not longer than least_length do not change.
    /// - norms and order have room for q + 1 values.
    static void jacobi(double* m, double* v, size_t q, size_t ld, int planes, double tolerance, double* norms,
                       size_t* order) {
        const size_t width = ld * static_cast<size_t>(planes);
        for (size_t i = 0; i < q; ++i)
            for (size_t k = 0; k < width; ++k) v[i * width + k] = k == i ? 1.0 : 0.0;
        const size_t even = q + (q & 1);
        for (size_t i = 0; i < even; ++i) order[i] = i;
        bool converged = false;
        for (int sweep = 0; sweep < 40 && !converged; ++sweep) {
            converged = true;
            for (size_t i = 0; i < q; ++i) norms[i] = dot8(m + i * width, m + i * width, width);
            for (size_t round = 0; round + 1 < even; ++round) {
                // Pairs of a round have no row in common. Several pairs run at a time, because each is a chain of slow
                // operations.
                constexpr size_t at_once = 4;
                for (size_t k = 0; k < even / 2; k += at_once) {
                    Pair pairs[at_once];
                    size_t n = 0;
                    for (size_t i = k; i < even / 2 && i < k + at_once; ++i) {
                        const size_t a = order[i], b = order[even - 1 - i];
                        if (a < q && b < q) pairs[n++] = a < b ? Pair{a, b} : Pair{b, a};
                    }
                    for (size_t i = 0; i < n; ++i) {
                        measure(m, width, planes, tolerance, norms, pairs[i]);
                        if (pairs[i].rotates) converged = false;
                    }
                    for (size_t i = 0; i < n; ++i) choose(planes, norms, pairs[i]);
                    for (size_t i = 0; i < n; ++i) move(m, v, width, planes, pairs[i]);
                }
                const size_t last = order[even - 1];
                for (size_t i = even - 1; i > 1; --i) order[i] = order[i - 1];
                if (even > 1) order[1] = last;
            }
        }
        for (size_t i = 0; i < q; ++i) norms[i] = root(dot8(m + i * width, m + i * width, width));
    }

    /// Two rows; the longer one must come first.
    struct Pair {
        size_t a, b;
        double re = 0, im = 0, magnitude = 0;  // the product of the two rows
        double c = 1, s = 0;
        bool rotates = false, exchanges = false;
    };
    RNG_FN static void measure(const double* m, size_t width, int planes, double tolerance, const double* norms,
                               Pair& pair) {
        const double na = norms[pair.a], nb = norms[pair.b];
        constexpr double least = rng_abi::least_length * rng_abi::least_length;
        if (!(na > least) || !(nb > least)) return;
        const double *const x = m + pair.a * width, *const y = m + pair.b * width;
        pair.re = dot8(x, y, width);
        pair.magnitude = pair.re < 0 ? -pair.re : pair.re;
        if (planes == 2) {
            const size_t n = width / 2;
            pair.im = dot8(x + n, y, n) - dot8(x, y + n, n);
            pair.magnitude = root(fma1(pair.re, pair.re, pair.im * pair.im));
        }
        pair.rotates = pair.magnitude > tolerance * root(na) * root(nb);
    }
    /// Chooses the rotation, and computes the squares of the lengths after it.
    RNG_FN static void choose(int planes, double* norms, Pair& pair) {
        double &na = norms[pair.a], &nb = norms[pair.b];
        if (pair.rotates) {
            const double g = planes == 2 ? pair.magnitude : pair.re;
            const double z = (nb - na) / (2 * g), az = z < 0 ? -z : z;
            const double t = (z < 0 ? -1.0 : 1.0) / (az + root(fma1(z, z, 1.0)));
            pair.c = 1.0 / root(fma1(t, t, 1.0));
            pair.s = pair.c * t;
            const double new_a = fma1(-t, g, na), new_b = fma1(t, g, nb);
            na = new_a > 0 ? new_a : 0;
            nb = new_b > 0 ? new_b : 0;
        }
        pair.exchanges = na < nb;
        if (pair.exchanges) {
            const double other = na;
            na = nb;
            nb = other;
        }
    }
    RNG_FN static void move(double* m, double* v, size_t width, int planes, const Pair& pair) {
        if (!pair.rotates && !pair.exchanges) return;
        double* const both[] = {m, v};
        for (double* const rows : both) {
            double *const x = rows + pair.a * width, *const y = rows + pair.b * width;
            if (!pair.rotates) {
                exchange(x, y, width);
                continue;
            }
            if (planes == 2)  // turned so that the product of the two is real
                turn(y, width / 2, pair.re / pair.magnitude, pair.im / pair.magnitude);
            rotate(x, y, width, pair.c, pair.s, pair.exchanges ? y : x, pair.exchanges ? x : y);
        }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
