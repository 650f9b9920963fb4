// Additions to chosen places with their types erased: what rng/reduce/index_add.hpp hands to the library.
#pragma once

#include <cstdint>
#include <type_traits>

#include "reduction.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T>
inline constexpr bool is_index =
    std::is_integral_v<T> && !std::is_same_v<std::remove_const_t<T>, bool> && (sizeof(T) == 4 || sizeof(T) == 8);
/// Integers of 32 or 64 bits.
template <class R>
concept index_range =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && is_index<std::ranges::range_value_t<R>>;

/// Numbers of places in memory. Strides are in elements: from term to term, and from line to line.
struct IndexDescription {
    const void* data;
    int bytes;  // 4 or 8
    bool is_signed;
    ptrdiff_t stride = 1, line_stride = 0;
};
template <class T> [[nodiscard]] IndexDescription described_index(const T* data) {
    static_assert(is_index<T>, "an index must be an integer of 32 or 64 bits");
    return {data, static_cast<int>(sizeof(T)), std::is_signed_v<T>};
}

/// For each line and each term k in ascending order: out[index[k]] += alpha values[k].
struct ScatterRequest {
    const char* call;
    StoredReal stored;  // of the values
    int parts;          // real numbers of an element
    bool in_double;     // out has numbers of double, not float
    size_t terms, lines, targets;
    IndexDescription index;
    const void* values;
    ptrdiff_t value_stride, value_line;  // in elements
    void* out;
    ptrdiff_t out_stride, out_line;
    double alpha = 1;
};
RNG_API void scatter(const ScatterRequest& request);

/// Returns the greatest integer + 1, or 0 if there is none.
RNG_API size_t bins_of(const char* call, const IndexDescription& index, size_t terms);
/// Returns how often each integer occurs, from 0 to the greatest.
RNG_API std::vector<int64_t> counts_of(const char* call, const IndexDescription& index, size_t terms);

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
