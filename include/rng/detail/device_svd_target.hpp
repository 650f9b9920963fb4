// The requests that svd_lowrank and pca_lowrank of device memory make from their arguments; librng carries them out
// (src/device).
#pragma once

#include "svd_input.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

struct DeviceSvdTarget {
    SvdOutput output;
    size_t u_rows, u_cols, s_size, v_rows, v_cols;
    device_span<std::byte> workspace;
    cuda_stream stream;
};
[[nodiscard]] RNG_API size_t svd_workspace_for(const SvdInput& input);
RNG_API void svd_on_device(const SvdInput& input, const DeviceSvdTarget& target, Generator& generator);
/// Computes a matrix in host memory by way of device memory.
RNG_API void svd_through_device(const SvdInput& input, const SvdOutput& output, Generator& generator);

template <class T> void set_options(SvdInput& input, const DeviceSvdOptions<T>& options) {
    const device_matrix<const T>& m = options.M;
    set_options(input, SvdOptions<T>{.q = options.q,
                                     .niter = options.niter,
                                     .M = {m.data, m.rows, m.cols, m.row_stride, m.col_stride},
                                     .test_matrix = options.test_matrix});
}
template <class T, class Options>
[[nodiscard]] SvdInput svd_input(const char* call, const device_matrix<T>& a, const Options& options) {
    SvdInput input = svd_input(call, matrix_view<T>{a.data, a.rows, a.cols, a.row_stride, a.col_stride});
    set_options(input, options);
    return input;
}
template <class C>
[[nodiscard]] DeviceSvdTarget device_target(const DeviceSvd<C>& out, device_span<std::byte> workspace, cuda_stream s) {
    return {
        {out.U.data, out.U.row_stride, out.U.col_stride, out.S.data, out.V.data, out.V.row_stride, out.V.col_stride},
        out.U.rows,
        out.U.cols,
        out.S.size,
        out.V.rows,
        out.V.cols,
        workspace,
        s};
}

template <class T, class Options>
[[nodiscard]] auto svd_through(const char* call, Device device, const matrix_view<T>& a, const Options& options,
                               const Generator& from) {
    Generator generator(device);
    generator.set_state(from.get_state());
    if (device == cpu()) return svd_of(call, a, options, generator);
    SvdInput input = svd_input(call, a);
    set_options(input, options);
    auto result = room_for_svd<computed_t<T>>(input);
    svd_through_device(input, output_to(result), generator);
    return result;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
