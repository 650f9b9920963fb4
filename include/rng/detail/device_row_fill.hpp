// A fill of rows on CUDA: the work of one thread of a grid. The kernel is in device_fill_rows.hpp.
#pragma once

#include "../row_at.hpp"
#include "device_fill_layout.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The argument of the kernel.
template <class D, class E> struct DeviceRowFill {
    Stream<E> stream;  // at the slot of the first row
    D dist;
    result_t<D>* data;
    uint64_t rows;
    int64_t row_stride, col_stride;
    const uint64_t* replay = nullptr;  // in a graph: the number of earlier runs; each run continues the previous one
    uint64_t replays = 0;              // the number of replays for which the stream has room
};

/// Writes the rows of this thread.
template <class D, class E> RNG_FN void write_rows(const DeviceRowFill<D, E>& fill, uint64_t thread, uint64_t threads) {
    uint64_t first = fill.stream.position;
    if (fill.replay != nullptr) {
        require_replay(*fill.replay < fill.replays);
        first += *fill.replay * fill.rows * row_slot_words;
    }
    RNG_ROLLED
    for (uint64_t i = thread; i < fill.rows; i += threads)
        write_row(fill.stream, fill.dist, first + i * row_slot_words,
                  RowPlace<result_t<D>>{fill.data + static_cast<int64_t>(i) * fill.row_stride, fill.col_stride});
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
