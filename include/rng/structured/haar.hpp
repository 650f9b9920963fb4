// haar_orthogonal{d}, haar_special_orthogonal{d}, haar_unitary{d}: matrices of the uniform (Haar) distribution of their
// group.
//
//     std::vector<double> rotations(100 * 5 * 5);          // a row is one matrix of 5 x 5 numbers, row by row
//     rng::fill_rows(rng::matrix_view<double>::row_major(rotations.data(), 100, 5 * 5),
//                    rng::haar_special_orthogonal<double>{5}, gen);
//
// haar_unitary gives complex numbers, in memory of rng::complex<T> or std::complex<T>.
// Row k of the matrix is a normal vector x of d - k elements, after k zeros, divided by its length. The Householder
// reflection that maps x to a multiple of the unit vector k is applied to the rows below. Signs are part of the rows,
// so the distribution is Haar's. The sign of the last column makes the determinant of haar_special_orthogonal 1.
// Arithmetic is in double; results of float are rounded. The distance from orthogonality is a few d units of rounding.
// Sources: Stewart, "The efficient generation of random orthogonal matrices", SIAM J. Numer. Anal. 17, 1980; Mezzadri,
// "How to generate random matrices from the classical compact groups", Notices of the AMS 54, 2007.
// Oracle: a matrix of one row is -1 or 1; of haar_special_orthogonal, 1.
#pragma once

#include "../detail/row.hpp"
#include "../distributions/complex_normal.hpp"
#include "../distributions/normal.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes an orthogonal matrix of d rows. Returns true if its determinant is -1.
template <class L, class T, class E> RNG_FN bool write_orthogonal(const Stream<E>& p, RowPlace<T> q, uint64_t d) {
    using F = lane::f64<L>;
    Components<normal<T>, L, E> z(p, normal<T>{0, 1});
    bool is_odd = false;
    for (uint64_t k = d; k-- > 0;) {
        const uint64_t x = k * d;  // of the row
        F square(0.0);
        for (uint64_t i = 0; i < d; ++i) {
            q[x + i] = i < k ? T(0) : z[x + i];
            square = lane::fma(as_double<L>(q[x + i]), as_double<L>(q[x + i]), square);
        }
        const F first = as_double<L>(q[x + k]), length = lane::sqrt(square), size = lane::magnitude(first);
        if (first.v < 0) is_odd = !is_odd;
        // The reflection along v = x, with v_k = x_k + sign(x_k) |x|: x becomes a multiple of the unit vector k.
        const F v = lane::flip_sign(lane::add(size, length), lane::bits(first));
        const F half_square = lane::fma(size, length, square);
        for (uint64_t row = x + d; row < d * d; row += d) {
            F t(0.0);
            for (uint64_t i = k + 1; i < d; ++i) t = lane::fma(as_double<L>(q[row + i]), as_double<L>(q[x + i]), t);
            t = lane::div(t, half_square);
            q[row + k] = flushed<T>(lane::fnma(t, v, F(0.0)));
            for (uint64_t i = k + 1; i < d; ++i)
                q[row + i] = flushed<T>(lane::fnma(t, as_double<L>(q[x + i]), as_double<L>(q[row + i])));
        }
        for (uint64_t i = k; i < d; ++i) q[x + i] = static_cast<T>(lane::div(as_double<L>(q[x + i]), length).v);
    }
    return is_odd;
}

/// Writes a unitary matrix of d rows.
template <class L, class T, class E> RNG_FN void write_unitary(const Stream<E>& p, RowPlace<complex<T>> q, uint64_t d) {
    using F = lane::f64<L>;
    struct Number {
        F re, im;
        RNG_FN static Number of(const complex<T>& x) { return {as_double<L>(x.re), as_double<L>(x.im)}; }
        [[nodiscard]] RNG_FN F square(F sum) const { return lane::fma(im, im, lane::fma(re, re, sum)); }
        [[nodiscard]] RNG_FN Number over(F divisor) const { return {lane::div(re, divisor), lane::div(im, divisor)}; }
        /// sum + a * conj(b)
        [[nodiscard]] RNG_FN static Number add_conjugate(Number a, Number b, Number sum) {
            return {lane::fma(a.im, b.im, lane::fma(a.re, b.re, sum.re)),
                    lane::fnma(a.re, b.im, lane::fma(a.im, b.re, sum.im))};
        }
        /// sum - a * b
        [[nodiscard]] RNG_FN static complex<T> subtract(Number a, Number b, Number sum) {
            return {flushed<T>(lane::fma(a.im, b.im, lane::fnma(a.re, b.re, sum.re))),
                    flushed<T>(lane::fnma(a.im, b.re, lane::fnma(a.re, b.im, sum.im)))};
        }
    };
    const Number zero{F(0.0), F(0.0)};
    Components<complex_normal<T>, L, E> z(p, complex_normal<T>{1});
    for (uint64_t k = d; k-- > 0;) {
        const uint64_t x = k * d;  // of the row
        F square(0.0);
        for (uint64_t i = 0; i < d; ++i) {
            q[x + i] = i < k ? complex<T>{0, 0} : z[x + i];
            square = Number::of(q[x + i]).square(square);
        }
        const Number first = Number::of(q[x + k]);
        const F length = lane::sqrt(square), size = lane::sqrt(first.square(F(0.0)));
        // The reflection along v = x, with v_k = x_k (1 + |x| / |x_k|).
        const Number phase = first.over(size);
        const F sum = lane::add(size, length), half_square = lane::fma(size, length, square);
        const Number v{lane::fma(phase.re, sum, F(0.0)), lane::fma(phase.im, sum, F(0.0))};
        for (uint64_t row = x + d; row < d * d; row += d) {
            Number t = zero;
            for (uint64_t i = k + 1; i < d; ++i)
                t = Number::add_conjugate(Number::of(q[row + i]), Number::of(q[x + i]), t);
            t = t.over(half_square);
            q[row + k] = Number::subtract(t, v, zero);
            for (uint64_t i = k + 1; i < d; ++i)
                q[row + i] = Number::subtract(t, Number::of(q[x + i]), Number::of(q[row + i]));
        }
        for (uint64_t i = k; i < d; ++i) {
            const Number unit = Number::of(q[x + i]).over(length);
            q[x + i] = {static_cast<T>(unit.re.v), static_cast<T>(unit.im.v)};
        }
    }
}

}  // namespace detail

/// The uniform distribution on the orthogonal matrices of `dimension` rows.
template <class T> struct haar_orthogonal {
    static_assert(detail::is_real<T>, "haar_orthogonal is of float or double: write haar_orthogonal<double>{5}");
    using result_type = T;
    uint64_t dimension = 3;

    static constexpr const char* name = "haar_orthogonal";
    static constexpr const char* summary = "uniform orthogonal matrices";

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension * dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const { return detail::dimension_fault(dimension); }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> q) const {
        (void)detail::write_orthogonal<L>(p, q, dimension);
    }
};

/// The uniform distribution on the rotations: the orthogonal matrices of determinant 1.
template <class T> struct haar_special_orthogonal {
    static_assert(detail::is_real<T>, "haar_special_orthogonal is of float or double");
    using result_type = T;
    uint64_t dimension = 3;

    static constexpr const char* name = "haar_special_orthogonal";
    static constexpr const char* summary = "uniform rotations";

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension * dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const { return detail::dimension_fault(dimension); }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> q) const {
        if (!detail::write_orthogonal<L>(p, q, dimension)) return;
        for (uint64_t i = dimension - 1; i < row_size(); i += dimension)
            q[i] = lane::without_negative_zero(static_cast<T>(-q[i]));
    }
};

/// The uniform distribution on the unitary matrices of `dimension` rows.
template <class T> struct haar_unitary {
    static_assert(detail::is_real<T>, "haar_unitary is of float or double: write haar_unitary<double>{5}");
    using result_type = complex<T>;
    uint64_t dimension = 3;

    static constexpr const char* name = "haar_unitary";
    static constexpr const char* summary = "uniform unitary matrices";

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension * dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const { return detail::dimension_fault(dimension); }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<complex<T>> q) const {
        detail::write_unitary<L>(p, q, dimension);
    }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
