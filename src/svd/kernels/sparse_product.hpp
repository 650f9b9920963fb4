// Products with sparse matrices: each row gathers the rows of b with the indices of its terms.
#pragma once

#include "panels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct SparseProducts {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// Computes one row of the result, NV registers of it: the terms' blocks in their order, and a stack of the tree's
    /// nodes. An absent node is 0.
    template <class T, int NV>
    RNG_FN static void gather(const size_t* terms, const T* values, size_t count, const T* b, size_t ldb, T* out) {
        constexpr int width = NV * V<T>::lanes, most_levels = 64;
        T stack[most_levels][width];
        int level[most_levels];
        size_t index[most_levels];  // the node's index in its level
        int depth = 0;
        const auto raise = [&] {  // the last node becomes its parent, together with its sibling if there is one
            if (depth > 1 && level[depth - 2] == level[depth - 1] && index[depth - 2] == (index[depth - 1] ^ 1)) {
                Panels<L>::template add_to<T>(stack[depth - 2], stack[depth - 1], width);
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
};

}  // namespace wide
RNG_END_NAMESPACE
