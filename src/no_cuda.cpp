// The devices of a build without the CUDA backend: the CPU.
#include <rng/device.hpp>

#include "backend.hpp"

RNG_BEGIN_NAMESPACE

std::vector<Device> devices() { return {cpu()}; }

bool has_cuda_backend() { return false; }

namespace detail {

void require_device(const char* call, Device device) {
    if (device == cpu()) return;
    if (device.type == DeviceType::cpu || device.index < 0)
        throw Error(ErrorCode::invalid_argument, std::string(call) + ": no such device: index " +
                                                     std::to_string(device.index) + " of " + to_string(device));
    throw Error(ErrorCode::unsupported, std::string(call) + ": " + to_string(device) +
                                            " is not available: rng was built without its CUDA backend");
}

}  // namespace detail
RNG_END_NAMESPACE
