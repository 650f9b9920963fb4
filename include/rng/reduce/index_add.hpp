// index_add, scatter_add, bincount: additions to places that an index names, in the order of the index.
//
//     std::vector<float> gradient(vocabulary * width);
//     const auto rows = rng::matrix_view<float>::row_major(gradient.data(), vocabulary, width);
//     rng::index_add(rows, 0, tokens, of_each_token);        // rows(tokens[k], j) += of_each_token(k, j)
//
// Each place gets its terms one after the other: out = ((out + x1) + x2) + ..., in the order of the index. A plain
// loop, numpy.add.at and torch's index_add_ on a CPU have that order too. Threads share the columns of wide matrices;
// numbers in one line are the work of one thread. Indices are integers of 32 or 64 bits. Values of float16 and bfloat16
// are added to float, values of float also to double. Calls that throw have changed nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../detail/scatter.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Out can take sums of elements of T.
template <class Out, class T>
concept sum_of = std::is_same_v<Out, sum_t<T, void>> || std::is_same_v<Out, sum_t<T, double>>;

template <class Out, class T>
[[nodiscard]] ScatterRequest scatter_request(const char* call, const IndexDescription& index, double alpha) {
    static_assert(sum_of<Out, T>, "out must be of the type in which the values are added: their own, or double");
    ScatterRequest request{};
    request.call = call;
    request.stored = stored_real<T>();
    request.parts = real_parts<T>;
    request.in_double = sizeof(real_t<Out>) == 8;
    request.index = index;
    request.alpha = alpha;
    return request;
}
/// Adds to the lines of `out` that lie along `axis`, from those of `values`.
template <class Out, class T>
void scatter_along(ScatterRequest request, int axis, const matrix_view<Out>& out, const matrix_view<T>& values) {
    if (axis != 0 && axis != 1)
        raise_text(ErrorCode::invalid_argument, "%s: axis must be 0 or 1, got %d", request.call, axis);
    const bool down = axis == 0;
    request.terms = down ? values.rows : values.cols;
    request.lines = down ? values.cols : values.rows;
    request.targets = down ? out.rows : out.cols;
    if (const size_t lines = down ? out.cols : out.rows; lines != request.lines)
        raise_text(ErrorCode::invalid_argument, "%s: out and values must have the same number of %s, got %zu and %zu",
                   request.call, down ? "columns" : "rows", lines, request.lines);
    if (request.terms == 0 || request.lines == 0) return;
    if (values.data == nullptr || (out.data == nullptr && request.targets != 0) || request.index.data == nullptr)
        raise_text(ErrorCode::invalid_argument, "%s: %s must not be null", request.call,
                   values.data == nullptr ? "values"
                   : out.data == nullptr  ? "out"
                                          : "index");
    request.values = values.data;
    request.value_stride = down ? values.row_stride : values.col_stride;
    request.value_line = down ? values.col_stride : values.row_stride;
    request.out = out.data;
    request.out_stride = down ? out.row_stride : out.col_stride;
    request.out_line = down ? out.col_stride : out.row_stride;
    scatter(request);
}

}  // namespace detail

/// Adds along an axis: out(index[k], j) += alpha values(k, j) for axis 0, out(i, index[k]) += alpha values(i, k) for
/// axis 1. The product with alpha is rounded. Also embedding_bag's gradient, with the bag's row as value.
/// Throws Error (invalid_argument): another axis or size, null data, an index that names no row (column) of `out`; the
/// message has the first such place.
template <class Out, detail::index_range I, detail::summable T>
void index_add(const matrix_view<Out>& out, int axis, const I& index, const matrix_view<T>& values, double alpha = 1) {
    const size_t terms = axis == 0 ? values.rows : values.cols;
    if (std::ranges::size(index) != terms)
        detail::raise_text(ErrorCode::invalid_argument, "index_add: index must have %zu elements, as values, got %zu",
                           terms, std::ranges::size(index));
    detail::scatter_along(
        detail::scatter_request<Out, T>("index_add", detail::described_index(std::ranges::data(index)), alpha), axis,
        out, values);
}
/// Adds numbers: out[index[k]] += alpha values[k].
template <std::ranges::contiguous_range Out, detail::index_range I, detail::summable_range R>
void index_add(Out&& out, const I& index, const R& values, double alpha = 1) {
    const auto column = [](auto* data, size_t n) {
        return matrix_view<std::remove_pointer_t<decltype(data)>>{data, n, 1, 1, 1};
    };
    index_add(column(std::ranges::data(out), std::ranges::size(out)), 0, index,
              column(std::ranges::data(values), std::ranges::size(values)), alpha);
}

/// Adds each element to a place of its own: out(index(i, j), j) += values(i, j) for axis 0, out(i, index(i, j)) +=
/// values(i, j) for axis 1. Among the terms of one place, the order is that of i, or of j.
/// Throws Error (invalid_argument) as index_add, and if index and values have different shapes.
template <class Out, class Index, detail::summable T>
void scatter_add(const matrix_view<Out>& out, int axis, const matrix_view<Index>& index, const matrix_view<T>& values) {
    if (index.rows != values.rows || index.cols != values.cols)
        detail::raise_text(ErrorCode::invalid_argument,
                           "scatter_add: index must have the shape of values, %zu x %zu, got %zu x %zu", values.rows,
                           values.cols, index.rows, index.cols);
    detail::IndexDescription places = detail::described_index(index.data);
    places.stride = axis == 0 ? index.row_stride : index.col_stride;
    places.line_stride = axis == 0 ? index.col_stride : index.row_stride;
    detail::scatter_along(detail::scatter_request<Out, T>("scatter_add", places, 1), axis, out, values);
}

/// Returns how often each integer occurs: element v is the count of v. The size is the greatest integer + 1, at least
/// `minlength`. Throws Error (invalid_argument): an integer below 0 or above 2^48.
template <detail::index_range I> [[nodiscard]] std::vector<int64_t> bincount(const I& index, size_t minlength = 0) {
    std::vector<int64_t> counts =
        detail::counts_of("bincount", detail::described_index(std::ranges::data(index)), std::ranges::size(index));
    if (counts.size() < minlength) counts.resize(minlength);
    return counts;
}
/// Returns the sums of the weights of each integer, in double precision and in the order of the weights.
/// Throws Error (invalid_argument) also if `index` and `weights` have different sizes.
template <detail::index_range I, detail::summable_range W>
[[nodiscard]] std::vector<double> bincount(const I& index, const W& weights, size_t minlength = 0) {
    const size_t n = std::ranges::size(index);
    if (std::ranges::size(weights) != n)
        detail::raise_text(ErrorCode::invalid_argument, "bincount: weights must have %zu elements, as index, got %zu",
                           n, std::ranges::size(weights));
    const size_t bins = detail::bins_of("bincount", detail::described_index(std::ranges::data(index)), n);
    std::vector<double> sums(bins < minlength ? minlength : bins);
    index_add(sums, index, weights);
    return sums;
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
