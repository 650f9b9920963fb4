// A fill of rows on CUDA: the work of one thread of a grid. The kernel is in device_fill_rows.hpp.
#pragma once

#include "../row_at.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A fill of rows, as the kernel takes it.
template <class D, class E> struct DeviceRowFill {
    Stream<E> stream;  // at the slot of the first row
    D dist;
    result_t<D>* data;
    uint64_t rows;
    int64_t row_stride, col_stride;
};

/// Writes the rows of this thread.
template <class D, class E> RNG_FN void write_rows(const DeviceRowFill<D, E>& fill, uint64_t thread, uint64_t threads) {
    RNG_ROLLED
    for (uint64_t i = thread; i < fill.rows; i += threads)
        write_row(fill.stream, fill.dist, fill.stream.position + i * row_slot_words,
                  RowPlace<result_t<D>>{fill.data + static_cast<int64_t>(i) * fill.row_stride, fill.col_stride});
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
