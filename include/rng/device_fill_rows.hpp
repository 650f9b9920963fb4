// Kernels that fill rows in CUDA device memory, for sources that nvcc compiles. The rows have the bits of the CPU's.
//
// With this header fill_rows takes a device_matrix (fill_rows.hpp). A fill from a Stream compiles one kernel. A fill
// from a Generator compiles two, one for Philox4x32-10 and one for all engines.
// Lists of a distribution, such as the alpha of dirichlet, are copied to the device for the launch. launch_rows() takes
// lists that are in device memory already. It needs no librng, only the headers and CUDA's runtime.
// One thread computes a row, in the memory of the row. This suits rows of up to a few hundred numbers, and matrices
// stored column by column, where neighbouring threads write neighbouring memory.
// For compilers other than nvcc, this header only includes fill_rows.hpp.
// Oracle: row i is row_at(stream, dist, first + i).
#pragma once

#include "fill_rows.hpp"

#if defined(__CUDACC__)

#include "detail/device_launch_kernel.hpp"
#include "detail/device_row_fill.hpp"
#include "detail/fault_text.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class D, class E>
__global__ void __launch_bounds__(threads_per_block) rows_kernel(const __grid_constant__ DeviceRowFill<D, E> fill) {
    write_rows(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, uint64_t{gridDim.x} * blockDim.x);
}

/// Requires that `device` is the current device.
template <class D, class E> void launch_row_fill(DeviceRowFill<D, E> fill, int device, cuda_stream stream) {
    static ResidentBlocks resident;
    const auto* const kernel = reinterpret_cast<const void*>(&rows_kernel<D, E>);
    launch_kernel(kernel, resident.on(device, kernel), fill.rows, fill, stream);
}

template <class D, class E> struct RowLaunch {
    static void launch(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
        launch_from(stream_of<E>(request.stream), Stream<E>::size_words, request, target, device, counter);
    }
    /// `size_words` is the number of words in a stream of the stream's engine.
    static void launch_from(const Stream<E>& stream, uint64_t size_words, const FillRequest& request,
                            const DeviceTarget& target, Device device, const uint64_t* counter) {
        const uint64_t replays = (size_words - stream.position) / row_slot_words / target.n;
        launch_row_fill(
            DeviceRowFill<D, E>{stream,
                                with_lists_at(target.numbers.data, *static_cast<const D*>(request.distribution)),
                                static_cast<result_t<D>*>(target.data), target.n, target.strides.row,
                                target.strides.col, counter, replays},
            device.index, target.stream);
    }
};
/// For a generator, whose engine is known only at run time.
template <class D> struct RowLaunch<D, void> {
    static void launch(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
        if (request.stream.engine == Engine::philox4x32_10)
            return RowLaunch<D, Philox4x32_10>::launch(request, target, device, counter);
        visit_engine(request.stream.engine, [&](auto tag) {
            RowLaunch<D, AnyEngine>::launch_from(any_stream(request.stream),
                                                 Stream<typename decltype(tag)::type>::size_words, request, target,
                                                 device, counter);
        });
    }
};

}  // namespace detail

/// Launches a fill of the rows of a matrix in memory of the current device: row i is row_at(from, dist, first + i).
/// Pure; needs no librng; does not wait. The matrix has dist.row_size() columns, any strides, and no elements that
/// overlap. Lists of the distribution must be in memory that the device can read, as in dirichlet(pointer, d). They are
/// not checked; fault() of the same lists on the host checks them.
/// Throws Error on a wrong number of columns, null or misaligned memory, the end of the stream, or a failure of CUDA;
/// and on parameters out of range, unless the distribution has lists. Memory of another device or of the host is not
/// detected: the kernel then fails.
template <class T, row_distribution D, class E>
void launch_rows(device_matrix<T> out, const D& dist, const Stream<E>& from, Integer first = 0,
                 cuda_stream stream = default_stream()) {
    using V = result_t<D>;
    static_assert(detail::is_stored_as<T, V>, "launch_rows: the memory is not of the distribution's type");
    const std::string call = std::string("launch_rows: ") + D::name;
    if constexpr (!detail::has_lists<D>)
        if (const ParameterFault fault = dist.fault())
            detail::raise(ErrorCode::invalid_argument, detail::fault_text("launch_rows", D::name, fault));
    if (out.cols != dist.row_size())
        detail::refuse(call, "the matrix must have " + std::to_string(dist.row_size()) +
                                 " columns, one for each element of a row, got " + std::to_string(out.cols));
    const Stream<E> placed = detail::at_slot(from, first, out.rows, detail::row_slot_words, "launch_rows");
    if (out.rows == 0) return;
    if (out.data == nullptr)
        detail::refuse(call, "the destination is null but " + std::to_string(out.rows) + " rows were asked for");
    if (reinterpret_cast<uintptr_t>(out.data) % alignof(V) != 0)
        detail::refuse(call, "the destination must be at a multiple of " + std::to_string(alignof(V)) + " bytes");
    int device = 0;
    detail::check("cudaGetDevice", cudaGetDevice(&device));
    detail::launch_row_fill(detail::DeviceRowFill<D, E>{placed, dist, reinterpret_cast<V*>(out.data), out.rows,
                                                        out.row_stride, out.col_stride},
                            device, stream);
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"

#endif
