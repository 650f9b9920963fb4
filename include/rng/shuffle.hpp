// shuffle: puts a range into random order. fill: the values of a random permutation, in memory.
//
//     std::vector<std::string> names{"Ada", "Blaise", "Carl"};
//     rng::Generator gen{42};
//     rng::shuffle(names, gen);                                     // advances the generator by one slot
//     std::vector<int> order(1'000'000);
//     rng::fill(order, rng::permutation{1'000'000}, gen);           // 0 ... 999999 in random order
//     rng::fill(order, rng::permutation{1'000'000}.of(rng::Stream{42}, 1));   // permutation 1 of a stream
//
// shuffle(x, source) gives y[i] = x[p.at(i)], where p is the permutation that permutation{size} has from the source.
// Kernels need no fill: a thread calls permutation{n}.at(stream, i), which gives the same values.
#pragma once

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "detail/random_source.hpp"
#include "permutation.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Checks a range that is to hold values first, first + 1, ... of a permutation of [0, n), and returns its size.
template <class R> size_t checked_places(R& out, uint64_t n, uint64_t first) {
    using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    static_assert(!std::is_const_v<T>, "fill: the range is const");
    static_assert(integer<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "fill: values of a permutation are integers of 32 or 64 bits");
    const size_t count = checked_size("permutation", std::ranges::data(out), 1, std::ranges::size(out));
    check_permutation_size("fill: permutation", n);
    if (n > 0 && n - 1 > static_cast<uint64_t>(greatest<T>))
        raise_text(ErrorCode::invalid_argument, "fill: permutation: n must be at most 2^%d for these elements, got %s",
                   std::is_signed_v<T> ? 31 : 32, NumberText(n).text);
    if (first > n || count > n - first)
        raise_text(ErrorCode::invalid_argument,
                   "fill: permutation: there are %llu values from %s on, fewer than the %zu elements",
                   static_cast<unsigned long long>(first > n ? 0 : n - first), NumberText(first).text, count);
    return count;
}

}  // namespace detail

/// Fills a contiguous range of integers of 32 or 64 bits: out[i] = permuted.at(first + i). Pure.
/// Throws Error (invalid_argument): null data, more elements than values, n too large for the elements.
template <std::ranges::contiguous_range R, class E>
requires std::ranges::sized_range<R>
void fill(R&& out, const KeyedPermutation<E>& permuted, Integer first = 0) {
    const size_t count = detail::checked_places(out, permuted.size(), first);
    using T = std::ranges::range_value_t<R>;
    detail::fill_permutation(detail::record(permuted.own_stream()), permuted.size(), first, std::ranges::data(out),
                             count, sizeof(T));
}
/// Fills from permutation 0 of the stream: out[i] = permutation.at(stream, first + i). Pure. Throws Error as the fill
/// above does, and at the end of the stream.
template <std::ranges::contiguous_range R, class E>
requires std::ranges::sized_range<R>
void fill(R&& out, const permutation& order, const Stream<E>& stream, Integer first = 0) {
    const size_t count = detail::checked_places(out, order.n, first);
    using T = std::ranges::range_value_t<R>;
    detail::fill_permutation(detail::take_private_stream("fill: permutation", stream), order.n, first,
                             std::ranges::data(out), count, sizeof(T));
}
/// Fills from the generator's next permutation, from its value 0 on, and advances the generator by one slot of four
/// words. A fill of no values changes nothing. Throws Error as above; then the generator is unchanged.
template <std::ranges::contiguous_range R, detail::movable_generator G = Generator&>
requires std::ranges::sized_range<R>
void fill(R&& out, const permutation& order, G&& generator = default_generator()) {
    Generator& from = generator;
    const size_t count = detail::checked_places(out, order.n, 0);
    if (count == 0) return;
    using T = std::ranges::range_value_t<R>;
    detail::fill_permutation(detail::take_private_stream("fill: permutation", from), order.n, 0, std::ranges::data(out),
                             count, sizeof(T));
}

/// Puts a random-access range of movable elements into random order: a std::vector, a std::deque, a std::vector<bool>.
/// A Generator advances by one slot of four words, unless the range is empty; a Stream gives its permutation 0. Takes
/// memory for a second copy of the elements.
/// Throws Error (invalid_argument: null data; end_of_stream; unsupported) and std::bad_alloc. Then no element has
/// moved, and the generator is unchanged.
template <std::ranges::random_access_range R, detail::random_source S = Generator&>
requires std::ranges::sized_range<R>
void shuffle(R&& range, S&& source = default_generator()) {
    using T = std::ranges::range_value_t<R>;
    const auto first = std::ranges::begin(range);
    using Place = std::ranges::range_difference_t<R>;
    const auto n = static_cast<size_t>(std::ranges::size(range));
    if (n == 0) return;
    if constexpr (std::ranges::contiguous_range<R>)
        if (std::ranges::data(range) == nullptr)
            detail::raise_text(ErrorCode::invalid_argument, "shuffle: the data must not be null for %zu elements", n);
    std::vector<T> shuffled;
    shuffled.reserve(n);
    // A tile holds a whole small permutation: each further tile would compute its exchanges again.
    constexpr size_t tile = 4096;
    static_assert(tile >= detail::most_exchanged);
    std::vector<uint64_t> places(std::min(n, tile));
    const detail::StreamRecord own = detail::take_private_stream("shuffle", source);  // after all that may throw
    for (size_t done = 0; done < n; done += places.size()) {
        if (places.size() > n - done) places.resize(n - done);
        detail::fill_permutation(own, n, done, places.data(), places.size(), sizeof(uint64_t));
        for (const uint64_t place : places)
            shuffled.push_back(std::ranges::iter_move(first + static_cast<Place>(place)));
    }
    std::move(shuffled.begin(), shuffled.end(), first);
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
