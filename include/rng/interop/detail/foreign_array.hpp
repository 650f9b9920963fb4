// Arrays that other libraries describe (../dlpack.hpp, ../cuda_array.hpp): element types, sizes and strides.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <type_traits>

#include "../../detail/fill_arguments.hpp"
#include "../../distributions/complex_normal.hpp"

#include "../../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

namespace detail {

using rng::detail::raise_text;

/// Returns the kind of an element type: its letter in NumPy's type strings. bfloat16, which NumPy lacks, has the V of
/// raw bytes.
template <class T> [[nodiscard]] constexpr char kind_of() {
    using namespace rng::detail;
    using V = std::remove_const_t<T>;
    if constexpr (is_real<V> || is_same<V, float16>) {
        return 'f';
    } else if constexpr (is_same<V, bfloat16>) {
        return 'V';
    } else if constexpr (is_stored_as<V, complex<float>> || is_stored_as<V, complex<double>>) {
        return 'c';
    } else {
        static_assert(integer<V>,
                      "the elements are integers, float, double, float16, bfloat16 or complex of float or double");
        return std::is_signed_v<V> ? 'i' : 'u';
    }
}
/// True if memory of elements T may be an array of truth values, of one byte each: those that bernoulli writes.
template <class T>
inline constexpr bool holds_bools = rng::detail::is_same<rng::detail::fixed_width<std::remove_const_t<T>>, uint8_t>;

/// An array without its type. Its strides count elements or bytes.
struct ForeignArray {
    const char* call;  ///< for messages
    void* data;        ///< the first element
    std::span<const int64_t> shape;
    const int64_t* strides;  ///< one for each dimension; null: in C order
    int64_t unit;            ///< the stride of elements that lie side by side: 1, or an element's bytes
};

/// Returns the number of elements. Throws Error on a negative size, memory that is too large, and a null or misaligned
/// address. An array without elements may have any address.
[[nodiscard]] inline size_t checked_elements(const ForeignArray& a, size_t bytes, size_t alignment) {
    constexpr auto invalid = ErrorCode::invalid_argument;
    bool is_empty = false;
    for (size_t i = 0; i < a.shape.size(); ++i) {
        if (a.shape[i] < 0)
            raise_text(invalid, "%s: shape[%zu] must be at least 0, got %lld", a.call, i,
                       static_cast<long long>(a.shape[i]));
        is_empty = is_empty || a.shape[i] == 0;
    }
    if (is_empty) return 0;
    int64_t all = static_cast<int64_t>(bytes);
    for (size_t i = 0; i < a.shape.size(); ++i) {
        const long long most = INT64_MAX / all;
        if (a.shape[i] > most)
            raise_text(invalid,
                       "%s: shape[%zu] must be at most %lld, so that the array has fewer than 2^63 bytes, got %lld",
                       a.call, i, most, static_cast<long long>(a.shape[i]));
        all *= a.shape[i];
    }
    const size_t n = static_cast<size_t>(all) / bytes;
    if (a.data == nullptr) raise_text(invalid, "%s: the data must not be null for %zu elements", a.call, n);
    if (reinterpret_cast<uintptr_t>(a.data) % alignment != 0)
        raise_text(invalid, "%s: the data must be at a multiple of %zu bytes, got address %p", a.call, alignment,
                   a.data);
    return n;
}

/// Throws Error on elements in another order than C's or with gaps. Requires an array with elements.
inline void require_c_order(const ForeignArray& a) {
    int64_t expected = a.unit;
    for (size_t i = a.shape.size(); a.strides && i-- > 0; expected *= a.shape[i])
        if (a.shape[i] != 1 && a.strides[i] != expected)  // the stride of a dimension of one element is never used
            raise_text(ErrorCode::invalid_argument,
                       "%s: the array must be contiguous in C order: strides[%zu] must be %lld, got %lld", a.call, i,
                       static_cast<long long>(expected), static_cast<long long>(a.strides[i]));
}

/// Returns all elements of an array as a span of the library or of the standard.
template <class T, class Span> [[nodiscard]] Span as_one_run(const ForeignArray& a) {
    const size_t n = checked_elements(a, sizeof(T), alignof(T));
    if (n > 0) require_c_order(a);
    return {static_cast<T*>(a.data), n};
}

}  // namespace detail

}  // namespace interop
RNG_END_NAMESPACE

#include "../../core/restore_macros.inc"
