// Fills of device memory by a user-defined distribution, in sources that nvcc compiles.
//
// With this header rng::fill takes a device_span or a device_matrix with any distribution. The values are those of the
// fill on the CPU.
// The library has kernels for the distributions of the catalogue only. Others are compiled where they are used: one
// kernel for a fill from a Stream, and two for a fill from a Generator, one for Philox4x32-10 and one for all engines.
// launch_fill() needs no librng, only the headers and CUDA's runtime.
// For compilers other than nvcc, this header only includes device_fill.hpp. Example: examples/cuda_own_distribution.cu.
// Oracle: out[i] = at(stream, dist, i).
#pragma once

#include "device_fill.hpp"

#if defined(__CUDACC__)

#include "detail/device_launch_kernel.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class D, class E> struct OwnLaunch {
    static void launch(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
        launch_request<D, E>(request, target, device, counter);
    }
};
/// For a generator, whose engine is known only at run time.
template <class D> struct OwnLaunch<D, void> {
    static void launch(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
        if (request.stream.engine == Engine::philox4x32_10)
            launch_request<D, Philox4x32_10>(request, target, device, counter);
        else
            launch_any_engine<D>(request, target, device, counter);
    }
};

/// Makes the checks of librng's fill(), as far as the headers can, and returns the number of values.
template <class T, class D, class E>
uint64_t checked_launch_size(const device_matrix<T>& out, const D& dist, const Stream<E>& from, uint64_t first) {
    using V = result_t<D>;
    static_assert(is_stored_as<T, V>, "launch_fill: the memory is not of the distribution's type");
    const auto refuse_fill = [](const std::string& what) { refuse(std::string("launch_fill: ") + name_of<D>(), what); };
    if constexpr (HasFault<D>)
        if (const ParameterFault fault = dist.fault())
            raise(ErrorCode::invalid_argument, fault_text("launch_fill", name_of<D>(), fault));
    size_t n = 0;
    if (__builtin_mul_overflow(out.rows, out.cols, &n))
        refuse_fill("a matrix of " + std::to_string(out.rows) + " x " + std::to_string(out.cols) +
                    " elements is too large");
    require_slots(from.position, first, n, D::slot_words, Stream<E>::size_words, "launch_fill");
    if (out.data == nullptr && n > 0)
        refuse_fill("the destination is null but " + std::to_string(n) + " values were asked for");
    if (reinterpret_cast<uintptr_t>(out.data) % alignof(V) != 0)
        refuse_fill("the destination must be at a multiple of " + std::to_string(alignof(V)) + " bytes");
    return n;
}

}  // namespace detail

/// Launches a fill of a matrix in memory of the current device: element (row, col) is at(from, dist, first + row * cols
/// + col). Pure; needs no librng; does not wait. Takes any engine, also a user-defined one. Throws Error on parameters
/// out of range, null or misaligned memory, the end of the stream, or a failure of CUDA. Memory of another device or of
/// the host is not detected: the kernel then fails.
template <class T, distribution D, class E>
void launch_fill(device_matrix<T> out, const D& dist, const Stream<E>& from, Integer first = 0,
                 cuda_stream stream = default_stream()) {
    using Known = detail::canonical_t<D>;
    const uint64_t n = detail::checked_launch_size(out, dist, from, first);
    if (n == 0) return;
    int device = 0;
    detail::check("cudaGetDevice", cudaGetDevice(&device));
    const uint64_t word = detail::round_up(from.position, D::slot_words) + first * D::slot_words;
    detail::launch(
        detail::DeviceFill<Known, E>(from, detail::canonical(dist).map(), word,
                                     reinterpret_cast<result_t<Known>*>(out.data), n, nullptr, detail::strides_of(out)),
        device, stream);
}
/// Launches a fill of a span: out[i] = at(from, dist, first + i).
template <class T, distribution D, class E>
void launch_fill(device_span<T> out, const D& dist, const Stream<E>& from, Integer first = 0,
                 cuda_stream stream = default_stream()) {
    launch_fill(device_matrix<T>::row_major(out.data, 1, out.size), dist, from, first, stream);
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"

#endif
