// ValueRun: the next values of a stream, computed by one fill. Reader and std_distribution have one.
// RepeatedDraws: prepares a distribution once enough values have been drawn from it.
#pragma once

#include <optional>

#include "../prepared.hpp"
#include "fill_sizes.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A distribution that is drawn from repeatedly. If it has a table, it is prepared once enough values have been drawn.
template <class D> class RepeatedDraws {
  public:
    /// Calls f(dist), or f of the prepared distribution, for the next n values. Parameters must be in range.
    template <class F> auto with(const D& dist, unsigned n, const F& f) {
        if constexpr (has_table<D>) {
            drawn_ = drawn_ < limit ? drawn_ + n : drawn_;
            if (drawn_ >= limit) {
                if (!prepared_) prepared_.emplace(dist);
                return f(*prepared_);
            }
        }
        return f(dist);
    }
    /// Starts again, for other parameters.
    void forget() { *this = {}; }

  private:
    static constexpr unsigned find_limit() {
        if constexpr (requires { D::least_tabulated; })
            return D::least_tabulated;
        else
            return 0;
    }
    static constexpr unsigned limit = find_limit();
    struct Nothing {};

    unsigned drawn_ = 0;
    std::conditional_t<has_table<D>, std::optional<Prepared<D>>, Nothing> prepared_{};
};

/// The next values, computed by one fill. The first run is short; each next one is four times as long, up to run_bytes.
template <class D> class ValueRun {
  public:
    [[nodiscard]] bool is_empty() const { return next_ == made_; }
    [[nodiscard]] unsigned left() const { return made_ - next_; }
    /// Requires a run that is not empty.
    [[nodiscard]] result_t<D> take() { return values_[next_++]; }
    void clear() { next_ = made_ = 0; }
    /// Calls f(dist), or f of the prepared distribution, for one value that is not part of the run.
    template <class F> auto with(const D& dist, const F& f) { return draws_.with(dist, 1, f); }
    /// Clears the run. The next values have other parameters.
    void forget() {
        clear();
        draws_.forget();
    }

    /// Computes values 0, 1, ... of the stream, whose position is that of a slot. `most` is at least 1.
    /// Parameters must be in range.
    __attribute__((noinline)) void refill(const D& dist, const StreamRecord& stream, uint64_t most) {
        const unsigned n = most < wanted_ ? static_cast<unsigned>(most) : wanted_;
        clear();
        draws_.with(dist, n, [&](const auto& of) { fill_values(request(canonical(of), stream), values_, n); });
        made_ = n;
        wanted_ = wanted_ * 4 < size ? wanted_ * 4 : size;
    }

  private:
    static constexpr unsigned least = first_run, bytes = sizeof(result_t<D>);
    static constexpr unsigned all = D::map_shape == Shape::sampler ? sampler_run_bytes : run_bytes;
    static constexpr unsigned size = bytes < 4 ? all / 4 : bytes > 64 ? least : all / bytes / least* least;

    RepeatedDraws<D> draws_;
    unsigned next_ = 0, made_ = 0, wanted_ = least;
    alignas(64) result_t<D> values_[size];  // not initialised: take() reads what refill() has written
};

/// Returns the number of slots of D that the stream has from its position on.
template <class D, class E> [[nodiscard]] uint64_t slots_left(const Stream<E>& stream) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    return stream.position > size ? 0 : (size - round_up(stream.position, slot)) / slot;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
