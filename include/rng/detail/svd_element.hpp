// The types in which svd_lowrank computes matrices of each element type.
#pragma once

#include <complex>
#include <type_traits>

#include "../distributions/list.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T> struct SvdElement {
    static constexpr bool is_complex = false;
    using real = T;
    using computed = T;
};
template <> struct SvdElement<float16> {
    static constexpr bool is_complex = false;
    using real = float;
    using computed = float;
};
template <> struct SvdElement<bfloat16> {
    static constexpr bool is_complex = false;
    using real = float;
    using computed = float;
};
template <class T> struct SvdElement<std::complex<T>> {
    static constexpr bool is_complex = true;
    using real = T;
    using computed = std::complex<T>;
};
template <class T> struct SvdElement<complex<T>> {
    static constexpr bool is_complex = true;
    using real = T;
    using computed = complex<T>;
};

/// The type in which matrices of T are computed (float for half types), and the type of their singular values.
template <class T> using computed_t = typename SvdElement<std::remove_const_t<T>>::computed;
template <class T> using real_t = typename SvdElement<std::remove_const_t<T>>::real;

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
