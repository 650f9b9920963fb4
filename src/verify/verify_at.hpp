// at() in a loop, without types, for rng::verify. It is compiled for every engine and distribution, in two sources that
// compile side by side.
#pragma once

#include <cstddef>

#include <rng/at.hpp>
#include <rng/detail/stream_record.hpp>
#include <rng/distributions/catalogue.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// out[i] = at(stream, dist, i) for i < n.
using ByAt = void (*)(const StreamRecord& stream, const void* dist, void* out, size_t n);

// Internal: as functions that sources share, they would be as long again by the names of their sections.
template <class E, class D> static void write_by_at(const StreamRecord& record, const void* dist, void* out, size_t n) {
    const Stream<E> stream = stream_of<E>(record);
    for (size_t i = 0; i < n; ++i) static_cast<result_t<D>*>(out)[i] = at(stream, *static_cast<const D*>(dist), i);
}
template <class E, class... D> static ByAt by_at_of(int distribution, type_list<D...>) {
    static constexpr ByAt all[] = {&write_by_at<E, D>...};
    return all[distribution];
}

/// Returns the loop for streams of engine E and the distribution at that index of the catalogue.
template <class E> ByAt by_at(int distribution) { return by_at_of<E>(distribution, catalogue{}); }

extern template ByAt by_at<Philox4x32_10>(int);
extern template ByAt by_at<Philox4x32_7>(int);
extern template ByAt by_at<Philox4x64_10>(int);
extern template ByAt by_at<Threefry4x32_20>(int);
extern template ByAt by_at<Threefry4x64_20>(int);

}  // namespace detail
RNG_END_NAMESPACE
