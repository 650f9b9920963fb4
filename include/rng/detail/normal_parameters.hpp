// The parameters of the normal distributions, and their limits.
#pragma once

#include "ranges.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The standard deviations of normal values of type V.
template <class V> [[nodiscard]] constexpr ParameterRange<arithmetic_t<V>> normal_stddevs() {
    using T = arithmetic_t<V>;
    return {0, is_same<V, float16> ? T(0x1p12) : in_float<V> ? T(0x1p120) : T(0x1p1000)};
}
/// Returns the parameters of D, a normal distribution.
template <class D> [[nodiscard]] constexpr auto normal_fields() {
    using V = typename D::result_type;
    return Fields{Field{"mean", &D::mean, "mean", location_range<V>()},
                  Field{"stddev", &D::stddev, "standard deviation; 0 gives the mean", normal_stddevs<V>()}};
}

/// The mean and the standard deviation as maps take them. Below 2^-76 (float arithmetic) or 2^-900 they count as 0, so
/// every result is normal or exactly zero, and flush-to-zero modes change nothing.
template <class T> struct NormalParameters {
    static constexpr T least = sizeof(T) == 4 ? T(0x1p-76) : T(0x1p-900);
    T mean, stddev;

    RNG_FN NormalParameters(T of_mean, T of_stddev)
        : mean(lane::zero_below(least, of_mean)), stddev(lane::zero_below(least, of_stddev)) {}
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
