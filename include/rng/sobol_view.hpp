// sobol_view: coordinates of Sobol points from a table, on the host and in kernels.
//
//     const rng::sobol<float> points(3);                                // sobol.hpp: has the table, on the host
//     const rng::sobol_view<float> view = points.view();                // in kernels: with a copy of the table
//     const float x = view.at(5, 0), y = view.at(5, 1);                 // 0.875 and 0.875
//     const float z = view.at(rng::Stream{42}, 5, 1);                   // the same coordinate, scrambled by a stream
//
// Coordinate j of point i is a pure function, whose cost grows with the bits of i. The table has 64 rows of
// `dimensions` numbers of 64 bits. Rows 0 to 62 have the direction numbers of the bits of i's Gray code. Row 63 has
// offsets.
// - A kernel needs a copy of the table, points.table(), in device memory: 512 bytes a dimension. The kernel then
//   creates rng::sobol_view<float>{copy, dimensions} (docs/cuda.md). Fills of device memory (sobol.hpp) need no kernel.
// - Threads that compute the same coordinate of neighbouring points read the same numbers. Threads that compute
//   neighbouring coordinates of one point read neighbouring numbers.
//
// Source: I. A. Antonov and V. M. Saleev, USSR Comput. Math. Math. Phys. 19, 1979 (Gray code). docs/contract.md, A.25.
#pragma once

#include "at.hpp"
#include "detail/real.hpp"
#include "distributions/bits.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The table of Sobol points has a row for each bit of a point's Gray code, and one of offsets.
inline constexpr uint32_t sobol_bits = 63;
inline constexpr uint32_t sobol_rows = sobol_bits + 1;

/// Column c of a random lower triangular matrix over GF(2) with ones on the diagonal. Bit 63 is the first row.
RNG_FN constexpr uint64_t scramble_column(uint64_t word, uint32_t c) { return (word >> 1 | uint64_t{1} << 63) >> c; }

}  // namespace detail

/// Sobol points in [0, 1)^dimensions, as numbers of float or double. A view: it does not own the table.
template <class T> struct sobol_view {
    static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "Sobol points are of float or double");

    const uint64_t* table = nullptr;
    uint32_t dimensions = 0;

    /// Returns coordinate `dimension` of point `point` as a fraction of 2^64. Requires point < 2^63 and dimension <
    /// dimensions; neither is checked.
    [[nodiscard]] RNG_FN uint64_t fraction(uint64_t point, uint32_t dimension) const {
        const uint64_t* entry = table + dimension;
        uint64_t x = entry[uint64_t{detail::sobol_bits} * dimensions];
        for (uint64_t gray = point ^ point >> 1; gray != 0; gray >>= 1, entry += dimensions)
            x ^= *entry & (uint64_t{0} - (gray & 1));
        return x;
    }
    /// Returns coordinate `dimension` of point `point`: a multiple of 2^-24 (float) or 2^-53 (double), rounded down.
    /// Requires point < 2^63 and dimension < dimensions; neither is checked.
    [[nodiscard]] RNG_FN T at(Integer point, uint32_t dimension) const { return number(fraction(point, dimension)); }
    /// Returns the coordinate scrambled by the stream. If the table is plain, the result is that of
    /// sobol<T>(dimensions, stream).at(point, dimension). It takes up to 32 blocks of the stream; a scrambled table
    /// takes none. Has the requirements of the other at().
    template <class E> [[nodiscard]] RNG_FN T at(const Stream<E>& stream, Integer point, uint32_t dimension) const {
        const uint64_t x = fraction(point, dimension);
        Cursor words(stream, bits<uint64_t>{}, uint64_t{detail::sobol_rows} * dimension);
        uint64_t y = 0;
        RNG_ROLLED for (uint32_t c = 0; c < detail::sobol_bits; ++c) y ^=
            detail::scramble_column(words.next(), c) & (uint64_t{0} - (x >> (63 - c) & 1));
        return number(y ^ words.next());
    }
    /// Returns a fraction of 2^64 as a coordinate, rounded down.
    [[nodiscard]] RNG_FN static T number(uint64_t fraction) {
        using S = lane::Scalar;
        if constexpr (sizeof(T) == 4)
            return S::mul(S::signed_to_f32(static_cast<uint32_t>(fraction >> 40)), 0x1p-24f);
        else
            return S::mul(S::small_to_f64(fraction >> 11), 0x1p-53);
    }
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
