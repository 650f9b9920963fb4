// The leaves of sums over the lane type (docs/reduce.md):
// - lane j of 128 adds elements j, j + 128, j + 256, ... of a leaf of 1024, products by fma;
// - lanes j and j + 64 are added, then j and j + 32, and so on to one lane;
// - +0 is added, so that no sum is -0. So an element that is missing may count as 0.
// The parts of a complex number are summed each by itself.
//
// This file includes no std templates, like all files that are compiled per instruction set (kernels.hpp).
#pragma once

#include "../../svd/kernels/panels.hpp"
#include "abi.hpp"
#include "tree_sum.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct Sums {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;
    using Term = rng_abi::Term;

    /// Adds a register of terms to `sum`.
    template <Term Of, class T> RNG_FN static reg<T> add(reg<T> sum, const T* x, const T* y, reg<T> shift) {
        if constexpr (Of == Term::value) {
            return L::add(sum, V<T>::load(x));
        } else if constexpr (Of == Term::product) {
            return L::fma(V<T>::load(x), V<T>::load(y), sum);
        } else {
            const reg<T> d = L::sub(V<T>::load(x), shift);
            if constexpr (Of == Term::deviation)
                return L::add(sum, d);
            else
                return L::fma(d, d, sum);
        }
    }

    /// The kinds of registers: one for each part of an element, if a register has fewer lanes than an element has
    /// parts.
    template <class T, int Count> static constexpr int kinds_of_registers = V<T>::lanes < Count ? Count : 1;

    /// Returns the sum of a leaf, of which `rows` rows of lanes are not 0.
    template <Term Of, bool FromMemory, class T, int Count>
    RNG_FN static rng_abi::Parts<T, Count> leaf(const T* x, const T* y, const reg<T>* shift, size_t rows) {
        constexpr int lanes = V<T>::lanes, width = static_cast<int>(rng_abi::sum_lanes) * Count;
        constexpr int registers = width / lanes, kinds = kinds_of_registers<T, Count>;
        // Eight registers that fold into one are summed together: register q, q + groups, q + 2 groups, ...
        constexpr int together = 8, groups = registers / together;
        static_assert(registers % together == 0);
        const auto add_term = [&](reg<T>& sum, size_t row, int r) RNG_LAMBDA_INLINE {
            const size_t i = row * width + static_cast<size_t>(r) * lanes;
            sum = add<Of, T>(sum, x + i, Of == Term::product ? y + i : nullptr, shift[r % kinds]);
        };
        size_t row = 0;
        reg<T> all[registers];
        if constexpr (FromMemory) {
            // Memory is read forwards, a few rows at a time: 1 KiB of them keeps the prefetcher at work. The last rows
            // are left for the fold.
            constexpr size_t few = width * sizeof(T) <= 512 ? 1024 / (width * sizeof(T)) : 1;
            for (int r = 0; r < registers; ++r) all[r] = L::set(T{0});
            for (; row + few < rows; row += few)
                for (int r = 0; r < registers; r += together) {
                    reg<T> sum[together];
                    RNG_UNROLL
                    for (int v = 0; v < together; ++v) sum[v] = all[r + v];
                    RNG_UNROLL
                    for (size_t k = 0; k < few; ++k) {
                        RNG_UNROLL
                        for (int v = 0; v < together; ++v) add_term(sum[v], row + k, r + v);
                    }
                    RNG_UNROLL
                    for (int v = 0; v < together; ++v) all[r + v] = sum[v];
                }
        }
        reg<T> folded[groups];
        for (int q = 0; q < groups; ++q) {
            reg<T> sum[together];
            RNG_UNROLL
            for (int v = 0; v < together; ++v) sum[v] = FromMemory ? all[q + v * groups] : L::set(T{0});
            for (size_t k = row; k < rows; ++k) {
                RNG_UNROLL
                for (int v = 0; v < together; ++v) add_term(sum[v], k, q + v * groups);
            }
            RNG_UNROLL
            for (int v = 0; v < 4; ++v) sum[v] = L::add(sum[v], sum[v + 4]);
            folded[q] = L::add(L::add(sum[0], sum[2]), L::add(sum[1], sum[3]));
        }
        for (int h = groups / 2; h >= kinds; h /= 2)
            for (int q = 0; q < h; ++q) folded[q] = L::add(folded[q], folded[q + h]);
        T last[lanes * kinds];
        for (int q = 0; q < kinds; ++q) V<T>::store(last + q * lanes, folded[q]);
        for (int h = lanes / 2; h >= Count; h /= 2)
            for (int j = 0; j < h; ++j) last[j] = last[j] + last[j + h];
        rng_abi::Parts<T, Count> result;
        for (int p = 0; p < Count; ++p) result.part[p] = last[p] + T{0};
        return result;
    }

    template <Term Of, class T, int Count>
    static void sum(const void* from, const void* and_from, const void* shift_from, size_t elements, bool from_memory,
                    void* tree) {
        using Node = rng_abi::Parts<T, Count>;
        auto& nodes = *static_cast<rng_abi::TreeNodes<Node>*>(tree);
        constexpr size_t size = rng_abi::sum_leaf * Count, row = rng_abi::sum_lanes * Count;
        const auto* x = static_cast<const T*>(from);
        const auto* y = static_cast<const T*>(and_from);
        const auto* shift = static_cast<const T*>(shift_from);
        constexpr int kinds = kinds_of_registers<T, Count>;
        T pattern[V<T>::lanes * kinds];
        for (int j = 0; j < V<T>::lanes * kinds; ++j) pattern[j] = shift == nullptr ? T{0} : shift[j % Count];
        reg<T> shifts[kinds];
        for (int k = 0; k < kinds; ++k) shifts[k] = V<T>::load(pattern + k * V<T>::lanes);
        size_t left = elements * Count;
        const auto whole_leaves = [&](auto&& leaf_sum) {
            for (; left >= size; left -= size, x += size) {
                detail::push_node(nodes, leaf_sum());
                if constexpr (Of == Term::product) y += size;
            }
        };
        if (from_memory)
            whole_leaves([&] { return leaf<Of, true, T, Count>(x, y, shifts, size / row); });
        else
            whole_leaves([&] { return leaf<Of, false, T, Count>(x, y, shifts, size / row); });
        if (left == 0) return;
        alignas(64) T room_x[size], room_y[Of == Term::product ? size : 1];
        const size_t rows = (left + row - 1) / row;
        for (size_t i = 0; i < rows * row; ++i) room_x[i] = i < left ? x[i] : pattern[i % Count];
        if constexpr (Of == Term::product)
            for (size_t i = 0; i < rows * row; ++i) room_y[i] = i < left ? y[i] : T{0};
        detail::push_node(nodes,
                          leaf<Of, false, T, Count>(room_x, Of == Term::product ? room_y : nullptr, shifts, rows));
    }

    template <class T, int Count> static constexpr rng_abi::SumFunction of(Term term) {
        switch (term) {
            case Term::value: return &sum<Term::value, T, Count>;
            case Term::deviation: return &sum<Term::deviation, T, Count>;
            case Term::square: return &sum<Term::square, T, Count>;
            default: return &sum<Term::product, T, Count>;
        }
    }
    static constexpr rng_abi::SumFunctions functions = [] {
        rng_abi::SumFunctions table{};
        for (int term = 0; term < rng_abi::terms_of_sums; ++term) {
            table.f32[term][0] = of<float, 1>(static_cast<Term>(term));
            table.f32[term][1] = of<float, 2>(static_cast<Term>(term));
            table.f64[term][0] = of<double, 1>(static_cast<Term>(term));
            table.f64[term][1] = of<double, 2>(static_cast<Term>(term));
        }
        return table;
    }();
};

}  // namespace wide
RNG_END_NAMESPACE
