// The CUDA backend: devices, checks of memory, launches. The values come from fill_kernel.hpp.
#include "../src/backend.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "fill_kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace {

[[noreturn]] void fail(const char* call, cudaError_t error) {
    throw Error(ErrorCode::cuda, std::string(call) + ": " + cudaGetErrorName(error) + " (" +
                                     std::to_string(static_cast<int>(error)) + "): " + cudaGetErrorString(error));
}

/// Throws on an error, and takes it from where CUDA would report it to the next caller.
void check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    fail(call, error);
}

/// The devices that were there when the program first asked. Counting makes no context on any of them.
struct Found {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    Found() {
        if (error == cudaSuccess) return;
        count = 0;
        (void)cudaGetLastError();
    }
};
const Found& found() {
    static const Found devices;
    return devices;
}

/// Makes a device current for a scope.
class CurrentDevice {
  public:
    explicit CurrentDevice(int index) {
        check("cudaGetDevice", cudaGetDevice(&before_));
        if (before_ != index) check("cudaSetDevice", cudaSetDevice(index));
    }
    ~CurrentDevice() { (void)cudaSetDevice(before_); }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

  private:
    int before_ = 0;
};

using detail::DeviceTarget;
using detail::FillRequest;

constexpr unsigned threads_per_block = 256;
constexpr unsigned blocks_per_multiprocessor = 8;  // 2048 threads, as many as any architecture holds

template <class D, class E>
__global__ void __launch_bounds__(threads_per_block)
    fill_kernel(const __grid_constant__ detail::DeviceFill<D, E> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    detail::fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

template <class D, class E>
void launch(const FillRequest& request, const DeviceTarget& target, unsigned multiprocessors) {
    using T = result_t<D>;
    detail::DeviceFill<D, E> fill(detail::stream_of<E>(request.stream), *static_cast<const D*>(request.distribution),
                                  request.stream.position, static_cast<T*>(target.data), target.n);
    const uint64_t wanted = (fill.units + threads_per_block - 1) / threads_per_block;
    const auto blocks =
        static_cast<unsigned>(std::min<uint64_t>(wanted, uint64_t{multiprocessors} * blocks_per_multiprocessor));
    void* arguments[] = {&fill};
    check("cudaLaunchKernel", cudaLaunchKernel(reinterpret_cast<const void*>(&fill_kernel<D, E>), dim3(blocks),
                                               dim3(threads_per_block), arguments, 0, target.stream));
}

using Launch = void (*)(const FillRequest&, const DeviceTarget&, unsigned);

template <class D> inline constexpr bool for_every_engine = false;
template <class T> inline constexpr bool for_every_engine<bits<T>> = true;
template <class T> inline constexpr bool for_every_engine<uniform<T>> = true;
template <class T> inline constexpr bool for_every_engine<normal<T>> = true;

template <class E, class D> constexpr Launch launch_of() {
    if constexpr (detail::is_same<E, Philox4x32_10> || for_every_engine<D>)
        return &launch<D, E>;
    else
        return nullptr;
}

/// The launch of an engine's fill, or null.
template <class... D> Launch find_launch(Engine engine, int index, type_list<D...>) {
    Launch result = nullptr;
    visit_engine(engine, [&](auto tag) {
        static constexpr Launch launches[] = {launch_of<typename decltype(tag)::type, D>()...};
        result = launches[index];
    });
    return result;
}
Launch launch_of(const FillRequest& request) { return find_launch(request.stream.engine, request.index, catalogue{}); }

}  // namespace

std::vector<Device> devices() {
    std::vector<Device> all{cpu()};
    for (int i = 0; i < found().count; ++i) all.push_back(cuda(i));
    return all;
}

bool has_cuda_backend() { return true; }

namespace detail {

void require_device(const char* call, Device device) {
    if (device == cpu()) return;
    if (device.type == DeviceType::cpu || device.index < 0)
        throw Error(ErrorCode::invalid_argument, std::string(call) + ": no such device: index " +
                                                     std::to_string(device.index) + " of " + to_string(device));
    if (device.index < found().count) return;
    const std::string why = found().error != cudaSuccess
                                ? std::string("cudaGetDeviceCount: ") + cudaGetErrorString(found().error)
                                : "this machine has " + std::to_string(found().count) + " CUDA devices";
    throw Error(ErrorCode::unsupported, std::string(call) + ": " + to_string(device) + " is not available: " + why);
}

Device memory_device(const char* name, const void* data) {
    require_device((std::string("fill: ") + name).c_str(), cuda(0));
    cudaPointerAttributes attributes{};
    check("cudaPointerGetAttributes", cudaPointerGetAttributes(&attributes, data));
    if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged)
        return cuda(attributes.device);
    throw Error(ErrorCode::invalid_argument,
                std::string("fill: ") + name + ": the destination must be device or managed memory, got " +
                    (attributes.type == cudaMemoryTypeHost ? "page-locked host memory" : "host memory"));
}

bool has_kernel(const FillRequest& request) { return launch_of(request) != nullptr; }

void submit_fill(const FillRequest& request, const DeviceTarget& target, Device device) {
    const std::string call = std::string("fill: ") + request.name;
    const Launch launch = launch_of(request);
    if (launch == nullptr)
        throw Error(ErrorCode::unsupported, call + ": engine " + engine_name(request.stream.engine) +
                                                " has kernels for bits, uniform and normal only; " +
                                                engine_name(Engine::philox4x32_10) + " has all");
    if (reinterpret_cast<uintptr_t>(target.data) % request.alignment != 0)
        throw Error(ErrorCode::invalid_argument, call + ": the destination must be at a multiple of " +
                                                     std::to_string(request.alignment) + " bytes");
    const CurrentDevice current(device.index);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    check("cudaStreamIsCapturing", cudaStreamIsCapturing(target.stream, &capture));
    if (capture != cudaStreamCaptureStatusNone)
        throw Error(ErrorCode::unsupported, call +
                                                ": the stream is being captured into a graph, whose replays would "
                                                "repeat the same numbers");
    int multiprocessors = 0;
    check("cudaDeviceGetAttribute",
          cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.index));
    launch(request, target, static_cast<unsigned>(multiprocessors));
}

void submit_and_copy(const FillRequest& request, void* out, size_t n, Device device) {
    const CurrentDevice current(device.index);
    const size_t bytes = n * request.value_bytes;
    struct Memory {
        void* data = nullptr;
        ~Memory() { (void)cudaFree(data); }
    } memory;
    check("cudaMalloc", cudaMalloc(&memory.data, bytes));
    submit_fill(request, {memory.data, n, nullptr}, device);
    check("cudaMemcpy", cudaMemcpy(out, memory.data, bytes, cudaMemcpyDeviceToHost));
}

}  // namespace detail
RNG_END_NAMESPACE
