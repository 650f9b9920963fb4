#include "fake_cuda.hpp"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

namespace {

using fake_cuda::contexts;
using fake_cuda::cuda;

/// Records a call and returns what the call answers.
cudaError_t answer(const char* name, cudaStream_t stream = nullptr) {
    const fake_cuda::Call call{name, cuda.mode, cuda.current_device(), stream};
    cuda.calls.push_back(call);
    if (cuda.during) cuda.during(call);
    const auto error = cuda.errors.find(name);
    if (error == cuda.errors.end()) return cudaSuccess;
    return cuda.last = error->second;
}
/// The same, with work for a call that succeeds.
template <class F> cudaError_t answer(const char* name, const F& work, cudaStream_t stream = nullptr) {
    const cudaError_t error = answer(name, stream);
    if (error == cudaSuccess) work();
    return error;
}

CUresult retain(CUcontext* context, CUdevice device) {
    cuda.made[device] = true;
    ++cuda.kept;
    *context = fake_cuda::primary[device];
    return CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
    if (cuda.push_result == CUDA_SUCCESS) cuda.stack.push_back(context);
    return cuda.push_result;
}
CUresult pop(CUcontext* context) {
    *context = cuda.current();
    cuda.stack.pop_back();
    return CUDA_SUCCESS;
}
CUresult context_id(CUcontext context, unsigned long long* id) {
    if (context == nullptr) context = cuda.current();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *id = context->id;
    return CUDA_SUCCESS;
}
CUresult pointer_attributes(unsigned n, CUpointer_attribute* attributes, void** values, CUdeviceptr pointer) {
    const auto address = static_cast<std::uintptr_t>(pointer);
    fake_cuda::Memory its{};
    for (const auto& [begin, memory] : cuda.memory)
        if (address - reinterpret_cast<std::uintptr_t>(begin) < memory.size) its = memory;
    for (unsigned i = 0; i < n; ++i) {
        const unsigned type = its.type, managed = its.managed;
        if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) std::memcpy(values[i], &type, sizeof type);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED) std::memcpy(values[i], &managed, sizeof managed);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(values[i]) = its.device;
    }
    return CUDA_SUCCESS;
}

/// The names of kernels, which are registered before main().
std::map<const void*, std::string>& kernels() {
    static std::map<const void*, std::string> names;
    return names;
}
cudaError_t launch(const char* call, const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream) {
    if (const cudaError_t error = answer(call)) return error;
    const auto most = cuda.shared_bytes.find(kernel);
    if (shared > (most == cuda.shared_bytes.end() ? std::size_t{48} << 10 : most->second))
        return cuda.last = cudaErrorInvalidValue;
    cuda.launches.push_back({kernels()[kernel], grid, block, arguments, stream});
    if (cuda.launched) cuda.launched(cuda.launches.back());
    return cudaSuccess;
}
struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
} configuration;

void* new_handle() {
    static char handles[1 << 16];
    static std::size_t next = 0;
    return &handles[16 + next++ % (sizeof handles - 16)];
}
void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
}
void allocate(void** data, std::size_t bytes) {
    *data = std::aligned_alloc(256, (bytes / 256 + 1) * 256);
    cuda.memory[*data] = {bytes, CU_MEMORYTYPE_DEVICE, false, cuda.current_device(), true};
}
/// What is freed stays allocated: no address comes twice, so that a test can ask whether memory is still there.
void release(const void* data) {
    static std::vector<const void*> freed;
    const auto its = cuda.memory.find(data);
    if (its == cuda.memory.end()) return;
    ASAN_POISON_MEMORY_REGION(data, its->second.size);
    freed.push_back(data);
    cuda.memory.erase(its);
}
/// Only the beginning: a benchmark's buffer would take its time.
void set(void* to, int value, std::size_t bytes) { std::memset(to, value, std::min<std::size_t>(bytes, 4096)); }

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return answer("cudaGetDeviceCount", [&] { *count = 2; });
}
cudaError_t cudaGetDevice(int* device) {
    *device = cuda.current_device();
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    cuda.device = device;
    cuda.made[device] = true;  // since CUDA 12
    if (cuda.stack.empty()) cuda.stack.push_back(nullptr);
    cuda.stack.back() = fake_cuda::primary[device];
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
    if (cuda.stack.empty()) (void)cudaSetDevice(cuda.device);
    *attributes = {};
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
    const std::string name = symbol;
    *function = name == "cuDevicePrimaryCtxRetain" ? reinterpret_cast<void*>(&retain)
                : name == "cuCtxPushCurrent"       ? reinterpret_cast<void*>(&push)
                : name == "cuCtxPopCurrent"        ? reinterpret_cast<void*>(&pop)
                : name == "cuCtxGetId"             ? reinterpret_cast<void*>(&context_id)
                : name == "cuPointerGetAttributes" ? reinterpret_cast<void*>(&pointer_attributes)
                                                   : nullptr;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    *properties = {};
    std::strcpy(properties->name, "no GPU: CUDA is played");
    properties->multiProcessorCount = 1;
    return answer("cudaGetDeviceProperties", [&] { properties->pciDeviceID = device; });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    const auto its = cuda.attributes.find({device, attribute});
    const int by_default = attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 227 << 10 : 1;
    *value = its == cuda.attributes.end() ? by_default : its->second;
    return answer("cudaDeviceGetAttribute");
}
/// Ends the primary context of the current device, and all that lies in its memory.
cudaError_t cudaDeviceReset() {
    const int device = cuda.current_device();
    contexts[device].id += std::size(contexts);
    cuda.shared_bytes.clear();
    const auto before = cuda.memory;
    for (const auto& [data, memory] : before)
        if (memory.device == device && memory.allocated) release(data);
    return answer("cudaDeviceReset");
}
cudaError_t cudaDeviceSynchronize() { return answer("cudaDeviceSynchronize"); }

cudaError_t cudaPeekAtLastError() { return cuda.last; }
cudaError_t cudaGetLastError() { return std::exchange(cuda.last, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t) { return "name"; }
const char* cudaGetErrorString(cudaError_t) { return "text"; }

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    return answer("cudaMalloc", [&] { allocate(data, bytes); });
}
cudaError_t cudaFree(void* data) {
    return answer("cudaFree", [&] { release(data); });
}
cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t stream) {
    return answer(
        "cudaMallocAsync", [&] { allocate(data, bytes); }, stream);
}
/// At once: kernels run at their launch.
cudaError_t cudaFreeAsync(void* data, cudaStream_t stream) {
    return answer(
        "cudaFreeAsync", [&] { release(data); }, stream);
}
cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
    return answer("cudaMemset", [&] { set(data, value, bytes); });
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
    return answer("cudaMemsetAsync", [&] { set(data, value, bytes); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
    return answer("cudaMemcpy", [&] { copy(to, from, bytes); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
    return answer("cudaMemcpyAsync", [&] { copy(to, from, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return answer("cudaStreamCreateWithFlags", [&] { *stream = static_cast<cudaStream_t>(new_handle()); });
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return answer("cudaStreamDestroy"); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return answer("cudaStreamSynchronize"); }
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return answer("cudaStreamIsCapturing", [&] {
        *status = cuda.captured.contains(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long*,
                                     cudaGraph_t* graph, const cudaGraphNode_t**, const cudaGraphEdgeData**,
                                     std::size_t*) {
    return answer("cudaStreamGetCaptureInfo", [&] {
        *status = cudaStreamCaptureStatusActive;
        *graph = static_cast<cudaGraph_t>(new_handle());
    });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return answer("cudaThreadExchangeStreamCaptureMode", [&] { std::swap(*mode, cuda.mode); });
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* owned, cudaHostFn_t destroy, unsigned, unsigned) {
    return answer("cudaUserObjectCreate", [&] {
        cuda.owned.emplace_back(destroy, owned);
        *object = static_cast<cudaUserObject_t>(new_handle());
    });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned) {
    return answer("cudaUserObjectRelease", [] {
        const auto [destroy, owned] = cuda.owned.back();
        cuda.owned.pop_back();
        destroy(owned);
    });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned, unsigned) {
    return answer("cudaGraphRetainUserObject");
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return answer("cudaEventCreate", [&] { *event = static_cast<cudaEvent_t>(new_handle()); });
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return answer("cudaEventDestroy"); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return answer("cudaEventRecord"); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return answer("cudaEventSynchronize"); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    return answer("cudaEventElapsedTime", [&] { *milliseconds = 1; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
    return answer("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] { *blocks = 1; });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
    return answer("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] { *blocks = 1; });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    return answer("cudaFuncGetAttributes", [&] {
        *attributes = {};
        attributes->ptxVersion = FAKE_CUDA_ARCHITECTURE;  // CUB has kernels for those that it was compiled for
    });
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value) {
    return answer("cudaFuncSetAttribute", [&] {
        if (which == cudaFuncAttributeMaxDynamicSharedMemorySize)
            cuda.shared_bytes[kernel] = static_cast<std::size_t>(value);
    });
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    return launch("cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
}

// What nvcc's code calls.
void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char* kernel, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
    kernels()[kernel] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    configuration = {grid, block, shared, stream};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    *grid = configuration.grid;
    *block = configuration.block;
    *shared = configuration.shared;
    *static_cast<cudaStream_t*>(stream) = configuration.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
    *handle = static_cast<cudaKernel_t>(const_cast<void*>(kernel));
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
    return launch("__cudaLaunchKernel", kernel, grid, block, arguments, shared, stream);
}
}
