// SvdInput and SvdOutput: the type-erased arguments of svd_lowrank and pca_lowrank, which librng carries out (src/svd).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../float16.hpp"
#include "../generator.hpp"
#include "../svd/svd_types.hpp"
#include "matrix_description.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A matrix and the options of the call, as the implementation takes them.
struct SvdInput {
    const char* call;
    MatrixDescription a = {};
    std::optional<long long> q = {};
    long long niter = 2;
    TestMatrix test_matrix = TestMatrix::normal;
    bool center = false, fast = false;
    long long oversampling = 0;
};

/// The memory of U, S and V; strides in elements.
struct SvdOutput {
    void* U;
    ptrdiff_t u_row_stride, u_col_stride;
    void* S;
    void* V;
    ptrdiff_t v_row_stride, v_col_stride;
};

/// Validates the arguments and returns q. Throws Error (invalid_argument or unsupported).
[[nodiscard]] RNG_API size_t checked_svd(const SvdInput& input);
/// Writes the result of each input into its output. All inputs have one shape and one test matrix.
RNG_API void run_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator);

template <class T> [[nodiscard]] DenseDescription described(const matrix_view<T>& view) {
    const auto valid = with_valid_strides(view);
    return {valid.data, valid.rows, valid.cols, valid.row_stride, valid.col_stride};
}
template <class T> [[nodiscard]] SvdInput svd_input(const char* call) {
    using U = std::remove_const_t<T>;
    static_assert(std::is_same_v<real_t<U>, float> || std::is_same_v<real_t<U>, double>,
                  "svd_lowrank: matrices are of float, double, float16, bfloat16 or complex of float or double");
    SvdInput input{.call = call};
    input.a.type = std::is_same_v<U, float16>    ? rng_abi::ElementType::f16
                   : std::is_same_v<U, bfloat16> ? rng_abi::ElementType::bf16
                                                 : rng_abi::ElementType::same;
    input.a.is_double = std::is_same_v<real_t<U>, double>;
    input.a.is_complex = SvdElement<U>::is_complex;
    return input;
}
template <class T> [[nodiscard]] SvdInput svd_input(const char* call, const row_shards<T>& a) {
    SvdInput input = svd_input<T>(call);
    input.a.cols = a.parts.empty() ? 0 : a.parts[0].cols;
    for (size_t i = 0; i < a.parts.size(); ++i) {
        const matrix_view<T>& part = a.parts[i];
        if (part.cols != input.a.cols)
            refuse(call, "row shard " + std::to_string(i) + " has " + std::to_string(part.cols) +
                             " columns, the first has " + std::to_string(input.a.cols));
        input.a.parts.push_back(described(part));
        input.a.rows += part.rows;
    }
    return input;
}
template <class T> [[nodiscard]] SvdInput svd_input(const char* call, const matrix_view<T>& a) {
    return svd_input(call, row_shards<T>{{&a, 1}});
}
template <class T, class Index> [[nodiscard]] SvdInput svd_input(const char* call, const csr_view<T, Index>& a) {
    static_assert(std::is_integral_v<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8));
    SvdInput input = svd_input<T>(call);
    input.a.rows = a.rows;
    input.a.cols = a.cols;
    input.a.sparse = {a.row_offsets.data(), a.columns.data(), a.values.data(),    a.row_offsets.size(),
                      a.columns.size(),     a.values.size(),  int{sizeof(Index)}, false};
    return input;
}

template <class T> void set_options(SvdInput& input, const SvdOptions<T>& options) {
    input.q = options.q;
    input.niter = options.niter;
    input.test_matrix = options.test_matrix;
    input.fast = options.fast;
    input.oversampling = options.oversampling;
    if (options.M.data != nullptr) input.a.mean = described(options.M);
}
inline void set_options(SvdInput& input, const PcaOptions& options) {
    input.q = options.q;
    input.niter = options.niter;
    input.test_matrix = options.test_matrix;
    input.fast = options.fast;
    input.oversampling = options.oversampling;
    input.center = options.center;
}

/// The element type of a matrix that svd_lowrank takes.
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
    return {Matrix<T>(input.a.rows, q), std::vector<real_t<T>>(q), Matrix<T>(input.a.cols, q)};
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
/// The inputs of a batch, each with its name.
template <class T, class Options>
[[nodiscard]] std::vector<SvdInput> svd_inputs(const char* call, const batch_view<T>& a, const Options& options) {
    std::vector<SvdInput> inputs;
    for (size_t i = 0; i < a.size; ++i) {
        inputs.push_back(svd_input(call, a[i]));
        inputs[i].a.name = "A[" + std::to_string(i) + "]";
        set_options(inputs[i], options);
    }
    return inputs;
}
/// Computes a batch by run(inputs, outputs).
template <class T, class Options, class F>
[[nodiscard]] auto svds_of(const char* call, const batch_view<T>& a, const Options& options, const F& run) {
    const std::vector<SvdInput> inputs = svd_inputs(call, a, options);
    std::vector<LowRankSvd<computed_t<T>>> results;
    std::vector<SvdOutput> outputs;
    for (const SvdInput& input : inputs) results.push_back(room_for_svd<computed_t<T>>(input));
    for (auto& result : results) outputs.push_back(output_to(result));
    run(inputs, outputs);
    return results;
}
template <class T, class Options>
[[nodiscard]] auto svd_of(const char* call, const batch_view<T>& a, const Options& options, Generator& generator) {
    return svds_of(call, a, options, [&](const auto& in, const auto& out) { run_svd(in, out, generator); });
}

[[nodiscard]] RNG_API size_t svd_host_workspace_for(const SvdInput& input, std::optional<size_t> entries);

template <class T, class Options>
[[nodiscard]] size_t svd_host_workspace(const char* call, size_t rows, size_t cols, const Options& options,
                                        std::optional<size_t> entries) {
    SvdInput input = svd_input<T>(call);
    input.a.rows = rows;
    input.a.cols = cols;
    set_options(input, options);
    return svd_host_workspace_for(input, entries);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
