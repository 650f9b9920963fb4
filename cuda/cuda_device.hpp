// CudaDevice: kernels and copies in the order of a stream, for svd_backend.hpp and reduce_backend.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "../src/device/backend.hpp"
#include "runtime.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class K>
__global__ void __launch_bounds__(K::threads, K::resident) run_kernel(const __grid_constant__ K kernel) {
    kernel();
}

/// Memory of the current device for work of a stream: from the device's pool, and freed in the order of the stream.
/// Without pools, the destructor waits for all work of the device.
class StreamMemory {
  public:
    StreamMemory(Device device, cuda_stream stream, size_t bytes)
        : stream_(stream), has_pool_(has_memory_pool(device)) {
        if (has_pool_)
            check("cudaMallocAsync", cudaMallocAsync(&data_, bytes, stream));
        else
            check("cudaMalloc", cudaMalloc(&data_, bytes));
    }
    ~StreamMemory() { (void)(has_pool_ ? cudaFreeAsync(data_, stream_) : cudaFree(data_)); }
    StreamMemory(const StreamMemory&) = delete;
    StreamMemory& operator=(const StreamMemory&) = delete;
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

  private:
    void* data_ = nullptr;
    cuda_stream stream_;
    bool has_pool_;
};

/// Sorts n pairs by the low `bits` bits of their keys, stably. Afterwards keys[0] and values[0] are sorted, and the
/// other buffers are overwritten. Defined in pair_sort.cu.
void sort_pairs(uint32_t* (&keys)[2], uint32_t* (&values)[2], uint32_t n, int bits, void* workspace, size_t bytes,
                cuda_stream stream);
/// Returns the bytes of workspace of sort_pairs.
[[nodiscard]] size_t pair_sort_workspace(uint32_t n, int bits);

/// The device of the backends of this folder: CUDA, in the order of a stream.
class CudaDevice {
  public:
    /// The device must be current.
    CudaDevice(const char* call, Device device, cuda_stream stream)
        : call_(call), device_(device), stream_(stream), context_(context_id()) {}
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    /// Waits: copies that are not complete read from the staging memory.
    ~CudaDevice() {
        if (!staged_.empty()) (void)cudaStreamSynchronize(stream_);
    }

    /// shared_bytes: the shared memory of a block that the kernel does not declare itself.
    template <class K> void launch(const K& kernel, uint64_t blocks, uint32_t blocks_y, size_t shared_bytes = 0) {
        constexpr uint64_t most_blocks = (uint64_t{1} << 31) - 1;  // of the first dimension of a grid
        if (blocks > most_blocks)
            detail::refuse(call_, "the data are too large for a GPU's grids", ErrorCode::unsupported);
        void* arguments[] = {const_cast<K*>(&kernel)};
        const auto* const function = reinterpret_cast<const void*>(&run_kernel<K>);
        make_ready<K>(function, shared_bytes > 0);
        check("cudaLaunchKernel", cudaLaunchKernel(function, dim3(static_cast<unsigned>(blocks), blocks_y),
                                                   dim3(K::threads), arguments, shared_bytes, stream_));
    }
    /// Returns the most shared memory that a block may have.
    [[nodiscard]] size_t most_shared_bytes() const {
        return static_cast<size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    }
    void fill(const FillRequest& request, void* out, size_t n) { submit_fill(request, {out, n, stream_}, device_); }
    void zero(void* to, size_t bytes) { check("cudaMemsetAsync", cudaMemsetAsync(to, 0, bytes, stream_)); }
    void copy(void* to, const void* from, size_t bytes) {
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    void sort(uint32_t* (&keys)[2], uint32_t* (&values)[2], uint32_t n, int bits, void* workspace, size_t bytes) {
        sort_pairs(keys, values, n, bits, workspace, bytes, stream_);
    }
    [[nodiscard]] size_t sort_workspace(uint32_t n, int bits) const { return pair_sort_workspace(n, bits); }
    void to_device(void* to, const void* from, size_t bytes) {
        const auto* const begin = static_cast<const std::byte*>(from);
        const std::vector<std::byte>& kept = staged_.emplace_back(begin, begin + bytes);
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, kept.data(), bytes, cudaMemcpyHostToDevice, stream_));
    }
    void to_host(void* to, const void* from, size_t bytes) {
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
        wait();
    }
    /// Returns uninitialised memory, which is freed in the order of the stream.
    [[nodiscard]] std::shared_ptr<std::byte> memory(size_t bytes) {
        const auto owner = std::make_shared<StreamMemory>(device_, stream_, std::max<size_t>(1, bytes));
        return {owner, owner->data()};
    }
    void wait() {
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
        staged_.clear();
    }

  private:
    /// Loads a kernel, once for each context, because a capture in "global" mode forbids that launches do it. A kernel
    /// with shared memory may then have all that the device has: if each launch set its own size, that could be below
    /// the size of another launch, which a second thread makes at the same time.
    template <class K> void make_ready(const void* kernel, bool shares_memory) const {
        constexpr int devices_known = 64;
        static std::atomic<uint64_t> ready_in[devices_known] = {};  // the context that was last seen
        std::atomic<uint64_t>* const known =
            device_.index < devices_known ? &ready_in[static_cast<size_t>(device_.index)] : nullptr;
        if (known != nullptr && known->load(std::memory_order_acquire) == context_) return;
        const RelaxedCapture relaxed;
        cudaFuncAttributes its{};
        check("cudaFuncGetAttributes", cudaFuncGetAttributes(&its, kernel));
        if (shares_memory)
            check("cudaFuncSetAttribute",
                  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(most_shared_bytes() - its.sharedSizeBytes)));
        if (known != nullptr) known->store(context_, std::memory_order_release);
    }
    [[nodiscard]] int attribute(cudaDeviceAttr which) const {
        int value = 0;
        check("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, which, device_.index));
        return value;
    }

    const char* call_;
    Device device_;
    cuda_stream stream_;
    uint64_t context_;
    std::list<std::vector<std::byte>> staged_;
};

}  // namespace detail
RNG_END_NAMESPACE
