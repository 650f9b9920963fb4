// The NaN of results: x86 and GPUs produce different ones.
#pragma once

#include <rng/lane/scalar.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// True for a NaN, whatever the compiler's flags assume about NaN.
RNG_FN bool is_nan_number(float x) { return (lane::Scalar::bits(x) & 0x7fffffffu) > 0x7f800000u; }
RNG_FN bool is_nan_number(double x) { return (lane::Scalar::bits(x) & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
/// True if one of n numbers is NaN. Without a branch, for vectors.
template <class T> [[nodiscard]] bool has_nan(const T* x, size_t n) {
    bool is_nan = false;
    for (size_t i = 0; i < n; ++i) is_nan |= is_nan_number(x[i]);
    return is_nan;
}
/// Returns x or, for every NaN, the quiet NaN without sign and payload.
RNG_FN float with_one_nan(float x) { return is_nan_number(x) ? lane::Scalar::from_bits(0x7fc00000u) : x; }
RNG_FN double with_one_nan(double x) { return is_nan_number(x) ? lane::Scalar::from_bits64(0x7ff8000000000000u) : x; }

}  // namespace detail
RNG_END_NAMESPACE
