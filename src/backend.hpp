// What a device backend provides, besides devices() and has_cuda_backend(); chosen at link time: cuda/backend.cu or
// no_cuda.cpp.
#pragma once

#include <rng/device_fill.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error, naming the call, if the device is not there.
void require_device(const char* call, Device device);

/// The device whose memory this is. Throws Error, naming the distribution, if it is another kind of memory.
[[nodiscard]] Device memory_device(const char* name, const void* data);

/// True if there is a kernel for the fill's engine and distribution.
[[nodiscard]] bool has_kernel(const FillRequest& request);

/// Launches the fill of the device's memory; request.stream is positioned at the first value. Throws Error, before it
/// launches anything, if there is no such kernel, the memory is not aligned for the values, the stream is being
/// captured.
void submit_fill(const FillRequest& request, const DeviceTarget& target, Device device);

/// The same into memory of the device's own, then copied to `out`; waits.
void submit_and_copy(const FillRequest& request, void* out, size_t n, Device device);

}  // namespace detail
RNG_END_NAMESPACE
