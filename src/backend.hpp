// What a device backend provides, besides devices() and has_cuda_backend(); chosen at link time.
#pragma once

#include <rng/device.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error, naming the call, if the device is not there.
void require_device(const char* call, Device device);

}  // namespace detail
RNG_END_NAMESPACE
