// The erased part of fills of device memory (device_fill.hpp).
#pragma once

#include "fill_arguments.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

RNG_API void fill_device(const FillRequest& request, const DeviceTarget& target);
/// A null generator means the default one of the memory's device.
RNG_API void fill_device(const FillRequest& request, const DeviceTarget& target, Generator* generator);
/// Fills memory of a device, copies it to host memory and waits. For programs that compare devices.
RNG_API void fill_through_device(const FillRequest& request, void* out, size_t n, Device device);

template <class T, class D>
[[nodiscard]] DeviceTarget checked_target(device_span<T> out, const D& dist, cuda_stream s) {
    static_assert(is_stored_as<T, result_t<D>>, "fill: the memory is not of the distribution's type");
    static_assert(catalogue_index<D> >= 0,
                  "fill: device memory takes the distributions of the catalogue; others are for at() in kernels");
    validate("fill", dist);
    return {out.data, checked_size(name_of<D>(), out.data, 1, out.size), s};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
