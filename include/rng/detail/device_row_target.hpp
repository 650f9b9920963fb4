// The type-erased part of fill_rows() for device memory: the launch, and the parameter lists that are copied for it.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "../row_at.hpp"
#include "device_target.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The launch of rows of D from streams of engine E; void means any engine. device_fill_rows.hpp defines it.
template <class D, class E> struct RowLaunch;

template <class D, class E> constexpr DeviceLaunch row_launch() {
    if constexpr (is_defined<RowLaunch<D, E>>) {
        return &RowLaunch<D, E>::launch;
    } else {
        static_assert(never<D>,
                      "rng: the kernels of rows are compiled where they are used: include <rng/device_fill_rows.hpp> "
                      "and compile the call by nvcc");
        return nullptr;
    }
}

struct IgnoreList {
    template <class List> void operator()(const List&) const {}
};
/// A distribution of rows with parameters in lists.
template <class D>
concept has_lists = requires(const D& dist, IgnoreList ignore) {
    D::for_each_list(dist, ignore);
};

/// Calls f(list, place) for each list, where `place` is its offset in 64-bit words if all lists are packed one after
/// the other, each at a multiple of 8 bytes. Returns the number of words of all lists.
template <class D, class F> uint64_t place_lists([[maybe_unused]] D& dist, [[maybe_unused]] const F& f) {
    uint64_t words = 0;
    if constexpr (has_lists<std::remove_const_t<D>>)
        D::for_each_list(dist, [&](auto& list) {
            f(list, words);
            words += (list.size * sizeof(*list.data) + 7) / 8;
        });
    return words;
}

/// Returns a packed copy of all lists, which must not be empty.
template <class D> [[nodiscard]] std::vector<uint64_t> packed_lists(const D& dist) {
    std::vector<uint64_t> words(place_lists(dist, [](const auto&, uint64_t) {}));
    place_lists(dist, [&words](const auto& list, uint64_t place) {
        std::memcpy(&words[place], list.data, list.size * sizeof(*list.data));
    });
    return words;
}

/// Returns the distribution with its lists in a packed copy, whose memory may be a device's.
template <class D> [[nodiscard]] D with_lists_at(const void* packed, D dist) {
    place_lists(dist, [packed](auto& list, uint64_t place) {
        list.data = reinterpret_cast<decltype(list.data)>(static_cast<const uint64_t*>(packed) + place);
    });
    return dist;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
