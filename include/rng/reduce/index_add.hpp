// index_add, scatter_add, bincount: additions to places that an index names, in the order of the index.
//
//     std::vector<float> gradient(vocabulary * width);
//     const auto rows = rng::matrix_view<float>::row_major(gradient.data(), vocabulary, width);
//     rng::index_add(rows, 0, tokens, of_each_token);        // rows(tokens[k], j) += of_each_token(k, j)
//
// Each place gets its terms one after the other: out = ((out + x1) + x2) + ..., in the order of the index. A plain
// loop, numpy.add.at and torch's index_add_ on a CPU have that order too. Threads share the columns of wide matrices;
// one thread adds the numbers of one line. Indices are integers of 32 or 64 bits. Values of float16 and bfloat16 are
// added to float, values of float also to double. A call that throws has changed nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../detail/scatter.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Adds values along an axis, at the places that an index gives: out(index[k], j) += alpha values(k, j) for axis 0,
/// out(i, index[k]) += alpha values(i, k) for axis 1. The product with alpha is rounded. This is also the gradient of
/// embedding_bag, with the bag's row as value.
/// Throws Error (invalid_argument): a wrong axis or size, null data, an index that is not a row (column) of `out`; the
/// message names the first such place.
template <class Out, detail::index_range I, detail::summable T>
void index_add(const matrix_view<Out>& out, int axis, const I& index, const matrix_view<T>& values, double alpha = 1) {
    detail::scatter(detail::index_add_request(out, axis, index, values, alpha));
}
/// Adds values at the places that an index gives: out[index[k]] += alpha values[k].
template <std::ranges::contiguous_range Out, detail::index_range I, detail::summable_range R>
void index_add(Out&& out, const I& index, const R& values, double alpha = 1) {
    detail::scatter(detail::index_add_request(detail::as_column(out), 0, index, detail::as_column(values), alpha));
}

/// Adds each element at an index of its own: out(index(i, j), j) += values(i, j) for axis 0, out(i, index(i, j)) +=
/// values(i, j) for axis 1. Among the terms of one place, the order is that of i, or of j.
/// Throws Error (invalid_argument) as index_add, and if index and values have different shapes.
template <class Out, class Index, detail::summable T>
void scatter_add(const matrix_view<Out>& out, int axis, const matrix_view<Index>& index, const matrix_view<T>& values) {
    detail::scatter(detail::scatter_add_request(out, axis, index, values));
}

/// Returns how often each integer occurs: element v is the count of v. The size is the greatest integer + 1, at least
/// `minlength`. Throws Error (invalid_argument): an integer below 0, or of 2^48 or more.
template <detail::index_range I> [[nodiscard]] std::vector<int64_t> bincount(const I& index, size_t minlength = 0) {
    std::vector<int64_t> counts =
        detail::counts_of("bincount", detail::described_index(std::ranges::data(index)), std::ranges::size(index));
    if (counts.size() < minlength) counts.resize(minlength);
    return counts;
}
/// Returns the sum of the weights of each integer, in double precision and in the order of the weights.
/// Throws Error (invalid_argument) also if `index` and `weights` have different sizes.
template <detail::index_range I, detail::summable_range W>
[[nodiscard]] std::vector<double> bincount(const I& index, const W& weights, size_t minlength = 0) {
    const size_t n = std::ranges::size(index);
    detail::require_weights(n, std::ranges::size(weights));
    const size_t bins = detail::bins_of("bincount", detail::described_index(std::ranges::data(index)), n);
    std::vector<double> sums(bins < minlength ? minlength : bins);
    index_add(sums, index, weights);
    return sums;
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
