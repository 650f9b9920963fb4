// rng_bench_gpu: fills of a GPU's memory by rng, cuRAND's host API (Philox) and cudaMemset, timed by CUDA events.
// gpu.py runs it in rounds beside torch and CuPy, and makes the table. Rows are named as in support.hpp.
#include <cuda_runtime.h>
#include <curand.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

void check(const char* call, int status) {
    if (status == 0) return;
    std::cerr << "rng_bench_gpu: " << call << " failed with code " << status << '\n';
    std::exit(1);
}
#define CHECK(call) check(#call, static_cast<int>(call))

cudaStream_t stream;
void* memory;

/// One row: `fill` submits work that writes `bytes`. Small fills are timed by the dozen, launches and all.
void add(const std::string& who, const std::string& what, std::size_t bytes, const std::function<void()>& fill) {
    const int at_once = bytes <= bench::mib ? 100 : 1;
    const std::string size =
        bytes >= bench::mib ? std::to_string(bytes / bench::mib) + "MiB" : std::to_string(bytes / bench::kib) + "KiB";
    auto* row = benchmark::RegisterBenchmark(bench::row_name("fill", who, what, size, 1).c_str(), [=](auto& state) {
        cudaEvent_t begin, end;
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        fill();  // warm
        for (auto _ : state) {
            CHECK(cudaEventRecord(begin, stream));
            for (int i = 0; i < at_once; ++i) fill();
            CHECK(cudaEventRecord(end, stream));
            CHECK(cudaEventSynchronize(end));
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            state.SetIterationTime(milliseconds * 1e-3);
        }
        CHECK(cudaEventDestroy(begin));
        CHECK(cudaEventDestroy(end));
        state.SetBytesProcessed(state.iterations() * at_once * static_cast<std::int64_t>(bytes));
    });
    row->UseManualTime();
}

template <class D> void add_rng(const std::string& what, std::size_t bytes, const D& dist) {
    using T = rng::result_t<D>;
    static rng::Generator generator(rng::cuda(0), 42);
    const rng::device_span<T> out{static_cast<T*>(memory), bytes / sizeof(T)};
    add("rng-cuda", what, bytes, [=] { rng::fill(out, dist, generator, stream); });
}

void add_sizes(const std::vector<std::size_t>& sizes) {
    static curandGenerator_t philox;
    CHECK(curandCreateGenerator(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(curandSetPseudoRandomGeneratorSeed(philox, 42));
    CHECK(curandSetStream(philox, stream));
    for (const std::size_t bytes : sizes) {
        add("memset", "bytes", bytes, [=] { CHECK(cudaMemsetAsync(memory, 1, bytes, stream)); });

        add_rng("bits_u32", bytes, rng::bits<std::uint32_t>{});
        add_rng("uniform_f32", bytes, rng::uniform<float>{});
        add_rng("uniform_f64", bytes, rng::uniform<double>{});
        add_rng("uniform_f16", bytes, rng::uniform<rng::float16>{});
        add_rng("uniform_bf16", bytes, rng::uniform<rng::bfloat16>{});
        add_rng("normal_f32", bytes, rng::normal<float>{});
        add_rng("normal_f64", bytes, rng::normal<double>{});
        add_rng("normal_f16", bytes, rng::normal<rng::float16>{});
        add_rng("exponential_f32", bytes, rng::exponential<float>{});
        add_rng("exponential_f64", bytes, rng::exponential<double>{});

        auto* const f32 = static_cast<float*>(memory);
        auto* const f64 = static_cast<double*>(memory);
        auto* const u32 = static_cast<unsigned*>(memory);
        add("curand", "bits_u32", bytes, [=] { CHECK(curandGenerate(philox, u32, bytes / 4)); });
        add("curand", "uniform_f32", bytes, [=] { CHECK(curandGenerateUniform(philox, f32, bytes / 4)); });
        add("curand", "uniform_f64", bytes, [=] { CHECK(curandGenerateUniformDouble(philox, f64, bytes / 8)); });
        add("curand", "normal_f32", bytes, [=] { CHECK(curandGenerateNormal(philox, f32, bytes / 4, 0, 1)); });
        add("curand", "normal_f64", bytes, [=] { CHECK(curandGenerateNormalDouble(philox, f64, bytes / 8, 0, 1)); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::vector<std::size_t> sizes;
    std::size_t most = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string text = argv[i];
        if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 9 ||
            std::stoul(text) == 0) {
            std::cerr << "rng_bench_gpu: sizes are numbers of KiB, got " << text << '\n';
            return 2;
        }
        sizes.push_back(std::stoul(text) * bench::kib);
        most = std::max(most, sizes.back());
    }
    if (sizes.empty()) sizes = {most = 1024 * bench::mib};
    if (rng::devices().size() < 2) {
        std::cerr << "rng_bench_gpu: there is no GPU on this machine\n";
        return 77;
    }
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    benchmark::AddCustomContext("device", device.name);
    benchmark::AddCustomContext("rng_version", RNG_VERSION);
    CHECK(cudaMalloc(&memory, most));
    CHECK(cudaMemset(memory, 1, most));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    add_sizes(sizes);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
