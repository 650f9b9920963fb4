// The floating-point types of distributions: precision, type of the arithmetic, neighbouring values, results.
#pragma once

#include "../core/distribution.hpp"
#include "../float16.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A floating-point type as maps see it: its precision in bits, and the type in which its arithmetic is done.
/// Other types have no precision here: their distributions do not compile anyway, and a second error would not help.
template <class T> struct Real { using arithmetic = T; };
template <> struct Real<float> {
    using arithmetic = float;
    static constexpr int precision = 24;
};
template <> struct Real<double> {
    using arithmetic = double;
    static constexpr int precision = 53;
};

template <> struct Real<float16> {
    using arithmetic = float;
    static constexpr int precision = 11;
};
template <> struct Real<bfloat16> {
    using arithmetic = float;
    static constexpr int precision = 8;
};

/// The type of the parameters of distributions of T, and of their arithmetic.
template <class T> using arithmetic_t = typename Real<T>::arithmetic;

/// A result of the arithmetic as a value of T over any lane: itself, or the bits of a 16-bit number. Kernels leave the
/// rounding to T::from_result() and T::two_from_results(), because one instruction rounds two numbers.
template <class T, class F> RNG_FN auto as_result(F x) {
#if RNG_HALVES_BY_INSTRUCTION
    return x;
#else
    if constexpr (is_same<T, float16>)
        return binary16_bits(x);
    else if constexpr (is_same<T, bfloat16>)
        return bfloat16_bits(x);
    else
        return x;
#endif
}

/// The type's next value above or below x, a value of T.
template <class T> RNG_FN arithmetic_t<T> next_value_above(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2) {
        const T h(x);
        const uint32_t b = h.bits;
        return T::from_bits((b & 0x7fffu) == 0 ? 1u : b & 0x8000u ? b - 1 : b + 1);
    } else {
        return lane::next_above(x);
    }
}
template <class T> RNG_FN arithmetic_t<T> next_value_below(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2) {
        const T h(x);
        const uint32_t b = h.bits;
        return T::from_bits((b & 0x7fffu) == 0 ? 0x8001u : b & 0x8000u ? b + 1 : b - 1);
    } else {
        return lane::next_below(x);
    }
}

/// True if x is a value of T: any float or double; for a 16-bit T, if rounding to T does not change x.
template <class T> RNG_FN bool is_value_of(arithmetic_t<T> x) {
    if constexpr (sizeof(T) == 2)
        return lane::is_finite(x) && lane::Scalar::bits(lane::without_negative_zero(static_cast<float>(T(x)))) ==
                                         lane::Scalar::bits(lane::without_negative_zero(x));
    else
        return true;
}

template <> struct Dtype<float16> { static constexpr const char* name = "f16"; };
template <> struct Dtype<bfloat16> { static constexpr const char* name = "bf16"; };

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
