// What benchmarks/gpu.cpp calls besides CUDA's runtime, for CUDA that is played: rows without kernels, no cuRAND.
#include <curand.h>

#include "../../benchmarks/gpu_device.hpp"

std::vector<bench::DeviceRow> bench::device_rows() {
    const auto nothing = [](float*, cudaStream_t) {};
    return {{"rng-at", "64 normal_f32", 64, nothing},
            {"curand", "64 normal_f32", 64, nothing},
            {"rate", "fma", 64, nothing},
            {"rate", "multiply-add of 32 to 64 bits", 32, nothing}};
}

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t*, curandRngType_t) {
    return CURAND_STATUS_INITIALIZATION_FAILED;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t, unsigned long long) {
    return CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) { return CURAND_STATUS_NOT_INITIALIZED; }
curandStatus_t curandGenerate(curandGenerator_t, unsigned*, size_t) { return CURAND_STATUS_NOT_INITIALIZED; }
curandStatus_t curandGenerateUniform(curandGenerator_t, float*, size_t) { return CURAND_STATUS_NOT_INITIALIZED; }
curandStatus_t curandGenerateUniformDouble(curandGenerator_t, double*, size_t) { return CURAND_STATUS_NOT_INITIALIZED; }
curandStatus_t curandGenerateNormal(curandGenerator_t, float*, size_t, float, float) {
    return CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t, double*, size_t, double, double) {
    return CURAND_STATUS_NOT_INITIALIZED;
}
}
