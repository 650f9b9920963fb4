// matrix_view<T>: rows x cols elements in memory at any strides. (C++23's mdspan is not yet everywhere.)
//
//     const auto A = rng::matrix_view<float>::row_major(pointer, 60, 40);
//     rng::fill(A, rng::normal{0.0f, 1.0f}, gen);                   // A(i, j) is value 40 i + j
#pragma once

#include <cstddef>
#include <ranges>
#include <type_traits>

#include "core/config.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A non-owning view of a matrix, at any strides.
template <class T> struct matrix_view {
    T* data = nullptr;
    size_t rows = 0;
    size_t cols = 0;
    ptrdiff_t row_stride = 0;  ///< in elements, from one row to the next; may be negative
    ptrdiff_t col_stride = 1;  ///< in elements, from one column to the next; may be negative

    /// Returns a matrix whose rows lie one after the other.
    [[nodiscard]] static matrix_view row_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, static_cast<ptrdiff_t>(cols), 1};
    }
    /// Returns a matrix whose columns lie one after the other.
    [[nodiscard]] static matrix_view column_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, 1, static_cast<ptrdiff_t>(rows)};
    }
    /// Returns an element; row and col begin at 0, and are not checked.
    [[nodiscard]] T& operator()(size_t row, size_t col) const {
        return data[static_cast<ptrdiff_t>(row) * row_stride + static_cast<ptrdiff_t>(col) * col_stride];
    }
};

namespace detail {

template <class R> inline constexpr bool is_view = false;
template <class T> inline constexpr bool is_view<matrix_view<T>> = true;
template <class R>
concept host_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;
/// Host memory that fill() can write.
template <class R>
concept host_destination = is_view<std::remove_cvref_t<R>> || host_range<R>;

/// Returns the view with strides that can be multiplied without overflow. The stride of a single row or column is never
/// used, and may be any number.
template <class T> [[nodiscard]] matrix_view<T> with_valid_strides(matrix_view<T> view) {
    if (view.rows <= 1) view.row_stride = static_cast<ptrdiff_t>(view.cols);
    if (view.cols <= 1) view.col_stride = 1;
    return view;
}

/// The layout of values in device memory: value i lies in row i / cols and column i % cols. Strides are in elements.
struct Strides {
    uint64_t cols = 0;  ///< 0: the values lie one after the other
    int64_t row = 0, col = 1;

    /// True if neighbouring rows lie nearer to each other than neighbouring columns.
    [[nodiscard]] bool rows_are_nearer() const { return magnitude(row) < magnitude(col); }

  private:
    [[nodiscard]] static uint64_t magnitude(int64_t x) {
        const auto bits = static_cast<uint64_t>(x);
        return x < 0 ? 0 - bits : bits;
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
