// at() in a loop, without types, for rng::verify. It is compiled for every engine and distribution, in two sources that
// compile side by side.
#pragma once

#include <cstddef>

#include <rng/at.hpp>
#include <rng/distributions/catalogue.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// out[i] = at(stream, dist, i) for i < n.
using ByAt = void (*)(const void* stream, const void* dist, void* out, size_t n);

/// Returns the loop for streams of engine E and the distribution at that index of the catalogue.
template <class E> ByAt by_at(int distribution) {
    ByAt found = nullptr;
    for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        if (catalogue_index<D> != distribution) return;
        found = [](const void* stream, const void* dist, void* out, size_t n) {
            for (size_t i = 0; i < n; ++i)
                static_cast<result_t<D>*>(out)[i] =
                    at(*static_cast<const Stream<E>*>(stream), *static_cast<const D*>(dist), i);
        };
    });
    return found;
}

extern template ByAt by_at<Philox4x32_10>(int);
extern template ByAt by_at<Philox4x32_7>(int);
extern template ByAt by_at<Philox4x64_10>(int);
extern template ByAt by_at<Threefry4x32_20>(int);
extern template ByAt by_at<Threefry4x64_20>(int);

}  // namespace detail
RNG_END_NAMESPACE
