// The type-erased requests of svd_lowrank and pca_lowrank for device memory, which librng carries out (src/device).
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "device_view.hpp"
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
/// All inputs have one shape and one test matrix; all targets have the same workspace and stream.
RNG_API void svd_on_device(std::span<const SvdInput> inputs, std::span<const DeviceSvdTarget> targets,
                           Generator& generator);
/// Computes matrices in host memory by way of device memory.
RNG_API void svd_through_device(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs,
                                Generator& generator);

/// The element type of a matrix in device memory, and the memory of its result.
template <class A> struct DeviceSvdMatrix;
template <class T> struct DeviceSvdMatrix<device_matrix<T>> {
    using element = std::remove_const_t<T>;
    using result = DeviceSvd<computed_t<T>>;
};
template <class T, class I> struct DeviceSvdMatrix<device_csr<T, I>> {
    using element = std::remove_const_t<T>;
    using result = DeviceSvd<computed_t<T>>;
};
template <class T> struct DeviceSvdMatrix<device_batch<T>> {
    using element = std::remove_const_t<T>;
    using result = DeviceBatchSvd<computed_t<T>>;
};
template <class A> using device_element_t = typename DeviceSvdMatrix<A>::element;
template <class A> using device_result_t = typename DeviceSvdMatrix<A>::result;
template <class A>
concept device_svd_matrix = requires {
    typename DeviceSvdMatrix<A>::element;
};

template <class T> void set_options(SvdInput& input, const DeviceSvdOptions<T>& options) {
    const device_matrix<const T>& m = options.M;
    set_options(input, SvdOptions<T>{.q = options.q,
                                     .niter = options.niter,
                                     .M = {m.data, m.rows, m.cols, m.row_stride, m.col_stride},
                                     .test_matrix = options.test_matrix,
                                     .oversampling = options.oversampling});
}
template <class T, class Options>
[[nodiscard]] SvdInput svd_input(const char* call, const device_matrix<T>& a, const Options& options) {
    SvdInput input = svd_input(call, as_view(a));
    set_options(input, options);
    return input;
}
template <class T, class Index, class Options>
[[nodiscard]] SvdInput svd_input(const char* call, const device_csr<T, Index>& a, const Options& options) {
    SvdInput input = svd_input(call, csr_view<T, Index>{a.rows,
                                                        a.cols,
                                                        {a.row_offsets.data, a.row_offsets.size},
                                                        {a.columns.data, a.columns.size},
                                                        {a.values.data, a.values.size}});
    set_options(input, options);
    return input;
}
/// The input for a workspace, which all matrices of a batch share.
template <class T, class Options>
[[nodiscard]] SvdInput svd_input(const char* call, const device_batch<T>& a, const Options& options) {
    return svd_input(call, a.first, options);
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

template <class A, class Options>
void svd_on_device(const char* call, const A& a, const Options& options, const device_result_t<A>& result,
                   device_span<std::byte> workspace, Generator& generator, cuda_stream stream) {
    const SvdInput input = svd_input(call, a, options);
    const DeviceSvdTarget target = device_target(result, workspace, stream);
    svd_on_device({&input, 1}, {&target, 1}, generator);
}
template <class T, class Options>
void svd_on_device(const char* call, const device_batch<T>& a, const Options& options,
                   const DeviceBatchSvd<computed_t<T>>& result, device_span<std::byte> workspace, Generator& generator,
                   cuda_stream stream) {
    std::vector<DeviceSvdTarget> targets;
    for (size_t i = 0; i < a.size; ++i) targets.push_back(device_target(result[i], workspace, stream));
    svd_on_device(svd_inputs(call, batch_view<T>{as_view(a.first), a.size, a.stride}, options), targets, generator);
}

[[nodiscard]] inline Generator generator_on(Device device, const Generator& from) {
    Generator generator(device);
    generator.set_state(from.get_state());
    return generator;
}
template <class A, class Options>
[[nodiscard]] auto svd_through(const char* call, Device device, const A& a, const Options& options,
                               const Generator& from) {
    Generator generator = generator_on(device, from);
    if (device == cpu()) return svd_of(call, a, options, generator);
    SvdInput input = svd_input(call, a);
    set_options(input, options);
    auto result = room_for_svd<computed_t<element_t<A>>>(input);
    const SvdOutput output = output_to(result);
    svd_through_device({&input, 1}, {&output, 1}, generator);
    return result;
}
template <class T, class Options>
[[nodiscard]] auto svd_through(const char* call, Device device, const batch_view<T>& a, const Options& options,
                               const Generator& from) {
    Generator generator = generator_on(device, from);
    return svds_of(call, a, options, [&](const auto& in, const auto& out) {
        device == cpu() ? run_svd(in, out, generator) : svd_through_device(in, out, generator);
    });
}
template <class T, class Options>
[[nodiscard]] auto svd_through(const char* call, Device device, const row_shards<T>& a, const Options& options,
                               const Generator& from) {
    if (!(device == cpu()))
        refuse(call, "row shards are for the cpu, got " + to_string(device), ErrorCode::unsupported);
    Generator generator = generator_on(device, from);
    return svd_of(call, a, options, generator);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
