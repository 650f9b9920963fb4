// The inner loops of products over the lane type: a panel of rows times a block of terms of b.
//
// A panel has panel_rows rows of A and at most sum_block terms. The loops go over strips of columns, and in each strip
// over tiles of rows, so that the sums of a tile stay in registers. The sums lie in the order of tiles until unpack().
#pragma once

#include <rng/lane/scalar.hpp>

#include "abi.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

using rng_abi::Operand;
using rng_abi::pad;
using rng_abi::panel_rows;
using rng_abi::sum_block;

/// Registers of T on lane L.
template <class L, class T> struct Vector {
    using reg = decltype(L::set(T{}));
    static constexpr int lanes = L::bytes / static_cast<int>(sizeof(T)), registers = L::registers;
    RNG_FN static reg load(const T* p) { return L::load(p); }
    RNG_FN static void store(T* p, reg a) { L::store(p, a); }
};
template <class T> struct Vector<lane::Scalar, T> {
    using reg = T;
    static constexpr int lanes = 1, registers = 16;
    RNG_FN static T load(const T* p) { return *p; }
    RNG_FN static void store(T* p, T a) { *p = a; }
};

template <class L> struct Panels {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// The number of rows of a tile that is NV registers wide: the accumulators fill the register file.
    template <class T, int NV> static constexpr int tile_rows = (V<T>::registers == 32 ? 24 : 12) / NV;
    template <class T> static constexpr int most_vectors = V<T>::registers == 32 ? 4 : 2;
    static_assert(panel_rows % 24 == 0);
    /// A panel with so few rows is one tile of this height.
    static constexpr int few_rows = 4;
    /// Returns how many rows of a panel are computed: those of whole tiles, whatever their width.
    RNG_FN static int height_of(int rows) { return rows <= few_rows ? few_rows : (rows + 23) / 24 * 24; }

    /// A packed panel: term after term.
    template <class T> struct Packed {
        static constexpr bool may_have_few_rows = true;
        const T* at;
        template <int MR> struct Tile {
            const T* at;
            RNG_FN T operator[](int r) const { return at[r]; }
            RNG_FN void next() { at += panel_rows; }
        };
        template <int MR> RNG_FN Tile<MR> tile(int first) const { return {at + first}; }
    };
    /// A panel in its place in memory: rows with contiguous terms. There is one pointer for each 8 rows. The other rows
    /// use precomputed offsets, because a pointer for each row would not fit into the registers.
    template <class T> struct InPlace {
        static constexpr bool may_have_few_rows = false;
        const T* at;
        ptrdiff_t stride;
        template <int MR> struct Tile {
            const T* group[(MR + 7) / 8];
            ptrdiff_t offset[8];
            RNG_FN T operator[](int r) const { return group[r / 8][offset[r % 8]]; }
            RNG_FN void next() {
                RNG_UNROLL
                for (int g = 0; g < (MR + 7) / 8; ++g) ++group[g];
            }
        };
        template <int MR> RNG_FN Tile<MR> tile(int first) const {
            Tile<MR> t;
            RNG_UNROLL
            for (int g = 0; g < (MR + 7) / 8; ++g) t.group[g] = at + (first + 8 * g) * stride;
            RNG_UNROLL
            for (int r = 0; r < 8; ++r) t.offset[r] = r * stride;
            return t;
        }
    };

    /// Memory that is needed next: 2^log2_lines cache lines in each of several rows, `per_term` lines at a time.
    struct Ahead {
        const char* begin;
        ptrdiff_t pitch;
        int log2_lines, per_term;
        RNG_FN void fetch(int term) const {
            for (int i = term * per_term; i < (term + 1) * per_term; ++i)
                __builtin_prefetch(begin + (i >> log2_lines) * pitch + (i & ((1 << log2_lines) - 1)) * 64, 0, 2);
        }
    };

    /// sums[r][v] = the chain of one block, begun or continued: row r of the panel times row k of b.
    template <class T, int MR, int NV, class Tile>
    RNG_FN static void micro(Tile a, const T* b, size_t ldb, int count, T* sums, bool continued, const Ahead& ahead) {
        // Local variables; otherwise they would be in memory.
        reg<T> acc[MR][NV];
        RNG_UNROLL
        for (int r = 0; r < MR; ++r) {
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) acc[r][v] = L::set(T{0});
        }
        if (continued) {
            RNG_UNROLL
            for (int r = 0; r < MR; ++r) {
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) acc[r][v] = V<T>::load(sums + (r * NV + v) * V<T>::lanes);
            }
        }
        for (int k = 0; k < count; ++k) {
            ahead.fetch(k);
            reg<T> bk[NV];
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) bk[v] = V<T>::load(b + v * V<T>::lanes);
            RNG_UNROLL
            for (int r = 0; r < MR; ++r) {
                const reg<T> ark = L::set(a[r]);
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) acc[r][v] = L::fma(ark, bk[v], acc[r][v]);
            }
            a.next();
            b += ldb;
        }
        RNG_UNROLL
        for (int r = 0; r < MR; ++r) {
            RNG_UNROLL
            for (int v = 0; v < NV; ++v)
                V<T>::store(sums + (r * NV + v) * V<T>::lanes, L::add(acc[r][v], L::set(T{0})));
        }
    }

    /// to = from + to, for n values, a multiple of V<T>::lanes.
    template <class T> RNG_FN static void add_to(T* to, const T* from, size_t n) {
        for (size_t i = 0; i < n; i += V<T>::lanes)
            V<T>::store(to + i, L::add(V<T>::load(from + i), V<T>::load(to + i)));
    }

    template <class T, int NV, class Panel>
    RNG_FN static void tiles(const Panel& a, int rows, const T* b, size_t ldb, int count, T* sums, bool continued,
                             Ahead ahead) {
        if constexpr (Panel::may_have_few_rows) {
            if (rows <= few_rows)
                return micro<T, few_rows, NV>(a.template tile<few_rows>(0), b, ldb, count, sums, continued, ahead);
        }
        constexpr int MR = tile_rows<T, NV>;
        for (int first = 0; first < rows; first += MR) {
            micro<T, MR, NV>(a.template tile<MR>(first), b, ldb, count, sums + first * NV * V<T>::lanes, continued,
                             ahead);
            ahead.per_term = 0;
        }
    }

    /// Rows of b. If they are wider than a tile, they are stored strip after strip.
    template <class T> struct Strips {
        const T* at;
        size_t ld;  // of the only strip; 0: strips have no gaps
    };

    /// Calls strip(c, nv, width) for strips of whole registers, from column c on.
    template <class T, class F> RNG_FN static void for_each_strip(size_t cols, const F& strip) {
        for (size_t c = 0; c < cols;) {
            const size_t left = (cols - c + V<T>::lanes - 1) / V<T>::lanes;
            const size_t nv = left < most_vectors<T> ? left : most_vectors<T>, width = nv * V<T>::lanes;
            strip(c, nv, width);
            c += width;
        }
    }

    /// Computes the panel's sums of one block, in the order of tiles: strips of columns, in each strip tiles of rows.
    template <class T, class Panel>
    static void panel(const Panel& a, int rows, const Strips<T>& b, size_t cols, int count, T* sums, bool continued,
                      Ahead ahead) {
        for_each_strip<T>(cols, [&](size_t c, size_t nv, size_t width) RNG_LAMBDA_INLINE {
            T* const out = sums + c * panel_rows;
            const T* const strip = b.at + c * static_cast<size_t>(count);
            const size_t ld = b.ld != 0 ? b.ld : width;
            if (nv == 1) tiles<T, 1>(a, rows, strip, ld, count, out, continued, ahead);
            if (nv == 2) tiles<T, 2>(a, rows, strip, ld, count, out, continued, ahead);
            if constexpr (most_vectors<T> == 4) {
                if (nv == 3) tiles<T, 3>(a, rows, strip, ld, count, out, continued, ahead);
                if (nv == 4) tiles<T, 4>(a, rows, strip, ld, count, out, continued, ahead);
            }
            ahead.per_term = 0;
        });
    }

    /// Returns the rows of b in their place if they are one strip without a gap of a register. Otherwise copies them:
    /// rows far apart would take each other's place in the cache.
    template <class T> static Strips<T> strips(const T* b, size_t ldb, size_t cols, int count, T* room) {
        if (cols <= most_vectors<T> * V<T>::lanes && ldb < cols + V<T>::lanes) return {b, ldb};
        for_each_strip<T>(cols, [&](size_t c, size_t, size_t width) {
            T* to = room + c * static_cast<size_t>(count);
            for (int k = 0; k < count; ++k)
                for (size_t j = 0; j < width; j += V<T>::lanes, to += V<T>::lanes)
                    V<T>::store(to, V<T>::load(b + static_cast<size_t>(k) * ldb + c + j));
        });
        return {room, 0};
    }

    /// Adds the sums `from` of a panel of `rows` rows to the left of the sums `to`.
    template <class T> static void add_panel(T* to, const T* from, size_t cols, int rows) {
        for_each_strip<T>(cols, [&](size_t c, size_t, size_t width) {
            add_to<T>(to + c * panel_rows, from + c * panel_rows, static_cast<size_t>(rows) * width);
        });
    }

    /// Calls row(in the order of tiles, in rows of the result, width) for every strip of a row of the panel's sums.
    template <class T, class F> RNG_FN static void for_each_row(size_t cols, int rows, const F& row) {
        for_each_strip<T>(cols, [&](size_t c, size_t, size_t width) RNG_LAMBDA_INLINE {
            for (int r = 0; r < rows; ++r)
                row(c * panel_rows + static_cast<size_t>(r) * width, r, c, width < cols - c ? width : cols - c);
        });
    }
    template <class T> static void unpack(const T* sums, size_t cols, int rows, T* out, size_t ldo) {
        for_each_row<T>(cols, rows, [&](size_t at, int r, size_t c, size_t width) RNG_LAMBDA_INLINE {
            T* const to = out + static_cast<size_t>(r) * ldo + c;
            size_t k = 0;
            for (; k + V<T>::lanes <= width; k += V<T>::lanes) V<T>::store(to + k, V<T>::load(sums + at + k));
            for (; k < width; ++k) to[k] = sums[at + k];
        });
    }
    template <class T> static void pack_sums(const T* out, size_t ldo, size_t cols, int rows, T* sums) {
        for_each_row<T>(cols, rows, [&](size_t at, int r, size_t c, size_t width) {
            for (size_t k = 0; k < width; ++k) sums[at + k] = out[static_cast<size_t>(r) * ldo + c + k];
        });
    }
};

}  // namespace wide
RNG_END_NAMESPACE
