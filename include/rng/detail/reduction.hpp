// Reductions with their types erased: the requests that rng/reduce passes to the library.
#pragma once

#include <complex>
#include <cstddef>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "../core/error.hpp"
#include "../float16.hpp"
#include "../matrix_view.hpp"
#include "svd_element.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The type of the real numbers of elements in memory.
enum class StoredReal { f16, bf16, f32, f64 };
template <class T> [[nodiscard]] constexpr StoredReal stored_real() {
    using Element = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Element, float16>)
        return StoredReal::f16;
    else if constexpr (std::is_same_v<Element, bfloat16>)
        return StoredReal::bf16;
    else
        return sizeof(real_t<Element>) == 4 ? StoredReal::f32 : StoredReal::f64;
}
/// The number of real numbers in an element.
template <class T> inline constexpr int real_parts = SvdElement<std::remove_const_t<T>>::is_complex ? 2 : 1;

template <class T> inline constexpr bool is_summable = false;
template <> inline constexpr bool is_summable<float> = true;
template <> inline constexpr bool is_summable<double> = true;
template <> inline constexpr bool is_summable<float16> = true;
template <> inline constexpr bool is_summable<bfloat16> = true;
template <class T> inline constexpr bool is_summable<std::complex<T>> = is_summable<T> && sizeof(T) >= 4;
template <class T> inline constexpr bool is_summable<complex<T>> = is_summable<T> && sizeof(T) >= 4;
/// Elements that can be added up: float, double, complex numbers of them, float16, bfloat16.
template <class T>
concept summable = is_summable<std::remove_const_t<T>>;
template <class R>
concept summable_range =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && summable<std::ranges::range_value_t<R>>;

/// The type in which elements of T are added up: In is void, or double.
template <class T, class In> struct SumType { using type = computed_t<T>; };
template <class T> struct SumType<T, double> { using type = double; };
template <class T> struct SumType<std::complex<T>, double> { using type = std::complex<double>; };
template <class T> struct SumType<complex<T>, double> { using type = complex<double>; };
template <class T, class In> using sum_t = typename SumType<std::remove_const_t<T>, In>::type;
template <class In>
concept summing_type = std::is_void_v<In> || std::is_same_v<In, double>;

/// The terms of one or more results. Strides are in elements.
struct Terms {
    const void* data = nullptr;
    ptrdiff_t stride = 1;  ///< from one term to the next
    ptrdiff_t next = 0;    ///< from a result's first term to that of the next result
};

enum class Reduction { sum, mean, variance, norm2, dot, vdot };

struct ReductionRequest {
    const char* call;
    Reduction reduction;
    StoredReal stored;
    int parts;  // real numbers of an element
    bool in_double;
    size_t terms, results;
    Terms x, y = {};
    double correction = 0;  // of a variance: the divisor is terms - correction
};

/// Writes each result to out + k * stride: `parts` numbers, or one for variances and norms.
RNG_API void reduce(const ReductionRequest& request, void* out, ptrdiff_t stride);

/// Returns the elements of a span as terms. Throws Error if its data is null but it has elements.
template <class R> [[nodiscard]] Terms terms_of(const char* call, const char* name, const R& range) {
    if (std::ranges::data(range) == nullptr && std::ranges::size(range) != 0)
        raise_text(ErrorCode::invalid_argument, "%s: %s must not be null, for %zu elements", call, name,
                   std::ranges::size(range));
    return {std::ranges::data(range), 1, 0};
}

template <class In, class T>
[[nodiscard]] ReductionRequest reduction_of(const char* call, Reduction reduction, size_t terms, size_t results,
                                            const Terms& x, const Terms& y = {}, double correction = 0) {
    return {call, reduction, stored_real<T>(), real_parts<T>, sizeof(real_t<sum_t<T, In>>) == 8, terms, results,
            x,    y,         correction};
}

/// A reduction of a span to one result.
template <class In, class R>
[[nodiscard]] ReductionRequest span_reduction(const char* call, Reduction reduction, const R& x,
                                              double correction = 0) {
    using T = std::ranges::range_value_t<R>;
    return reduction_of<In, T>(call, reduction, std::ranges::size(x), 1, terms_of(call, "x", x), {}, correction);
}
template <class In, class Result, class R>
[[nodiscard]] Result reduce_span(const char* call, Reduction reduction, const R& x, double correction = 0) {
    Result result{};
    reduce(span_reduction<In>(call, reduction, x, correction), &result, 0);
    return result;
}

/// Reductions of a matrix along an axis, to `out`, which must have an element for each.
template <class In, class Result, class T>
[[nodiscard]] ReductionRequest matrix_reduction(const char* call, Reduction reduction, const matrix_view<T>& given,
                                                int axis, std::span<Result> out, double correction = 0) {
    const auto x = with_valid_strides(given);
    if (axis != 0 && axis != 1) raise_text(ErrorCode::invalid_argument, "%s: axis must be 0 or 1, got %d", call, axis);
    const size_t terms = axis == 0 ? x.rows : x.cols, results = axis == 0 ? x.cols : x.rows;
    if (out.size() != results)
        raise_text(ErrorCode::invalid_argument, "%s: out must have %zu elements, one for each %s, got %zu", call,
                   results, axis == 0 ? "column" : "row", out.size());
    if ((x.data == nullptr && terms != 0 && results != 0) || (out.data() == nullptr && results != 0))
        raise_text(ErrorCode::invalid_argument, "%s: %s must not be null, for %zu x %zu elements", call,
                   x.data == nullptr ? "x" : "out", x.rows, x.cols);
    const Terms along =
        axis == 0 ? Terms{x.data, x.row_stride, x.col_stride} : Terms{x.data, x.col_stride, x.row_stride};
    return reduction_of<In, T>(call, reduction, terms, results, along, {}, correction);
}
template <class In, class Result, class T>
void reduce_matrix(const char* call, Reduction reduction, const matrix_view<T>& x, int axis, std::span<Result> out,
                   double correction = 0) {
    reduce(matrix_reduction<In, Result>(call, reduction, x, axis, out, correction), out.data(), 1);
}
template <class In, class Result, class T>
[[nodiscard]] std::vector<Result> reduced_matrix(const char* call, Reduction reduction, const matrix_view<T>& x,
                                                 int axis, double correction = 0) {
    std::vector<Result> out(axis == 0 ? x.cols : x.rows);
    reduce_matrix<In, Result>(call, reduction, x, axis, std::span(out), correction);
    return out;
}

/// A product of two spans.
template <class In, class R, class S>
[[nodiscard]] ReductionRequest dot_reduction(const char* call, Reduction reduction, const R& x, const S& y) {
    using T = std::ranges::range_value_t<R>;
    static_assert(std::is_same_v<T, std::ranges::range_value_t<S>>, "rng::dot: x and y must have elements of one type");
    if (std::ranges::size(x) != std::ranges::size(y))
        raise_text(ErrorCode::invalid_argument, "%s: x and y must have the same size, got %zu and %zu", call,
                   std::ranges::size(x), std::ranges::size(y));
    return reduction_of<In, T>(call, reduction, std::ranges::size(x), 1, terms_of(call, "x", x),
                               terms_of(call, "y", y));
}

/// Sums of segments of x, to `out`.
template <class In, class R, class Offsets, class Sum>
[[nodiscard]] ReductionRequest segments_reduction(const R& x, const Offsets& offsets, std::span<Sum> out) {
    using T = std::ranges::range_value_t<R>;
    using Offset = std::ranges::range_value_t<Offsets>;
    static_assert(std::is_same_v<Offset, int32_t> || std::is_same_v<Offset, int64_t>,
                  "rng::segmented_sum: offsets must be of int32_t or int64_t");
    constexpr const char* call = "segmented_sum";
    if (std::ranges::size(offsets) != out.size() + 1)
        raise_text(ErrorCode::invalid_argument, "%s: offsets must have %zu elements for %zu results, got %zu", call,
                   out.size() + 1, out.size(), std::ranges::size(offsets));
    static_cast<void>(terms_of(call, "offsets", offsets));
    static_cast<void>(terms_of(call, "out", out));
    return reduction_of<In, T>(call, Reduction::sum, std::ranges::size(x), 1, terms_of(call, "x", x));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
