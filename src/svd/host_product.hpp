// Products of matrices in host memory, on the library's threads, with the instruction set in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../cpu/dispatch.hpp"
#include "../cpu/parallel_for.hpp"
#include "../reduce/kernels/tree_sum.hpp"
#include "aligned.hpp"
#include "kernels/abi.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// A sum of matrices, element by element, as a node of a tree.
template <class T> struct MatrixNode { std::vector<T> values; };
template <class T> void add_left(MatrixNode<T>& node, const MatrixNode<T>& left) {
    for (size_t i = 0; i < node.values.size(); ++i) node.values[i] = left.values[i] + node.values[i];
}
template <class T> using MatrixTree = rng_abi::TreeNodes<MatrixNode<T>>;

[[nodiscard]] inline const rng_abi::LinalgFunctions& kernels() { return *rng_cpu::current_kernels().linalg; }

template <class T> rng_abi::ProductFunction product_function() {
    return sizeof(T) == 4 ? kernels().product_f32 : kernels().product_f64;
}
template <class T> rng_abi::SparseProductFunction sparse_product_function() {
    return sizeof(T) == 4 ? kernels().sparse_product_f32 : kernels().sparse_product_f64;
}

/// True if the rows of tall matrices have no gaps, in the memory of one process: a few columns would otherwise take the
/// memory and the time of rng_abi::pad.
[[nodiscard]] inline bool is_compact(const SvdShape& shape) { return !shape.complex && shape.q <= 8; }

/// Returns the number of values from a row of a tall matrix to the next.
[[nodiscard]] inline size_t row_values(size_t q, size_t parts, bool compact) {
    return compact ? q : padded(q, rng_abi::pad) * parts;
}

/// Returns the number of columns of a tall matrix, with rows of row_values(), that products compute. The others are 0
/// and stay 0.
template <class T> [[nodiscard]] size_t computed_columns(size_t q, size_t parts, bool compact) {
    const size_t values = row_values(q, parts, compact);
    return parts == 2 ? values : std::min(values, padded(q, std::max<size_t>(1, kernels().register_bytes / sizeof(T))));
}

/// Returns the operand from (row, term) on; the term is the first of an element.
[[nodiscard]] inline rng_abi::Operand from(const rng_abi::Operand& a, size_t row, size_t term, size_t computed_bytes) {
    const auto moved = [&](const void* p, size_t bytes, ptrdiff_t row_stride, ptrdiff_t col_stride) -> const void* {
        const ptrdiff_t elements = static_cast<ptrdiff_t>(row) * row_stride +
                                   static_cast<ptrdiff_t>(term / static_cast<size_t>(a.parts)) * col_stride;
        return p ? static_cast<const std::byte*>(p) + elements * a.parts * static_cast<ptrdiff_t>(bytes) : nullptr;
    };
    rng_abi::Operand part = a;
    part.data = moved(a.data, a.type == rng_abi::ElementType::same ? computed_bytes : 2, a.row_stride, a.col_stride);
    part.mean = moved(a.mean, computed_bytes, a.mean_row_stride, a.mean_col_stride);
    return part;
}

[[nodiscard]] inline rng_abi::Operand transposed(rng_abi::Operand a) {
    std::swap(a.row_stride, a.col_stride);
    std::swap(a.mean_row_stride, a.mean_col_stride);
    return a;
}

/// Rows, each `width` values after the previous one.
template <class T> [[nodiscard]] rng_abi::Operand rows_of(const T* data, size_t width) {
    return {data, static_cast<ptrdiff_t>(width), 1, rng_abi::ElementType::same, 1, nullptr, 0, 0, nullptr};
}

/// Computes the first cols columns of out (rows x width) = a (rows x terms) times b (terms x width).
/// b is as ProductFunction requires. The product may be in place: a row is read before it is written.
template <class T>
void multiply(const rng_abi::Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t cols, T* out) {
    rng_cpu::parallel_for(rows, rng_abi::panel_rows, SIZE_MAX, [&](size_t first, size_t last) {
        const auto workspace = line_workspace<T>(rng_abi::product_workspace(last - first, terms, cols, sizeof(T)));
        rng_abi::Operand part = from(a, first, 0, sizeof(T));
        rng_abi::SparseOperand sparse{};
        if (a.sparse != nullptr) {
            sparse = {a.sparse->offsets + first, a.sparse->terms, a.sparse->values};
            part.sparse = &sparse;
        }
        product_function<T>()(part, last - first, 0, terms, b, width, cols, out + first * width, width, false,
                              workspace.get());
    });
}

}  // namespace detail
RNG_END_NAMESPACE
