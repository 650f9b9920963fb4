// ValueRun: the next values of a stream, made by one fill. Reader and std_distribution keep one.
#pragma once

#include "fill_request.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A run takes 1 KiB, and 4 KiB of a sampler's values, so that undecided ones are retried many together. The first run
/// is short, because many programs draw a few values only; each next one is longer.
template <class D> class ValueRun {
  public:
    [[nodiscard]] bool is_empty() const { return next_ == made_; }
    [[nodiscard]] unsigned left() const { return made_ - next_; }
    /// Requires a run that is not empty.
    [[nodiscard]] result_t<D> take() { return values_[next_++]; }
    void clear() { next_ = made_ = 0; }

    /// Makes values 0, 1, ... of the stream, whose position is that of a slot. `most` is at least 1.
    /// Parameters must be in range.
    __attribute__((noinline)) void refill(const D& dist, const StreamRecord& stream, uint64_t most) {
        const unsigned n = most < wanted_ ? static_cast<unsigned>(most) : wanted_;
        clear();
        fill_values(request(canonical(dist), stream), values_, n);
        made_ = n;
        wanted_ = wanted_ * 4 < size ? wanted_ * 4 : size;
    }

  private:
    static constexpr unsigned least = 16, bytes = sizeof(result_t<D>);
    static constexpr unsigned all = D::map_shape == Shape::sampler ? 4096 : 1024;
    static constexpr unsigned size = bytes < 4 ? all / 4 : bytes > 64 ? least : all / bytes / least* least;

    unsigned next_ = 0, made_ = 0, wanted_ = least;
    alignas(64) result_t<D> values_[size];  // not initialised: take() reads what refill() has written
};

/// How many slots of D the stream has from its position on.
template <class D, class E> [[nodiscard]] uint64_t slots_left(const Stream<E>& stream) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    return stream.position > size ? 0 : (size - round_up(stream.position, slot)) / slot;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
