// The launch of a fill kernel, for sources that nvcc compiles: those of the library and those of its users.
#pragma once

#include <algorithm>
#include <atomic>

#include "any_engine.hpp"
#include "cuda_check.hpp"
#include "device_fill_kernel.hpp"
#include "fill_arguments.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class D, class E>
__global__ void __launch_bounds__(threads_per_block, resident_blocks<D, E>)
    fill_kernel(const __grid_constant__ DeviceFill<D, E> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

/// The number of blocks of a kernel that each device holds at once. More blocks would run as a second wave, which
/// leaves most of the device idle.
class ResidentBlocks {
  public:
    /// Returns that number; the device must be current. It queries CUDA once for each device. The query loads the
    /// kernel, so that no launch does: a capture in "global" mode forbids it.
    unsigned on(int device, const void* kernel) {
        std::atomic<unsigned>* const known = device < devices_known ? &blocks_[static_cast<unsigned>(device)] : nullptr;
        if (known)
            if (const unsigned n = known->load(std::memory_order_relaxed)) return n;
        const RelaxedCapture relaxed;
        int multiprocessors = 0, each = 0;
        check("cudaDeviceGetAttribute",
              cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        check("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
              cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads_per_block, 0));
        const auto n = static_cast<unsigned>(std::max(1, multiprocessors * each));
        if (known) known->store(n, std::memory_order_relaxed);
        return n;
    }

  private:
    static constexpr int devices_known = 64;
    std::atomic<unsigned> blocks_[devices_known] = {};
};

/// Launches a fill kernel with a thread for each of `threads`, but at most `most_blocks` blocks. The device must be
/// current.
template <class Fill>
void launch_kernel(const void* kernel, unsigned most_blocks, uint64_t threads, Fill& fill, cuda_stream stream) {
    const uint64_t wanted = (threads + threads_per_block - 1) / threads_per_block;
    const auto blocks = static_cast<unsigned>(std::min<uint64_t>(wanted, most_blocks));
    void* arguments[] = {&fill};
    check("cudaLaunchKernel", cudaLaunchKernel(kernel, dim3(blocks), dim3(threads_per_block), arguments, 0, stream));
}

/// Returns the most blocks of a fill: as many as the device holds, or several times as many if each then still writes
/// 256 KiB, so that a multiprocessor that finishes early takes another block. Blocks of samplers end with retries in a
/// few lanes, so more of them would cost more than they gain.
template <class D, class E> unsigned most_blocks(const DeviceFill<D, E>& fill, unsigned resident) {
    if constexpr (has_warp_retries<D>) return resident;
    constexpr uint64_t block_bytes = uint64_t{1} << 18, most_turns = 1 << 16;
    const uint64_t turns = fill.n / (resident * (block_bytes / sizeof(result_t<D>)));
    return resident * static_cast<unsigned>(std::clamp<uint64_t>(turns, 1, most_turns));
}

/// Launches the fill. The device must be current.
template <class D, class E> void launch(DeviceFill<D, E> fill, int device, cuda_stream stream) {
    static ResidentBlocks resident;
    const auto* const kernel = reinterpret_cast<const void*>(&fill_kernel<D, E>);
    launch_kernel(kernel, most_blocks(fill, resident.on(device, kernel)), fill.most_items(), fill, stream);
}

template <class D> auto map_of_request(const FillRequest& request) {
    using Map = decltype(D{}.map());
    return request.cached.device != nullptr ? *static_cast<const Map*>(request.cached.device)
                                            : static_cast<const D*>(request.distribution)->map();
}

/// A DeviceLaunch. The counter is null, or counts the replays of the graph to which the launch belongs.
template <class D, class E>
void launch_request(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
    launch(SharedFill<D, E>(stream_of<E>(request.stream), map_of_request<D>(request), request.stream.position,
                            static_cast<typename SharedFill<D, E>::T*>(target.data), target.n, counter, target.strides),
           device.index, target.stream);
}

/// launch_request() for any engine, with one kernel for all engines.
template <class D>
void launch_any_engine(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
    SharedFill<D, AnyEngine> fill(any_stream(request.stream), map_of_request<D>(request), request.stream.position,
                                  static_cast<typename SharedFill<D, AnyEngine>::T*>(target.data), target.n, counter,
                                  target.strides);
    visit_engine(request.stream.engine,
                 [&](auto tag) { fill.set_replays(Stream<typename decltype(tag)::type>::size_words); });
    launch(fill, device.index, target.stream);
}

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
