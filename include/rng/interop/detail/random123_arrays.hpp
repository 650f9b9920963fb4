// Random123's array types, and copies between them and this library's blocks (../random123.hpp).
#pragma once

#include <Random123/array.h>

#include "../../core/block.hpp"

#include "../../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

namespace detail {

/// Random123's array types by the type and number of their words.
template <class W, int N> struct Array123;
template <> struct Array123<uint32_t, 1> { using type = r123array1x32; };
template <> struct Array123<uint32_t, 2> { using type = r123array2x32; };
template <> struct Array123<uint32_t, 4> { using type = r123array4x32; };
template <> struct Array123<uint64_t, 1> { using type = r123array1x64; };
template <> struct Array123<uint64_t, 2> { using type = r123array2x64; };
template <> struct Array123<uint64_t, 4> { using type = r123array4x64; };

/// Converts Words to an array of Random123, or back.
template <class To, class From> RNG_FN To copy_words(const From& from) {
    constexpr int n = sizeof(from.v) / sizeof(from.v[0]);  // their size() is not callable in kernels
    To to;
    for (int i = 0; i < n; ++i) to.v[i] = from.v[i];
    return to;
}

template <class R> using word123 = typename R::ctr_type::value_type;

}  // namespace detail

}  // namespace interop
RNG_END_NAMESPACE

#include "../../core/restore_macros.inc"
