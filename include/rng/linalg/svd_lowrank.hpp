// svd_lowrank and pca_lowrank: the leading singular values and vectors of a large matrix, with the same bits on every
// path.
//
//     auto [U, S, V] = rng::svd_lowrank(A, {.q = 16}, gen);          // A is about U diag(S) V^T
//     auto [P, L, W] = rng::pca_lowrank(A, {.q = 16}, gen);          // of A less its column means
//
// Names and meaning follow torch.svd_lowrank and torch.pca_lowrank, which take no generator and whose results depend on
// device and threads. Source: Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53 (2011),
// algorithms 4.4 and 5.1. docs/svd.md gives every operation in its order.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../fill.hpp"
#include "../float16.hpp"
#include "../matrix_view.hpp"

RNG_BEGIN_NAMESPACE

/// rows x cols values, row after row.
template <class T> struct Matrix {
    size_t rows = 0, cols = 0;
    std::vector<T> values;

    Matrix() = default;
    Matrix(size_t r, size_t c) : rows(r), cols(c), values(r * c) {}
    [[nodiscard]] T& operator()(size_t row, size_t col) { return values[row * cols + col]; }
    [[nodiscard]] const T& operator()(size_t row, size_t col) const { return values[row * cols + col]; }
    [[nodiscard]] matrix_view<T> view() { return matrix_view<T>::row_major(values.data(), rows, cols); }
    [[nodiscard]] matrix_view<const T> view() const {
        return matrix_view<const T>::row_major(values.data(), rows, cols);
    }
};

/// U: m x q and V: n x q with orthonormal columns; S: q values, descending.
template <class T> struct LowRankSvd {
    Matrix<T> U;
    std::vector<T> S;
    Matrix<T> V;
};

/// What the random test matrix is made of. Both have one value per element, from a plain fill.
enum class TestMatrix { normal, rademacher };

template <class T> struct SvdOptions {
    std::optional<long long> q = {};  ///< how many singular values: 0 to min(m, n); by default min(6, m, n)
    long long niter = 2;              ///< power iterations: more for slowly falling singular values
    /// Subtracted from A: m x n, or 1 x n (from every row) or m x 1. Nothing if its data is null.
    matrix_view<const T> M = {};
    TestMatrix test_matrix = TestMatrix::normal;
};

struct PcaOptions {
    std::optional<long long> q = {};  ///< as in SvdOptions
    bool center = true;               ///< subtract the mean of each column
    long long niter = 2;
};

namespace detail {

/// The type in which matrices of T are computed: half types in float.
template <class T> using computed_t = std::conditional_t<is_half<T>, float, T>;

/// A matrix of T as the implementation takes it.
struct SvdInput {
    const char* call;
    const void* data;
    size_t rows, cols;
    ptrdiff_t row_stride, col_stride;
    int type;  ///< 0: computed_t, 1: float16, 2: bfloat16
    const void* mean;
    size_t mean_rows, mean_cols;
    ptrdiff_t mean_row_stride, mean_col_stride;
    std::optional<long long> q;
    long long niter;
    TestMatrix test_matrix;
    bool center;
};
RNG_API LowRankSvd<float> svd_lowrank(const SvdInput& input, Generator& generator, float);
RNG_API LowRankSvd<double> svd_lowrank(const SvdInput& input, Generator& generator, double);

template <class T> inline constexpr int svd_type = std::is_same_v<T, float16> ? 1 : std::is_same_v<T, bfloat16> ? 2 : 0;

template <class T> [[nodiscard]] SvdInput svd_input(const char* call, const matrix_view<T>& a) {
    using U = std::remove_const_t<T>;
    static_assert(std::is_same_v<U, float> || std::is_same_v<U, double> || is_half<U>,
                  "svd_lowrank: matrices are of float, double, float16 or bfloat16");
    return {call, a.data, a.rows, a.cols, a.row_stride,       a.col_stride, svd_type<U>, nullptr, 0, 0,
            0,    0,      {},     2,      TestMatrix::normal, false};
}

}  // namespace detail

/// The q leading singular values and vectors of A (m x n, any strides). The generator moves on by the test matrix,
/// min(m, n) * q values, whatever A holds; calls in a row differ, and the same seed gives the same bits.
/// Throws Error (invalid_argument), and changes nothing, for q outside [0, min(m, n)], a negative niter, an M of
/// another shape, a null A with elements, or a NaN or infinity in A or M, whose first place it names.
template <class T>
[[nodiscard]] auto svd_lowrank(const matrix_view<T>& A, const SvdOptions<std::remove_const_t<T>>& options,
                               Generator& generator = default_generator()) {
    detail::SvdInput input = detail::svd_input("svd_lowrank", A);
    input.q = options.q;
    input.niter = options.niter;
    input.test_matrix = options.test_matrix;
    input.mean = options.M.data;
    input.mean_rows = options.M.rows;
    input.mean_cols = options.M.cols;
    input.mean_row_stride = options.M.row_stride;
    input.mean_col_stride = options.M.col_stride;
    return detail::svd_lowrank(input, generator, detail::computed_t<std::remove_const_t<T>>{});
}
template <class T> [[nodiscard]] auto svd_lowrank(const matrix_view<T>& A, Generator& generator = default_generator()) {
    return svd_lowrank(A, SvdOptions<std::remove_const_t<T>>{}, generator);
}

/// The principal components of A's rows: svd_lowrank of A less the mean of each column. As it throws.
template <class T>
[[nodiscard]] auto pca_lowrank(const matrix_view<T>& A, const PcaOptions& options = {},
                               Generator& generator = default_generator()) {
    detail::SvdInput input = detail::svd_input("pca_lowrank", A);
    input.q = options.q;
    input.niter = options.niter;
    input.center = options.center;
    return detail::svd_lowrank(input, generator, detail::computed_t<std::remove_const_t<T>>{});
}

RNG_END_NAMESPACE
