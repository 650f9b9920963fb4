// Devices: where a generator's values are computed. All devices give the same numbers.
//
//     rng::Generator gen{rng::has_cuda_backend() ? rng::devices().back() : rng::cpu(), 42};
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

#include "core/hide_macros.inc"

struct CUstream_st;

RNG_BEGIN_NAMESPACE

/// The kinds of devices.
enum class DeviceType { cpu, cuda };

/// One device: the CPU, or a GPU by its number.
struct Device {
    DeviceType type = DeviceType::cpu;
    int index = 0;
    friend bool operator==(const Device&, const Device&) = default;
};

/// cudaStream_t without CUDA's headers; null is the default stream.
using cuda_stream = CUstream_st*;

/// Returns the stream of calls that name none: the default stream that this source's other CUDA calls use. With nvcc's
/// --default-stream per-thread, or the macro CUDA_API_PER_THREAD_DEFAULT_STREAM, it is the calling thread's own stream.
[[nodiscard]] static inline cuda_stream default_stream() {
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
    return reinterpret_cast<cuda_stream>(2);  // cudaStreamPerThread; cuda.h documents the number
#else
    return nullptr;
#endif
}

/// Returns the CPU.
[[nodiscard]] inline Device cpu() { return {}; }
/// Returns the GPU with this number, as CUDA counts them.
[[nodiscard]] inline Device cuda(int index = 0) { return {DeviceType::cuda, index}; }

/// Returns the devices of this machine that this build can use; the CPU comes first.
[[nodiscard]] RNG_API std::vector<Device> devices();

/// Returns true if the library was built with its CUDA backend (a driver and a GPU may still be missing).
[[nodiscard]] RNG_API bool has_cuda_backend();

/// Returns the name of a device: "cpu" or "cuda:0".
[[nodiscard]] RNG_API std::string to_string(Device device);

/// Returns the device with this name: the inverse of to_string(). "cuda" means "cuda:0". Throws Error
/// (invalid_argument) on anything else.
[[nodiscard]] RNG_API Device parse_device(std::string_view text);

/// A span of elements in device or managed memory; or in any memory, if the GPU can access pageable memory.
template <class T> struct device_span {
    T* data = nullptr;
    size_t size = 0;
};
template <class T> device_span(T*, size_t) -> device_span<T>;

/// A matrix of rows x cols elements in device or managed memory, at any strides.
template <class T> struct device_matrix {
    T* data = nullptr;
    size_t rows = 0;
    size_t cols = 0;
    ptrdiff_t row_stride = 0;  ///< in elements, as in matrix_view
    ptrdiff_t col_stride = 1;

    /// Returns a matrix whose rows lie one after the other.
    [[nodiscard]] static device_matrix row_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, static_cast<ptrdiff_t>(cols), 1};
    }
    /// Returns a matrix whose columns lie one after the other.
    [[nodiscard]] static device_matrix column_major(T* data, size_t rows, size_t cols) {
        return {data, rows, cols, 1, static_cast<ptrdiff_t>(rows)};
    }
};
template <class T> device_matrix(T*, size_t, size_t, ptrdiff_t, ptrdiff_t) -> device_matrix<T>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
