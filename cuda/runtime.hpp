// The calls of CUDA: errors that name the call, the current device, and the device of a pointer's memory. No function
// here creates a context on a device that the call is not about. Each leaves the device current that was current
// before.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include <rng/detail/cuda_check.hpp>
#include <rng/device.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Errors of the driver have the same numbers as errors of the runtime.
inline void check(const char* call, CUresult error) { check(call, static_cast<cudaError_t>(error)); }

/// Functions of the driver that the runtime does not have. Their addresses come from the runtime, because the library
/// does not link the driver.
struct Driver {
    decltype(&cuDevicePrimaryCtxRetain) retain_primary_context = function("cuDevicePrimaryCtxRetain");
    decltype(&cuCtxPushCurrent) push_context = function("cuCtxPushCurrent");
    decltype(&cuCtxPopCurrent) pop_context = function("cuCtxPopCurrent");
    decltype(&cuCtxGetId) context_id = function("cuCtxGetId");
    decltype(&cuPointerGetAttributes) pointer_attributes = function("cuPointerGetAttributes");

    static const Driver& get() {
        static const Driver driver;
        return driver;
    }

  private:
    /// A function of any type.
    struct Function {
        void* address;
        template <class F> operator F() const { return reinterpret_cast<F>(address); }
    };
    static Function function(const char* name) {
        constexpr unsigned version = 12000;  // every driver that this runtime works with has it
        Function f{};
        cudaDriverEntryPointQueryResult result{};
        check("cudaGetDriverEntryPointByVersion",
              cudaGetDriverEntryPointByVersion(name, &f.address, version, cudaEnableDefault, &result));
        if (f.address == nullptr)
            detail::refuse("cudaGetDriverEntryPointByVersion", std::string("the driver has no ") + name,
                           ErrorCode::cuda);
        return f;
    }
};

/// Returns the context of the runtime on a device. It is created if there was none, and never released, like the
/// runtime's own.
inline CUcontext primary_context(int index) {
    static std::mutex mutex;
    static std::map<int, CUcontext> contexts;
    const std::lock_guard lock(mutex);
    CUcontext& context = contexts[index];
    if (context == nullptr) check("cuDevicePrimaryCtxRetain", Driver::get().retain_primary_context(&context, index));
    return context;
}

/// Makes a device current for a scope. If the device is current already, any context of the caller's on it stays in
/// use. Otherwise the device's primary context is pushed above the caller's context for the scope. Two calls of
/// cudaSetDevice() would not be enough: since CUDA 12 the second one creates a context on the caller's device. It would
/// also replace a context that the caller made with the driver's interface.
class CurrentDevice {
  public:
    explicit CurrentDevice(int index) {
        int current = 0;
        check("cudaGetDevice", cudaGetDevice(&current));
        if (current == index) return;
        check("cuCtxPushCurrent", Driver::get().push_context(primary_context(index)));
        pushed_ = true;
    }
    ~CurrentDevice() {
        CUcontext own = nullptr;
        if (pushed_) (void)Driver::get().pop_context(&own);
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

  private:
    bool pushed_ = false;
};

/// Returns the number of the current context, which no other context of the process has or had. cudaDeviceReset() ends
/// a context, and with it all its memory and loaded kernels. A thread without a context gets that of its device.
inline uint64_t context_id() {
    unsigned long long id = 0;
    if (Driver::get().context_id(nullptr, &id) == CUDA_SUCCESS) return id;
    int device = 0;
    check("cudaGetDevice", cudaGetDevice(&device));
    check("cudaSetDevice", cudaSetDevice(device));
    check("cuCtxGetId", Driver::get().context_id(nullptr, &id));
    return id;
}

/// The memory to which a pointer points.
struct PointedTo {
    CUmemorytype type{};  ///< 0: memory that CUDA does not know
    unsigned managed = 0;
    int device = 0;
};
/// Returns where a pointer points. cudaPointerGetAttributes() would create a context on the caller's device, which may
/// differ from the memory's device.
inline PointedTo pointed_to(const void* data) {
    PointedTo memory;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void* values[] = {&memory.type, &memory.managed, &memory.device};
    const CUresult result =
        Driver::get().pointer_attributes(3, attributes, values, reinterpret_cast<CUdeviceptr>(data));
    if (result == CUDA_ERROR_INVALID_CONTEXT) return {};  // as documented for memory of no context
    check("cuPointerGetAttributes", result);
    return memory;
}

/// True if the device has a memory pool, for allocations in the order of a stream.
[[nodiscard]] inline bool has_memory_pool(Device device) {
    int answer = 0;
    check("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&answer, cudaDevAttrMemoryPoolsSupported, device.index));
    return answer != 0;
}

/// Memory of the current device, for a scope.
class DeviceMemory {
  public:
    explicit DeviceMemory(size_t bytes) { check("cudaMalloc", cudaMalloc(&data_, bytes)); }
    ~DeviceMemory() { (void)cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    [[nodiscard]] void* data() const { return data_; }

  private:
    void* data_ = nullptr;
};

}  // namespace detail
RNG_END_NAMESPACE
