// Shared by tests of words: the generator's words of a segment, one bit of each word, and the choice of segments for
// costly tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../test.hpp"

namespace rng::stats {

/// Calls f with the words: as 64 bits if the generator's words have 64 bits, else as 32 bits.
template <class F> void with_words(const Segment& segment, F&& f) {
    if (segment.word_bits == 64)
        f(segment.words<uint64_t>());
    else
        f(segment.words<uint32_t>());
}

/// True if the segment belongs to a sample of one in `period`. The first segment always does. Such a test looks for
/// flaws that every segment has alike.
[[nodiscard]] inline bool is_sampled(const Segment& segment, uint64_t period) { return segment.index % period == 0; }

/// Packs bit `bit` of each word, word i into bit i % 64 of lane[i / 64]. Takes as many words as fill the lane.
template <class T> void pack_lane(std::span<const T> words, int bit, std::span<uint64_t> lane) {
    for (std::size_t i = 0; i < lane.size(); ++i) {
        uint64_t packed = 0;
        for (std::size_t k = 0; k < 64; ++k) packed |= static_cast<uint64_t>(words[i * 64 + k] >> bit & 1u) << k;
        lane[i] = packed;
    }
}

/// Packs a bit of the generator's own words, of any size. Bit -1 is the highest.
inline void pack_lane(const Segment& segment, int bit, std::size_t first_word, std::span<uint64_t> lane) {
    const auto pack = [&]<class T>(std::span<const T> words) {
        pack_lane(words.subspan(first_word), bit < 0 ? segment.word_bits + bit : bit, lane);
    };
    switch (segment.word_bits) {
        case 8: return pack(segment.words<uint8_t>());
        case 16: return pack(segment.words<uint16_t>());
        case 32: return pack(segment.words<uint32_t>());
        default: return pack(segment.words<uint64_t>());
    }
}

/// Returns the number of words in the segment.
[[nodiscard]] inline std::size_t word_count(const Segment& segment) {
    return segment.data.size() * 8 / static_cast<std::size_t>(segment.word_bits);
}

}  // namespace rng::stats
