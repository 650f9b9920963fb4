// The CUDA backend: devices, checks of memory, the submission of fills. launches.hpp has the sources of their kernels.
#include "../src/device/backend.hpp"

#include <rng/detail/device_launch_kernel.hpp>
#include <rng/detail/device_sobol_fill.hpp>
#include <rng/device_fill.hpp>
#include <rng/prepared.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "launches.hpp"
#include "numbers.hpp"
#include "runtime.hpp"

RNG_BEGIN_NAMESPACE
namespace {

/// The number of devices when the program first counted them. The count creates no context on any device, but it loads
/// the driver. So only calls about a GPU may count. An error is not kept, because it may be temporary.
struct DeviceCount {
    int count;
    cudaError_t error;
};
DeviceCount found() {
    static std::atomic<int> known = -1;
    int count = known.load(std::memory_order_relaxed);
    if (count >= 0) return {count, cudaSuccess};
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return {0, error};
    }
    known.store(count, std::memory_order_relaxed);
    return {count, cudaSuccess};
}

using detail::check;
using detail::CurrentDevice;
using detail::DeviceLaunch;
using detail::DeviceTarget;
using detail::FillRequest;

__global__ void advance_replay(uint64_t* counter) { ++*counter; }

template <class T>
__global__ void __launch_bounds__(detail::threads_per_block)
    sobol_kernel(const __grid_constant__ detail::DeviceSobolFill<T> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    detail::write_points(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}
template <class T>
void launch_sobol(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t*) {
    static detail::ResidentBlocks blocks;
    const auto* const kernel = reinterpret_cast<const void*>(&sobol_kernel<T>);
    const unsigned resident = blocks.on(device.index, kernel);
    const rng::sobol_view<T> points{static_cast<const uint64_t*>(target.numbers.data),
                                    static_cast<uint32_t>(target.strides.cols)};
    detail::DeviceSobolFill<T> fill{points, request.stream.position, static_cast<T*>(target.data), target.n,
                                    target.strides};
    fill.spread_over(uint64_t{resident} * detail::threads_per_block);
    detail::launch_kernel(kernel, resident, fill.walkers(), fill, target.stream);
}

DeviceLaunch launch_of(const FillRequest& request) {
    if (request.index == detail::sobol_index)
        return request.value_bytes == sizeof(float) ? &launch_sobol<float> : &launch_sobol<double>;
    const bool is_default = request.stream.engine == Engine::philox4x32_10;
    const DeviceLaunch own = is_default ? detail::light_launch(request.index)
                                        : detail::other_engine_launch(request.stream.engine, request.index);
    if (own != nullptr) return own;
    return is_default ? detail::heavy_launch(request.index) : detail::any_engine_launch(request.index);
}

/// The memory of a replay counter. It ends with its context.
struct ReplayCounter {
    uint64_t context;
    uint64_t* data;
};

/// The replay counters of all devices. A graph keeps its counters until nothing can run it any more. CUDA reports this
/// on a thread that must not call CUDA, so the memory of counters is used again, and never freed.
class ReplayCounters {
  public:
    /// Returns a counter of the current context that holds 0. Waits until the 0 is written, and for no other work of
    /// the device. No lock is held during CUDA calls: CUDA's own thread may wait for it in give_back().
    ReplayCounter take() {
        ReplayCounter counter = pop(detail::context_id());
        if (counter.data == nullptr) {
            make_room();
            void* memory = nullptr;
            check("cudaMalloc", cudaMalloc(&memory, several * sizeof(uint64_t)));
            counter.data = static_cast<uint64_t*>(memory);
            for (size_t i = several; i-- > 1;) give_back({counter.context, counter.data + i});
        }
        try {
            write_zero(counter.data);
        } catch (...) {
            give_back(counter);
            throw;
        }
        return counter;
    }
    /// Does not fail, and does not call CUDA.
    void give_back(ReplayCounter counter) {
        const std::lock_guard lock(mutex_);
        free_.push_back(counter);
    }
    static ReplayCounters& get() {
        static auto* const all = new ReplayCounters;  // never destroyed: graphs may outlive the statics of the program
        return *all;
    }

  private:
    static constexpr size_t several = 512;

    /// Returns a free counter of the context, or null. The counters of a context that has ended stay in the list.
    ReplayCounter pop(uint64_t context) {
        const std::lock_guard lock(mutex_);
        const auto last = std::find_if(free_.rbegin(), free_.rend(),
                                       [&](const ReplayCounter& counter) { return counter.context == context; });
        if (last == free_.rend()) return {context, nullptr};
        const ReplayCounter counter = *last;
        free_.erase(std::next(last).base());
        return counter;
    }
    void make_room() {
        const std::lock_guard lock(mutex_);
        free_.reserve(made_ + several);
        made_ += several;
    }
    static void write_zero(uint64_t* counter) {
        const detail::OwnStream own;
        check("cudaMemsetAsync", cudaMemsetAsync(counter, 0, sizeof *counter, own.stream()));
        own.wait();
    }

    std::mutex mutex_;
    std::vector<ReplayCounter> free_;
    size_t made_ = 0;
};

/// The use of a counter by a graph and its copies.
struct ReplayLease {
    const ReplayCounter counter = ReplayCounters::get().take();
    ReplayLease() = default;
    ~ReplayLease() { ReplayCounters::get().give_back(counter); }
    ReplayLease(const ReplayLease&) = delete;
    ReplayLease& operator=(const ReplayLease&) = delete;
};

/// Returns a new counter, kept by the graph into which the stream is being captured.
uint64_t* replay_counter(cudaStream_t stream) {
    const auto lease = std::make_shared<ReplayLease>();
    detail::give_to_graph(stream, lease);
    return lease->counter.data;
}

Device current_device() {
    int index = 0;
    check("cudaGetDevice", cudaGetDevice(&index));
    return cuda(index);
}

/// Returns true if the device can use all memory of the process, as on GH200 and with Linux's HMM.
bool reads_pageable_memory(Device device) {
    int answer = 0;
    check("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&answer, cudaDevAttrPageableMemoryAccess, device.index));
    return answer != 0;
}

/// Checks everything that can be checked before a launch.
DeviceLaunch checked_launch(const FillRequest& request, const DeviceTarget& target) {
    const detail::CallName call{target.call, request.name};
    const DeviceLaunch launch = target.launch != nullptr ? target.launch : launch_of(request);
    if (reinterpret_cast<uintptr_t>(target.data) % request.alignment != 0)
        detail::refuse(call.text(),
                       "the destination must be at a multiple of " + std::to_string(request.alignment) + " bytes");
    return launch;
}

/// If the kernel reads a table, a graph into which it is captured keeps the table.
void keep_table(const FillRequest& request, cudaStream_t stream, Device device) {
    const detail::DeviceTable* const table = request.cached.table;
    if (table == nullptr || table->words == nullptr) return;
    if (!(table->device == device))
        detail::refuse(detail::CallName{"fill", request.name}.text(),
                       "the table of the Prepared is on " + to_string(table->device) +
                           " but the destination is memory of " + to_string(device));
    if (detail::is_captured(stream)) detail::give_to_graph(stream, table->words);
}

}  // namespace

std::vector<Device> devices() {
    std::vector<Device> all{cpu()};
    const int gpus = found().count;
    for (int i = 0; i < gpus; ++i) all.push_back(cuda(i));
    return all;
}

bool has_cuda_backend() { return true; }

namespace detail {

std::string why_missing(Device device) {
    const DeviceCount all = found();
    if (device.index < all.count) return "";
    return all.error != cudaSuccess ? std::string("cudaGetDeviceCount: ") + cudaGetErrorString(all.error)
                                    : "this machine has " + std::to_string(all.count) + " CUDA devices";
}

Device memory_device(const CallName& call, const char* what, const void* data, const Device* user) {
    require_device(call, cuda(0));
    const PointedTo memory = pointed_to(data);
    if (memory.managed != 0) return user ? *user : cuda(memory.device);
    if (memory.type == CU_MEMORYTYPE_DEVICE) return cuda(memory.device);
    if (memory.type != CU_MEMORYTYPE_HOST) {
        const Device its = user ? *user : current_device();
        if (reads_pageable_memory(its)) return its;
    }
    detail::refuse(call.text(), std::string(what) + " must be device or managed memory, got " +
                                    (memory.type == CU_MEMORYTYPE_HOST ? "page-locked host memory" : "host memory"));
}

void submit_fill(const FillRequest& request, const DeviceTarget& target, Device device) {
    const DeviceLaunch launch = checked_launch(request, target);
    const CurrentDevice current(device.index);
    keep_table(request, target.stream, device);
    const detail::PlacedNumbers numbers(target, device);
    launch(request, numbers.target(), device, nullptr);
}

bool is_captured(cuda_stream stream, Device device) {
    const CurrentDevice current(device.index);
    return is_captured(stream);
}

void submit_replayed_fill(const FillRequest& request, const DeviceTarget& target, Device device) {
    const DeviceLaunch launch = checked_launch(request, target);
    const CurrentDevice current(device.index);
    const detail::RelaxedCapture relaxed;
    keep_table(request, target.stream, device);
    const detail::PlacedNumbers numbers(target, device);
    uint64_t* counter = replay_counter(target.stream);
    launch(request, numbers.target(), device, counter);
    // A separate node after the fill, because all threads of the fill read the same count.
    void* arguments[] = {&counter};
    check("cudaLaunchKernel", cudaLaunchKernel(reinterpret_cast<const void*>(&advance_replay), dim3(1), dim3(1),
                                               arguments, 0, target.stream));
}

DeviceTable table_on(const char* name, Device device, const uint64_t* table, size_t words) {
    require_device({"Prepared", name}, device);
    const CurrentDevice current(device.index);
    return {device, copied_table(table, words * sizeof(uint64_t))};
}

void submit_and_copy(const FillRequest& request, void* out, size_t n, Device device, DeviceLaunch launch) {
    const CurrentDevice current(device.index);
    const size_t bytes = n * request.value_bytes;
    const DeviceMemory memory(bytes);
    submit_fill(request, {memory.data(), n, nullptr, {}, launch}, device);
    check("cudaMemcpy", cudaMemcpy(out, memory.data(), bytes, cudaMemcpyDeviceToHost));
}

}  // namespace detail
RNG_END_NAMESPACE
