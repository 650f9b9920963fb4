// A fill with Sobol points on CUDA: the work of one thread of a grid. The kernel is in cuda/backend.cu.
//
// A walker computes every 2^k-th point in one dimension. From one of its points to the next, the upper part of the
// point's number increases by one, so its Gray code changes in one bit of that part and in the bit below it. A walker
// therefore reads two direction numbers for each point. Neighbouring threads write neighbouring memory.
#pragma once

#include "../matrix_view.hpp"
#include "../sobol_view.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The argument of the kernel: row i gets the coordinates of point first + i.
template <class T> struct DeviceSobolFill {
    sobol_view<T> points;
    uint64_t first;
    T* data;
    uint64_t rows;
    Strides strides;
    uint32_t step_bits = 1;  // k, at least 1
    bool down = false;       // true if neighbouring threads write neighbouring rows, and not neighbouring columns

    /// Returns the number of walkers.
    [[nodiscard]] RNG_FN uint64_t walkers() const { return uint64_t{points.dimensions} << step_bits; }
    /// Sets step_bits so that there are about as many walkers as threads. No bit of a value depends on it.
    void spread_over(uint64_t threads) {
        down = strides.rows_are_nearer();
        for (step_bits = 1; 2 * walkers() <= threads && rows >> step_bits != 0;) ++step_bits;
    }
};

/// Writes the points of this thread.
template <class T> RNG_FN void write_points(const DeviceSobolFill<T>& fill, uint64_t thread, uint64_t threads) {
    const uint64_t cols = fill.points.dimensions, step = uint64_t{1} << fill.step_bits, walkers = fill.walkers();
    RNG_ROLLED
    for (uint64_t w = thread; w < walkers; w += threads) {
        uint64_t row = fill.down ? w % step : w / cols;
        if (row >= fill.rows) continue;
        const auto col = static_cast<uint32_t>(fill.down ? w / step : w % cols);
        const uint64_t* const upper = fill.points.table + (fill.step_bits * cols + col);
        const uint64_t below = *(upper - cols);
        uint64_t number = fill.first + row, x = fill.points.fraction(number, col);
        T* to = fill.data + static_cast<int64_t>(row) * fill.strides.row + static_cast<int64_t>(col) * fill.strides.col;
        *to = sobol_view<T>::number(x);
        RNG_ROLLED
        while (fill.rows - row > step) {
            row += step;
            number += step;
            to += static_cast<int64_t>(step) * fill.strides.row;
            const uint64_t* entry = upper;
            RNG_ROLLED
            for (uint64_t count = number >> fill.step_bits; (count & 1) == 0; count >>= 1) entry += cols;
            x ^= *entry ^ below;
            *to = sobol_view<T>::number(x);
        }
    }
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
