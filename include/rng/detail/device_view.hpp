// Device memory in the types of host views, so that both share the code that erases types.
#pragma once

#include <span>

#include "../device.hpp"
#include "../matrix_view.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T> [[nodiscard]] matrix_view<T> as_view(const device_matrix<T>& a) {
    return {a.data, a.rows, a.cols, a.row_stride, a.col_stride};
}
/// The elements must not be read on the host.
template <class T> [[nodiscard]] std::span<T> as_span(const device_span<T>& x) { return {x.data, x.size}; }

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
