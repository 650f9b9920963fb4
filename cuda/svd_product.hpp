// The products of svd_lowrank on CUDA.
//
// Sums have the order of docs/svd.md: blocks of 128 terms, then a binary tree over the blocks. The sum of a block is a
// chain of fma from +0, and then + 0. A block of threads multiplies a tile over an aligned group of 2^k blocks of
// terms. It writes the group's node of the tree; Merge continues from there. So neither tiles nor groups nor the grid
// can change a bit, and there are no atomics.
//
// A complex matrix is read as a real one of twice the terms. Term 2k is the real part of element k, and term 2k + 1 the
// imaginary part. The tall factor has its real parts in columns [0, plane) and its imaginary parts in [plane, 2 *
// plane).
#pragma once

#include <rng/float16.hpp>

#include "../src/svd/kernels/abi.hpp"
#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

using namespace gpu;

/// rows x cols results by a block of threads; each thread has thread_rows x thread_cols of them. depth terms at a time.
template <int Rows, int Cols, int ThreadRows, int ThreadCols, int Depth> struct TileShape {
    static constexpr int rows = Rows, cols = Cols, thread_rows = ThreadRows, thread_cols = ThreadCols, depth = Depth;
    static constexpr int threads = Rows / ThreadRows * (Cols / ThreadCols);
    static constexpr int row_step = threads / Depth;  // step of a thread's loads if terms lie side by side
    static constexpr int term_step = threads / Rows;  // the same step if rows lie side by side
    static_assert(threads % Depth == 0 && threads % Rows == 0 && (term_step == 1 || term_step % 2 == 0));
    static_assert(rng_abi::sum_block % Depth == 0 && Depth % 2 == 0);
};
template <class T> inline constexpr int depth_of = sizeof(T) == 4 ? 16 : 8;

/// The tile for X and Z; the width is a multiple of 16.
template <class T> using Narrow = TileShape<128, 16, 4, 4, depth_of<T>>;
template <class T> using Middle = TileShape<sizeof(T) == 4 ? 128 : 64, 32, 4, 4, depth_of<T>>;
template <class T> using Broad = TileShape<64, 64, sizeof(T) == 4 ? 8 : 4, 4, depth_of<T>>;
/// The tile for Gram matrices, which have few rows.
using SmallGram = TileShape<16, 16, 2, 2, 8>;
using Gram = TileShape<32, 32, 4, 4, 8>;

inline constexpr int most_log2_group = 4;  // blocks of terms per block of threads: 2^4 * 128 terms

/// The division of a product. It depends on the product's size alone, so its memory is known without a device.
struct Split {
    uint64_t row_tiles, col_tiles, groups;
    int log2_group;

    template <class Tile> static constexpr Split of(uint64_t rows, uint64_t width, uint64_t terms) {
        constexpr uint64_t enough = 512;  // blocks of threads: several for each multiprocessor of the largest GPUs
        Split s{divided_up(rows, Tile::rows), divided_up(width, Tile::cols), 1, most_log2_group};
        const uint64_t blocks = divided_up(terms, rng_abi::sum_block);
        while (s.log2_group > 0 && s.row_tiles * s.col_tiles * divided_up(blocks, uint64_t{1} << s.log2_group) < enough)
            --s.log2_group;
        s.groups = divided_up(blocks, uint64_t{1} << s.log2_group);
        return s;
    }
    /// Returns the number of nodes in memory between the product and its result, including those that Merge computes.
    [[nodiscard]] constexpr uint64_t nodes() const {
        uint64_t n = 0;
        for (uint64_t level = groups; level > 1; level = divided_up(level, merged)) n += level;
        return n;
    }
};

/// A matrix of S, read as a real one. Element (i, t) is data[i * row_stride + (t >> complex) * term_stride + (t &
/// complex)], minus the element of the mean. The mean has values of S or, if mean_is_computed, of T. Strides count
/// values of S, not pairs.
template <class T, class S> struct DeviceMatrix {
    const S* data;
    int64_t row_stride, term_stride;
    const void* mean;
    int64_t mean_row_stride, mean_term_stride;
    int32_t complex, mean_is_computed;

    /// Returns x, a part of element (row, col), minus the mean's.
    RNG_KERNEL T less_mean(T x, uint64_t row, uint64_t col, uint64_t part) const;
};

/// Computes rows x width values of out = a (rows x terms) times b (terms x width). If the terms are in several groups,
/// computes the nodes of the groups, one after the other. For a complex matrix `terms` counts both parts, and b has
/// terms / 2 rows. If conjugated is true, the conjugate of `a` is used.
template <class T, class S, class B, class Shape> struct Product {
    static constexpr unsigned threads = Shape::threads;
    /// Blocks of threads on a multiprocessor: as many as leave enough registers to spill none.
    static constexpr unsigned resident = threads > 128 || sizeof(S) == 2 ? 2 : 3;
    DeviceMatrix<T, S> a;
    const B* b;
    T* out;
    uint64_t rows, terms, row_tiles;
    uint32_t width, plane;
    int32_t log2_group, conjugated;

    RNG_KERNEL void operator()() const;
};

/// out[g] = the node over nodes[merged * g], ..., each of `values` values.
template <class T> struct Merge {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const T* nodes;
    T* out;
    uint64_t values, count;

    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

template <class T, class S>
RNG_KERNEL T DeviceMatrix<T, S>::less_mean(T x, uint64_t row, uint64_t col, uint64_t part) const {
    const int64_t at = static_cast<int64_t>(row) * mean_row_stride + static_cast<int64_t>(col) * mean_term_stride +
                       static_cast<int64_t>(part);
    const bool is_computed = sizeof(S) != sizeof(T) && mean_is_computed;
    return Scalar::sub(x, is_computed ? static_cast<const T*>(mean)[at] : widened<T>(static_cast<const S*>(mean)[at]));
}

/// 16 bytes of values.
template <class V> struct alignas(16) Run {
    static constexpr int size = 16 / static_cast<int>(sizeof(V));
    V v[size];
};

/// A thread's elements of a tile of `a`: from one element on, in steps of rows or of terms. Indices are known at
/// compile time, so no address is computed twice.
template <class Shape> struct Walk {
    static constexpr int size = Shape::rows * Shape::depth / Shape::threads;
    bool along_rows;  // neighbouring threads have neighbouring rows
    int row, term;    // of element 0, in the tile

    RNG_KERNEL explicit Walk(bool rows_are_close) : along_rows(rows_are_close) {
        const int t = static_cast<int>(threadIdx.x);
        row = along_rows ? t % Shape::rows : t / Shape::depth;
        term = along_rows ? t / Shape::rows : t % Shape::depth;
    }
    [[nodiscard]] RNG_KERNEL int row_of(int i) const { return along_rows ? row : row + i * Shape::row_step; }
    [[nodiscard]] RNG_KERNEL int term_of(int i) const { return along_rows ? term + i * Shape::term_step : term; }
};
/// The distances between these elements in memory.
struct Steps {
    int64_t one, two;
    template <class Shape>
    RNG_KERNEL Steps(const Walk<Shape>& walk, int64_t row_stride, int64_t term_stride, int complex) {
        if (!walk.along_rows) {
            one = Shape::row_step * row_stride;
            two = 2 * one;
        } else if (!complex) {
            one = Shape::term_step * term_stride;
            two = 2 * one;
        } else {
            one = Shape::term_step == 1 ? 1 : Shape::term_step / 2 * term_stride;
            two = Shape::term_step * term_stride;
        }
    }
    [[nodiscard]] RNG_KERNEL int64_t to(int i) const { return (i >> 1) * two + (i & 1) * one; }
};

template <class T, class S, class B, class Shape> RNG_KERNEL void Product<T, S, B, Shape>::operator()() const {
    constexpr int M = Shape::rows, N = Shape::cols, K = Shape::depth, TM = Shape::thread_rows, TN = Shape::thread_cols;
    constexpr int runs = K * N / Run<B>::size, thread_runs = (runs + Shape::threads - 1) / Shape::threads;
    // Rows of the first array have a gap of one Run between them, against bank conflicts when a column is stored.
    __shared__ __align__(16) T a_tile[2][K][M + Run<T>::size];
    __shared__ __align__(16) T b_tile[2][K][N];
    const auto tid = static_cast<int>(threadIdx.x);
    const uint64_t group = blockIdx.x / row_tiles, first_row = (blockIdx.x - group * row_tiles) * M;
    const uint32_t first_col = blockIdx.y * N;
    const uint64_t group_terms = uint64_t{rng_abi::sum_block} << log2_group, begin = group * group_terms;
    const uint64_t end = terms - begin < group_terms ? terms : begin + group_terms;

    const Walk<Shape> walk(a.row_stride < 0 ? -a.row_stride < (a.term_stride < 0 ? -a.term_stride : a.term_stride)
                                            : a.row_stride < (a.term_stride < 0 ? -a.term_stride : a.term_stride));
    const Steps steps(walk, a.row_stride, a.term_stride, a.complex);
    const Steps mean_steps(walk, a.mean_row_stride, a.mean_term_stride, a.complex);
    T a_next[Walk<Shape>::size];
    Run<B> b_next[thread_runs];

    const auto load_from = [&](const auto* data, int64_t row_stride, int64_t term_stride, const Steps& by, uint64_t t,
                               T(&to)[Walk<Shape>::size]) {
        const auto row = static_cast<int64_t>(first_row) + walk.row;
        const auto term = static_cast<int64_t>(t) + walk.term;
        const auto* const p = data + row * row_stride + (term >> a.complex) * term_stride + (term & a.complex);
        if (first_row + M <= rows && t + K <= end) {
            RNG_UNROLL
            for (int i = 0; i < Walk<Shape>::size; ++i) to[i] = widened<T>(p[by.to(i)]);
        } else {
            RNG_UNROLL
            for (int i = 0; i < Walk<Shape>::size; ++i) {
                const bool inside = first_row + walk.row_of(i) < rows && t + walk.term_of(i) < end;
                to[i] = inside ? widened<T>(p[by.to(i)]) : T{0};
            }
        }
    };
    const auto load = [&](uint64_t t) {
        load_from(a.data, a.row_stride, a.term_stride, steps, t, a_next);
        if (a.mean != nullptr) {
            T mean[Walk<Shape>::size];
            if (sizeof(S) == sizeof(T) || !a.mean_is_computed)
                load_from(static_cast<const S*>(a.mean), a.mean_row_stride, a.mean_term_stride, mean_steps, t, mean);
            else
                load_from(static_cast<const T*>(a.mean), a.mean_row_stride, a.mean_term_stride, mean_steps, t, mean);
            RNG_UNROLL
            for (int i = 0; i < Walk<Shape>::size; ++i) a_next[i] = Scalar::sub(a_next[i], mean[i]);
        }
        RNG_UNROLL
        for (int i = 0; i < thread_runs; ++i) {
            const int run = i * Shape::threads + tid;
            const uint64_t term = t + static_cast<uint64_t>(run / (N / Run<B>::size));
            uint32_t col = first_col + static_cast<uint32_t>(run % (N / Run<B>::size) * Run<B>::size);
            if (run < runs && term < end && col < width) {
                bool negated = false;
                if (term & static_cast<uint64_t>(a.complex)) {  // an imaginary part is multiplied by the other plane
                    negated = (col < plane) != static_cast<bool>(conjugated);
                    col = col < plane ? col + plane : col - plane;
                }
                b_next[i] = *reinterpret_cast<const Run<B>*>(b + (term >> a.complex) * width + col);
                RNG_UNROLL
                for (int k = 0; k < Run<B>::size; ++k) b_next[i].v[k] = negated ? -b_next[i].v[k] : b_next[i].v[k];
            } else {
                b_next[i] = {};
            }
        }
    };
    const auto store = [&](int buffer) {
        RNG_UNROLL
        for (int i = 0; i < Walk<Shape>::size; ++i) a_tile[buffer][walk.term_of(i)][walk.row_of(i)] = a_next[i];
        RNG_UNROLL
        for (int i = 0; i < thread_runs; ++i) {
            const int run = i * Shape::threads + tid;
            T* const to = &b_tile[buffer][run / (N / Run<B>::size)][run % (N / Run<B>::size) * Run<B>::size];
            if (run < runs) {
                RNG_UNROLL
                for (int k = 0; k < Run<B>::size; ++k) to[k] = static_cast<T>(b_next[i].v[k]);
            }
        }
    };

    const int row = tid / (N / TN) * TM, col = tid % (N / TN) * TN;
    T sum[TM][TN];
    // Indexed by a level of the tree, so in local memory: it would not fit into registers. It is used once in 128
    // terms.
    T pending[most_log2_group][TM][TN];
    const auto each = [](auto&& f) {
        RNG_UNROLL
        for (int i = 0; i < TM; ++i) {
            RNG_UNROLL
            for (int j = 0; j < TN; ++j) f(i, j);
        }
    };
    each([&](int i, int j) { sum[i][j] = T{0}; });
    load(begin);
    store(0);
    __syncthreads();
    int buffer = 0;
    for (uint64_t t = begin; t < end; t += K) {
        const bool more = t + K < end;
        if (more) load(t + K);
#pragma unroll
        for (int k = 0; k < K; ++k) {
            T ak[TM], bk[TN];
            RNG_UNROLL
            for (int i = 0; i < TM; ++i) ak[i] = a_tile[buffer][k][row + i];
            RNG_UNROLL
            for (int j = 0; j < TN; ++j) bk[j] = b_tile[buffer][k][col + j];
            each([&](int i, int j) { sum[i][j] = Scalar::fma(ak[i], bk[j], sum[i][j]); });
        }
        if (more) {
            store(buffer ^ 1);
            __syncthreads();
        }
        buffer ^= 1;
        if (more && (t + K) % rng_abi::sum_block != 0) continue;
        // A block of terms is complete. Terms past the end added 0 * 0. That only turns a sum of -0 into +0, as the
        // next line does.
        each([&](int i, int j) { sum[i][j] = Scalar::add(sum[i][j], T{0}); });
        const auto block = static_cast<unsigned>((t - begin) / rng_abi::sum_block);
        int level = 0;
#pragma unroll 1
        for (; more ? (block >> level & 1) != 0 : block >> level != 0; ++level)
            if (block >> level & 1)
                each([&](int i, int j) { sum[i][j] = Scalar::add(pending[level][i][j], sum[i][j]); });
        if (more) each([&](int i, int j) { pending[level][i][j] = sum[i][j], sum[i][j] = T{0}; });
    }

    RNG_UNROLL
    for (int i = 0; i < TM; ++i) {
        const uint64_t r = first_row + static_cast<uint64_t>(row + i);
        const uint32_t c = first_col + static_cast<uint32_t>(col);
        if (r < rows && c < width) {
            RNG_UNROLL
            for (int j = 0; j < TN; j += Run<T>::size) {
                Run<T> run;
                RNG_UNROLL
                for (int k = 0; k < Run<T>::size; ++k) run.v[k] = sum[i][j + k];
                *reinterpret_cast<Run<T>*>(out + (group * rows + r) * width + c + static_cast<uint32_t>(j)) = run;
            }
        }
    }
}

template <class T> RNG_KERNEL void Merge<T>::operator()() const {
    const uint64_t parts = divided_up(values, threads), group = blockIdx.x / parts;
    const uint64_t e = (blockIdx.x - group * parts) * threads + threadIdx.x, first = group * merged;
    if (e >= values) return;
    out[group * values + e] = node_over<T>(
        count - first, [&](int i) { return nodes[(first + static_cast<uint64_t>(i)) * values + e]; },
        [](T a, T b) { return Scalar::add(a, b); });
}

#endif

}  // namespace detail::svd
RNG_END_NAMESPACE
