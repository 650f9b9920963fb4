// sum, mean, variance, norm2, dot, segmented_sum: their bits depend on the numbers and their order alone.
//
//     const std::vector<float> x = rng::sample(rng::normal{0.0f, 1.0f}, 1'000'000, gen);
//     const float total = rng::sum(x);                       // the same bits on any machine, for any number of threads
//     const double precise = rng::sum<double>(x);            // the same numbers, added in double precision
//     const auto A = rng::matrix_view<const float>::row_major(x.data(), 1000, 1000);
//     const std::vector<float> columns = rng::mean(A, 0);    // as NumPy's axis: of each column
//
// The functions take a contiguous range, or a matrix_view of any strides and an axis: axis 0 sums each column, axis 1
// each row.
// Elements are of float, double, a complex type of these, float16 or bfloat16. The last two are added in float. With
// double as the template argument, all are added in double. docs/reduce.md has the order of the additions.
// NaN and infinities give what additions in that order give; a NaN result always has the same bits.
#pragma once

#include <span>
#include <vector>

#include "../detail/reduction.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the sum of the elements; +0 if there are none. The error is at most (log2(n / 1024) + 14) u sum |x| for n >
/// 1024 elements and the unit of rounding u. Throws Error (invalid_argument): null data.
template <detail::summing_type In = void, detail::summable_range R>
[[nodiscard]] detail::sum_t<std::ranges::range_value_t<R>, In> sum(const R& x) {
    return detail::reduce_span<In, detail::sum_t<std::ranges::range_value_t<R>, In>>("sum", detail::Reduction::sum, x);
}
/// Returns the sums of the columns (axis 0) or rows (axis 1).
/// Throws Error (invalid_argument): null data, an axis that is not 0 or 1.
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] std::vector<detail::sum_t<T, In>> sum(const matrix_view<T>& x, int axis) {
    return detail::reduced_matrix<In, detail::sum_t<T, In>>("sum", detail::Reduction::sum, x, axis);
}
/// Writes the sums of the columns (axis 0) or rows (axis 1) to `out`. Throws Error (invalid_argument) also if `out` has
/// another size.
template <detail::summing_type In = void, detail::summable T>
void sum(const matrix_view<T>& x, int axis, std::span<detail::sum_t<T, In>> out) {
    detail::reduce_matrix<In, detail::sum_t<T, In>>("sum", detail::Reduction::sum, x, axis, out);
}

/// Returns the mean: the sum divided by the number of elements.
/// Throws Error (invalid_argument): null data, no elements.
template <detail::summing_type In = void, detail::summable_range R>
[[nodiscard]] detail::sum_t<std::ranges::range_value_t<R>, In> mean(const R& x) {
    return detail::reduce_span<In, detail::sum_t<std::ranges::range_value_t<R>, In>>("mean", detail::Reduction::mean,
                                                                                     x);
}
/// Returns the means of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] std::vector<detail::sum_t<T, In>> mean(const matrix_view<T>& x, int axis) {
    return detail::reduced_matrix<In, detail::sum_t<T, In>>("mean", detail::Reduction::mean, x, axis);
}
/// Writes the means of the columns (axis 0) or rows (axis 1) to `out`.
template <detail::summing_type In = void, detail::summable T>
void mean(const matrix_view<T>& x, int axis, std::span<detail::sum_t<T, In>> out) {
    detail::reduce_matrix<In, detail::sum_t<T, In>>("mean", detail::Reduction::mean, x, axis, out);
}

/// Returns the variance, sum |x - mean|^2 / (n - correction), as torch.var does. NumPy's default has a correction of 0.
/// The rounding of the mean is corrected: (sum d^2 - (sum d)^2 / n) / (n - correction), with d = x - mean.
/// Source: Chan, Golub, LeVeque, "Algorithms for computing the sample variance", Am. Stat. 37, 1983.
/// Throws Error (invalid_argument): null data, n not above the correction, a correction that is negative or NaN.
template <detail::summing_type In = void, detail::summable_range R>
[[nodiscard]] detail::real_t<detail::sum_t<std::ranges::range_value_t<R>, In>> variance(const R& x,
                                                                                        double correction = 1) {
    return detail::reduce_span<In, detail::real_t<detail::sum_t<std::ranges::range_value_t<R>, In>>>(
        "variance", detail::Reduction::variance, x, correction);
}
/// Returns the variances of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] std::vector<detail::real_t<detail::sum_t<T, In>>> variance(const matrix_view<T>& x, int axis,
                                                                         double correction = 1) {
    return detail::reduced_matrix<In, detail::real_t<detail::sum_t<T, In>>>("variance", detail::Reduction::variance, x,
                                                                            axis, correction);
}

/// Returns the norm, sqrt(sum |x|^2). If the sum of squares would overflow, or squares would be too small, x is first
/// scaled by a power of two.
/// Throws Error (invalid_argument): null data.
template <detail::summing_type In = void, detail::summable_range R>
[[nodiscard]] detail::real_t<detail::sum_t<std::ranges::range_value_t<R>, In>> norm2(const R& x) {
    return detail::reduce_span<In, detail::real_t<detail::sum_t<std::ranges::range_value_t<R>, In>>>(
        "norm2", detail::Reduction::norm2, x);
}
/// Returns the norms of the columns (axis 0) or rows (axis 1).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] std::vector<detail::real_t<detail::sum_t<T, In>>> norm2(const matrix_view<T>& x, int axis) {
    return detail::reduced_matrix<In, detail::real_t<detail::sum_t<T, In>>>("norm2", detail::Reduction::norm2, x, axis);
}

namespace detail {

template <class In, class R, class S>
[[nodiscard]] sum_t<std::ranges::range_value_t<R>, In> dot_of(const char* call, Reduction reduction, const R& x,
                                                              const S& y) {
    sum_t<std::ranges::range_value_t<R>, In> result{};
    reduce(dot_reduction<In>(call, reduction, x, y), &result, 0);
    return result;
}

}  // namespace detail

/// Returns the dot product, sum x[i] y[i]; each product is added by fma. The four real sums of a complex dot product
/// are added separately.
/// Throws Error (invalid_argument): null data, different sizes.
template <detail::summing_type In = void, detail::summable_range R, detail::summable_range S>
[[nodiscard]] detail::sum_t<std::ranges::range_value_t<R>, In> dot(const R& x, const S& y) {
    return detail::dot_of<In>("dot", detail::Reduction::dot, x, y);
}
/// Returns the dot product with x conjugated: sum conj(x[i]) y[i].
template <detail::summing_type In = void, detail::summable_range R, detail::summable_range S>
[[nodiscard]] detail::sum_t<std::ranges::range_value_t<R>, In> vdot(const R& x, const S& y) {
    return detail::dot_of<In>("vdot", detail::Reduction::vdot, x, y);
}

namespace detail {
RNG_API void segmented_sum(const ReductionRequest& request, const void* offsets, bool offsets_are_wide, size_t segments,
                           void* out);
}

/// Writes the sum of each segment: out[k] = sum of x[offsets[k]] to x[offsets[k + 1] - 1], in the order of sum().
/// `offsets` are of int32_t or int64_t, one more than the elements of `out`. They ascend from 0 to the size of x.
/// Throws Error (invalid_argument): null data, wrong sizes, offsets that descend or end elsewhere; then nothing is
/// written.
template <detail::summing_type In = void, detail::summable_range R, std::ranges::contiguous_range Offsets>
void segmented_sum(const R& x, const Offsets& offsets,
                   std::span<detail::sum_t<std::ranges::range_value_t<R>, In>> out) {
    detail::segmented_sum(detail::segments_reduction<In>(x, offsets, out), std::ranges::data(offsets),
                          sizeof(std::ranges::range_value_t<Offsets>) == 8, out.size(), out.data());
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
