// Matrices, options and results of svd_lowrank and pca_lowrank (svd_lowrank.hpp, device_svd.hpp).
//
//     const rng::csr_view<float> sparse{rows, cols, row_offsets, columns, values};
//     const rng::LowRankSvd<float> svd = rng::svd_lowrank(sparse, {.q = 16, .niter = 4}, gen);
//     const float least = svd.S.back();
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "../detail/svd_element.hpp"
#include "../device.hpp"
#include "../matrix_view.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A matrix of rows x cols values, row after row.
template <class T> struct Matrix {
    size_t rows = 0, cols = 0;
    std::vector<T> values;

    Matrix() = default;
    /// Creates a matrix of zeros.
    Matrix(size_t r, size_t c) : rows(r), cols(c), values(r * c) {}
    /// Returns an element; row and col begin at 0, and are not checked.
    [[nodiscard]] T& operator()(size_t row, size_t col) { return values[row * cols + col]; }
    [[nodiscard]] const T& operator()(size_t row, size_t col) const { return values[row * cols + col]; }
    /// Returns the matrix as a matrix_view, which must not outlive it.
    [[nodiscard]] matrix_view<T> view() { return matrix_view<T>::row_major(values.data(), rows, cols); }
    [[nodiscard]] matrix_view<const T> view() const {
        return matrix_view<const T>::row_major(values.data(), rows, cols);
    }
};

/// A sparse matrix in compressed rows, as in scipy.sparse.csr_array. Row i has the values row_offsets[i] to
/// row_offsets[i + 1] (rows + 1 offsets).
/// Columns may be in any order within a row; no element occurs twice. Index is a 32- or 64-bit integer type.
template <class T, class Index = int64_t> struct csr_view {
    size_t rows = 0, cols = 0;
    std::span<const Index> row_offsets;
    std::span<const Index> columns;  ///< the column of each value
    std::span<const T> values;
};

/// One matrix whose rows lie in several shards, from the top down: its result has the bits of the whole matrix.
/// Shards may have any number of rows; all have as many columns as the first.
template <class T> struct row_shards { std::span<const matrix_view<T>> parts; };

/// Matrices of one shape; the distance from one to the next, in elements, is always the same.
template <class T> struct batch_view {
    matrix_view<T> first;
    size_t size = 0;
    ptrdiff_t stride = 0;
    [[nodiscard]] matrix_view<T> operator[](size_t i) const {
        matrix_view<T> one = first;
        if (one.data != nullptr) one.data += static_cast<ptrdiff_t>(i) * stride;
        return one;
    }
};

/// A low-rank SVD: U is m x q and V n x q, with orthonormal columns; S has q values, descending. T: float, double or
/// complex of them.
template <class T> struct LowRankSvd {
    Matrix<T> U;
    std::vector<detail::real_t<T>> S;
    Matrix<T> V;
};

/// The elements of the random test matrix. Each element is a value of a plain fill: normal (for complex matrices
/// complex_normal), or the sign in the first bit of bits<uint32_t>.
enum class TestMatrix { normal, rademacher };

/// The options of svd_lowrank.
template <class T> struct SvdOptions {
    std::optional<long long> q = {};  ///< number of singular values: 0 to min(m, n); by default min(6, m, n)
    long long niter = 2;              ///< power iterations; more help if singular values decay slowly
    /// A matrix that is subtracted from A: m x n, or 1 x n (from every row) or m x 1. Nothing is subtracted if its data
    /// is null.
    matrix_view<const T> M = {};
    TestMatrix test_matrix = TestMatrix::normal;
    /// True if products come from the BLAS that the library was built with (RNG_ENABLE_BLAS). The bits then depend on
    /// the machine, the BLAS and the number of threads. An error under use_deterministic_algorithms(true).
    bool fast = false;
    /// Columns of the test matrix beyond q: it has min(q + oversampling, m, n) columns. The result is the q leading
    /// values and vectors of a call with that q, bit for bit: more accurate, for the time and memory of that call.
    long long oversampling = 0;
};

/// The options of pca_lowrank.
struct PcaOptions {
    std::optional<long long> q = {};  ///< number of principal components: as q of SvdOptions
    bool center = true;               ///< true if the mean of each column is subtracted
    long long niter = 2;              ///< power iterations
    TestMatrix test_matrix = TestMatrix::normal;
    bool fast = false;           ///< true if the BLAS computes the products: as fast of SvdOptions
    long long oversampling = 0;  ///< columns of the test matrix beyond q: as oversampling of SvdOptions
};

/// A sparse matrix in compressed rows, as csr_view, with all three arrays in device or managed memory. Rows, columns
/// and elements are fewer than 2^32 each.
template <class T, class Index = int64_t> struct device_csr {
    size_t rows = 0, cols = 0;
    device_span<const Index> row_offsets;
    device_span<const Index> columns;  ///< the column of each value
    device_span<const T> values;
};

/// Matrices of one shape in device or managed memory: as batch_view.
template <class T> struct device_batch {
    device_matrix<T> first;
    size_t size = 0;
    ptrdiff_t stride = 0;  ///< in elements, from one matrix to the next
    [[nodiscard]] device_matrix<T> operator[](size_t i) const {
        device_matrix<T> one = first;
        if (one.data != nullptr) one.data += static_cast<ptrdiff_t>(i) * stride;
        return one;
    }
};

/// SvdOptions with an M in device memory.
template <class T> struct DeviceSvdOptions {
    std::optional<long long> q = {};
    long long niter = 2;
    device_matrix<const T> M = {};
    TestMatrix test_matrix = TestMatrix::normal;
    long long oversampling = 0;
};

/// The device memory of an SVD: U is m x q, S has q values, V is n x q. T: float, double or complex of them.
template <class T> struct DeviceSvd {
    device_matrix<T> U;
    device_span<detail::real_t<T>> S;
    device_matrix<T> V;
};

/// The device memory of the SVDs of a batch; strides are in elements, from one result to the next.
template <class T> struct DeviceBatchSvd {
    DeviceSvd<T> first;
    ptrdiff_t u_stride = 0, s_stride = 0, v_stride = 0;
    [[nodiscard]] DeviceSvd<T> operator[](size_t i) const {
        const auto moved = [i](auto* p, ptrdiff_t stride) {
            return p == nullptr ? p : p + static_cast<ptrdiff_t>(i) * stride;
        };
        DeviceSvd<T> one = first;
        one.U.data = moved(one.U.data, u_stride);
        one.S.data = moved(one.S.data, s_stride);
        one.V.data = moved(one.V.data, v_stride);
        return one;
    }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
