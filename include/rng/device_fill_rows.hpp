// fill_rows for CUDA device memory, in sources that nvcc compiles. The rows are those of fill_rows on the CPU.
//
// One thread makes a row, in the memory of the row. Rows of a few hundred numbers suit that, and matrices stored column
// by column: neighbouring threads then write neighbouring memory.
// The lists of a distribution lie in memory that the device can read: dirichlet(pointer, d). They are not checked here.
// A program can ask fault() of the same lists on the host. No librng is needed.
// Other compilers find nothing here.
// Oracle: row i is row_at(stream, dist, first + i).
#pragma once

#include "device.hpp"
#include "row_at.hpp"

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

}  // namespace detail

/// Launches a fill of the rows of a matrix in memory of the current device: row i is row_at(from, dist, first + i).
/// Pure; does not wait. The matrix has dist.row_size() columns, any strides, and no elements that overlap.
/// Throws Error on another number of columns, null or misaligned memory, the end of the stream, a failure of CUDA.
/// Parameters out of range are also an error, unless they are in lists.
template <class T, row_distribution D, class E>
void fill_rows(device_matrix<T> out, const D& dist, const Stream<E>& from, Integer first = 0,
               cuda_stream stream = default_stream()) {
    using V = result_t<D>;
    static_assert(detail::is_stored_as<T, V>, "fill_rows: the memory is not of the distribution's type");
    const std::string call = std::string("fill_rows: ") + D::name;
    if constexpr (!requires { D::has_lists; })
        if (const ParameterFault fault = dist.fault())
            detail::raise(ErrorCode::invalid_argument, detail::fault_text("fill_rows", D::name, fault));
    if (out.cols != dist.row_size())
        detail::refuse(call, "the matrix must have " + std::to_string(dist.row_size()) +
                                 " columns, one for each element of a row, got " + std::to_string(out.cols));
    constexpr uint64_t slot = detail::row_slot_words, size = Stream<E>::size_words;
    detail::require_index(
        first <= size && out.rows <= size && detail::slots_fit(from.position, first + out.rows, slot, size),
        "fill_rows", first);
    if (out.rows == 0) return;
    if (out.data == nullptr)
        detail::refuse(call, "the destination is null but " + std::to_string(out.rows) + " rows were asked for");
    if (reinterpret_cast<uintptr_t>(out.data) % alignof(V) != 0)
        detail::refuse(call, "the destination must be at a multiple of " + std::to_string(alignof(V)) + " bytes");
    detail::DeviceRowFill<D, E> fill{from.at_position(detail::round_up(from.position, slot) + first * slot),
                                     dist,
                                     reinterpret_cast<V*>(out.data),
                                     out.rows,
                                     out.row_stride,
                                     out.col_stride};
    static detail::ResidentBlocks resident;
    const auto* const kernel = reinterpret_cast<const void*>(&detail::rows_kernel<D, E>);
    int device = 0;
    detail::check("cudaGetDevice", cudaGetDevice(&device));
    const uint64_t wanted = (out.rows + detail::threads_per_block - 1) / detail::threads_per_block;
    const auto blocks = static_cast<unsigned>(std::min<uint64_t>(wanted, resident.on(device, kernel)));
    void* arguments[] = {&fill};
    detail::check("cudaLaunchKernel",
                  cudaLaunchKernel(kernel, dim3(blocks), dim3(detail::threads_per_block), arguments, 0, stream));
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"

#endif
