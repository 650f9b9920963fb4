// The other sources of rng_bench_gpu, for CUDA that is played: rows without kernels, no cuRAND.
#include "../../benchmarks/gpu_device.hpp"

std::vector<bench::DeviceRow> bench::device_rows() {
    const auto nothing = [](float*, cudaStream_t) {};
    return {{"rng-at", "64 normal_f32", 64, nothing},
            {"curand", "64 normal_f32", 64, nothing},
            {"rate", "FFMA", 64, nothing},
            {"rate", "IMAD.WIDE", 32, nothing},
            {"rate", "FFMA + IMAD.WIDE", 16, nothing}};
}

const char* bench::curand_library() { return "no cuRAND, since CUDA is played"; }
