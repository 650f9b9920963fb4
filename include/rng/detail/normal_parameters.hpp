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

/// Returns the first parameter outside its limits. V is the type of the results.
/// The limits keep every result normal or exactly zero, so that flush-to-zero modes change nothing; float16 results are
/// also finite.
template <class V> [[nodiscard]] ParameterFault normal_fault(arithmetic_t<V> mean, arithmetic_t<V> stddev) {
    using T = arithmetic_t<V>;
    if (is_same<V, float16>) {
        if (!lane::is_zero(mean) && !lane::magnitude_within(mean, T(0x1p-76), T(0x1p14)))
            return {"mean", static_cast<double>(mean), "must be 0 or of magnitude 2^-76 to 2^14"};
        if (!lane::is_zero(stddev) && !(stddev > 0 && lane::magnitude_within(stddev, T(0x1p-76), T(0x1p12))))
            return {"stddev", static_cast<double>(stddev), "must be 0 or in [2^-76, 2^12]"};
        return {};
    }
    constexpr bool f32 = sizeof(T) == 4;
    constexpr T least = f32 ? T(0x1p-76) : T(0x1p-900);
    if (!lane::is_zero(mean) && !lane::magnitude_within(mean, least, f32 ? T(0x1p126) : T(0x1p1022)))
        return {"mean", static_cast<double>(mean),
                f32 ? "must be 0 or of magnitude 2^-76 to 2^126" : "must be 0 or of magnitude 2^-900 to 2^1022"};
    if (!lane::is_zero(stddev) &&
        !(stddev > 0 && lane::magnitude_within(stddev, least, f32 ? T(0x1p120) : T(0x1p1000))))
        return {"stddev", static_cast<double>(stddev),
                f32 ? "must be 0 or in [2^-76, 2^120]" : "must be 0 or in [2^-900, 2^1000]"};
    return {};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
