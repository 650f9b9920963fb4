// The kernels of svd_lowrank that only sparse matrices need: checks, both orders of the elements, products.
//
// A sparse matrix comes as compressed rows, whose columns may have any order. Products read the elements by rows and by
// columns, in ascending order. Both orders come from sort.hpp.
//
// Products add in the order of docs/svd.md. Terms that are 0 are left out, and a node over such terms is +0. No sum is
// ever -0, so adding this node would change nothing.
#pragma once

#include "sort.hpp"
#include "svd_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// The elements by rows, or by columns. Row (or column) i has the elements offsets[i] to offsets[i + 1]. Their inner
/// indices ascend. A complex element has two values.
template <class T> struct SparseSide {
    const uint32_t* offsets;
    const uint32_t* inner;
    const T* values;
};

/// True for an offset that does not ascend from 0 to the number of elements.
template <class Index> struct BadOffset {
    const Index* offsets;
    uint64_t rows, entries;
    RNG_KERNEL bool operator()(uint64_t i) const;
};
/// True for an index that no column has.
template <class Index> struct BadIndex {
    const Index* indices;
    uint64_t cols;
    RNG_KERNEL bool operator()(uint64_t k) const;
};
/// True for an element at the place of the one before it.
struct SecondEntry {
    const Entry* entries;
    RNG_KERNEL bool operator()(uint64_t k) const;
};

/// Writes entry k for each index k. The offsets and indices have been checked.
template <class Index> struct MakeEntries {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const Index *offsets, *indices;
    Entry* entries;
    uint64_t rows, n;

    RNG_KERNEL void operator()() const;
};

/// offsets[i] = the number of entries in rows (or columns) before i, for i of 0 to `outer`. The entries are sorted.
struct WriteOffsets {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const Entry* entries;
    uint32_t* offsets;
    uint64_t outer, n;
    int32_t by_row;

    RNG_KERNEL void operator()() const;
};
/// Writes the inner indices and values of sorted entries.
template <class T, class S> struct WriteElements {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const Entry* entries;
    const S* from;
    uint32_t* inner;
    T* values;
    uint64_t n;
    int32_t by_row, parts;

    RNG_KERNEL void operator()() const;
};

/// The rows and columns of a product that a block of threads computes, one value in each thread.
inline constexpr unsigned sparse_rows = 16, sparse_cols = 16;

/// The division of a sparse product. Its terms are in one group if there are enough rows for a large GPU.
inline constexpr Split sparse_split(uint64_t rows, uint64_t width, uint64_t terms) {
    constexpr uint64_t enough = 512;
    Split s{divided_up(rows, sparse_rows), divided_up(width, sparse_cols), 1, 0};
    const uint64_t blocks = divided_up(terms, rng_abi::sum_block);
    while (uint64_t{1} << s.log2_group < blocks) ++s.log2_group;
    while (s.log2_group > 0 && s.row_tiles * s.col_tiles * divided_up(blocks, uint64_t{1} << s.log2_group) < enough)
        --s.log2_group;
    s.groups = divided_up(blocks, uint64_t{1} << s.log2_group);
    return s;
}

/// Product for a sparse matrix: members with the same names have the same meaning.
template <class T> struct SparseProduct {
    static constexpr unsigned threads = sparse_rows * sparse_cols, resident = 4;
    SparseSide<T> a;
    const T* b;
    T* out;
    uint64_t rows, row_tiles;
    uint32_t width, plane;
    int32_t log2_group, complex, conjugated;

    RNG_KERNEL void operator()() const;
};

/// Writes some rows of a sparse matrix minus its mean, as a dense matrix: rows from `first` on, of `terms` elements.
/// Each block of threads has one row. The strides of the mean are those of the side's rows and inner indices.
template <class T, class S> struct WriteDense {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    SparseSide<T> a;
    DeviceMatrix<T, S> mean;  // without data
    T* out;
    uint64_t first, terms;

    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

template <class Index> RNG_KERNEL bool BadOffset<Index>::operator()(uint64_t i) const {
    const auto offset = static_cast<int64_t>(offsets[i]), before = i == 0 ? 0 : static_cast<int64_t>(offsets[i - 1]);
    return offset < 0 || offset < before || static_cast<uint64_t>(offset) > entries || (i == 0 && offset != 0) ||
           (i == rows && static_cast<uint64_t>(offset) != entries);
}
template <class Index> RNG_KERNEL bool BadIndex<Index>::operator()(uint64_t k) const {
    const auto index = static_cast<int64_t>(indices[k]);
    return index < 0 || static_cast<uint64_t>(index) >= cols;
}
RNG_KERNEL bool SecondEntry::operator()(uint64_t k) const {
    if (k == 0) return false;
    const Entry a = entries[k - 1], b = entries[k];
    return a.row == b.row && a.col == b.col;
}

template <class Index> RNG_KERNEL void MakeEntries<Index>::operator()() const {
    const uint64_t k = thread_index();
    if (k >= n) return;
    const uint64_t row = first_past(0, rows, [&](uint64_t i) { return static_cast<uint64_t>(offsets[i + 1]) > k; });
    entries[k] = {static_cast<uint32_t>(row), static_cast<uint32_t>(indices[k]), static_cast<uint32_t>(k)};
}

RNG_KERNEL void WriteOffsets::operator()() const {
    const uint64_t i = thread_index();
    if (i > outer) return;
    offsets[i] = static_cast<uint32_t>(
        first_past(0, n, [&](uint64_t k) { return (by_row ? entries[k].row : entries[k].col) >= i; }));
}

template <class T, class S> RNG_KERNEL void WriteElements<T, S>::operator()() const {
    const uint64_t k = thread_index();
    if (k >= n) return;
    const Entry e = entries[k];
    inner[k] = by_row ? e.col : e.row;
    for (int part = 0; part < parts; ++part)
        values[k * parts + part] = widened<T>(from[uint64_t{e.source} * parts + part]);
}

template <class T> RNG_KERNEL void SparseProduct<T>::operator()() const {
    const uint64_t group = blockIdx.x / row_tiles;
    const uint64_t row = (blockIdx.x - group * row_tiles) * sparse_rows + threadIdx.x / sparse_cols;
    const uint32_t col = blockIdx.y * sparse_cols + threadIdx.x % sparse_cols;
    if (row >= rows) return;
    // An imaginary part is multiplied by the other plane.
    const uint32_t other = col < plane ? col + plane : col - plane;
    const bool negated = (col < plane) != static_cast<bool>(conjugated);
    const int block_bits = complex ? 6 : 7;  // of an inner index, within a block of terms
    static_assert(rng_abi::sum_block == 1 << 7);

    const uint64_t first = group << (block_bits + log2_group), last = (group + 1) << (block_bits + log2_group);
    const uint64_t row_end = a.offsets[row + 1];
    uint64_t k = first_past(a.offsets[row], row_end, [&](uint64_t at) { return a.inner[at] >= first; });
    const uint64_t end = first_past(k, row_end, [&](uint64_t at) { return a.inner[at] >= last; });

    // The left siblings that wait for the current node: pending[l] if bit l of `waiting` is set.
    T pending[32];
    uint32_t waiting = 0;
    T sum = T{0};
#pragma unroll 1
    while (k < end) {
        const uint32_t block = a.inner[k] >> block_bits;
        sum = T{0};
#pragma unroll 1
        for (; k < end && a.inner[k] >> block_bits == block; ++k) {
            const uint64_t at = uint64_t{a.inner[k]} * width;
            if (complex) {
                sum = Scalar::fma(a.values[2 * k], b[at + col], sum);
                const T x = b[at + other];
                sum = Scalar::fma(a.values[2 * k + 1], negated ? -x : x, sum);
            } else {
                sum = Scalar::fma(a.values[k], b[at + col], sum);
            }
        }
        sum = Scalar::add(sum, T{0});
        // The node rises until it is the left sibling of a node over the next block.
        const uint32_t next = k < end ? a.inner[k] >> block_bits : 0;
        int level = 0;
#pragma unroll 1
        for (; k < end ? (block ^ next) >> level > 1 : waiting >> level != 0; ++level)
            if (waiting >> level & 1) {
                sum = Scalar::add(pending[level], sum);
                waiting ^= 1u << level;
            }
        if (k < end) {
            pending[level] = sum;
            waiting |= 1u << level;
        }
    }
    out[(group * rows + row) * width + col] = sum;
}

template <class T, class S> RNG_KERNEL void WriteDense<T, S>::operator()() const {
    const uint64_t row = first + blockIdx.x;
    const uint64_t parts = mean.complex ? 2 : 1;
    T* const to = out + blockIdx.x * terms * parts;
#pragma unroll 1
    for (uint64_t e = threadIdx.x; e < terms * parts; e += threads)
        to[e] = mean.less_mean(T{0}, row, e / parts, e % parts);
    __syncthreads();
#pragma unroll 1
    for (uint64_t k = a.offsets[row] * parts + threadIdx.x; k < a.offsets[row + 1] * parts; k += threads) {
        const uint64_t j = a.inner[k / parts], part = k % parts;
        to[j * parts + part] = mean.less_mean(a.values[k], row, j, part);
    }
}

#endif

}  // namespace detail::svd
RNG_END_NAMESPACE
