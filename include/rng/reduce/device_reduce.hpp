// sum, mean, variance, norm2, dot, segmented_sum, index_add, scatter_add, bincount of CUDA device memory: the CPU's
// bits.
//
//     rng::sum(rng::device_span{x, n}, {total, 1}, stream);                         // total: one float on the device
//     const auto A = rng::device_matrix<const float>::row_major(x, 1000, n / 1000);
//     rng::mean<double>(A, 0, {means, A.cols}, stream);                             // of each column, in double
//
// Results and operands are in memory of one device. The result of a span is one element. Each call has the order of
// additions and the errors of the same call for host memory (sums.hpp, index_add.hpp).
// The result is complete when the stream has executed the call. sum, mean, variance, norm2, dot and vdot do not wait,
// and may be captured into a graph. The others first check an index or offsets, and wait for the stream until that is
// done, so they cannot be captured. Memory for intermediate sums is taken from the device's pool, and returned in the
// order of the stream.
// This header needs no CUDA header, and a program that uses it compiles and runs without a GPU.
#pragma once

#include "../detail/device_view.hpp"
#include "../detail/scatter.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// `out` has `size` results, one after the other.
RNG_API void reduce_on_device(const ReductionRequest& request, void* out, size_t size, cuda_stream stream);
RNG_API void segmented_sum_on_device(const ReductionRequest& request, const void* offsets, bool offsets_are_wide,
                                     size_t segments, void* out, cuda_stream stream);
RNG_API void scatter_on_device(const ScatterRequest& request, cuda_stream stream);
/// Writes to request.targets places the counts of the integers in int64_t, or the sums of the values, if there are any.
/// Their previous contents are overwritten.
RNG_API void bincount_on_device(const ScatterRequest& request, bool has_weights, cuda_stream stream);

template <class In, class T, class Result>
void reduce_device_span(const char* call, Reduction reduction, const device_span<T>& x, const device_span<Result>& out,
                        cuda_stream stream, double correction = 0) {
    reduce_on_device(span_reduction<In>(call, reduction, as_span(x), correction), out.data, out.size, stream);
}
template <class In, class T, class Result>
void reduce_device_matrix(const char* call, Reduction reduction, const device_matrix<T>& x, int axis,
                          const device_span<Result>& out, cuda_stream stream, double correction = 0) {
    reduce_on_device(matrix_reduction<In>(call, reduction, as_view(x), axis, as_span(out), correction), out.data,
                     out.size, stream);
}
/// The result type of norms and variances.
template <class T, class In> using real_sum_t = real_t<sum_t<T, In>>;

}  // namespace detail

/// Writes the sum of x to `out`, which has one element. Throws Error:
/// - (invalid_argument) as sum() of host memory, and for memory of the host or of several devices;
/// - (unsupported) without a GPU;
/// - (cuda) on a failure of CUDA.
template <detail::summing_type In = void, detail::summable T>
void sum(device_span<T> x, device_span<detail::sum_t<T, In>> out, cuda_stream stream = default_stream()) {
    detail::reduce_device_span<In>("sum", detail::Reduction::sum, x, out, stream);
}
/// Writes the sums of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
void sum(device_matrix<T> x, int axis, device_span<detail::sum_t<T, In>> out, cuda_stream stream = default_stream()) {
    detail::reduce_device_matrix<In>("sum", detail::Reduction::sum, x, axis, out, stream);
}

/// Writes the mean: the sum divided by the number of elements.
template <detail::summing_type In = void, detail::summable T>
void mean(device_span<T> x, device_span<detail::sum_t<T, In>> out, cuda_stream stream = default_stream()) {
    detail::reduce_device_span<In>("mean", detail::Reduction::mean, x, out, stream);
}
/// Writes the means of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
void mean(device_matrix<T> x, int axis, device_span<detail::sum_t<T, In>> out, cuda_stream stream = default_stream()) {
    detail::reduce_device_matrix<In>("mean", detail::Reduction::mean, x, axis, out, stream);
}

/// Writes the variance, sum |x - mean|^2 / (n - correction).
template <detail::summing_type In = void, detail::summable T>
void variance(device_span<T> x, device_span<detail::real_sum_t<T, In>> out, double correction = 1,
              cuda_stream stream = default_stream()) {
    detail::reduce_device_span<In>("variance", detail::Reduction::variance, x, out, stream, correction);
}
/// Writes the variances of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
void variance(device_matrix<T> x, int axis, device_span<detail::real_sum_t<T, In>> out, double correction = 1,
              cuda_stream stream = default_stream()) {
    detail::reduce_device_matrix<In>("variance", detail::Reduction::variance, x, axis, out, stream, correction);
}

/// Writes the norm, sqrt(sum |x|^2).
template <detail::summing_type In = void, detail::summable T>
void norm2(device_span<T> x, device_span<detail::real_sum_t<T, In>> out, cuda_stream stream = default_stream()) {
    detail::reduce_device_span<In>("norm2", detail::Reduction::norm2, x, out, stream);
}
/// Writes the norms of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
void norm2(device_matrix<T> x, int axis, device_span<detail::real_sum_t<T, In>> out,
           cuda_stream stream = default_stream()) {
    detail::reduce_device_matrix<In>("norm2", detail::Reduction::norm2, x, axis, out, stream);
}

/// Writes sum x[i] y[i] to `out`, which has one element.
template <detail::summing_type In = void, detail::summable T, detail::summable U>
void dot(device_span<T> x, device_span<U> y, device_span<detail::sum_t<T, In>> out,
         cuda_stream stream = default_stream()) {
    detail::reduce_on_device(
        detail::dot_reduction<In>("dot", detail::Reduction::dot, detail::as_span(x), detail::as_span(y)), out.data,
        out.size, stream);
}
/// Writes sum conj(x[i]) y[i] to `out`, which has one element.
template <detail::summing_type In = void, detail::summable T, detail::summable U>
void vdot(device_span<T> x, device_span<U> y, device_span<detail::sum_t<T, In>> out,
          cuda_stream stream = default_stream()) {
    detail::reduce_on_device(
        detail::dot_reduction<In>("vdot", detail::Reduction::vdot, detail::as_span(x), detail::as_span(y)), out.data,
        out.size, stream);
}

/// Writes the sum of each segment: out[k] = sum of x[offsets[k]] to x[offsets[k + 1] - 1]. Waits for the stream until
/// the offsets are checked. Throws Error as sum(), and as segmented_sum() of host memory; then nothing is written.
template <detail::summing_type In = void, detail::summable T, class Offset>
void segmented_sum(device_span<T> x, device_span<Offset> offsets, device_span<detail::sum_t<T, In>> out,
                   cuda_stream stream = default_stream()) {
    detail::segmented_sum_on_device(
        detail::segments_reduction<In>(detail::as_span(x), detail::as_span(offsets), detail::as_span(out)),
        offsets.data, sizeof(Offset) == 8, out.size, out.data, stream);
}

/// Adds values along an axis, at the places that an index gives: out(index[k], j) += alpha values(k, j) for axis 0,
/// out(i, index[k]) += alpha values(i, k) for axis 1. Waits for the stream until the index is checked. The terms of one
/// element are added one after the other, so an element that gets most of the terms takes long.
/// Throws Error as index_add() of host memory, and as sum(); then nothing is written. Also (unsupported) if values or
/// out have more than 2^32 - 1 lines along the axis.
template <class Out, class I, detail::summable T>
void index_add(device_matrix<Out> out, int axis, device_span<I> index, device_matrix<T> values, double alpha = 1,
               cuda_stream stream = default_stream()) {
    detail::scatter_on_device(
        detail::index_add_request(detail::as_view(out), axis, detail::as_span(index), detail::as_view(values), alpha),
        stream);
}
/// Adds values at the places that an index gives: out[index[k]] += alpha values[k].
template <class Out, class I, detail::summable T>
void index_add(device_span<Out> out, device_span<I> index, device_span<T> values, double alpha = 1,
               cuda_stream stream = default_stream()) {
    detail::scatter_on_device(
        detail::index_add_request(detail::as_column(detail::as_span(out)), 0, detail::as_span(index),
                                  detail::as_column(detail::as_span(values)), alpha),
        stream);
}

/// Adds each element at an index of its own: out(index(i, j), j) += values(i, j) for axis 0, out(i, index(i, j)) +=
/// values(i, j) for axis 1. Waits and throws as index_add(). The index may have up to 2^32 - 1 elements.
template <class Out, class I, detail::summable T>
void scatter_add(device_matrix<Out> out, int axis, device_matrix<I> index, device_matrix<T> values,
                 cuda_stream stream = default_stream()) {
    detail::scatter_on_device(
        detail::scatter_add_request(detail::as_view(out), axis, detail::as_view(index), detail::as_view(values)),
        stream);
}

namespace detail {
template <class I, class Out>
[[nodiscard]] ScatterRequest bincount_request(device_span<I> index, device_span<Out> out) {
    ScatterRequest request{};
    request.call = "bincount";
    request.index = described_index(static_cast<const std::remove_const_t<I>*>(index.data));
    request.terms = index.size;
    request.lines = 1;
    request.targets = out.size;
    request.out = out.data;
    request.value_stride = request.out_stride = 1;
    request.alpha = 1;
    return request;
}
}  // namespace detail

/// Writes how often each integer of [0, out.size) occurs. Waits for the stream until the integers are checked.
/// Throws Error as sum(), and (invalid_argument) for an integer outside this range, with its first place; then nothing
/// is written.
template <class I>
void bincount(device_span<I> index, device_span<int64_t> out, cuda_stream stream = default_stream()) {
    detail::bincount_on_device(detail::bincount_request(index, out), false, stream);
}
/// Writes the sum of the weights of each integer, in double precision and in the order of the weights.
/// Waits and throws as index_add().
template <class I, detail::summable T>
void bincount(device_span<I> index, device_span<T> weights, device_span<double> out,
              cuda_stream stream = default_stream()) {
    static_assert(detail::real_parts<T> == 1, "bincount: weights must be real");
    detail::require_weights(index.size, weights.size);
    detail::ScatterRequest request = detail::bincount_request(index, out);
    request.stored = detail::stored_real<T>();
    request.parts = 1;
    request.in_double = true;
    request.values = weights.data;
    detail::bincount_on_device(request, true, stream);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
