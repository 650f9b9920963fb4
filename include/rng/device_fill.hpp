// fill for CUDA device memory: the bits of a fill on the CPU, in the order of a CUDA stream.
//
//     rng::Generator gen{rng::cuda(0), 42};
//     rng::fill(rng::device_span{pointer, n}, rng::normal{0.0f, 1.0f}, gen, stream);   // stream: a cudaStream_t
//
// A fill is asynchronous: it does not wait for the device and allocates nothing on it.
// Every error that can be found before the launch is found then, and leaves the generator unchanged.
// The header needs no header of CUDA, and a program without a GPU compiles and runs.
// A distribution of one's own also needs device_launch.hpp, and nvcc.
// Every engine makes every distribution. Fills of bits, uniform and normal numbers, and all fills by Philox4x32-10, are
// the fastest.
#pragma once

#include "detail/device_target.hpp"
#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Submits a fill to `stream` and moves the generator on. The generator must be on the memory's device.
/// The destination is a device_span, or a device_matrix: there element (row, col) is value row * cols + col for any
/// strides, and elements must not overlap. A matrix with gaps, or in column order, is written value by value.
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
/// Fills from the default generator of the memory's device.
template <detail::device_destination Out, distribution D>
void fill(Out out, const D& dist, cuda_stream stream = default_stream()) {
    detail::fill_device(detail::request(detail::canonical(dist), {}), detail::checked_target<void>(out, dist, stream),
                        nullptr);
}
/// Fills from a stream: value i is at(from, dist, first + i). Pure.
template <detail::device_destination Out, distribution D, class E>
void fill(Out out, const D& dist, const Stream<E>& from, Integer first = 0, cuda_stream stream = default_stream()) {
    const detail::DeviceTarget target = detail::checked_target<E>(out, dist, stream);
    detail::fill_device(detail::request(detail::canonical(dist), detail::positioned<D>(from, first, target.n)), target);
}

/// Fills device memory with random bytes: those of fill_bytes on the CPU. Takes ceil(n / 4) words. Any address will do.
/// Throws Error as the fill of a device_span does.
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

/// Returns n values in host memory, made by the device: for programs that compare devices. Pure; waits.
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
