// CUDA's runtime as this library calls it: errors that name the call, and the current device.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include <rng/error.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws on an error, and takes it from where CUDA would report it to the next caller.
inline void check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    throw Error(ErrorCode::cuda, std::string(call) + ": " + cudaGetErrorName(error) + " (" +
                                     std::to_string(static_cast<int>(error)) + "): " + cudaGetErrorString(error));
}

/// Makes a device current for a scope.
class CurrentDevice {
  public:
    explicit CurrentDevice(int index) {
        check("cudaGetDevice", cudaGetDevice(&before_));
        if (before_ != index) check("cudaSetDevice", cudaSetDevice(index));
    }
    ~CurrentDevice() { (void)cudaSetDevice(before_); }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

  private:
    int before_ = 0;
};

/// Memory of the current device, for a scope.
class DeviceMemory {
  public:
    explicit DeviceMemory(size_t bytes) { check("cudaMalloc", cudaMalloc(&data_, bytes)); }
    ~DeviceMemory() { (void)cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    [[nodiscard]] void* data() const { return data_; }

  private:
    void* data_ = nullptr;
};

}  // namespace detail
RNG_END_NAMESPACE
