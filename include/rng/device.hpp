// Devices: where a generator's values are made. All devices give the same numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

#include "core/hide_macros.inc"

struct CUstream_st;

RNG_BEGIN_NAMESPACE

enum class DeviceType { cpu, cuda };

struct Device {
    DeviceType type = DeviceType::cpu;
    int index = 0;
    friend bool operator==(const Device&, const Device&) = default;
};

/// cudaStream_t without CUDA's headers; null is the default stream.
using cuda_stream = CUstream_st*;

[[nodiscard]] inline Device cpu() { return {}; }
[[nodiscard]] inline Device cuda(int index = 0) { return {DeviceType::cuda, index}; }

/// The devices of this machine that this build can use; the CPU comes first.
[[nodiscard]] RNG_API std::vector<Device> devices();

/// True if the library was built with its CUDA backend (a driver and a GPU may still be missing).
[[nodiscard]] RNG_API bool has_cuda_backend();

/// Returns the name of a device: "cpu" or "cuda:0".
[[nodiscard]] RNG_API std::string to_string(Device device);

/// The inverse of to_string(); "cuda" is "cuda:0". Throws Error (invalid_argument) on anything else.
[[nodiscard]] RNG_API Device parse_device(std::string_view text);

/// Elements in device or managed memory.
template <class T> struct device_span {
    T* data = nullptr;
    size_t size = 0;
};
template <class T> device_span(T*, size_t) -> device_span<T>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
