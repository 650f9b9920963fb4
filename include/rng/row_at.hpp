// row_at(stream, distribution, i, out): one structured value, a vector or a matrix, on the host and in kernels.
//
//     const rng::Stream<> stream{42};
//     double point[10];
//     rng::row_at(stream, rng::sphere<double>{10}, 7, point);       // row 7 of fill_rows(matrix, dist, stream)
//
// A row takes a slot of four words, however long it is: the position is first rounded up to a multiple of four. The
// words of the row are those of a private stream that the slot names. Nothing is allocated: `out` is all the memory
// that a row needs, so it must not overlap the lists of the distribution.
#pragma once

#include "detail/row.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

struct WriteRow {
    template <class L, class E, class D>
    RNG_FN void operator()(type_tag<L>, const Stream<E>& stream, const D& dist, uint64_t word,
                           RowPlace<result_t<D>> out) const {
        dist.template write<L>(private_stream(stream, word), out);
    }
};

/// Calls f(type_tag<L>, arguments...) for the best lane L of one value on this processor. On hosts the call is out of
/// line, so that row_at() and fill_rows() share one copy of the code.
template <class... A, class F> RNG_FN void over_best_lane_of_rows(const F& f, A... arguments) {
#if RNG_DEVICE_PASS
    f(type_tag<lane::Scalar>{}, arguments...);
#else
#if RNG_FMA_BY_PROCESSOR
    if (__builtin_cpu_supports("fma")) [[likely]]
        return over_lane<lane::ScalarFma, F, A...>(f, arguments...);
#endif
    over_lane<lane::Scalar, F, A...>(f, arguments...);
#endif
}
/// Writes the row whose slot begins at `word`.
template <class D, class E>
RNG_FN void write_row(const Stream<E>& stream, const D& dist, uint64_t word, RowPlace<result_t<D>> out) {
    over_best_lane_of_rows<const Stream<E>&, const D&, uint64_t, RowPlace<result_t<D>>>(WriteRow{}, stream, dist, word,
                                                                                        out);
}

}  // namespace detail

/// Writes row `i` of fill_rows(matrix, dist, stream) to out[0], ..., out[dist.row_size() - 1]. Parameters must be in
/// range (see fault()).
/// Throws Error (end_of_stream) on the host if the row lies past the end of the stream.
template <row_distribution D, class E>
RNG_FN void row_at(const Stream<E>& stream, const D& dist, Integer i, result_t<D>* out) {
    constexpr uint64_t slot = detail::row_slot_words, size = Stream<E>::size_words;
    detail::require_index(i < size && detail::slots_fit(stream.position, i + 1, slot, size), "row_at", i);
    detail::write_row(stream, dist, detail::round_up(stream.position, slot) + i * slot,
                      detail::RowPlace<result_t<D>>{out, 1});
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
