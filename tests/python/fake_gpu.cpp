// Functions for test_cuda.py, which calls them by ctypes: the module _rng with CUDA played by fake_cuda. Memory of the
// host is memory of GPU 0 here, and a launch of normal<float> values runs the kernel's source on the host.
#include <cstddef>
#include <cstdint>

#include <rng/rng.hpp>

#include <rng/detail/device_fill_kernel.hpp>
#include "../support/fake_cuda.hpp"

using fake_cuda::cuda;

extern "C" {

/// From here on these bytes, and no others, are memory of GPU 0. Forgets all launches.
__attribute__((visibility("default"))) void rng_fake_gpu_memory(void* data, std::size_t bytes) {
    cuda = {};
    cuda.memory[data] = {bytes, CU_MEMORYTYPE_DEVICE, false, 0};
    cuda.launched = [](const fake_cuda::Launch& launch) {
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
