// complex_normal{stddev}: circularly symmetric complex normal numbers, E z = 0, E |z|^2 = stddev^2.
//
//     std::vector<std::complex<double>> z(100);
//     rng::fill(z, rng::complex_normal{1.0});      // also at(stream, dist, i), and rng::complex_normal{1.0}(engine)
//
// Each value is one Box-Muller pair, from the two words of its own slot. The cosine gives the real part, the sine the
// imaginary part.
// The standard deviation of each part is stddev * sqrt(1/2) (rounded once).
// Oracle: words 0x80000000 and 0x20000000 give z = (1 + i) sqrt(ln 2 / 2) = 0.58870501 (1 + i).
#pragma once

#include "normal.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A complex number with the memory layout of std::complex<T>; fills take ranges of std::complex<T> too.
template <class T> struct complex {
    T re, im;
    friend RNG_FN constexpr bool operator==(const complex& a, const complex& b) { return a.re == b.re && a.im == b.im; }
};

namespace detail {
template <> struct Dtype<complex<float>> { static constexpr const char* name = "c64"; };
template <> struct Dtype<complex<double>> { static constexpr const char* name = "c128"; };
}  // namespace detail

template <class T = float> struct complex_normal {
    static_assert(detail::is_real<T>, "complex_normal is of float or double: write complex_normal{1.0}");
    using result_type = complex<T>;
    using part_type = T;
    T stddev = 1;

    static constexpr const char* name = "complex_normal";
    static constexpr const char* support = "complex";
    static constexpr const char* summary = "circularly symmetric complex normal";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr Shape map_shape = Shape::joint;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"stddev", &complex_normal::stddev, "root of the mean of |z|^2; 0 gives 0",
                            detail::normal_stddevs<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    [[nodiscard]] RNG_FN auto map() const {
        const T half = sizeof(T) == 4 ? T(0x1.6a09e6p-1f) : T(0x1.6a09e667f3bcdp-1);
        // The bound below which stddev counts as 0 is twice that of normal, since the standard deviation of the parts
        // is smaller.
        const T whole = lane::zero_below(2 * detail::NormalParameters<T>::least, stddev);
        return typename normal<T>::Map{0, lane::Scalar::mul(lane::Scalar::set(whole), half)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE complex_normal(T)->complex_normal<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
