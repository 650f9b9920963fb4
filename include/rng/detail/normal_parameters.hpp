// The parameters of the normal distributions, and their limits.
#pragma once

#include "../core/distribution.hpp"
#include "../lane/prepare.hpp"
#include "real.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns the parameters of D, a normal distribution.
template <class D, class T> [[nodiscard]] constexpr FieldList<D, T, 2> normal_fields() {
    return {{{"mean", &D::mean, "mean"}, {"stddev", &D::stddev, "standard deviation; 0 gives the mean"}}};
}

/// The mean and the standard deviation as maps take them. Below 2^-76 (float arithmetic) or 2^-900 they count as 0: so
/// every result is normal or exactly zero, and flush-to-zero modes change nothing.
template <class T> struct NormalParameters {
    static constexpr T least = sizeof(T) == 4 ? T(0x1p-76) : T(0x1p-900);
    T mean, stddev;

    RNG_FN NormalParameters(T of_mean, T of_stddev)
        : mean(lane::zero_below(least, of_mean)), stddev(lane::zero_below(least, of_stddev)) {}
};

/// Returns the first parameter outside its limits. V is the type of the results.
template <class V> [[nodiscard]] ParameterFault normal_fault(arithmetic_t<V> mean, arithmetic_t<V> stddev) {
    using T = arithmetic_t<V>;
    constexpr bool f16 = is_same<V, float16>, f32 = sizeof(T) == 4;
    if (!lane::is_up_to(f16 ? T(0x1p14) : f32 ? T(0x1p126) : T(0x1p1022), mean))
        return {"mean", static_cast<double>(mean),
                f16   ? "must be of magnitude 2^14 at most"
                : f32 ? "must be of magnitude 2^126 at most"
                      : "must be of magnitude 2^1022 at most"};
    if (!lane::is_from_zero_up_to(f16 ? T(0x1p12) : f32 ? T(0x1p120) : T(0x1p1000), stddev))
        return {"stddev", static_cast<double>(stddev),
                f16   ? "must be in [0, 2^12]"
                : f32 ? "must be in [0, 2^120]"
                      : "must be in [0, 2^1000]"};
    return {};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
