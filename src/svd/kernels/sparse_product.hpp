// Products with sparse matrices: each row gathers the rows of b with the indices of its terms.
#pragma once

#include "panels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L> struct SparseProducts {
    template <class T> using V = Vector<L, T>;
    template <class T> using reg = typename V<T>::reg;

    /// Computes `cols` values of a row of the result, at most NV registers, from terms [t, end). Blocks without terms
    /// are left out. Rows of b are fetched `ahead` terms before they are read; terms[last] is the last one of the
    /// matrix.
    ///
    /// A node stays in registers until the next block shows where it ends: the blocks x < y are first together in the
    /// node of level 1 + log2(x ^ y). A node that waits for its right sibling is on a stack, and the levels on the
    /// stack descend.
    template <class T, int NV>
    RNG_FN static void gather(const size_t* terms, const T* values, size_t t, size_t end, size_t last, const T* b,
                              size_t ldb, size_t cols, T* out) {
        constexpr int lanes = V<T>::lanes, most_levels = 64;
        constexpr size_t ahead = 16, line = 64;
        T waiting[most_levels][NV * lanes];
        int level[most_levels], depth = 0;
        reg<T> node[NV];
        RNG_UNROLL
        for (int v = 0; v < NV; ++v) node[v] = L::set(T{0});
        const auto add_waiting = [&]() RNG_LAMBDA_INLINE {
            --depth;
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) node[v] = L::add(V<T>::load(waiting[depth] + v * lanes), node[v]);
        };
        for (bool is_first = true; t < end; is_first = false) {
            const size_t block = terms[t] / sum_block;
            if (!is_first) {
                const int meeting = 63 - __builtin_clzll(block ^ terms[t - 1] / sum_block);
                while (depth > 0 && level[depth - 1] < meeting) add_waiting();
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) V<T>::store(waiting[depth] + v * lanes, node[v]);
                level[depth++] = meeting;
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) node[v] = L::set(T{0});
            }
            do {
                const T* const next = b + terms[t + ahead < last ? t + ahead : last] * ldb;
                for (size_t byte = 0; byte < sizeof(T) * lanes * NV; byte += line)
                    __builtin_prefetch(reinterpret_cast<const char*>(next) + byte);
                const reg<T> value = L::set(values[t]);
                const T* const row = b + terms[t] * ldb;
                RNG_UNROLL
                for (int v = 0; v < NV; ++v) node[v] = L::fma(value, V<T>::load(row + v * lanes), node[v]);
            } while (++t < end && terms[t] / sum_block == block);
            RNG_UNROLL
            for (int v = 0; v < NV; ++v) node[v] = L::add(node[v], L::set(T{0}));
        }
        while (depth > 0) add_waiting();
        T* const whole = cols == NV * lanes ? out : waiting[0];
        RNG_UNROLL
        for (int v = 0; v < NV; ++v) V<T>::store(whole + v * lanes, node[v]);
        if (whole != out)
            for (size_t c = 0; c < cols; ++c) out[c] = whole[c];
    }

    /// rng_abi::SparseProductFunction.
    template <class T>
    static void sparse_product(const rng_abi::SparseOperand& a, size_t first, size_t rows, const void* b, size_t ldb,
                               size_t cols, void* out, size_t ldo) {
        constexpr int most = rng_abi::pad / V<T>::lanes, few = most > 1 ? most / 2 : 1;
        const size_t end = a.offsets[first + rows], last = end == 0 ? 0 : end - 1;
        const auto gather_from = [&](size_t i, size_t c, size_t now, auto&& as) {
            as(a.terms, static_cast<const T*>(a.values), a.offsets[first + i], a.offsets[first + i + 1], last,
               static_cast<const T*>(b) + c, ldb, now, static_cast<T*>(out) + i * ldo + c);
        };
        for (size_t i = 0; i < rows; ++i)
            for (size_t c = 0; c < cols; c += rng_abi::pad) {
                const size_t now = cols - c < rng_abi::pad ? cols - c : rng_abi::pad;
                if (now <= few * V<T>::lanes)
                    gather_from(i, c, now, &gather<T, few>);
                else
                    gather_from(i, c, now, &gather<T, most>);
            }
    }
};

}  // namespace wide
RNG_END_NAMESPACE
