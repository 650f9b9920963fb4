// svd_lowrank and pca_lowrank for matrices in CUDA device memory: the same bits as on the CPU.
//
//     rng::Generator gen{rng::cuda(0), 42};
//     const rng::device_matrix A{pointer, m, n, n, 1};            // rows n apart
//     const rng::device_matrix A{pointer, m, n, n, 1};            // the next row begins n elements later
//     rng::svd_lowrank(A, {.q = 16}, {U, S, V}, work, gen, stream);
//
// All memory belongs to the caller: nothing is allocated on the device. Work on the device runs in the order of the
// stream.
// The host computes the matrices of size q x q, so it waits for the stream several times.
// The result is complete when the call returns.
// The header needs no header of CUDA, and a program without a GPU compiles and runs.
#pragma once

#include "../device.hpp"
#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// rows x cols elements in device or managed memory, at any strides.
template <class T> struct device_matrix {
    T* data = nullptr;
    size_t rows = 0;
    size_t cols = 0;
    ptrdiff_t row_stride = 0;  ///< in elements, as in matrix_view
    ptrdiff_t col_stride = 1;

    [[nodiscard]] static device_matrix row_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, static_cast<ptrdiff_t>(cols), 1};
    }
    [[nodiscard]] static device_matrix column_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, 1, static_cast<ptrdiff_t>(rows)};
    }
};
template <class T> device_matrix(T*, size_t, size_t, ptrdiff_t, ptrdiff_t) -> device_matrix<T>;

/// SvdOptions with an M in device memory.
template <class T> struct DeviceSvdOptions {
    std::optional<long long> q = {};
    long long niter = 2;
    device_matrix<const T> M = {};
    TestMatrix test_matrix = TestMatrix::normal;
};

/// The memory of a result: U is m x q, S has q values, V is n x q. T: float, double or complex of them.
template <class T> struct DeviceSvd {
    device_matrix<T> U;
    device_span<detail::real_t<T>> S;
    device_matrix<T> V;
};

namespace detail {

struct DeviceSvdTarget {
    SvdOutput output;
    size_t u_rows, u_cols, s_size, v_rows, v_cols;
    device_span<std::byte> workspace;
    cuda_stream stream;
};
[[nodiscard]] RNG_API size_t svd_workspace_for(const SvdInput& input);
RNG_API void svd_on_device(const SvdInput& input, const DeviceSvdTarget& target, Generator& generator);
/// Computes a matrix in host memory by way of device memory.
RNG_API void svd_through_device(const SvdInput& input, const SvdOutput& output, Generator& generator);

template <class T> void set_options(SvdInput& input, const DeviceSvdOptions<T>& options) {
    const device_matrix<const T>& m = options.M;
    set_options(input, SvdOptions<T>{.q = options.q,
                                     .niter = options.niter,
                                     .M = {m.data, m.rows, m.cols, m.row_stride, m.col_stride},
                                     .test_matrix = options.test_matrix});
}
template <class T, class Options>
[[nodiscard]] SvdInput svd_input(const char* call, const device_matrix<T>& a, const Options& options) {
    SvdInput input = svd_input(call, matrix_view<T>{a.data, a.rows, a.cols, a.row_stride, a.col_stride});
    set_options(input, options);
    return input;
}
template <class C>
[[nodiscard]] DeviceSvdTarget device_target(const DeviceSvd<C>& out, device_span<std::byte> workspace, cuda_stream s) {
    return {
        {out.U.data, out.U.row_stride, out.U.col_stride, out.S.data, out.V.data, out.V.row_stride, out.V.col_stride},
        out.U.rows,
        out.U.cols,
        out.S.size,
        out.V.rows,
        out.V.cols,
        workspace,
        s};
}

template <class T, class Options>
[[nodiscard]] auto svd_through(const char* call, Device device, const matrix_view<T>& a, const Options& options,
                               const Generator& from) {
    Generator generator(device);
    generator.set_state(from.get_state());
    if (device == cpu()) return svd_of(call, a, options, generator);
    SvdInput input = svd_input(call, a);
    set_options(input, options);
    auto result = room_for_svd<computed_t<T>>(input);
    svd_through_device(input, output_to(result), generator);
    return result;
}

}  // namespace detail

/// Returns the bytes of workspace that svd_lowrank of such a matrix takes; A.data is not read. Throws Error as
/// svd_lowrank does.
template <class T>
[[nodiscard]] size_t svd_lowrank_workspace(const device_matrix<T>& A,
                                           const DeviceSvdOptions<std::remove_const_t<T>>& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("svd_lowrank", A, options));
}
template <class T>
[[nodiscard]] size_t pca_lowrank_workspace(const device_matrix<T>& A, const PcaOptions& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("pca_lowrank", A, options));
}

/// Computes svd_lowrank of A in device memory, with the bits of the same call in host memory. The result is complete on
/// return.
/// Requires:
/// - the generator is on A's device,
/// - A, M, the result and the workspace are in that device's memory,
/// - the workspace begins at a multiple of 256 bytes,
/// - the stream is not being captured.
/// Throws Error:
/// - if an argument is wrong; then nothing was launched, and the generator has not moved;
/// - if A or M is not finite; then at most the workspace was written;
/// - on a failure of CUDA.
template <class T>
void svd_lowrank(const device_matrix<T>& A, const DeviceSvdOptions<std::remove_const_t<T>>& options,
                 const DeviceSvd<detail::computed_t<T>>& result, device_span<std::byte> workspace, Generator& generator,
                 cuda_stream stream = nullptr) {
    detail::svd_on_device(detail::svd_input("svd_lowrank", A, options),
                          detail::device_target(result, workspace, stream), generator);
}
/// Computes svd_lowrank of A minus the mean of each column, in device memory.
template <class T>
void pca_lowrank(const device_matrix<T>& A, const PcaOptions& options, const DeviceSvd<detail::computed_t<T>>& result,
                 device_span<std::byte> workspace, Generator& generator, cuda_stream stream = nullptr) {
    detail::svd_on_device(detail::svd_input("pca_lowrank", A, options),
                          detail::device_target(result, workspace, stream), generator);
}

/// Returns svd_lowrank of a matrix in host memory, computed by the device: for programs that compare devices.
/// The result is that of a generator in this state. The generator may be on any device, and does not move.
template <class T>
[[nodiscard]] auto svd_lowrank_on(Device device, const matrix_view<T>& A,
                                  const SvdOptions<std::remove_const_t<T>>& options, const Generator& from) {
    return detail::svd_through("svd_lowrank", device, A, options, from);
}
template <class T>
[[nodiscard]] auto pca_lowrank_on(Device device, const matrix_view<T>& A, const PcaOptions& options,
                                  const Generator& from) {
    return detail::svd_through("pca_lowrank", device, A, options, from);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
