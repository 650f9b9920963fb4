// svd_lowrank and pca_lowrank: the leading singular values and vectors of a large matrix, with the same bits on every
// path.
//
//     auto [U, S, V] = rng::svd_lowrank(A, {.q = 16}, gen);          // A is about U diag(S) V^H
//     auto [P, L, W] = rng::pca_lowrank(A, {.q = 16}, gen);          // of A less its column means
//
// A: matrix_view (any strides), csr_view (sparse), row_shards (one matrix in several pieces); batch_view for many of
// one shape. Elements: float, double, float16, bfloat16, std::complex of float and double.
//
// Names and meaning follow torch.svd_lowrank and torch.pca_lowrank, which take no generator and whose results depend on
// device and threads. Source: Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53 (2011),
// algorithms 4.4 and 5.1. docs/svd.md gives every operation in its order.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../deterministic.hpp"
#include "../distributions/bits.hpp"
#include "../distributions/complex_normal.hpp"
#include "../distributions/normal.hpp"
#include "../fill.hpp"
#include "../float16.hpp"
#include "../matrix_view.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class T> struct SvdElement {
    static constexpr bool is_complex = false;
    using real = T;
    using computed = T;
};
template <> struct SvdElement<float16> {
    static constexpr bool is_complex = false;
    using real = float;
    using computed = float;
};
template <> struct SvdElement<bfloat16> {
    static constexpr bool is_complex = false;
    using real = float;
    using computed = float;
};
template <class T> struct SvdElement<std::complex<T>> {
    static constexpr bool is_complex = true;
    using real = T;
    using computed = std::complex<T>;
};
template <class T> struct SvdElement<complex<T>> {
    static constexpr bool is_complex = true;
    using real = T;
    using computed = complex<T>;
};

/// The type in which matrices of T are computed (half types in float), and that of their singular values.
template <class T> using computed_t = typename SvdElement<std::remove_const_t<T>>::computed;
template <class T> using real_t = typename SvdElement<std::remove_const_t<T>>::real;

}  // namespace detail

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

/// A sparse matrix in compressed rows, as scipy.sparse.csr_array has it: row i has the values row_offsets[i] to
/// row_offsets[i + 1] (rows + 1 offsets). Columns in any order within a row, no element twice. Index: a 32- or 64-bit
/// integer type.
template <class T, class Index = int64_t> struct csr_view {
    size_t rows = 0, cols = 0;
    std::span<const Index> row_offsets;
    std::span<const Index> columns;  ///< of each value
    std::span<const T> values;
};

/// One matrix whose rows lie in several pieces, from the top down: its result has the bits of the whole. Pieces may
/// have any number of rows, and have as many columns as the first.
template <class T> struct row_shards { std::span<const matrix_view<T>> parts; };

/// Matrices of one shape at equal distances, in elements.
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

/// U: m x q and V: n x q with orthonormal columns; S: q values, descending. T: float, double or complex of them.
template <class T> struct LowRankSvd {
    Matrix<T> U;
    std::vector<detail::real_t<T>> S;
    Matrix<T> V;
};

/// What the random test matrix is made of. Each element is a value of a plain fill: normal (for complex matrices
/// complex_normal), or the sign in the first bit of bits<uint32_t>.
enum class TestMatrix { normal, rademacher };

template <class T> struct SvdOptions {
    std::optional<long long> q = {};  ///< how many singular values: 0 to min(m, n); by default min(6, m, n)
    long long niter = 2;              ///< power iterations: more for slowly falling singular values
    /// Subtracted from A: m x n, or 1 x n (from every row) or m x 1. Nothing if its data is null.
    matrix_view<const T> M = {};
    TestMatrix test_matrix = TestMatrix::normal;
    /// Products by the BLAS that the library was built with (RNG_ENABLE_BLAS): bits of this machine, BLAS and number of
    /// threads only. An error under use_deterministic_algorithms(true).
    bool fast = false;
};

struct PcaOptions {
    std::optional<long long> q = {};  ///< as in SvdOptions
    bool center = true;               ///< subtract the mean of each column
    long long niter = 2;
    TestMatrix test_matrix = TestMatrix::normal;
    bool fast = false;  ///< as in SvdOptions
};

namespace detail {

/// Some rows of a dense matrix.
struct SvdRows {
    const void* data;
    size_t rows;
    ptrdiff_t row_stride, col_stride;
};
/// A sparse matrix by rows, or by columns.
struct SvdSparse {
    const void *offsets, *indices, *values;
    size_t offset_count, index_count, value_count;
    int index_bytes;  // 4 or 8; 0: the matrix is dense
    bool by_columns;
};
enum class SvdType { same, f16, bf16 };  // of the terms: as they are computed, or a half type

/// A matrix and what is asked of it, as the implementation takes it.
struct SvdInput {
    const char* call;
    std::string name = "A";  // for messages
    SvdType type{};
    bool is_double = false, is_complex = false;
    size_t rows = 0, cols = 0;
    std::vector<SvdRows> parts = {};
    SvdSparse sparse = {};
    const void* mean = nullptr;
    size_t mean_rows = 0, mean_cols = 0;
    ptrdiff_t mean_row_stride = 0, mean_col_stride = 0;
    std::optional<long long> q = {};
    long long niter = 2;
    TestMatrix test_matrix = TestMatrix::normal;
    bool center = false, fast = false;
};

/// Where U, S and V go; strides in elements.
struct SvdOutput {
    void* U;
    ptrdiff_t u_row_stride, u_col_stride;
    void* S;
    void* V;
    ptrdiff_t v_row_stride, v_col_stride;
};

/// q, of sound arguments. Throws Error (invalid_argument or unsupported).
[[nodiscard]] RNG_API size_t checked_svd(const SvdInput& input);
/// Each input's result into an output; they are of one shape, and have one test matrix.
RNG_API void run_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator);

template <class T> [[nodiscard]] SvdInput svd_input(const char* call) {
    using U = std::remove_const_t<T>;
    static_assert(std::is_same_v<real_t<U>, float> || std::is_same_v<real_t<U>, double>,
                  "svd_lowrank: matrices are of float, double, float16, bfloat16 or complex of float or double");
    SvdInput input{.call = call};
    input.type = std::is_same_v<U, float16>    ? SvdType::f16
                 : std::is_same_v<U, bfloat16> ? SvdType::bf16
                                               : SvdType::same;
    input.is_double = std::is_same_v<real_t<U>, double>;
    input.is_complex = SvdElement<U>::is_complex;
    return input;
}
template <class T> [[nodiscard]] SvdInput svd_input(const char* call, const row_shards<T>& a) {
    SvdInput input = svd_input<T>(call);
    input.cols = a.parts.empty() ? 0 : a.parts[0].cols;
    for (size_t i = 0; i < a.parts.size(); ++i) {
        const matrix_view<T>& part = a.parts[i];
        if (part.cols != input.cols)
            raise(ErrorCode::invalid_argument, std::string(call) + ": row shard " + std::to_string(i) + " has " +
                                                   std::to_string(part.cols) + " columns, the first has " +
                                                   std::to_string(input.cols));
        input.parts.push_back({part.data, part.rows, part.row_stride, part.col_stride});
        input.rows += part.rows;
    }
    return input;
}
template <class T> [[nodiscard]] SvdInput svd_input(const char* call, const matrix_view<T>& a) {
    return svd_input(call, row_shards<T>{{&a, 1}});
}
template <class T, class Index> [[nodiscard]] SvdInput svd_input(const char* call, const csr_view<T, Index>& a) {
    static_assert(std::is_integral_v<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8));
    SvdInput input = svd_input<T>(call);
    input.rows = a.rows;
    input.cols = a.cols;
    input.sparse = {a.row_offsets.data(), a.columns.data(), a.values.data(),    a.row_offsets.size(),
                    a.columns.size(),     a.values.size(),  int{sizeof(Index)}, false};
    return input;
}

template <class T> void set_options(SvdInput& input, const SvdOptions<T>& options) {
    input.q = options.q;
    input.niter = options.niter;
    input.test_matrix = options.test_matrix;
    input.fast = options.fast;
    input.mean = options.M.data;
    input.mean_rows = options.M.rows;
    input.mean_cols = options.M.cols;
    input.mean_row_stride = options.M.row_stride;
    input.mean_col_stride = options.M.col_stride;
}
inline void set_options(SvdInput& input, const PcaOptions& options) {
    input.q = options.q;
    input.niter = options.niter;
    input.test_matrix = options.test_matrix;
    input.fast = options.fast;
    input.center = options.center;
}

/// The element type of what svd_lowrank takes.
template <class A> struct SvdMatrix;
template <class T> struct SvdMatrix<matrix_view<T>> { using element = std::remove_const_t<T>; };
template <class T, class I> struct SvdMatrix<csr_view<T, I>> { using element = std::remove_const_t<T>; };
template <class T> struct SvdMatrix<row_shards<T>> { using element = std::remove_const_t<T>; };
template <class T> struct SvdMatrix<batch_view<T>> { using element = std::remove_const_t<T>; };
template <class A> using element_t = typename SvdMatrix<A>::element;
template <class A>
concept svd_matrix = requires {
    typename SvdMatrix<A>::element;
};

template <class T> [[nodiscard]] LowRankSvd<T> room_for_svd(const SvdInput& input) {
    const size_t q = checked_svd(input);
    return {Matrix<T>(input.rows, q), std::vector<real_t<T>>(q), Matrix<T>(input.cols, q)};
}
template <class T> [[nodiscard]] SvdOutput output_to(LowRankSvd<T>& r) {
    const auto q = static_cast<ptrdiff_t>(r.S.size());
    return {r.U.values.data(), q, 1, r.S.data(), r.V.values.data(), q, 1};
}

template <class A, class Options>
[[nodiscard]] auto svd_of(const char* call, const A& a, const Options& options, Generator& generator) {
    SvdInput input = svd_input(call, a);
    set_options(input, options);
    auto result = room_for_svd<computed_t<element_t<A>>>(input);
    const SvdOutput output = output_to(result);
    run_svd({&input, 1}, {&output, 1}, generator);
    return result;
}
template <class T, class Options>
[[nodiscard]] auto svd_of(const char* call, const batch_view<T>& a, const Options& options, Generator& generator) {
    std::vector<SvdInput> inputs;
    std::vector<LowRankSvd<computed_t<T>>> results;
    std::vector<SvdOutput> outputs;
    for (size_t i = 0; i < a.size; ++i) {
        inputs.push_back(svd_input(call, a[i]));
        inputs[i].name = "A[" + std::to_string(i) + "]";
        set_options(inputs[i], options);
        results.push_back(room_for_svd<computed_t<T>>(inputs[i]));
    }
    for (auto& result : results) outputs.push_back(output_to(result));
    run_svd(inputs, outputs, generator);
    return results;
}

}  // namespace detail

/// The q leading singular values and vectors of A (m x n): a LowRankSvd, of a batch a vector of them. The generator
/// moves on by the test matrix, min(m, n) * q values, whatever A holds; a batch has one test matrix, so that each of
/// its results is that of a single call. Calls in a row differ, and the same seed gives the same bits. The results of a
/// sparse matrix, and of one in shards, are those of the whole dense matrix, bit for bit.
/// Throws Error (invalid_argument), and changes nothing, for q outside [0, min(m, n)], a negative niter, an M of
/// another shape, a null A with elements, a sparse matrix with an index out of range or an element twice, or a NaN or
/// infinity in A or M, whose first place it names.
template <detail::svd_matrix A>
[[nodiscard]] auto svd_lowrank(const A& a, const SvdOptions<detail::element_t<A>>& options,
                               Generator& generator = default_generator()) {
    return detail::svd_of("svd_lowrank", a, options, generator);
}
template <detail::svd_matrix A> [[nodiscard]] auto svd_lowrank(const A& a, Generator& generator = default_generator()) {
    return svd_lowrank(a, SvdOptions<detail::element_t<A>>{}, generator);
}

/// The principal components of A's rows: svd_lowrank of A less the mean of each column. Of a sparse matrix that is
/// dense work, but without the memory. As svd_lowrank throws.
template <detail::svd_matrix A>
[[nodiscard]] auto pca_lowrank(const A& a, const PcaOptions& options = {}, Generator& generator = default_generator()) {
    return detail::svd_of("pca_lowrank", a, options, generator);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
