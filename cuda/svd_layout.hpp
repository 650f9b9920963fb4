// What the parts of the device's SVD share: the places of buffers in the workspace, and how products and searches run.
#pragma once

#include <algorithm>
#include <vector>

#include "../src/svd/svd_backend.hpp"
#include "svd_jacobi.hpp"
#include "svd_sparse_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Calls f(Tile{}) with the tile shape for a product whose result has this many columns.
template <class T, class F> constexpr auto with_tile(uint64_t width, const F& f) {
    if (width <= Narrow<T>::cols) return f(Narrow<T>{});
    if (width <= Middle<T>::cols) return f(Middle<T>{});
    return f(Broad<T>{});
}
template <class F> constexpr auto with_gram_tile(uint64_t width, const F& f) {
    if (width <= SmallGram::cols) return f(SmallGram{});
    return f(Gram{});
}

/// Calls f with a null pointer to the type of a matrix's values, which are computed in T.
template <class T, class F> auto with_element_type(rng_abi::ElementType type, const F& f) {
    if constexpr (sizeof(T) == 4) {
        if (type == rng_abi::ElementType::f16) return f(static_cast<const float16*>(nullptr));
        if (type == rng_abi::ElementType::bf16) return f(static_cast<const bfloat16*>(nullptr));
    }
    return f(static_cast<const T*>(nullptr));
}

/// The places of all buffers in the workspace, in bytes from its beginning.
struct Layout {
    size_t x, z, other, nodes, square, found, best, factors, mean, small, bytes;
    JacobiLayout jacobi;  // in `small`
    /// For a sparse matrix only: its elements in both orders; what the sort takes; some rows of A - M.
    struct Side {
        size_t offsets, inner, values;
    };
    Side by_rows, by_columns;
    size_t entries, sorted, counts, dense, dense_values;

    /// Returns how many rows of a sparse A - M (outer x inner, or transposed) are made dense at a time.
    [[nodiscard]] size_t dense_rows(size_t outer, size_t inner, size_t parts) const {
        constexpr size_t most = size_t{1} << 20;
        return std::min({outer, most, dense_values / std::max<size_t>(1, inner * parts)});
    }

    /// The data of A and M is not read. `other` is as large as X: the test matrix as it is drawn, or X while it is
    /// multiplied. A sparse A - M is made dense `enough` values at a time, or 16 rows or columns if they are more.
    [[nodiscard]] static Layout of(const SvdInput& in, const SvdShape& shape, size_t enough = size_t{1} << 22) {
        const size_t value_bytes = in.a.computed_bytes();
        const size_t parts = shape.complex ? 2 : 1, width = std::max(shape.width(), rng_abi::pad * parts);
        const size_t m = shape.rows, n = shape.cols, p = std::max(m, n), r = std::min(m, n);
        const bool is_sparse = in.a.sparse.index_bytes != 0, has_mean = in.center || in.a.mean.data != nullptr;
        const auto bytes_of_nodes = [](const Split& s, size_t rows, size_t columns, size_t value) {
            return s.nodes() * rows * columns * value;
        };
        const auto product = [&](size_t rows, size_t columns, size_t terms) {
            const auto split = [&](auto tile) { return Split::of<decltype(tile)>(rows, columns, terms); };
            return bytes_of_nodes(
                value_bytes == 4 ? with_tile<float>(columns, split) : with_tile<double>(columns, split), rows, columns,
                value_bytes);
        };
        const auto gram = [&](size_t terms) {
            const auto split = [&](auto tile) { return Split::of<decltype(tile)>(width, width, terms); };
            return bytes_of_nodes(with_gram_tile(width, split), width, width, sizeof(double));
        };
        Layout at{};
        at.dense_values = std::min(m * n, std::max<size_t>(enough, 16 * p)) * parts;
        // A product with A, or with its transpose.
        const auto with_a = [&](size_t outer, size_t inner, size_t columns) {
            if (!is_sparse) return product(outer, columns, inner * parts);
            const size_t sparse =
                bytes_of_nodes(sparse_split(outer, columns, inner * parts), outer, columns, value_bytes);
            if (!has_mean || m * n == 0) return sparse;
            const size_t rows = at.dense_rows(outer, inner, parts);
            return std::max(
                {sparse, product(rows, columns, inner * parts), product(outer % rows, columns, inner * parts)});
        };
        const auto take = [&at](size_t size) {
            const size_t begin = at.bytes;
            at.bytes += padded(size, 256);
            return begin;
        };
        at.found = take(most_search_blocks * width * sizeof(SearchResult));
        at.best = take(width * sizeof(SearchResult));
        size_t sorting = 0;
        if (is_sparse) {
            const size_t count = in.a.sparse.value_count;
            const auto side = [&](size_t outer) {
                return Side{take((outer + 1) * sizeof(uint32_t)), take(count * sizeof(uint32_t)),
                            take(count * parts * value_bytes)};
            };
            at.by_rows = side(m);
            at.by_columns = side(n);
            if (has_mean) at.dense = take(at.dense_values * value_bytes);
            const size_t begin = at.bytes;  // after the sort, X and all that follows take its place
            at.entries = take(count * sizeof(Entry));
            at.sorted = take(count * sizeof(Entry));
            at.counts = take(SortShare::of(count).walkers * digits * sizeof(uint32_t));
            sorting = at.bytes;
            at.bytes = begin;
        }
        at.x = take(p * width * value_bytes);
        at.z = take(r * width * value_bytes);
        at.other = take(p * width * value_bytes);
        at.nodes = take(std::max({with_a(m, n, width), with_a(n, m, width), product(p, width, width), gram(p), gram(r),
                                  with_a(n, m, rng_abi::pad * parts)}));
        at.square = take(width * width * sizeof(double));
        at.factors = take(width * 2 * sizeof(double));
        at.mean = take(n * parts * value_bytes);
        at.jacobi = JacobiLayout::of(shape.q, shape.ld(), shape.complex ? 2 : 1);
        at.small = take(at.jacobi.bytes);
        at.bytes = std::max(at.bytes, sorting);
        return at;
    }
};

/// Computes the product (Product or SparseProduct) in the parts of `split`; nodes has room for split.nodes() results.
template <class Device, class K, class T> void run_product(Device& device, const Split& split, K product, T* nodes) {
    T* const out = product.out;
    if (split.groups > 1) product.out = nodes;
    device.launch(product, split.row_tiles * split.groups, static_cast<uint32_t>(split.col_tiles));
    const uint64_t size = product.rows * product.width;
    for (uint64_t count = split.groups; count > 1; count = divided_up(count, merged)) {
        const uint64_t next = divided_up(count, merged);
        T* const to = next == 1 ? out : nodes + count * size;
        device.launch(Merge<T>{nodes, to, size, count}, divided_up(size, Merge<T>::threads) * next, 1);
        nodes = to;
    }
}

}  // namespace detail::svd
RNG_END_NAMESPACE
