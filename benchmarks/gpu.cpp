// rng_bench_gpu: fills of a GPU's memory by rng, cuRAND's host API (Philox) and cudaMemset, timed by CUDA events.
// With the argument svd, it times the low-rank SVD instead.
// gpu.py runs it in rounds beside torch and CuPy, and makes the tables. Rows are named as in support.hpp.
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

/// One row, timed from the first of `at_once` calls to the end of what they submitted.
benchmark::internal::Benchmark* add_timed(const std::string& name, std::int64_t bytes, int at_once,
                                          const std::function<void()>& call) {
    return benchmark::RegisterBenchmark(name.c_str(), [=](auto& state) {
        cudaEvent_t begin, end;
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        call();  // warm
        for (auto _ : state) {
            CHECK(cudaEventRecord(begin, stream));
            for (int i = 0; i < at_once; ++i) call();
            CHECK(cudaEventRecord(end, stream));
            CHECK(cudaEventSynchronize(end));
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            state.SetIterationTime(milliseconds * 1e-3);
        }
        CHECK(cudaEventDestroy(begin));
        CHECK(cudaEventDestroy(end));
        state.SetBytesProcessed(state.iterations() * at_once * bytes);
    });
}

/// `fill` submits work that writes `bytes`. Small fills are timed by the dozen, launches and all.
void add(const std::string& who, const std::string& what, std::size_t bytes, const std::function<void()>& fill) {
    const std::string size =
        bytes >= bench::mib ? std::to_string(bytes / bench::mib) + "MiB" : std::to_string(bytes / bench::kib) + "KiB";
    add_timed(bench::row_name("fill", who, what, size, 1), static_cast<std::int64_t>(bytes),
              bytes <= bench::mib ? 100 : 1, fill)
        ->UseManualTime();
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

/// svd_lowrank of a matrix of normal values, with two power iterations.
template <class T> void add_svd(std::size_t m, std::size_t n, std::size_t q, const std::string& type) {
    const auto device_memory = [](std::size_t bytes) {
        void* p = nullptr;
        CHECK(cudaMalloc(&p, bytes));
        return p;
    };
    static rng::Generator generator(rng::cuda(0), 42);
    const rng::DeviceSvdOptions<T> options{.q = static_cast<long long>(q)};
    auto* const values = static_cast<T*>(device_memory(m * n * sizeof(T)));
    rng::fill(rng::device_span<T>{values, m * n}, rng::normal<T>{}, generator, stream);
    const auto a = rng::device_matrix<const T>::row_major(values, m, n);
    const auto factor = [&](std::size_t rows) {
        return rng::device_matrix<T>::row_major(static_cast<T*>(device_memory(rows * q * sizeof(T))), rows, q);
    };
    const rng::DeviceSvd<T> result{factor(m), {static_cast<T*>(device_memory(q * sizeof(T))), q}, factor(n)};
    const std::size_t bytes = rng::svd_lowrank_workspace(a, options);
    const rng::device_span<std::byte> work{static_cast<std::byte*>(device_memory(bytes)), bytes};
    const std::string shape = std::to_string(m) + 'x' + std::to_string(n) + 'q' + std::to_string(q);
    add_timed(bench::row_name("svd", "rng-cuda", shape + '_' + type, "-", 1),
              static_cast<std::int64_t>(m * n * sizeof(T)), 1,
              [=] { rng::svd_lowrank(a, options, result, work, generator, stream); })
        ->UseManualTime();
}

/// The shapes of svd_torch.py.
void add_svds() {
    constexpr std::size_t shapes[][3] = {{20000, 2000, 16}, {20000, 2000, 64}, {4096, 4096, 16},
                                         {4096, 4096, 64},  {2000, 500, 128},  {1000, 1000, 6}};
    for (const auto& [m, n, q] : shapes) {
        add_svd<float>(m, n, q, "f32");
        add_svd<double>(m, n, q, "f64");
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::vector<std::size_t> sizes;
    std::size_t most = 0;
    const bool svd = argc == 2 && std::string(argv[1]) == "svd";
    for (int i = 1; i < argc && !svd; ++i) {
        const std::string text = argv[i];
        if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 9 ||
            std::stoul(text) == 0) {
            std::cerr << "rng_bench_gpu: arguments are sizes in KiB, or svd; got " << text << '\n';
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
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (svd) {
        add_svds();
    } else {
        CHECK(cudaMalloc(&memory, most));
        CHECK(cudaMemset(memory, 1, most));
        add_sizes(sizes);
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
