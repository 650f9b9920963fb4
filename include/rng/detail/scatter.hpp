// Additions at indices with their types erased: the requests that rng/reduce/index_add.hpp passes to the library.
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

/// Indices in memory. Strides are in elements: from term to term, and from line to line.
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

/// Out can take sums of elements of T.
template <class Out, class T>
concept sum_of = std::is_same_v<Out, sum_t<T, void>> || std::is_same_v<Out, sum_t<T, double>>;

/// Adds to the lines of `out` that lie along `axis`, from those of `values`.
template <class Out, class T>
[[nodiscard]] ScatterRequest scatter_along(const char* call, int axis, const matrix_view<Out>& out,
                                           const IndexDescription& index, const matrix_view<T>& values, double alpha) {
    static_assert(sum_of<Out, T>, "out must be of the type in which the values are added: their own, or double");
    if (axis != 0 && axis != 1) raise_text(ErrorCode::invalid_argument, "%s: axis must be 0 or 1, got %d", call, axis);
    const bool down = axis == 0;
    ScatterRequest request{};
    request.call = call;
    request.stored = stored_real<T>();
    request.parts = real_parts<T>;
    request.in_double = sizeof(real_t<Out>) == 8;
    request.index = index;
    request.alpha = alpha;
    request.terms = down ? values.rows : values.cols;
    request.lines = down ? values.cols : values.rows;
    request.targets = down ? out.rows : out.cols;
    if (const size_t lines = down ? out.cols : out.rows; lines != request.lines)
        raise_text(ErrorCode::invalid_argument, "%s: out and values must have the same number of %s, got %zu and %zu",
                   call, down ? "columns" : "rows", lines, request.lines);
    if (request.terms == 0 || request.lines == 0) return request;
    if (values.data == nullptr || (out.data == nullptr && request.targets != 0) || index.data == nullptr)
        raise_text(ErrorCode::invalid_argument, "%s: %s must not be null", call,
                   values.data == nullptr ? "values"
                   : out.data == nullptr  ? "out"
                                          : "index");
    request.values = values.data;
    request.value_stride = down ? values.row_stride : values.col_stride;
    request.value_line = down ? values.col_stride : values.row_stride;
    request.out = out.data;
    request.out_stride = down ? out.row_stride : out.col_stride;
    request.out_line = down ? out.col_stride : out.row_stride;
    return request;
}

template <class R> [[nodiscard]] auto as_column(R&& range) {
    auto* const data = std::ranges::data(range);
    return matrix_view<std::remove_pointer_t<decltype(std::ranges::data(range))>>{data, std::ranges::size(range), 1, 1,
                                                                                  1};
}

template <class Out, class I, class T>
[[nodiscard]] ScatterRequest index_add_request(const matrix_view<Out>& out, int axis, const I& index,
                                               const matrix_view<T>& values, double alpha) {
    const size_t terms = axis == 0 ? values.rows : values.cols;
    if (std::ranges::size(index) != terms)
        raise_text(ErrorCode::invalid_argument, "index_add: index must have %zu elements, as values, got %zu", terms,
                   std::ranges::size(index));
    return scatter_along("index_add", axis, out, described_index(std::ranges::data(index)), values, alpha);
}
template <class Out, class Index, class T>
[[nodiscard]] ScatterRequest scatter_add_request(const matrix_view<Out>& out, int axis, const matrix_view<Index>& index,
                                                 const matrix_view<T>& values) {
    if (index.rows != values.rows || index.cols != values.cols)
        raise_text(ErrorCode::invalid_argument,
                   "scatter_add: index must have the shape of values, %zu x %zu, got %zu x %zu", values.rows,
                   values.cols, index.rows, index.cols);
    IndexDescription places = described_index(index.data);
    places.stride = axis == 0 ? index.row_stride : index.col_stride;
    places.line_stride = axis == 0 ? index.col_stride : index.row_stride;
    return scatter_along("scatter_add", axis, out, places, values, 1);
}

/// Throws Error unless bincount has as many weights as integers.
inline void require_weights(size_t integers, size_t weights) {
    if (weights != integers)
        raise_text(ErrorCode::invalid_argument, "bincount: weights must have %zu elements, as index, got %zu", integers,
                   weights);
}

/// Returns the greatest integer + 1, or 0 if there is none.
RNG_API size_t bins_of(const char* call, const IndexDescription& index, size_t terms);
/// Returns how often each integer occurs, from 0 to the greatest.
RNG_API std::vector<int64_t> counts_of(const char* call, const IndexDescription& index, size_t terms);

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
