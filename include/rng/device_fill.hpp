// fill for CUDA device memory: the bits of a fill on the CPU, in the order of a CUDA stream.
//
//     rng::Generator gen{rng::cuda(0), 42};
//     rng::fill(rng::device_span{pointer, n}, rng::normal{0.0f, 1.0f}, gen, stream);   // stream: a cudaStream_t
//
// A fill is asynchronous: it does not wait for the device and allocates nothing on it.
// Every error that can be detected before the launch is thrown before it, and leaves the generator unchanged.
// This header needs no CUDA header, and a program that uses it compiles and runs without a GPU.
// A user-defined distribution also needs device_launch.hpp, and nvcc.
// Every engine generates every distribution. Fills of bits, uniform and normal numbers, and all fills by Philox4x32-10,
// are the fastest.
#pragma once

#include "detail/device_target.hpp"
#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Submits a fill of device memory to `stream`, and advances the generator, which must be on the memory's device. The
/// destination is a device_span or a device_matrix. Element (row, col) of a matrix is value row * cols + col for any
/// strides; elements must not overlap. A matrix with gaps, or in column order, is written value by value.
/// Throws Error on:
/// - parameters out of range,
/// - memory that is not on the generator's device,
/// - the end of the stream,
/// - a failure of CUDA (with its call, code and text).
template <detail::device_destination Out, distribution D>
void fill(Out out, const D& dist, Generator& generator, cuda_stream stream = default_stream()) {
    detail::fill_device(detail::request(detail::canonical(dist), {}), detail::checked_target<void>(out, dist, stream),
                        &generator);
}
/// Submits a fill from the default generator of the memory's device.
template <detail::device_destination Out, distribution D>
void fill(Out out, const D& dist, cuda_stream stream = default_stream()) {
    detail::fill_device(detail::request(detail::canonical(dist), {}), detail::checked_target<void>(out, dist, stream),
                        nullptr);
}
/// Submits a fill from a stream: value i is at(from, dist, first + i). Pure.
template <detail::device_destination Out, distribution D, class E>
void fill(Out out, const D& dist, const Stream<E>& from, Integer first = 0, cuda_stream stream = default_stream()) {
    const detail::DeviceTarget target = detail::checked_target<E>(out, dist, stream);
    detail::fill_device(detail::request(detail::canonical(dist), detail::positioned<D>(from, first, target.n)), target);
}

/// Fills device memory with random bytes: those of fill_bytes on the CPU. Takes ceil(n / 4) words. Any alignment is
/// allowed. Throws Error as the fill of a device_span does.
inline void fill_bytes(device_span<std::byte> out, Generator& generator, cuda_stream stream = default_stream()) {
    detail::fill_device_bytes(out, &generator, stream);
}
inline void fill_bytes(device_span<std::byte> out, cuda_stream stream = default_stream()) {
    detail::fill_device_bytes(out, nullptr, stream);
}
template <class E>
void fill_bytes(device_span<std::byte> out, const Stream<E>& from, cuda_stream stream = default_stream()) {
    detail::fill_device_bytes(out, detail::positioned<bits<uint32_t>>(from, 0, out.size / 4 + (out.size % 4 != 0)),
                              stream);
}

/// Returns n values in host memory, computed by the device: for programs that compare devices. Pure; waits for the
/// device.
template <distribution D, class E>
[[nodiscard]] std::vector<result_t<D>> sample_on(Device device, const D& dist, Integer n, const Stream<E>& from,
                                                 Integer first = 0) {
    if (device == cpu()) return sample(dist, n, from, first);
    detail::validate("sample_on", dist);
    std::vector<result_t<D>> values(n);
    detail::fill_through_device(detail::request(detail::canonical(dist), detail::positioned<D>(from, first, n)),
                                values.data(), n, device, detail::own_launch<D, E>());
    return values;
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
