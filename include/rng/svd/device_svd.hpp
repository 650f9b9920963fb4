// svd_lowrank and pca_lowrank for matrices in CUDA device memory: the same bits as on the CPU.
//
//     rng::Generator gen{rng::cuda(0), 42};
//     const auto A = rng::device_matrix<float>::row_major(pointer, m, n);
//     rng::svd_lowrank(A, {.q = 16}, {U, S, V}, work, gen, stream);
//
// All memory belongs to the caller: nothing is allocated on the device. Work on the device runs in the order of the
// stream.
// The host computes the matrices of size q x q, so it waits for the stream several times.
// The result is complete when the call returns.
// The header needs no header of CUDA, and a program without a GPU compiles and runs.
#pragma once

#include "../detail/device_svd_target.hpp"
#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the bytes of workspace that svd_lowrank of such a matrix takes; A.data is not read. Throws Error as
/// svd_lowrank does.
template <class T>
[[nodiscard]] size_t svd_lowrank_workspace(const device_matrix<T>& A,
                                           const DeviceSvdOptions<std::remove_const_t<T>>& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("svd_lowrank", A, options));
}
/// Returns the bytes of workspace that pca_lowrank of such a matrix takes.
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
                 cuda_stream stream = default_stream()) {
    detail::svd_on_device(detail::svd_input("svd_lowrank", A, options),
                          detail::device_target(result, workspace, stream), generator);
}
/// Computes svd_lowrank of A minus the mean of each column, in device memory.
template <class T>
void pca_lowrank(const device_matrix<T>& A, const PcaOptions& options, const DeviceSvd<detail::computed_t<T>>& result,
                 device_span<std::byte> workspace, Generator& generator, cuda_stream stream = default_stream()) {
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
/// Returns pca_lowrank of a matrix in host memory, computed by the device: as svd_lowrank_on.
template <class T>
[[nodiscard]] auto pca_lowrank_on(Device device, const matrix_view<T>& A, const PcaOptions& options,
                                  const Generator& from) {
    return detail::svd_through("pca_lowrank", device, A, options, from);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
