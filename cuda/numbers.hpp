// Numbers from the host in memory of a device: tables of prepared distributions, and the numbers of a single launch.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <mutex>

#include "runtime.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// A stream that does not wait for other work of the device, and is not part of any capture.
class OwnStream {
  public:
    OwnStream() { check("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~OwnStream() { (void)cudaStreamDestroy(stream_); }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    [[nodiscard]] cudaStream_t stream() const { return stream_; }
    void wait() const { check("cudaStreamSynchronize", cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// Returns true if the stream, which is of the current device, is being captured.
inline bool is_captured(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check("cudaStreamIsCapturing", cudaStreamIsCapturing(stream, &status));
    return status != cudaStreamCaptureStatusNone;
}

/// Makes the graph into which the stream is being captured one of the owners. The last owner must not call CUDA.
template <class T> void give_to_graph(cudaStream_t stream, const std::shared_ptr<T>& given) {
    using Owner = std::shared_ptr<T>;
    auto owner = std::make_unique<Owner>(given);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    check("cudaStreamGetCaptureInfo", cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph));
    cudaUserObject_t object = nullptr;
    check("cudaUserObjectCreate", cudaUserObjectCreate(
                                      &object, owner.get(), [](void* owned) { delete static_cast<Owner*>(owned); }, 1,
                                      cudaUserObjectNoDestructorSync));
    (void)owner.release();  // the object owns it now
    if (const cudaError_t error = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove)) {
        (void)cudaUserObjectRelease(object, 1);
        check("cudaGraphRetainUserObject", error);
    }
}

/// Memory of tables that nothing refers to any more. A graph gives its table back on a thread that must not call CUDA,
/// so the memory is freed when the next table is made. cudaFree then waits for fills that still read it.
class UnusedTables {
  public:
    struct Memory {
        uint64_t context;
        void* data;
        Memory* next;
    };
    /// Does not fail, and does not call CUDA.
    void give_back(Memory* memory) {
        const std::lock_guard lock(mutex_);
        memory->next = first_;
        first_ = memory;
    }
    /// Frees those of the current context. No lock is held during CUDA calls, as in ReplayCounters.
    void free_of(uint64_t context) {
        while (const std::unique_ptr<Memory> memory = take(context)) (void)cudaFree(memory->data);
    }
    static UnusedTables& get() {
        static auto* const all = new UnusedTables;  // never destroyed: graphs may outlive the statics of the program
        return *all;
    }

  private:
    std::unique_ptr<Memory> take(uint64_t context) {
        const std::lock_guard lock(mutex_);
        for (Memory** place = &first_; *place != nullptr; place = &(*place)->next)
            if ((*place)->context == context) {
                Memory* const found = *place;
                *place = found->next;
                return std::unique_ptr<Memory>(found);
            }
        return nullptr;
    }

    std::mutex mutex_;
    Memory* first_ = nullptr;
};

/// Copies numbers to memory of the device, which is current, and waits for the copy alone.
inline void copy_and_wait(const OwnStream& own, void* to, const void* from, size_t bytes) {
    check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, own.stream()));
    own.wait();
}

/// Returns a copy in memory of the current device. The last owner does not call CUDA.
inline std::shared_ptr<const uint64_t> copied_table(const void* from, size_t bytes) {
    const RelaxedCapture relaxed;
    const uint64_t context = context_id();
    UnusedTables::get().free_of(context);
    auto memory = std::make_unique<UnusedTables::Memory>(UnusedTables::Memory{context, nullptr, nullptr});
    check("cudaMalloc", cudaMalloc(&memory->data, bytes));
    auto* const data = static_cast<uint64_t*>(memory->data);
    std::shared_ptr<const uint64_t> owner(
        data, [given = memory.release()](const uint64_t*) { UnusedTables::get().give_back(given); });
    copy_and_wait(OwnStream(), data, from, bytes);
    return owner;
}

/// Returns a copy in memory of the device, which is current. The last owner frees it in the order of the stream.
inline std::shared_ptr<const uint64_t> copied_until_done(cudaStream_t stream, const void* from, size_t bytes) {
    const RelaxedCapture relaxed;
    const OwnStream own;
    void* data = nullptr;
    check("cudaMallocAsync", cudaMallocAsync(&data, bytes, own.stream()));
    const std::shared_ptr<const uint64_t> owner(static_cast<const uint64_t*>(data),
                                                [data, stream](const uint64_t*) { (void)cudaFreeAsync(data, stream); });
    copy_and_wait(own, data, from, bytes);
    return owner;
}

/// The numbers that one launch reads, in memory of the device, which is current. The memory comes from the device's
/// pool, and is freed in the order of the stream: cudaFree would wait for all work of the device. A graph keeps the
/// numbers as a table instead, because it may be launched at any time. Devices without pools also take a table, which
/// is freed when the next one is made.
class PlacedNumbers {
  public:
    PlacedNumbers(const DeviceTarget& given, Device device) : target_(given) {
        const LaunchNumbers& numbers = given.numbers;
        if (numbers.bytes == 0) return;
        const bool captured = is_captured(given.stream);
        owner_ = captured || !has_memory_pool(device) ? copied_table(numbers.data, numbers.bytes)
                                                      : copied_until_done(given.stream, numbers.data, numbers.bytes);
        if (captured) give_to_graph(given.stream, owner_);
        target_.numbers.data = owner_.get();
    }
    /// Returns the destination, with the place of the numbers.
    [[nodiscard]] const DeviceTarget& target() const { return target_; }

  private:
    DeviceTarget target_;
    std::shared_ptr<const uint64_t> owner_;
};

}  // namespace detail
RNG_END_NAMESPACE
