// The common parts of the device's SVD: the places of buffers in the workspace, and how products and searches run.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "../src/svd/svd_backend.hpp"
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

/// The rows of A in one matrix in memory: all of them, or a slab of those that a rank owns.
struct LayoutSlab {
    size_t rows, elements;  // elements: of a sparse matrix
};

/// The places of all buffers in the workspace, in bytes from its beginning.
struct Layout {
    size_t x, z, other, nodes, square, found, best, factors, mean, bytes;
    size_t other_rows;  // rows that `other` has room for, as X or Z
    /// For a sparse matrix only: the elements of each slab in both orders; the memory of the sort; some rows of A - M.
    struct Side {
        size_t offsets, inner, values;
    };
    struct Sides {
        Side by_rows, by_columns;
    };
    std::vector<Sides> sides;
    size_t entries, sorted, counts, dense, dense_values;

    /// Returns the number of rows of a sparse A - M (outer x inner, or transposed) that are made dense at a time.
    [[nodiscard]] size_t dense_rows(size_t outer, size_t inner, size_t parts) const {
        constexpr size_t most = size_t{1} << 20;
        return std::min({outer, most, dense_values / std::max<size_t>(1, inner * parts)});
    }

    /// The data of A and M is not read. `other` is as large as X: the test matrix as it is drawn, or X while it is
    /// multiplied. A sparse A - M is made dense `enough` values at a time, or 16 rows or columns if they are more.
    [[nodiscard]] static Layout of(const SvdInput& in, const SvdShape& shape, size_t enough = size_t{1} << 22) {
        const LayoutSlab whole{shape.rows, in.a.sparse.value_count};
        return of(in.a, in.center || in.a.mean.data != nullptr, shape, {&whole, 1}, enough);
    }

    /// The layout for the slabs of A that one rank owns: the tall matrix with the rows of A has those of the slabs. The
    /// shape is that of the whole matrix. Only types are read from the description.
    [[nodiscard]] static Layout of(const MatrixDescription& a, bool has_mean, const SvdShape& shape,
                                   std::span<const LayoutSlab> slabs, size_t enough) {
        const size_t value_bytes = a.computed_bytes();
        const size_t parts = shape.parts(), width = std::max(shape.width(), rng_abi::pad * parts);
        size_t m = 0;
        for (const LayoutSlab& slab : slabs) m += slab.rows;
        const size_t n = shape.cols, p = std::max(m, n);
        const bool is_sparse = a.sparse.index_bytes != 0;
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
        at.other_rows = p;
        at.dense_values = std::min(m * n, std::max<size_t>(enough, 16 * p)) * parts;
        // A product with A, or with its transpose.
        const auto with_a = [&](size_t outer, size_t inner, size_t columns) {
            if (!is_sparse) return product(outer, columns, inner * parts);
            const size_t sparse =
                bytes_of_nodes(sparse_split(outer, columns, inner * parts), outer, columns, value_bytes);
            if (!has_mean || m * n == 0) return sparse;
            return std::max(sparse, product(at.dense_rows(outer, inner, parts), columns, inner * parts));
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
            size_t most = 0, walkers = 0;
            for (const LayoutSlab& slab : slabs) {
                const size_t count = slab.elements;
                const auto side = [&](size_t outer) {
                    return Side{take((outer + 1) * sizeof(uint32_t)), take(count * sizeof(uint32_t)),
                                take(count * parts * value_bytes)};
                };
                const Side by_rows = side(slab.rows);
                at.sides.push_back({by_rows, side(n)});
                most = std::max(most, count);
                walkers = std::max(walkers, SortShare::of(count).walkers);
            }
            if (has_mean) at.dense = take(at.dense_values * value_bytes);
            const size_t begin = at.bytes;  // after the sorts, X and everything after it take their place
            at.entries = take(most * sizeof(Entry));
            at.sorted = take(most * sizeof(Entry));
            at.counts = take(walkers * digits * sizeof(uint32_t));
            sorting = at.bytes;
            at.bytes = begin;
        }
        at.x = take((shape.is_wide() ? n : m) * width * value_bytes);
        at.z = take((shape.is_wide() ? m : n) * width * value_bytes);
        at.other = take(p * width * value_bytes);
        size_t nodes = std::max({product(m, width, width), product(n, width, width), gram(m), gram(n)});
        for (const LayoutSlab& slab : slabs)
            nodes = std::max({nodes, with_a(slab.rows, n, width), with_a(n, slab.rows, width), gram(slab.rows),
                              with_a(n, slab.rows, rng_abi::pad * parts)});
        at.nodes = take(nodes);
        at.square = take(width * width * sizeof(double));
        at.factors = take(width * 2 * sizeof(double));
        at.mean = take(n * parts * value_bytes);
        at.bytes = std::max(at.bytes, sorting);
        return at;
    }
};

/// The common arguments of tall matrices and products: the device, and the buffers of a workspace.
template <class T, class Dev> struct Work {
    Dev& device;
    const Layout& layout;
    std::byte* memory;
    T* other;  // takes the place of X when X is multiplied

    Work(Dev& dev, const Layout& places, std::byte* begin)
        : device(dev), layout(places), memory(begin), other(at<T>(places.other)) {}
    template <class V> [[nodiscard]] V* at(size_t offset) const { return reinterpret_cast<V*>(memory + offset); }
    [[nodiscard]] SearchResult* found() const { return at<SearchResult>(layout.found); }
    [[nodiscard]] SearchResult* best() const { return at<SearchResult>(layout.best); }

    /// Launches a kernel with a thread for each of n.
    template <class K> void each(size_t n, const K& kernel) {
        if (n > 0) device.launch(kernel, divided_up(n, K::threads), 1);
    }
};

/// Returns the split of `rows` rows of a product. They are divided as the whole is, so their nodes fit into its room.
[[nodiscard]] inline Split part_of(Split whole, uint64_t rows, uint64_t tile_rows) {
    whole.row_tiles = divided_up(rows, tile_rows);
    return whole;
}

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

/// out = a b, of `rows` rows: all of a product, or a part of one with `of_all` rows. b has `width` columns.
template <class Shape, class T, class Dev, class C, class S, class B>
void multiply(Work<T, Dev>& work, const DeviceMatrix<C, S>& a, const B* b, size_t rows, size_t of_all, size_t terms,
              size_t width, size_t plane, bool conjugated, C* out) {
    if (rows == 0) return;
    const Split split = part_of(Split::of<Shape>(of_all, width, terms), rows, Shape::rows);
    run_product(work.device, split,
                Product<C, S, B, Shape>{a, b, out, rows, terms, split.row_tiles, static_cast<uint32_t>(width),
                                        static_cast<uint32_t>(plane), split.log2_group, conjugated},
                work.template at<C>(work.layout.nodes));
}

}  // namespace detail::svd
RNG_END_NAMESPACE
