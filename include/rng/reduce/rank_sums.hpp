// sum, mean, variance, norm2, dot and vdot of an array that is spread over ranks, with the bits of one process.
//
//     const rng::dist_span<float> part{mine, first, size};             // this rank's elements of an array of `size`
//     const float total = rng::sum(part, ranks);                       // on every rank the bits of rng::sum(whole)
//     const double precise = rng::mean<double>(part, ranks);
//
// Any number of ranks and any cuts give the same bits (docs/reduce.md). Fewer than 1024 elements move over each cut; of
// the rest a rank sends at most two numbers for each level of the tree.
#pragma once

#include <cstdint>
#include <span>

#include "../detail/reduction.hpp"
#include "../ranks.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The elements [first, first + mine.size()) of an array of `size` elements. The ranks have their elements in the order
/// of the ranks, without gaps. A rank may have none; its `first` does not matter then.
template <class T> struct dist_span {
    std::span<const T> mine;
    uint64_t first = 0, size = 0;
};

namespace detail {

/// A reduction of an array over ranks. The request describes this rank's terms.
struct RankReduction {
    ReductionRequest request;
    uint64_t first, size;
    size_t y_count = 0;  // of a product: this rank's terms of y
    uint64_t y_first = 0, y_size = 0;
};
RNG_API void reduce_ranks(const RankReduction& reduction, Ranks& ranks, void* out);

template <class T> [[nodiscard]] Terms terms_of_rank(const dist_span<T>& x) { return {x.mine.data(), 1, 0}; }

template <class In, class Result, class T>
[[nodiscard]] Result reduce_spread(const char* call, Reduction reduction, const dist_span<T>& x, Ranks& ranks,
                                   double correction = 0) {
    Result result{};
    reduce_ranks(
        {reduction_of<In, T>(call, reduction, x.mine.size(), 1, terms_of_rank(x), {}, correction), x.first, x.size},
        ranks, &result);
    return result;
}
template <class In, class T>
[[nodiscard]] sum_t<T, In> dot_spread(const char* call, Reduction reduction, const dist_span<T>& x,
                                      const dist_span<T>& y, Ranks& ranks) {
    sum_t<T, In> result{};
    reduce_ranks({reduction_of<In, T>(call, reduction, x.mine.size(), 1, terms_of_rank(x), terms_of_rank(y)), x.first,
                  x.size, y.mine.size(), y.first, y.size},
                 ranks, &result);
    return result;
}

}  // namespace detail

/// Returns the sum of the whole array on all ranks; +0 if it has no elements. Collective, as are the functions below.
/// All throw Error on all ranks, with one text:
/// - as the function of a range does (invalid_argument), also if only one rank's part is wrong,
/// - if sizes, types, corrections, calls or versions differ between ranks (invalid_argument); the message says which,
/// - if elements are on no rank or on two (invalid_argument), or if a rank does not have enough memory (ranks).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::sum_t<T, In> sum(const dist_span<T>& x, Ranks& ranks) {
    return detail::reduce_spread<In, detail::sum_t<T, In>>("sum", detail::Reduction::sum, x, ranks);
}
/// Returns the mean of the whole array, which must have an element: the sum divided by the number of elements.
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::sum_t<T, In> mean(const dist_span<T>& x, Ranks& ranks) {
    return detail::reduce_spread<In, detail::sum_t<T, In>>("mean", detail::Reduction::mean, x, ranks);
}
/// Returns the variance of the whole array: sum |x - mean|^2 / (size - correction).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::real_t<detail::sum_t<T, In>> variance(const dist_span<T>& x, Ranks& ranks,
                                                            double correction = 1) {
    return detail::reduce_spread<In, detail::real_t<detail::sum_t<T, In>>>("variance", detail::Reduction::variance, x,
                                                                           ranks, correction);
}
/// Returns the norm of the whole array: sqrt(sum |x|^2).
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::real_t<detail::sum_t<T, In>> norm2(const dist_span<T>& x, Ranks& ranks) {
    return detail::reduce_spread<In, detail::real_t<detail::sum_t<T, In>>>("norm2", detail::Reduction::norm2, x, ranks);
}
/// Returns the dot product of the whole arrays: sum x[i] y[i]. A rank has the same elements of both.
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::sum_t<T, In> dot(const dist_span<T>& x, const dist_span<T>& y, Ranks& ranks) {
    return detail::dot_spread<In>("dot", detail::Reduction::dot, x, y, ranks);
}
/// Returns the dot product of the whole arrays with x conjugated: sum conj(x[i]) y[i]. A rank has the same elements of
/// both.
template <detail::summing_type In = void, detail::summable T>
[[nodiscard]] detail::sum_t<T, In> vdot(const dist_span<T>& x, const dist_span<T>& y, Ranks& ranks) {
    return detail::dot_spread<In>("vdot", detail::Reduction::vdot, x, y, ranks);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
