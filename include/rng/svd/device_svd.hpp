// svd_lowrank and pca_lowrank of matrices in CUDA device memory: the bits of the CPU.
//
//     rng::Generator gen{rng::cuda(0), 42};
//     const rng::device_matrix A{pointer, m, n, n, 1};            // rows n apart
//     rng::device_span<std::byte> work{memory, rng::svd_lowrank_workspace(A, {.q = 16})};
//     rng::svd_lowrank(A, {.q = 16}, {U, S, V}, work, gen, stream);
//
// All memory is the caller's: nothing is allocated on the device. What runs there runs in the order of the stream; the
// host waits for it several times, since what is of size q x q is done there, and has the result when the call returns.
// No header of CUDA is needed, and a program without a GPU compiles and runs.
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
/// Host memory, by way of the device's.
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

/// Bytes of workspace that svd_lowrank of such a matrix takes; A.data is not looked at. Throws Error as that does.
template <class T>
[[nodiscard]] size_t svd_lowrank_workspace(const device_matrix<T>& A,
                                           const DeviceSvdOptions<std::remove_const_t<T>>& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("svd_lowrank", A, options));
}
template <class T>
[[nodiscard]] size_t pca_lowrank_workspace(const device_matrix<T>& A, const PcaOptions& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("pca_lowrank", A, options));
}

/// svd_lowrank of A, whose result has the bits of the same call in host memory, and is complete on return. The
/// generator must be on A's device; A, M, the result and the workspace (at a multiple of 256 bytes) in its memory. The
/// stream must not be being captured. Throws Error, having launched nothing and moved nothing, if an argument is not as
/// it should be; and having written at most to the workspace, if A or M is not finite; and on a failure of CUDA.
template <class T>
void svd_lowrank(const device_matrix<T>& A, const DeviceSvdOptions<std::remove_const_t<T>>& options,
                 const DeviceSvd<detail::computed_t<T>>& result, device_span<std::byte> workspace, Generator& generator,
                 cuda_stream stream = nullptr) {
    detail::svd_on_device(detail::svd_input("svd_lowrank", A, options),
                          detail::device_target(result, workspace, stream), generator);
}
/// svd_lowrank of A less the mean of each column.
template <class T>
void pca_lowrank(const device_matrix<T>& A, const PcaOptions& options, const DeviceSvd<detail::computed_t<T>>& result,
                 device_span<std::byte> workspace, Generator& generator, cuda_stream stream = nullptr) {
    detail::svd_on_device(detail::svd_input("pca_lowrank", A, options),
                          detail::device_target(result, workspace, stream), generator);
}

/// svd_lowrank of a matrix in host memory, computed by the device: for programs that compare devices. The result is
/// that of a generator in this state, which may be on any device, and does not move.
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
