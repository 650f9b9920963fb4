// CUDA as this library calls it: errors that name the call, the current device, whose memory a pointer is. Nothing here
// makes a context on a device that the call is not about, or leaves another one current than it found.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <string>

#include <rng/core/error.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws on an error, and takes it from where CUDA would report it to the next caller.
inline void check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    throw Error(ErrorCode::cuda, std::string(call) + ": " + cudaGetErrorName(error) + " (" +
                                     std::to_string(static_cast<int>(error)) + "): " + cudaGetErrorString(error));
}

/// Errors of the driver have the numbers of the runtime's.
inline void check(const char* call, CUresult error) { check(call, static_cast<cudaError_t>(error)); }

/// The driver's functions for what the runtime has none, asked of the runtime: the library does not link the driver.
struct Driver {
    decltype(&cuDevicePrimaryCtxRetain) retain_primary_context = function("cuDevicePrimaryCtxRetain");
    decltype(&cuCtxPushCurrent) push_context = function("cuCtxPushCurrent");
    decltype(&cuCtxPopCurrent) pop_context = function("cuCtxPopCurrent");
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
            throw Error(ErrorCode::cuda, std::string("cudaGetDriverEntryPointByVersion: the driver has no ") + name);
        return f;
    }
};

/// The context that the runtime has on a device; made if there was none, and never let go, as the runtime's own.
inline CUcontext primary_context(int index) {
    static std::mutex mutex;
    static std::map<int, CUcontext> contexts;
    const std::lock_guard lock(mutex);
    CUcontext& context = contexts[index];
    if (context == nullptr) check("cuDevicePrimaryCtxRetain", Driver::get().retain_primary_context(&context, index));
    return context;
}

/// Makes a device current for a scope. If it is so already, any context of the caller's on it stays in use. If not, its
/// primary context lies on top of the caller's for as long: cudaSetDevice() and back would make a context on the
/// caller's device (since CUDA 12), and put it in the place of a context of the driver's interface.
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

/// What a pointer points to.
struct PointedTo {
    CUmemorytype type{};  ///< 0: memory that CUDA does not know
    unsigned managed = 0;
    int device = 0;
};
/// cudaPointerGetAttributes() would make a context on the caller's device, which need not be the memory's.
inline PointedTo pointed_to(const void* data) {
    PointedTo memory;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void* values[] = {&memory.type, &memory.managed, &memory.device};
    const CUresult result =
        Driver::get().pointer_attributes(3, attributes, values, reinterpret_cast<CUdeviceptr>(data));
    if (result == CUDA_ERROR_INVALID_CONTEXT) return {};  // as documented of memory of no context
    check("cuPointerGetAttributes", result);
    return memory;
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
