// Sound words spoilt on the way: counters that end, bits that lean, words that come again, careless ranges.
#pragma once

#include <cstdint>

#include "generator.hpp"

namespace rng::stats::zoo {

/// Philox4x32-10 with a block counter of `bits` bits. With 56 bits the words are the library's stream.
template <int bits> class ShortCounter : public Whole<uint32_t> {
  public:
    explicit ShortCounter(uint64_t seed) : stream_(seed) {}
    uint32_t operator()() {
        if (next_ % 4 == 0) block_ = stream_.block(next_ / 4 & ((uint64_t{1} << bits) - 1));
        return block_[static_cast<int>(next_++ % 4)];
    }

  private:
    Stream<Philox4x32_10> stream_;
    Philox4x32_10::counter_type block_{};
    uint64_t next_ = 0;
};

/// Bit 13 of each word is 1 with probability 1/2 + excess / 1024, excess in [0, 512].
template <int excess> class LeaningBit : public Whole<uint32_t> {
  public:
    explicit LeaningBit(uint64_t seed) : words_(seed) {}
    uint32_t operator()() {
        const uint32_t word = words_();
        const bool forced = words_() >> 23 < excess;
        return word | static_cast<uint32_t>(forced) << 13;
    }

  private:
    SoundWords words_;
};

/// Every `period`th word repeats the word before; no word does if `period` is 0.
template <unsigned period> class RepeatedWord : public Whole<uint32_t> {
  public:
    explicit RepeatedWord(uint64_t seed) : words_(seed) {}
    uint32_t operator()() {
        const uint32_t fresh = words_();
        if (period == 0 || ++n_ % period != 0) last_ = fresh;
        return last_;
    }

  private:
    SoundWords words_;
    uint32_t last_ = 0, n_ = 0;
};

/// Each tile of `words` words begins with the last block of the tile before: an index that is one block late.
template <unsigned words> class LateTile : public Whole<uint32_t> {
  public:
    explicit LateTile(uint64_t seed) : stream_(seed) {}
    uint32_t operator()() {
        const uint64_t tile = words == 0 ? 0 : n_ / (words / 4);
        if (i_ == 0) block_ = stream_.block(n_++ - tile);
        const uint32_t word = block_[static_cast<int>(i_)];
        i_ = (i_ + 1) % 4;
        return word;
    }

  private:
    Stream<Philox4x32_10> stream_;
    Philox4x32_10::counter_type block_{};
    uint64_t n_ = 0;
    unsigned i_ = 0;
};

}  // namespace rng::stats::zoo
