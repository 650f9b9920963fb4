// Kernels of a program that draws inside them, and kernels of a few instructions: gpu_device.cu, for gpu.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct DeviceRow {
    std::string who, what;
    std::int64_t values;  // of one launch: random values, or groups of instructions
    void (*launch)(float* sums, cudaStream_t stream);
};
inline constexpr std::int64_t device_row_sums = 1 << 24;  // the values that a launch writes

[[nodiscard]] std::vector<DeviceRow> device_rows();

/// The file of cuRAND's host API, which is loaded if the machine has it.
[[nodiscard]] const char* curand_library();

}  // namespace bench
