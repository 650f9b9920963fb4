// RetryStream: the words that one value may use. It may use any number of them; no other value uses the same words.
//
// A retry stream begins with the value's slot. Then come words 0, 1, 2, ... of the value's private stream.
// The private stream is the child named by the block and the index of the slot's first word.
// A sampler that rejects words reads one retry stream from its start, so it does not change its neighbours' values.
#pragma once

#include "stream.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The greatest number of proposals of a sampler for one value; the last one is returned, whether it is accepted or
/// not. With parameters in range, a proposal is accepted with a probability above 0.241 (truncated_normal has the
/// least), so the probability that all are rejected is below 2^-100. With parameters out of range the value has no
/// meaning, but the loop ends. An integer counts, because -ffast-math removes comparisons of NaN.
inline constexpr uint32_t most_proposals = 256;

/// The private stream of the value whose slot begins at word `first`.
template <class E> [[nodiscard]] RNG_FN constexpr Stream<E> private_stream(const Stream<E>& stream, uint64_t first) {
    constexpr uint64_t n = E::words_per_block;
    return stream.child(first / n, domain::private_streams + static_cast<unsigned>(first % n));
}

}  // namespace detail

template <class E = Philox4x32_10> class RetryStream {
  public:
    /// The retry stream of the value whose slot of `slot_words` words begins at word `first` (a multiple of it).
    /// The slot's words are those of `slot_domain`.
    RNG_FN constexpr RetryStream(const Stream<E>& stream, uint64_t first, int slot_words,
                                 unsigned slot_domain = domain::draws)
        : stream_(stream),
          next_(first),
          end_(first + static_cast<uint64_t>(slot_words)),
          first_(first),
          domain_(slot_domain) {}

    [[nodiscard]] RNG_FN constexpr uint32_t word() {
        constexpr uint64_t n = E::words_per_block;
        if (next_ == end_) {  // the slot is used up
            stream_ = detail::private_stream(stream_, first_);
            next_ = 0;
            end_ = ~uint64_t{0};
            domain_ = domain::draws;
            has_block_ = false;
        }
        if (!has_block_ || next_ % n == 0) {
            block_ = stream_.block(next_ / n, domain_);
            has_block_ = true;
        }
        const auto index = static_cast<int>(next_++ % n);
        return E::word_of(block_, index);
    }

    /// Returns two words as 64 bits, the low word first.
    [[nodiscard]] RNG_FN constexpr uint64_t word64() {
        const uint64_t low = word();
        return low | static_cast<uint64_t>(word()) << 32;
    }

  private:
    Stream<E> stream_;
    uint64_t next_, end_, first_;
    unsigned domain_;
    typename E::counter_type block_{};
    bool has_block_ = false;
};

template <class E = Philox4x32_10> using Tape [[deprecated("use RetryStream")]] = RetryStream<E>;

RNG_END_NAMESPACE

#include "restore_macros.inc"
