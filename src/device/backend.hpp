// The functions of a device backend, besides devices() and has_cuda_backend(). The link chooses it: cuda/ or
// no_cuda.cpp.
#pragma once

#include <string>

#include <rng/detail/fill_request.hpp>
#include <rng/detail/svd_input.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Why this GPU is not there; empty if it is.
[[nodiscard]] std::string why_missing(Device device);

/// Throws Error, naming the call, if the device is not there. The same for every backend; defined in device.cpp.
void require_device(const char* call, Device device);

/// The device whose memory this is. Throws Error if `what` is another kind of memory.
[[nodiscard]] Device memory_device(const std::string& call, const char* what, const void* data);

/// True if there is a kernel for the fill's engine and distribution.
[[nodiscard]] bool has_kernel(const FillRequest& request);

/// Launches the fill of the device's memory; request.stream is positioned at the first value. Throws Error, before it
/// launches anything, if there is no such kernel or the memory is not aligned for the values.
void submit_fill(const FillRequest& request, const DeviceTarget& target, Device device);

/// True if what is submitted to the stream becomes part of a graph.
[[nodiscard]] bool is_captured(cuda_stream stream, Device device);

/// submit_fill to a captured stream, with a counter of replays: each writes the values after those of the last one.
void submit_replayed_fill(const FillRequest& request, const DeviceTarget& target, Device device);

/// submit_fill into memory of the device's own, then copied to `out`; waits.
void submit_and_copy(const FillRequest& request, void* out, size_t n, Device device);

/// Bytes of device memory that submit_svd works in.
[[nodiscard]] size_t svd_workspace(const SvdInput& input);

/// svd_lowrank of a dense matrix in the device's memory; the workspace is at a multiple of 256 bytes. Waits.
void submit_svd(const SvdInput& input, const SvdOutput& output, void* workspace, Generator& generator, Device device,
                cuda_stream stream);

/// The same with everything in host memory: through memory of the device's own.
void svd_and_copy(const SvdInput& input, const SvdOutput& output, Generator& generator, Device device);

}  // namespace detail
RNG_END_NAMESPACE
