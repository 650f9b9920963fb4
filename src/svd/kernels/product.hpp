// Products with dense matrices, and with sparse matrices minus a mean. Terms are packed into panels, and the blocks'
// sums are added in a binary tree.
#pragma once

#include <rng/float16.hpp>

#include "panels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Products : Panels<L> {
    template <class T> using V = Vector<L, T>;
    template <class T> using Packed = typename Panels<L>::template Packed<T>;
    template <class T> using InPlace = typename Panels<L>::template InPlace<T>;
    using typename Panels<L>::Ahead;
    using Base = Panels<L>;

    /// Packs terms of S, `parts` for each element; to[k][r] is term k0 + k of row i0 + r.
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
    /// Packs a panel. The rest of `out` does not change.
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
    }

    /// The memory of a panel, `rows` rows from i on, that is contiguous: in rows of a (ByRows) or of its transpose.
    template <class T, bool ByRows> RNG_FN static Ahead ahead_of(const Operand& a, size_t i, size_t rows, size_t k) {
        if (a.sparse != nullptr || (ByRows ? a.col_stride : a.row_stride) != 1) return {nullptr, 0, 0, 0};
        const auto bytes = static_cast<ptrdiff_t>(a.type == rng_abi::ElementType::same ? sizeof(T) : 2);
        const ptrdiff_t at =
            ByRows ? static_cast<ptrdiff_t>(i) * a.row_stride * a.parts + static_cast<ptrdiff_t>(k)
                   : (static_cast<ptrdiff_t>(k) / a.parts * a.col_stride + static_cast<ptrdiff_t>(i)) * a.parts;
        // A row of 128 terms; or at most 48 terms and the terms before them in their first cache line.
        const int most = rows < panel_rows ? static_cast<int>(rows) : panel_rows;
        int log2_lines = 0;
        while (64 << log2_lines < (ByRows ? static_cast<int>(sum_block) : most) * bytes) ++log2_lines;
        const int lines = (ByRows ? panel_rows : static_cast<int>(sum_block)) << log2_lines;
        return {static_cast<const char*>(a.data) + at * bytes, (ByRows ? a.row_stride : a.col_stride) * a.parts * bytes,
                log2_lines, lines / static_cast<int>(sum_block)};
    }

    /// True if the rows of a tile take each other's place in a first-level cache of 8 ways of 4 KiB, because they are
    /// this far apart and more than 16.
    template <class T> RNG_FN static bool rows_collide(ptrdiff_t stride, size_t cols) {
        return Base::template tile_rows<T, 1> > 16 && cols <= V<T>::lanes &&
               stride * static_cast<ptrdiff_t>(sizeof(T)) % 2048 == 0;
    }
    /// Copies a panel in place to rows that are close to each other.
    template <class T> static InPlace<T> copy_rows(const InPlace<T>& panel, int count, T* out) {
        constexpr int stride = static_cast<int>(sum_block + pad);
        for (int r = 0; r < panel_rows; ++r) {
            const T* const from = panel.at + r * panel.stride;
            T* const to = out + r * stride;
            int k = 0;
            for (; k + V<T>::lanes <= count; k += V<T>::lanes) V<T>::store(to + k, V<T>::load(from + k));
            for (; k < count; ++k) to[k] = from[k];
        }
        return {out, stride};
    }

    /// rng_abi::ProductFunction for one layout of panels. It works on a chunk of rows, one block of terms after
    /// another. So the block of b and the tree's sums stay in the cache, and each read of `a` is wide in both
    /// directions.
    template <class T, bool ByRows>
    static void product_as(const Operand& a, size_t rows, size_t k_begin, size_t k_end, const T* b, size_t ldb,
                           size_t cols, T* out, size_t ldo, bool continued, T* workspace) {
        const size_t width = rng_abi::whole_registers(cols);
        T* const packed = workspace;
        T* const room = packed + rng_abi::panel_values;
        T* const levels = room + sum_block * width;
        // In place, panels are read row by row. Few panels at a time are read in place, because each row needs a page
        // and a stream of the prefetcher.
        constexpr size_t most_in_place = 4;
        const size_t most = rng_abi::chunk_panels(rows, cols, sizeof(T)), one = panel_rows * width;
        const size_t chunk = ByRows && most > most_in_place ? most_in_place : most;
        // The last tile also computes rows past the end: of these zeros, or of values that other panels had there.
        if (const auto odd = static_cast<int>(rows % panel_rows); odd != 0)
            for (size_t k = 0; k < sum_block && k < k_end - k_begin; ++k)
                for (int r = odd; r < Base::height_of(odd); ++r) packed[k * panel_rows + static_cast<size_t>(r)] = T{0};
        for (size_t first = 0; first < rows; first += chunk * panel_rows) {
            const size_t left = (rows - first + panel_rows - 1) / panel_rows, panels = left < chunk ? left : chunk;
            const size_t sums = panels * one;
            const auto rows_from = [&](size_t i) {
                return static_cast<int>(rows - i < panel_rows ? rows - i : panel_rows);
            };
            size_t block = 0;
            for (size_t k = k_begin; k < k_end; k += sum_block, ++block) {
                const int count = static_cast<int>(k_end - k < sum_block ? k_end - k : sum_block);
                const auto strips = Base::template strips<T>(b + (k - k_begin) * ldb, ldb, cols, count, room);
                int level = 0;
                while (block >> level & 1) ++level;
                for (size_t p = 0; p < panels; ++p) {
                    const size_t i = first + p * panel_rows;
                    const int now = rows_from(i);
                    const Ahead ahead = p + 1 < panels
                                            ? ahead_of<T, ByRows>(a, i + panel_rows, rows - i - panel_rows, k)
                                            : ahead_of<T, ByRows>(a, first, rows - first, k + sum_block);
                    T* const sum = levels + static_cast<size_t>(level) * sums + p * one;
                    if (continued) Base::template pack_sums<T>(out + i * ldo, ldo, cols, now, sum);
                    if (ByRows && now == panel_rows) {
                        InPlace<T> panel{static_cast<const T*>(a.data), a.row_stride * a.parts};
                        panel.at += static_cast<ptrdiff_t>(i) * panel.stride + static_cast<ptrdiff_t>(k);
                        if (rows_collide<T>(panel.stride, cols)) panel = copy_rows(panel, count, packed);
                        Base::template panel<T>(panel, now, strips, cols, count, sum, continued, ahead);
                    } else {
                        pack<T>(a, i, now, k, count, packed);
                        Base::template panel<T>(Packed<T>{packed}, now, strips, cols, count, sum, continued, ahead);
                    }
                    for (int l = 0; l < level; ++l)
                        Base::template add_panel<T>(sum, levels + static_cast<size_t>(l) * sums + p * one, cols, now);
                }
            }
            for (size_t p = 0; p < panels; ++p) {
                const size_t i = first + p * panel_rows;
                const int now = rows_from(i);
                T* total = nullptr;  // the tree's right edge, from the smallest part on
                for (int l = 0; block >> l != 0; ++l)
                    if (block >> l & 1) {
                        T* const part = levels + static_cast<size_t>(l) * sums + p * one;
                        if (total != nullptr) Base::template add_panel<T>(total, part, cols, now);
                        if (total == nullptr) total = part;
                    }
                if (total != nullptr) {
                    Base::template unpack<T>(total, cols, now, out + i * ldo, ldo);
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
};

}  // namespace wide
RNG_END_NAMESPACE
