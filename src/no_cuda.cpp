// The devices of a build without the CUDA backend: the CPU.
#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace {

[[noreturn]] void not_built_in(const std::string& what) {
    throw Error(ErrorCode::unsupported, what + ": rng was built without its CUDA backend");
}

}  // namespace

std::vector<Device> devices() { return {cpu()}; }

bool has_cuda_backend() { return false; }

namespace detail {

void require_device(const char* call, Device device) {
    if (device == cpu()) return;
    if (device.type == DeviceType::cpu || device.index < 0)
        throw Error(ErrorCode::invalid_argument, std::string(call) + ": no such device: index " +
                                                     std::to_string(device.index) + " of " + to_string(device));
    not_built_in(std::string(call) + ": " + to_string(device) + " is not available");
}

Device memory_device(const char* name, const void*) {
    not_built_in(std::string("fill: ") + name + ": device memory cannot be filled");
}

bool has_kernel(const FillRequest&) { return false; }

void submit_fill(const FillRequest& request, const DeviceTarget&, Device) {
    not_built_in(std::string("fill: ") + request.name + ": device memory cannot be filled");
}

bool is_captured(cuda_stream, Device) { return false; }

void submit_replayed_fill(const FillRequest& request, const DeviceTarget& target, Device device) {
    submit_fill(request, target, device);
}

void submit_and_copy(const FillRequest&, void*, size_t, Device device) { require_device("sample_on", device); }

}  // namespace detail
RNG_END_NAMESPACE
