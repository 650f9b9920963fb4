// The work of svd_lowrank on CUDA besides products (svd_product.hpp): test matrices, scaling, searches, the result.
#pragma once

#include <type_traits>

#include <rng/core/stream.hpp>
#include <rng/distributions/complex_normal.hpp>

#include "search.hpp"
#include "svd_product.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// y *= half * rest in double precision.
template <class T> struct Scale {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    T* y;
    uint64_t n;
    double half, rest;

    RNG_KERNEL void operator()() const;
};

/// Writes rows x q values, one after the other, into a tall matrix with all its padding. V is T, complex<T>, or
/// uint32_t, whose top bit is a sign.
template <class T, class V> struct WriteTestMatrix {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const V* from;
    T* y;
    uint64_t rows;
    uint32_t q, width, plane;

    RNG_KERNEL void operator()() const;
};

/// Tall::refill, for real or for imaginary parts. scale: rows^-1/2.
template <class T, class E> struct RandomColumn {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    T* y;
    uint64_t rows, first;
    uint32_t column, width;
    Stream<E> stream;
    double scale;

    RNG_KERNEL void operator()() const;
};

/// Finds for each column of a tall matrix the entry of the largest magnitude; the first one if several are tied. Block
/// b searches rows [16 b, 16 b + 16), then every 16 gridDim.x rows: found[b * columns + column]. parts = 2: complex.
template <class T> struct LargestPerColumn {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const T* y;
    SearchResult* found;
    uint64_t rows;
    uint32_t columns, width, parts;  // columns: width / parts

    RNG_KERNEL void operator()() const;
};

/// Searches a whole matrix (rows x cols elements), with one result for each block of threads: found[block]. There are
/// two searches:
/// - the first element that is not finite, with its value;
/// - the greatest magnitude of a part; the key is the bits of this magnitude.
template <class T, class S> struct SearchMatrix {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    DeviceMatrix<T, S> a;
    SearchResult* found;
    uint64_t rows, cols;
    int32_t by_columns, for_magnitude;

    RNG_KERNEL void operator()() const;
};

/// Tall::write: out[i * row_stride + c * col_stride], in values of T. factors: q times real and imaginary part.
template <class T> struct Write {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const T* y;
    const double* factors;
    T* out;
    int64_t row_stride, col_stride;
    uint64_t rows;
    uint32_t q, width, plane, parts;

    RNG_KERNEL void operator()() const;
};

/// Copies rows x cols elements of `values` contiguous numbers each. Strides are in numbers.
template <class V> struct CopyElements {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const V* from;
    V* to;
    int64_t from_row_stride, from_col_stride, to_row_stride, to_col_stride;
    uint64_t rows, cols;
    uint32_t values;

    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

RNG_KERNEL double magnitude(double x) { return Scalar::from_bits64(Scalar::bits(x) & ~(uint64_t{1} << 63)); }

template <class T> RNG_KERNEL void Scale<T>::operator()() const {
    const uint64_t e = thread_index();
    if (e < n) y[e] = static_cast<T>(Scalar::mul(Scalar::mul(static_cast<double>(y[e]), half), rest));
}

template <class T, class V> RNG_KERNEL void WriteTestMatrix<T, V>::operator()() const {
    const uint64_t e = thread_index();
    if (e >= rows * width) return;
    const uint64_t row = e / width;
    const auto j = static_cast<uint32_t>(e - row * width), col = j < plane ? j : j - plane;
    T value = T{0};
    if (col < q) {
        const V from_value = from[row * q + col];
        if constexpr (std::is_same_v<V, T>) {
            value = from_value;
        } else if constexpr (std::is_same_v<V, uint32_t>) {
            value = j >= plane ? T{0} : from_value >> 31 ? T{-1} : T{1};
        } else {
            value = j >= plane ? from_value.im : from_value.re;
        }
    }
    y[e] = value;
}

template <class T, class E> RNG_KERNEL void RandomColumn<T, E>::operator()() const {
    const uint64_t row = thread_index();
    if (row >= rows) return;
    const uint64_t w = (stream.position + first + row) % Stream<E>::size_words;
    const auto signed_word = static_cast<int32_t>(word(stream.at_position(0), w, domain::svd_refill));
    const double centred = Scalar::add(static_cast<double>(signed_word), 0.5);
    y[row * width + column] = static_cast<T>(Scalar::mul(Scalar::mul(centred, 0x1p-31), scale));
}

template <class T> RNG_KERNEL void LargestPerColumn<T>::operator()() const {
    constexpr unsigned lanes = threads / columns_per_block;
    const unsigned col = blockIdx.y * columns_per_block + threadIdx.x % columns_per_block;
    SearchResult best = nothing;
    if (col < columns)
        for (uint64_t row = uint64_t{blockIdx.x} * lanes + threadIdx.x / columns_per_block; row < rows;
             row += uint64_t{gridDim.x} * lanes) {
            const auto re = static_cast<double>(y[row * width + col]);
            const double im = parts == 2 ? static_cast<double>(y[row * width + columns + col]) : 0.0;
            const double size = parts == 2 ? Scalar::fma(re, re, Scalar::mul(im, im)) : magnitude(re);
            const SearchResult here{Scalar::bits(size), row, re, im};
            if (is_better(here, best)) best = here;
        }
    best = best_of_block(best, columns_per_block);
    if (threadIdx.x < columns_per_block && col < columns) found[uint64_t{blockIdx.x} * columns + col] = best;
}

template <class T, class S> RNG_KERNEL void SearchMatrix<T, S>::operator()() const {
    SearchResult best = nothing;
    const uint64_t n = rows * cols;
#pragma unroll 1
    for (uint64_t e = thread_index(); e < n; e += uint64_t{gridDim.x} * threads) {
        const uint64_t i = by_columns ? e % rows : e / cols, j = by_columns ? e / rows : e % cols;
        const auto row = static_cast<int64_t>(i), col = static_cast<int64_t>(j);
        double part[2] = {0, 0};
#pragma unroll 1
        for (int k = 0; k <= a.complex; ++k) {
            T x = widened<T>(a.data[row * a.row_stride + col * a.term_stride + k]);
            if (for_magnitude && a.mean != nullptr) x = a.less_mean(x, i, j, static_cast<uint64_t>(k));
            part[k] = static_cast<double>(x);
        }
        const uint64_t re = Scalar::bits(magnitude(part[0])), im = Scalar::bits(magnitude(part[1]));
        const uint64_t most = re > im ? re : im;
        const uint64_t infinity = 0x7ffull << 52;
        const SearchResult here{for_magnitude ? most : uint64_t{most >= infinity}, i * cols + j, part[0], part[1]};
        if (here.key != 0 && is_better(here, best)) best = here;
    }
    best = best_of_block(best, 1);
    if (threadIdx.x == 0) found[blockIdx.x] = best;
}

template <class T> RNG_KERNEL void Write<T>::operator()() const {
    const uint64_t e = thread_index();
    if (e >= rows * q) return;
    const uint64_t row = e / q;
    const auto c = static_cast<uint32_t>(e - row * q);
    T* const to = out + static_cast<int64_t>(row) * row_stride + static_cast<int64_t>(c) * col_stride;
    const auto re = static_cast<double>(y[row * width + c]);
    const double by_re = factors[2 * c], by_im = factors[2 * c + 1];
    if (parts == 1) {
        to[0] = static_cast<T>(Scalar::mul(re, by_re));
        return;
    }
    const auto im = static_cast<double>(y[row * width + plane + c]);
    to[0] = static_cast<T>(Scalar::fma(-im, by_im, Scalar::mul(re, by_re)));
    to[1] = static_cast<T>(Scalar::fma(im, by_re, Scalar::mul(re, by_im)));
}

template <class V> RNG_KERNEL void CopyElements<V>::operator()() const {
    const uint64_t e = thread_index(), element = e / values;
    if (element >= rows * cols) return;
    const auto row = static_cast<int64_t>(element / cols), col = static_cast<int64_t>(element % cols);
    const auto value = static_cast<int64_t>(e % values);
    to[row * to_row_stride + col * to_col_stride + value] = from[row * from_row_stride + col * from_col_stride + value];
}

#endif

}  // namespace detail::svd
RNG_END_NAMESPACE
