// The fixed-order kernels of the low-rank SVD, over the lane type: products, Cholesky, triangles, the small SVD.
//
// Every inner product has one order of summation, whatever computes it (docs/svd.md): blocks of 128 terms, each a chain
// of fma from +0 in ascending order, and +0 added, so that no sum is -0; then the blocks' sums in a binary tree,
// aligned to the first block. Vectors run across results, never along a sum, so lanes, tiles, panels and threads are
// free choices; and terms whose factor is 0 may be left out.
//
// Like all files compiled per instruction set this one includes no std templates (kernels.hpp).
#pragma once

#include <rng/float16.hpp>
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
    static constexpr int lanes = L::bytes / static_cast<int>(sizeof(T));
    RNG_FN static reg load(const T* p) { return L::load(p); }
    RNG_FN static void store(T* p, reg a) { L::store(p, a); }
};
template <class T> struct Vector<lane::Scalar, T> {
    using reg = T;
    static constexpr int lanes = 1;
    RNG_FN static T load(const T* p) { return *p; }
    RNG_FN static void store(T* p, T a) { *p = a; }
};

template <class L> struct Linalg {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// How many rows a tile has whose width is NV registers: the accumulators fill the register file.
    template <class T, int NV> static constexpr int tile_rows = (V<T>::lanes * sizeof(T) == 64 ? 24 : 12) / NV;
    template <class T> static constexpr int most_vectors = V<T>::lanes * sizeof(T) == 64 ? 4 : 2;
    static_assert(panel_rows % 24 == 0);

    // ---- Products
    // ----------------------------------------------------------------------------------------------------

    /// A panel that was packed: term after term.
    template <class T> struct Packed {
        const T* at;
        template <int MR> struct Tile {
            const T* at;
            RNG_FN T operator[](int r) const { return at[r]; }
            RNG_FN void next() { at += panel_rows; }
        };
        template <int MR> RNG_FN Tile<MR> tile(int first) const { return {at + first}; }
    };
    /// A panel where it lies: rows, in which the terms follow each other. Of 8 rows one has a pointer, the others are
    /// some strides from it: a pointer for each would not fit into the registers.
    template <class T> struct InPlace {
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

    /// Memory that is needed next: 2^log2_lines cache lines in each of several rows; `per_term` lines at a time.
    struct Ahead {
        const char* begin;
        ptrdiff_t pitch;
        int log2_lines, per_term;
        RNG_FN void fetch(int term) const {
            for (int i = term * per_term; i < (term + 1) * per_term; ++i)
                __builtin_prefetch(begin + (i >> log2_lines) * pitch + (i & ((1 << log2_lines) - 1)) * 64, 0, 2);
        }
    };

    /// sums[r][v] = the chain of one block, begun anew or continued: row r of the panel times row k of b.
    template <class T, int MR, int NV, class Tile>
    RNG_FN static void micro(Tile a, const T* b, size_t ldb, int count, T* sums, bool continued, const Ahead& ahead) {
        // Local, or they would live in memory.
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
        constexpr int MR = tile_rows<T, NV>;
        for (int first = 0; first < panel_rows; first += MR) {  // past the last row: zeros
            micro<T, MR, NV>(a.template tile<MR>(first), b, ldb, first < rows ? count : 0,
                             sums + first * NV * V<T>::lanes, continued, ahead);
            ahead.per_term = 0;
        }
    }

    /// The panel's sums of one block, in the order of tiles: strips of columns, in them tiles of rows. b is strip after
    /// strip.
    template <class T, class Panel>
    static void panel(const Panel& a, int rows, const T* b, size_t cols, int count, T* sums, bool continued,
                      Ahead ahead) {
        for (size_t c = 0; c < cols;) {
            const size_t left = (cols - c) / V<T>::lanes;
            const size_t nv = left < most_vectors<T> ? left : most_vectors<T>, width = nv * V<T>::lanes;
            T* const out = sums + c * panel_rows;
            const T* const strip = b + c * static_cast<size_t>(count);
            if (nv == 1) tiles<T, 1>(a, rows, strip, width, count, out, continued, ahead);
            if (nv == 2) tiles<T, 2>(a, rows, strip, width, count, out, continued, ahead);
            if constexpr (most_vectors<T> == 4) {
                if (nv == 3) tiles<T, 3>(a, rows, strip, width, count, out, continued, ahead);
                if (nv == 4) tiles<T, 4>(a, rows, strip, width, count, out, continued, ahead);
            }
            ahead.per_term = 0;
            c += width;
        }
    }

    /// Rows of b, strip after strip; b itself if it is one.
    template <class T> static const T* strips(const T* b, size_t ldb, size_t cols, int count, T* room) {
        if (cols <= most_vectors<T> * V<T>::lanes && ldb == cols) return b;
        for (size_t c = 0; c < cols;) {
            const size_t left = (cols - c) / V<T>::lanes;
            const size_t width = (left < most_vectors<T> ? left : most_vectors<T>)*V<T>::lanes;
            T* to = room + c * static_cast<size_t>(count);
            for (int k = 0; k < count; ++k)
                for (size_t j = 0; j < width; j += V<T>::lanes, to += V<T>::lanes)
                    V<T>::store(to, V<T>::load(b + static_cast<size_t>(k) * ldb + c + j));
            c += width;
        }
        return room;
    }

    /// Calls row(in the order of tiles, in rows of the result, width) for every piece of a row of the panel's sums.
    template <class T, class F> RNG_FN static void for_each_piece(size_t cols, int rows, const F& row) {
        for (size_t c = 0; c < cols;) {
            const size_t left = (cols - c) / V<T>::lanes;
            const size_t nv = left < most_vectors<T> ? left : most_vectors<T>, width = nv * V<T>::lanes;
            for (int r = 0; r < rows; ++r) row(c * panel_rows + static_cast<size_t>(r) * width, r, c, width);
            c += width;
        }
    }
    template <class T> static void unpack(const T* sums, size_t cols, int rows, T* out, size_t ldo) {
        for_each_piece<T>(cols, rows, [&](size_t at, int r, size_t c, size_t width) {
            T* const to = out + static_cast<size_t>(r) * ldo + c;
            for (size_t k = 0; k < width; k += V<T>::lanes) V<T>::store(to + k, V<T>::load(sums + at + k));
        });
    }
    template <class T> static void pack_sums(const T* out, size_t ldo, size_t cols, int rows, T* sums) {
        for_each_piece<T>(cols, rows, [&](size_t at, int r, size_t c, size_t width) {
            for (size_t k = 0; k < width; ++k) sums[at + k] = out[static_cast<size_t>(r) * ldo + c + k];
        });
    }

    /// Terms of S, `parts` of them an element; to[k][r] is term k0 + k of row i0 + r.
    template <class T, class S>
    static void pack_dense(const Operand& a, size_t i0, int rows, size_t k0, int count, T* out) {
        const auto* data = static_cast<const S*>(a.data);
        const ptrdiff_t step = a.row_stride * a.parts;
        const auto parts = static_cast<size_t>(a.parts);
        for (int k = 0; k < count; ++k) {
            const size_t term = k0 + static_cast<size_t>(k);
            const S* const from = data + static_cast<ptrdiff_t>(i0) * step +
                                  static_cast<ptrdiff_t>(term / parts) * a.col_stride * a.parts +
                                  static_cast<ptrdiff_t>(term % parts);
            T* const to = out + k * panel_rows;
            if constexpr (sizeof(S) == sizeof(T)) {
                if (step == 1 && rows == panel_rows) {
                    RNG_UNROLL
                    for (int r = 0; r < panel_rows; r += V<T>::lanes) V<T>::store(to + r, V<T>::load(from + r));
                    continue;
                }
            }
            if (step == 1)
                for (int r = 0; r < rows; ++r) to[r] = static_cast<T>(from[r]);
            else
                for (int r = 0; r < rows; ++r) to[r] = static_cast<T>(from[r * step]);
        }
    }
    template <class T> static void pack_sparse(const Operand& a, size_t i0, int rows, size_t k0, int count, T* out) {
        const rng_abi::SparseOperand& sparse = *a.sparse;
        for (int i = 0; i < count * panel_rows; ++i) out[i] = T{0};
        for (int r = 0; r < rows; ++r) {
            size_t first = sparse.offsets[i0 + static_cast<size_t>(r)];
            const size_t last = sparse.offsets[i0 + static_cast<size_t>(r) + 1];
            for (size_t end = last; first < end;) {  // the first term from k0 on
                const size_t middle = first + (end - first) / 2;
                if (sparse.terms[middle] < k0)
                    first = middle + 1;
                else
                    end = middle;
            }
            for (; first < last && sparse.terms[first] < k0 + static_cast<size_t>(count); ++first)
                out[(sparse.terms[first] - k0) * panel_rows + static_cast<size_t>(r)] =
                    static_cast<const T*>(sparse.values)[first];
        }
    }
    template <class T>
    static void subtract_mean(const Operand& a, size_t i0, int rows, size_t k0, int count, T* panel) {
        const auto parts = static_cast<size_t>(a.parts);
        for (int k = 0; k < count; ++k) {
            const size_t term = k0 + static_cast<size_t>(k);
            const T* const mean = static_cast<const T*>(a.mean) +
                                  (static_cast<ptrdiff_t>(i0) * a.mean_row_stride +
                                   static_cast<ptrdiff_t>(term / parts) * a.mean_col_stride) *
                                      a.parts +
                                  static_cast<ptrdiff_t>(term % parts);
            for (int r = 0; r < rows; ++r) panel[k * panel_rows + r] -= mean[r * a.mean_row_stride * a.parts];
        }
    }
    /// Rows past the end are 0.
    template <class T> static void pack(const Operand& a, size_t i0, int rows, size_t k0, int count, T* out) {
        if (a.sparse != nullptr)
            pack_sparse<T>(a, i0, rows, k0, count, out);
        else if (a.type == rng_abi::ElementType::f16)
            pack_dense<T, float16>(a, i0, rows, k0, count, out);
        else if (a.type == rng_abi::ElementType::bf16)
            pack_dense<T, bfloat16>(a, i0, rows, k0, count, out);
        else
            pack_dense<T, T>(a, i0, rows, k0, count, out);
        if (a.mean != nullptr) subtract_mean<T>(a, i0, rows, k0, count, out);
        for (int k = 0; k < count; ++k)
            for (int r = rows; r < panel_rows; ++r) out[k * panel_rows + r] = T{0};
    }

    /// The terms of a panel, where they lie close together: in rows of a (ByRows) or of its transpose.
    template <class T, bool ByRows> RNG_FN static Ahead ahead_of(const Operand& a, size_t i, size_t k) {
        if (a.sparse != nullptr || (ByRows ? a.col_stride : a.row_stride) != 1) return {nullptr, 0, 0, 0};
        const auto bytes = static_cast<ptrdiff_t>(a.type == rng_abi::ElementType::same ? sizeof(T) : 2);
        const ptrdiff_t at =
            ByRows ? static_cast<ptrdiff_t>(i) * a.row_stride * a.parts + static_cast<ptrdiff_t>(k)
                   : (static_cast<ptrdiff_t>(k) / a.parts * a.col_stride + static_cast<ptrdiff_t>(i)) * a.parts;
        // A row of 128 terms, or of 48 and what precedes them in their first line.
        int log2_lines = 0;
        while (64 << log2_lines < (ByRows ? static_cast<int>(sum_block) : panel_rows) * bytes) ++log2_lines;
        const int lines = (ByRows ? panel_rows : static_cast<int>(sum_block)) << log2_lines;
        return {static_cast<const char*>(a.data) + at * bytes, (ByRows ? a.row_stride : a.col_stride) * a.parts * bytes,
                log2_lines, lines / static_cast<int>(sum_block)};
    }

    /// rng_abi::ProductFunction for one layout of panels. Blocks of terms in turn for a chunk of rows: so b's block and
    /// the tree's sums stay in the cache, and what is read of a is wide in both directions.
    template <class T, bool ByRows>
    static void product_as(const Operand& a, size_t rows, size_t k_begin, size_t k_end, const T* b, size_t ldb,
                           size_t cols, T* out, size_t ldo, bool continued, T* workspace) {
        T* const packed = workspace;
        T* const room = packed + rng_abi::panel_values;
        T* const levels = room + sum_block * cols;
        // In place, panels are read row by row, so few of them: each row is a page, and a stream for the prefetcher.
        constexpr size_t most_in_place = 4;
        const size_t most = rng_abi::chunk_panels(rows, cols, sizeof(T)), one = panel_rows * cols;
        const size_t chunk = ByRows && most > most_in_place ? most_in_place : most;
        for (size_t first = 0; first < rows; first += chunk * panel_rows) {
            const size_t left = (rows - first + panel_rows - 1) / panel_rows, panels = left < chunk ? left : chunk;
            const size_t sums = panels * one;
            size_t block = 0;
            for (size_t k = k_begin; k < k_end; k += sum_block, ++block) {
                const int count = static_cast<int>(k_end - k < sum_block ? k_end - k : sum_block);
                const T* const strip = strips<T>(b + (k - k_begin) * ldb, ldb, cols, count, room);
                int level = 0;
                while (block >> level & 1) ++level;
                for (size_t p = 0; p < panels; ++p) {
                    const size_t i = first + p * panel_rows;
                    const int now = static_cast<int>(rows - i < panel_rows ? rows - i : panel_rows);
                    const Ahead ahead = p + 1 < panels ? ahead_of<T, ByRows>(a, i + panel_rows, k)
                                                       : ahead_of<T, ByRows>(a, first, k + sum_block);
                    T* const sum = levels + static_cast<size_t>(level) * sums + p * one;
                    if (continued) pack_sums<T>(out + i * ldo, ldo, cols, now, sum);
                    if (ByRows && now == panel_rows) {
                        const ptrdiff_t stride = a.row_stride * a.parts;
                        const T* const at = static_cast<const T*>(a.data) + static_cast<ptrdiff_t>(i) * stride +
                                            static_cast<ptrdiff_t>(k);
                        panel<T>(InPlace<T>{at, stride}, now, strip, cols, count, sum, continued, ahead);
                    } else {
                        pack<T>(a, i, now, k, count, packed);
                        panel<T>(Packed<T>{packed}, now, strip, cols, count, sum, continued, ahead);
                    }
                    for (int l = 0; l < level; ++l)
                        add_to<T>(sum, levels + static_cast<size_t>(l) * sums + p * one, one);
                }
            }
            T* total = nullptr;  // the tree's right edge, from the smallest part on
            for (int l = 0; block >> l != 0; ++l)
                if (block >> l & 1) {
                    T* const part = levels + static_cast<size_t>(l) * sums;
                    if (total != nullptr) add_to<T>(total, part, sums);
                    if (total == nullptr) total = part;
                }
            for (size_t p = 0; p < panels; ++p) {
                const size_t i = first + p * panel_rows;
                const int now = static_cast<int>(rows - i < panel_rows ? rows - i : panel_rows);
                if (total != nullptr) {
                    unpack<T>(total + p * one, cols, now, out + i * ldo, ldo);
                } else {
                    for (int r = 0; r < now; ++r)
                        for (size_t c = 0; c < cols; ++c) out[(i + static_cast<size_t>(r)) * ldo + c] = T{0};
                }
            }
        }
    }

    /// rng_abi::ProductFunction.
    template <class T>
    static void product(const Operand& a, size_t rows, size_t k_begin, size_t k_end, const void* b, size_t ldb,
                        size_t cols, void* out, size_t ldo, bool continued, void* workspace) {
        const auto run = [&](auto as) {
            as(a, rows, k_begin, k_end, static_cast<const T*>(b), ldb, cols, static_cast<T*>(out), ldo, continued,
               static_cast<T*>(workspace));
        };
        if (a.type == rng_abi::ElementType::same && a.mean == nullptr && a.sparse == nullptr && a.col_stride == 1)
            run(&product_as<T, true>);
        else
            run(&product_as<T, false>);
    }

    // ---- Sparse products

    /// One row of the result, NV registers of it: the terms' blocks as they come, and a stack of the tree's nodes, of
    /// which an absent one is 0.
    template <class T, int NV>
    RNG_FN static void gather(const size_t* terms, const T* values, size_t count, const T* b, size_t ldb, T* out) {
        constexpr int width = NV * V<T>::lanes, most_levels = 64;
        T stack[most_levels][width];
        int level[most_levels];
        size_t index[most_levels];  // of the node in its level
        int depth = 0;
        const auto raise = [&] {  // the last node becomes its parent, with its sibling if that is there
            if (depth > 1 && level[depth - 2] == level[depth - 1] && index[depth - 2] == (index[depth - 1] ^ 1)) {
                add_to<T>(stack[depth - 2], stack[depth - 1], width);
                --depth;
            }
            ++level[depth - 1];
            index[depth - 1] >>= 1;
        };
        for (size_t t = 0; t < count;) {
            const size_t block = terms[t] / sum_block;
            reg<T> acc[NV];
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) acc[v] = L::set(T{0});
            for (; t < count && terms[t] < (block + 1) * sum_block; ++t) {
                const reg<T> value = L::set(values[t]);
                const T* const row = b + terms[t] * ldb;
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) acc[v] = L::fma(value, V<T>::load(row + v * V<T>::lanes), acc[v]);
            }
            while (depth > 0 && index[depth - 1] >> 1 != block >> (level[depth - 1] + 1)) raise();
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) V<T>::store(stack[depth] + v * V<T>::lanes, L::add(acc[v], L::set(T{0})));
            level[depth] = 0;
            index[depth] = block;
            ++depth;
        }
        while (depth > 1) raise();
        for (int i = 0; i < width; ++i) out[i] = depth == 0 ? T{0} : stack[0][i];
    }

    /// rng_abi::SparseProductFunction.
    template <class T>
    static void sparse_product(const rng_abi::SparseOperand& a, size_t first, size_t rows, const void* b, size_t ldb,
                               size_t cols, void* out, size_t ldo) {
        constexpr int step = rng_abi::pad / V<T>::lanes;
        for (size_t i = 0; i < rows; ++i) {
            const size_t begin = a.offsets[first + i], count = a.offsets[first + i + 1] - begin;
            for (size_t c = 0; c < cols; c += rng_abi::pad)
                gather<T, step>(a.terms + begin, static_cast<const T*>(a.values) + begin, count,
                                static_cast<const T*>(b) + c, ldb, static_cast<T*>(out) + i * ldo + c);
        }
    }

    // ---- q x q in double precision; rows are ld apart, a multiple of 8
    // ------------------------------------------------

    /// y += f x, n a multiple of 8.
    RNG_FN static void axpy(double f, const double* x, double* y, size_t n) {
        for (size_t i = 0; i < n; i += V<double>::lanes)
            V<double>::store(y + i, L::fma(L::set(f), V<double>::load(x + i), V<double>::load(y + i)));
    }

    /// Eight chains, added as ((0+4)+(2+6))+((1+5)+(3+7)).
    RNG_FN static double dot8(const double* a, const double* b, size_t n) {
        constexpr int regs = 8 / V<double>::lanes;
        reg<double> sum[regs];
        for (int r = 0; r < regs; ++r) sum[r] = L::set(0.0);
        for (size_t i = 0; i < n; i += 8)
            for (int r = 0; r < regs; ++r)
                sum[r] = L::fma(V<double>::load(a + i + r * V<double>::lanes),
                                V<double>::load(b + i + r * V<double>::lanes), sum[r]);
        double s[8];
        for (int r = 0; r < regs; ++r) V<double>::store(s + r * V<double>::lanes, sum[r]);
        return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }

    RNG_FN static double fma1(double a, double b, double c) { return lane::Scalar::fma(a, b, c); }
    RNG_FN static double root(double x) { return lane::Scalar::sqrt(x); }

    /// Upper R with R^T R = G + shift I; the smallest pivot, which is not positive if there is no such R.
    static double cholesky(const double* g, size_t q, size_t ld, double shift, double* r) {
        double least = 1e300;
        for (size_t j = 0; j < q; ++j) {
            for (size_t k = 0; k < ld; ++k) r[j * ld + k] = k < j || k >= q ? 0.0 : g[j * ld + k];
            r[j * ld + j] += shift;
        }
        for (size_t i = 0; i < q; ++i) {
            double* const ri = r + i * ld;
            const double pivot = ri[i];
            if (!(pivot > least)) least = pivot;
            if (!(pivot > 0)) return pivot;
            const double d = root(pivot);
            ri[i] = d;
            for (size_t k = i + 1; k < q; ++k) ri[k] /= d;
            for (size_t j = i + 1; j < q; ++j) {
                const size_t from = j & ~size_t{7};  // below the diagonal the zeros stay as they are, see the end
                axpy(-ri[j], ri + from, r + j * ld + from, ld - from);
            }
        }
        for (size_t j = 0; j < q; ++j)
            for (size_t k = 0; k < j; ++k) r[j * ld + k] = 0;
        return least;
    }

    /// W = R^-1, upper.
    static void invert_upper(const double* r, size_t q, size_t ld, double* w) {
        for (size_t i = q; i-- > 0;) {
            double* const wi = w + i * ld;
            for (size_t k = 0; k < ld; ++k) wi[k] = k == i ? 1.0 : 0.0;
            for (size_t j = i + 1; j < q; ++j) {
                const size_t from = j & ~size_t{7};
                axpy(-r[i * ld + j], w + j * ld + from, wi + from, ld - from);
            }
            for (size_t k = i; k < q; ++k) wi[k] /= r[i * ld + i];
        }
    }

    /// C = A B, of upper matrices.
    static void multiply_upper(const double* a, const double* b, size_t q, size_t ld, double* c) {
        for (size_t i = 0; i < q; ++i) {
            for (size_t k = 0; k < ld; ++k) c[i * ld + k] = 0;
            for (size_t j = i; j < q; ++j) {
                const size_t from = j & ~size_t{7};
                axpy(a[i * ld + j], b + j * ld + from, c + i * ld + from, ld - from);
            }
        }
    }

    /// c x - s y and s x + c y, which may go to the rows they come from, in either order.
    RNG_FN static void rotate(const double* x, const double* y, size_t n, double c, double s, double* first,
                              double* second) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> xi = V<double>::load(x + i), yi = V<double>::load(y + i);
            V<double>::store(first + i, L::fnma(L::set(s), yi, L::mul(L::set(c), xi)));
            V<double>::store(second + i, L::fma(L::set(s), xi, L::mul(L::set(c), yi)));
        }
    }
    RNG_FN static void exchange(double* x, double* y, size_t n) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> xi = V<double>::load(x + i), yi = V<double>::load(y + i);
            V<double>::store(x + i, yi);
            V<double>::store(y + i, xi);
        }
    }

    /// y times the complex number re + i im; y has its imaginary parts n values after the real ones.
    RNG_FN static void turn(double* y, size_t n, double re, double im) {
        for (size_t i = 0; i < n; i += V<double>::lanes) {
            const reg<double> yr = V<double>::load(y + i), yi = V<double>::load(y + n + i);
            V<double>::store(y + i, L::fnma(L::set(im), yi, L::mul(L::set(re), yr)));
            V<double>::store(y + n + i, L::fma(L::set(im), yr, L::mul(L::set(re), yi)));
        }
    }

    /// One-sided Jacobi on the rows of m (q rows of `planes` parts of ld values, the greatest in [1, 2)), pairs in
    /// round-robin order; the rotations are gathered in v, which begins as I, and rows come out in descending length.
    /// Rows not longer than least_length are left as they are. norms and order have room for q + 1.
    static void jacobi(double* m, double* v, size_t q, size_t ld, int planes, double tolerance, double* norms,
                       size_t* order) {
        const size_t width = ld * static_cast<size_t>(planes);
        for (size_t i = 0; i < q; ++i)
            for (size_t k = 0; k < width; ++k) v[i * width + k] = k == i ? 1.0 : 0.0;
        const size_t even = q + (q & 1);
        for (size_t i = 0; i < even; ++i) order[i] = i;
        bool converged = false;
        for (int sweep = 0; sweep < 40 && !converged; ++sweep) {
            converged = true;
            for (size_t i = 0; i < q; ++i) norms[i] = dot8(m + i * width, m + i * width, width);
            for (size_t round = 0; round + 1 < even; ++round) {
                // Pairs of a round have no row in common. Several at a time, since each is a chain of slow operations.
                constexpr size_t at_once = 4;
                for (size_t k = 0; k < even / 2; k += at_once) {
                    Pair pairs[at_once];
                    size_t n = 0;
                    for (size_t i = k; i < even / 2 && i < k + at_once; ++i) {
                        const size_t a = order[i], b = order[even - 1 - i];
                        if (a < q && b < q) pairs[n++] = a < b ? Pair{a, b} : Pair{b, a};
                    }
                    for (size_t i = 0; i < n; ++i) {
                        measure(m, width, planes, tolerance, norms, pairs[i]);
                        if (pairs[i].rotates) converged = false;
                    }
                    for (size_t i = 0; i < n; ++i) choose(planes, norms, pairs[i]);
                    for (size_t i = 0; i < n; ++i) move(m, v, width, planes, pairs[i]);
                }
                const size_t last = order[even - 1];
                for (size_t i = even - 1; i > 1; --i) order[i] = order[i - 1];
                if (even > 1) order[1] = last;
            }
        }
        for (size_t i = 0; i < q; ++i) norms[i] = root(dot8(m + i * width, m + i * width, width));
    }

    /// Two rows, the longer of which is to come first.
    struct Pair {
        size_t a, b;
        double re = 0, im = 0, magnitude = 0;  // of the product of the rows
        double c = 1, s = 0;
        bool rotates = false, exchanges = false;
    };
    RNG_FN static void measure(const double* m, size_t width, int planes, double tolerance, const double* norms,
                               Pair& pair) {
        const double na = norms[pair.a], nb = norms[pair.b];
        constexpr double least = rng_abi::least_length * rng_abi::least_length;
        if (!(na > least) || !(nb > least)) return;
        const double *const x = m + pair.a * width, *const y = m + pair.b * width;
        pair.re = dot8(x, y, width);
        pair.magnitude = pair.re < 0 ? -pair.re : pair.re;
        if (planes == 2) {
            const size_t n = width / 2;
            pair.im = dot8(x + n, y, n) - dot8(x, y + n, n);
            pair.magnitude = root(fma1(pair.re, pair.re, pair.im * pair.im));
        }
        pair.rotates = pair.magnitude > tolerance * root(na) * root(nb);
    }
    /// The rotation, and the squares of the lengths after it.
    RNG_FN static void choose(int planes, double* norms, Pair& pair) {
        double &na = norms[pair.a], &nb = norms[pair.b];
        if (pair.rotates) {
            const double g = planes == 2 ? pair.magnitude : pair.re;
            const double z = (nb - na) / (2 * g), az = z < 0 ? -z : z;
            const double t = (z < 0 ? -1.0 : 1.0) / (az + root(fma1(z, z, 1.0)));
            pair.c = 1.0 / root(fma1(t, t, 1.0));
            pair.s = pair.c * t;
            const double new_a = fma1(-t, g, na), new_b = fma1(t, g, nb);
            na = new_a > 0 ? new_a : 0;
            nb = new_b > 0 ? new_b : 0;
        }
        pair.exchanges = na < nb;
        if (pair.exchanges) {
            const double other = na;
            na = nb;
            nb = other;
        }
    }
    RNG_FN static void move(double* m, double* v, size_t width, int planes, const Pair& pair) {
        if (!pair.rotates && !pair.exchanges) return;
        double* const both[] = {m, v};
        for (double* const rows : both) {
            double *const x = rows + pair.a * width, *const y = rows + pair.b * width;
            if (!pair.rotates) {
                exchange(x, y, width);
                continue;
            }
            if (planes == 2)  // turned so that the product of the two is real
                turn(y, width / 2, pair.re / pair.magnitude, pair.im / pair.magnitude);
            rotate(x, y, width, pair.c, pair.s, pair.exchanges ? y : x, pair.exchanges ? x : y);
        }
    }

    static constexpr rng_abi::LinalgFunctions functions{
        V<double>::lanes * sizeof(double),
        &product<float>,
        &product<double>,
        &sparse_product<float>,
        &sparse_product<double>,
        &cholesky,
        &invert_upper,
        &multiply_upper,
        &jacobi,
        [](double f, const double* x, double* y, size_t n) { axpy(f, x, y, n); },
        [](const double* x, const double* y, size_t n) { return dot8(x, y, n); }};
};

}  // namespace wide
RNG_END_NAMESPACE
