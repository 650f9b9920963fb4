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
// This header needs no CUDA header, and a program that uses it compiles and runs without a GPU.
#pragma once

#include "../detail/device_svd_target.hpp"
#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the bytes of workspace that svd_lowrank of such a matrix takes, without reading an element of A. A batch
/// takes as many as one matrix. Throws Error as svd_lowrank does.
template <detail::device_svd_matrix A>
[[nodiscard]] size_t svd_lowrank_workspace(const A& a,
                                           const DeviceSvdOptions<detail::device_element_t<A>>& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("svd_lowrank", a, options));
}
/// Returns the bytes of workspace that pca_lowrank of such a matrix takes: more than svd_lowrank for a sparse matrix.
template <detail::device_svd_matrix A>
[[nodiscard]] size_t pca_lowrank_workspace(const A& a, const PcaOptions& options = {}) {
    return detail::svd_workspace_for(detail::svd_input("pca_lowrank", a, options));
}

/// Computes svd_lowrank of A in device memory, with the bits of the same call in host memory. The result is complete on
/// return. A is a device_matrix, a device_csr (result: DeviceSvd), or a device_batch (result: DeviceBatchSvd).
/// Requires:
/// - the generator is on A's device,
/// - A, M, the result and the workspace are in that device's memory,
/// - the workspace begins at a multiple of 256 bytes,
/// - the stream is not being captured.
/// Throws Error:
/// - if an argument is wrong; then nothing was launched, and the generator has not advanced;
/// - if a sparse matrix is not valid, with the message for host memory; then at most the workspace was written;
/// - if A or M is not finite; then at most the workspace was written;
/// - on a failure of CUDA.
template <detail::device_svd_matrix A>
void svd_lowrank(const A& a, const DeviceSvdOptions<detail::device_element_t<A>>& options,
                 const detail::device_result_t<A>& result, device_span<std::byte> workspace, Generator& generator,
                 cuda_stream stream = default_stream()) {
    detail::svd_on_device("svd_lowrank", a, options, result, workspace, generator, stream);
}
/// Computes svd_lowrank of A minus the mean of each column, in device memory.
template <detail::device_svd_matrix A>
void pca_lowrank(const A& a, const PcaOptions& options, const detail::device_result_t<A>& result,
                 device_span<std::byte> workspace, Generator& generator, cuda_stream stream = default_stream()) {
    detail::svd_on_device("pca_lowrank", a, options, result, workspace, generator, stream);
}

/// Returns svd_lowrank of a matrix in host memory, computed by the device: for programs that compare devices.
/// The result is that of a generator in the state of `from`, which may be on any device and does not advance.
/// Throws Error (unsupported) for row_shards on a GPU.
template <detail::svd_matrix A>
[[nodiscard]] auto svd_lowrank_on(Device device, const A& a, const SvdOptions<detail::element_t<A>>& options,
                                  const Generator& from) {
    return detail::svd_through("svd_lowrank", device, a, options, from);
}
/// Returns pca_lowrank of a matrix in host memory, computed by the device: as svd_lowrank_on.
template <detail::svd_matrix A>
[[nodiscard]] auto pca_lowrank_on(Device device, const A& a, const PcaOptions& options, const Generator& from) {
    return detail::svd_through("pca_lowrank", device, a, options, from);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
