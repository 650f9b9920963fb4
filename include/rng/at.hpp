// at(stream, distribution, i): one value of a fill, on the host and in kernels. at_block and Cursor: many values.
//
//     const rng::Stream<> stream{42};
//     const float z = rng::at(stream, rng::normal{0.0f, 1.0f}, 7);    // value 7 of fill(x, dist, stream)
//     rng::Cursor next(stream, rng::uniform{0.0, 1.0});
//     const double first = next.next(), second = next.next();
//
// Slots: a value takes a fixed power-of-two number of words, and begins at a multiple of it (the position is rounded
// up first). Hence fill(n) then fill(m) equals fill(n + m), and value i of a fill equals at(stream, distribution, i).
#pragma once

#include "detail/value.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// An array of N values, such as those of one block.
template <class T, int N> using Values = Words<T, N>;

/// The number of values that one block of the engine gives; or 2 or 1, if a pair or one value takes several blocks.
template <class D, class E = Philox4x32_10> inline constexpr int values_per_block = detail::Group<D, E>::values;

/// Returns value `i` of fill(span, dist, stream). Parameters must be in range (see fault()); kernels do not check them.
/// Throws Error (end_of_stream) on the host if the value lies past the end of the stream.
template <class D, class E> [[nodiscard]] RNG_FN result_t<D> at(const Stream<E>& stream, const D& dist, Integer i) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    detail::require_index(i < size && detail::slots_fit(stream.position, i + 1, slot, size), "at", i);
    return detail::best_value_at_word_of(stream, dist, detail::round_up(stream.position, slot) + i * slot);
}

/// Returns all values of one block at once: values j * V to j * V + V - 1 of fill(span, dist, stream), where V is
/// values_per_block. If the stream's position lies inside a block, j counts from the next block. The call computes one
/// block; at() computes one for each value. Throws Error (end_of_stream) on the host.
template <class D, class E>
[[nodiscard]] RNG_FN Values<result_t<D>, values_per_block<D, E>> at_block(const Stream<E>& stream, const D& dist,
                                                                          Integer j) {
    constexpr uint64_t n = detail::Group<D, E>::words, groups = Stream<E>::size_words / n;
    const uint64_t first = stream.position / n + (stream.position % n != 0);
    detail::require_index(j < groups && first < groups - j, "at_block", j);
    return detail::best_values_of_group<D>(stream, detail::map_of(dist), first + j);
}

/// Returns the successive values of a stream, from at(stream, dist, first) on, and computes each block once.
/// For loops of unknown length, above all in kernels; a Cursor lives in registers.
template <class D, class E = Philox4x32_10> class Cursor {
  public:
    /// Creates a cursor at value `first`. Throws Error (end_of_stream) on the host if it is past the end.
    RNG_FN explicit Cursor(const Stream<E>& stream, const D& dist = {}, Integer first = 0)
        : stream_(stream), map_(dist.map()) {
        detail::require_index(first <= size && detail::slots_fit(stream.position, first, slot, size), "Cursor", first);
        const uint64_t word = detail::round_up(stream.position, slot) + first * slot;
        group_ = word / words;
        if (word % words == 0) return;
        refill();
        const auto before = static_cast<unsigned>(word % words / slot);
        while (given_ < before) (void)give();
    }

    /// Returns the next value. Throws Error (end_of_stream) on the host.
    [[nodiscard]] RNG_FN result_t<D> next() {
        if (given_ == count) {
            detail::require_inside_stream(group_ < size / words, "Cursor");
            refill();
        }
        return give();
    }

  private:
    static constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words, words = detail::Group<D, E>::words;
    static constexpr int count = values_per_block<D, E>;

    RNG_FN void refill() {
        values_ = detail::best_values_of_group<D>(stream_, map_, group_++);
        given_ = 0;
    }

    // In kernels, an index that is known only at run time would put the values in local memory. There, shifting a few
    // values down takes fewer operations than selecting one.
    RNG_FN result_t<D> give() {
#if defined(__CUDA_ARCH__)
        if constexpr (count <= 4) {
            const result_t<D> first = values_[0];
            RNG_UNROLL
            for (int i = 1; i < count; ++i) values_[i - 1] = values_[i];
            ++given_;
            return first;
        }
#endif
        return select<0, count>(given_++);
    }
    template <int First, int N> [[nodiscard]] RNG_FN result_t<D> select(unsigned i) const {
        if constexpr (N == 1)
            return values_[First];
        else
            return i & (N / 2) ? select<First + N / 2, N / 2>(i) : select<First, N / 2>(i);
    }

    Stream<E> stream_;
    decltype(D{}.map()) map_;
    uint64_t group_;          // the next one
    unsigned given_ = count;  // how many of values_ the caller has
    Values<result_t<D>, count> values_{};
};

template <class E, class D> RNG_GUIDE Cursor(const Stream<E>&, const D&)->Cursor<D, E>;
template <class E, class D> RNG_GUIDE Cursor(const Stream<E>&, const D&, Integer)->Cursor<D, E>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
