// Functions for test_cuda.py, which calls them by ctypes: the module _rng with CUDA played by fake_cuda. Memory of the
// host is memory of GPU 0 here, and a launch of normal<float> values runs the kernel's source on the host.
// Launches of Poisson values of means that vary, and of masks of float, have their values by at().
#include <cstddef>
#include <cstdint>
#include <string>

#include <rng/rng.hpp>

#include <rng/detail/device_fill_kernel.hpp>
#include "../../cuda/each_kernels.hpp"
#include "../support/fake_cuda.hpp"

using fake_cuda::cuda;

namespace {

namespace gpu = rng::detail::gpu;

double number(const gpu::DeviceNumbers& numbers, uint64_t i) {
    const void* const data = numbers.data != nullptr ? numbers.data : &numbers.one;
    const rng::detail::EachNumbers all{0, numbers.type, numbers.varies, false, data};
    return rng::detail::with_numbers(all,
                                     [&](const auto* x) { return static_cast<double>(x[numbers.varies ? i : 0]); });
}
void play(const gpu::WriteEach<rng::poisson<int64_t>>& kernel) {
    const auto stream = kernel.stream.at_position(kernel.start.word);
    for (uint64_t i = 0; i < kernel.n; ++i)
        static_cast<int64_t*>(kernel.out)[i] =
            rng::at(stream, rng::poisson<int64_t>{number(kernel.parameters[0], i)}, i);
}
void play(const gpu::WriteMask<float, rng::Philox4x32_10>& kernel) {
    const auto stream = kernel.stream.at_position(kernel.start.word);
    for (uint64_t i = 0; i < kernel.n; ++i) {
        const uint8_t kept = rng::at(stream, rng::bernoulli{number(kernel.p, i)}, i);
        const float one = kernel.x != nullptr ? kernel.x[i] * static_cast<float>(kernel.scale) : 1.0f;
        if (kernel.out != nullptr) kernel.out[i] = kept != 0 ? one : 0.0f;
        if (kernel.mask != nullptr) kernel.mask[i] = kept;
    }
}
template <class K> void play_arguments(const fake_cuda::Launch& launch) {
    play(*static_cast<const K*>(launch.arguments[0]));
}

}  // namespace

extern "C" {

/// From here on these bytes, and no others, are memory of GPU 0. Forgets all launches.
__attribute__((visibility("default"))) void rng_fake_gpu_memory(void* data, std::size_t bytes) {
    cuda = {};
    cuda.memory[data] = {bytes, CU_MEMORYTYPE_DEVICE, false, 0};
    cuda.launched = [](const fake_cuda::Launch& launch) {
        const auto is_of = [&](const char* name) { return launch.kernel.find(name) != std::string::npos; };
        if (is_of("WriteEach")) return play_arguments<gpu::WriteEach<rng::poisson<int64_t>>>(launch);
        if (is_of("WriteMask")) return play_arguments<gpu::WriteMask<float, rng::Philox4x32_10>>(launch);
        using Fill = rng::detail::SharedFill<rng::normal<float>, rng::Philox4x32_10>;
        const auto& fill = *static_cast<const Fill*>(launch.arguments[0]);
        const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x;
        for (uint64_t t = 0; t < threads; ++t) rng::detail::fill_thread(fill, t, threads);
    };
}

/// The number of launches.
__attribute__((visibility("default"))) std::size_t rng_fake_gpu_launches() { return cuda.launches.size(); }

/// The stream of the last launch.
__attribute__((visibility("default"))) uintptr_t rng_fake_gpu_stream() {
    return reinterpret_cast<uintptr_t>(cuda.launches.back().stream);
}
}
