// The rotations of the one-sided Jacobi method, on pairs of rows in double precision.
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

    /// x = c x - s y and y = s x + c y, of the former values.
    RNG_FN static void rotate(double* x, double* y, size_t n, double c, double s) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> xi = V<double>::load(x + i), yi = V<double>::load(y + i);
            V<double>::store(x + i, L::fnma(L::set(s), yi, L::mul(L::set(c), xi)));
            V<double>::store(y + i, L::fma(L::set(s), xi, L::mul(L::set(c), yi)));
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

    /// rng_abi::RotateFunction.
    static bool rotate_pairs(double* m, size_t width, int planes, double tolerance, double* norms,
                             const rng_abi::RowPair* pairs, size_t count) {
        bool rotated = false;
        for (size_t first = 0; first < count; first += at_once) {
            const int n = count - first < at_once ? static_cast<int>(count - first) : at_once;
            Rotation rotations[at_once];
            measure(m, width, planes, tolerance, norms, pairs + first, n, rotations);
            for (int i = 0; i < n; ++i) {
                if (!rotations[i].rotates) continue;
                rotated = true;
                choose(planes, norms, pairs[first + i], rotations[i]);
            }
            for (int i = 0; i < n; ++i)
                if (rotations[i].rotates) move(m, width, planes, pairs[first + i], rotations[i]);
        }
        return rotated;
    }

  private:
    // Several pairs run at a time, because each is a chain of slow operations.
    static constexpr int at_once = 4;

    struct Rotation {
        double re, im, magnitude;  // the product of the two rows
        double c, s;
        bool rotates;
    };

    RNG_FN static void measure(const double* m, size_t width, int planes, double tolerance, const double* norms,
                               const rng_abi::RowPair* pairs, int n, Rotation (&r)[at_once]) {
        const double *x[at_once], *y[at_once], *x_im[at_once], *y_im[at_once];
        const size_t half = width / 2;
        for (int i = 0; i < at_once; ++i) {
            const rng_abi::RowPair& pair = pairs[i < n ? i : 0];
            x[i] = m + pair.a * width;
            y[i] = m + pair.b * width;
            x_im[i] = x[i] + half;
            y_im[i] = y[i] + half;
        }
        double re[at_once], plus[at_once], minus[at_once];
        dot8(x, y, width, re);
        if (planes == 2) {
            dot8(x_im, y, half, plus);
            dot8(x, y_im, half, minus);
        }
        for (int i = 0; i < n; ++i) {
            const double na = norms[pairs[i].a], nb = norms[pairs[i].b];
            r[i].re = re[i];
            r[i].magnitude = re[i] < 0 ? -re[i] : re[i];
            if (planes == 2) {
                r[i].im = plus[i] - minus[i];
                r[i].magnitude = root(fma1(r[i].re, r[i].re, r[i].im * r[i].im));
            }
            constexpr double least = rng_abi::least_length * rng_abi::least_length;
            r[i].rotates = na > least && nb > least && r[i].magnitude > tolerance * root(na) * root(nb);
        }
    }
    /// Chooses the angle, at most 45 degrees, and computes the squares of the lengths after the rotation.
    RNG_FN static void choose(int planes, double* norms, const rng_abi::RowPair& pair, Rotation& r) {
        double &na = norms[pair.a], &nb = norms[pair.b];
        const double g = planes == 2 ? r.magnitude : r.re;
        const double z = (nb - na) / (2 * g), az = z < 0 ? -z : z;
        const double t = (z < 0 ? -1.0 : 1.0) / (az + root(fma1(z, z, 1.0)));
        r.c = 1.0 / root(fma1(t, t, 1.0));
        r.s = r.c * t;
        const double new_a = fma1(-t, g, na), new_b = fma1(t, g, nb);
        na = new_a > 0 ? new_a : 0;
        nb = new_b > 0 ? new_b : 0;
    }
    RNG_FN static void move(double* m, size_t width, int planes, const rng_abi::RowPair& pair, const Rotation& r) {
        double *const x = m + pair.a * width, *const y = m + pair.b * width;
        if (planes == 2)  // turned so that the product of the two is real
            turn(y, width / 2, r.re / r.magnitude, r.im / r.magnitude);
        rotate(x, y, width, r.c, r.s);
    }
};

}  // namespace wide
RNG_END_NAMESPACE
