// The type-erased part of fills of device memory (device_fill.hpp).
#pragma once

#include "fill_arguments.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

RNG_API void fill_device(const FillRequest& request, const DeviceTarget& target);
/// A null generator stands for the default generator of the memory's device.
RNG_API void fill_device(const FillRequest& request, const DeviceTarget& target, Generator* generator);
/// Fills memory of a device, copies it to host memory and waits. It is for programs that compare devices.
RNG_API void fill_through_device(const FillRequest& request, void* out, size_t n, Device device,
                                 DeviceLaunch launch = nullptr);
/// Fills with the bytes of the words of a stream, or of a generator's stream.
RNG_API void fill_device_bytes(device_span<std::byte> out, const StreamRecord& from, cuda_stream stream);
RNG_API void fill_device_bytes(device_span<std::byte> out, Generator* generator, cuda_stream stream);

/// The indices of random bytes and of Sobol points in requests to devices: they follow the catalogue.
inline constexpr int bytes_index = catalogue_size, sobol_index = catalogue_size + 1;

/// The launch of a distribution outside the catalogue, from streams of engine E; void means any engine.
/// device_launch.hpp defines it.
template <class D, class E> struct OwnLaunch;
template <class L>
concept is_defined = requires {
    sizeof(L);
};

template <class D, class E> constexpr DeviceLaunch own_launch() {
    if constexpr (has_cached_map<D>) {
        return own_launch<canonical_t<source_t<D>>, E>();
    } else if constexpr (catalogue_index<D> >= 0) {
        return nullptr;
    } else if constexpr (is_defined<OwnLaunch<D, E>>) {
        return &OwnLaunch<D, E>::launch;
    } else {
        static_assert(never<D>,
                      "rng: the library has kernels for the distributions of the catalogue; for your own, include "
                      "<rng/device_launch.hpp> and compile the call by nvcc");
        return nullptr;
    }
}

/// Returns the strides of a matrix: with 0 columns if its elements are contiguous.
template <class T> [[nodiscard]] Strides strides_of(const device_matrix<T>& m) {
    if (m.cols == 1) return {m.rows, 0, m.row_stride};
    if (m.col_stride == 1 && (m.rows == 1 || m.row_stride == static_cast<ptrdiff_t>(m.cols))) return {};
    return {m.cols, m.row_stride, m.col_stride};
}

/// Checks the arguments of a fill from a stream of engine E (void means any engine) and returns its destination.
template <class E, class T, class D>
[[nodiscard]] DeviceTarget checked_target(const device_matrix<T>& out, const D& dist, cuda_stream s) {
    static_assert(is_stored_as<T, result_t<D>>, "fill: the memory is not of the distribution's type");
    constexpr DeviceLaunch launch = own_launch<D, E>();
    validate("fill", dist);
    return {out.data, checked_size(name_of<D>(), out.data, out.rows, out.cols), s, strides_of(out), launch};
}
template <class E, class T, class D>
[[nodiscard]] DeviceTarget checked_target(device_span<T> out, const D& dist, cuda_stream s) {
    return checked_target<E>(device_matrix<T>::row_major(out.data, 1, out.size), dist, s);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
