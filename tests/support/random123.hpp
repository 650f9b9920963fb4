// Compares a block function with Random123's over random counters and keys.
#pragma once

#include <rng/core/block.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

namespace support {

/// How many of n random (counter, key) pairs give another block than Random123's generator R. `ours` takes Words.
template <class R, class Block> std::size_t random123_differences(std::size_t n, const Block& ours) {
    using W = typename R::ctr_type::value_type;
    constexpr int words = R::ctr_type::static_size, key_words = R::key_type::static_size;
    std::mt19937_64 entropy(n);
    R theirs;
    std::size_t differences = 0;
    for (std::size_t k = 0; k < n; ++k) {
        rng::Words<W, words> counter;
        rng::Words<W, key_words> key;
        typename R::ctr_type their_counter;
        typename R::key_type their_key;
        for (std::size_t i = 0; i < words; ++i)
            their_counter[i] = counter[static_cast<int>(i)] = static_cast<W>(entropy());
        for (std::size_t i = 0; i < key_words; ++i) their_key[i] = key[static_cast<int>(i)] = static_cast<W>(entropy());
        const auto expected = theirs(their_counter, their_key);
        const auto got = ours(counter, key);
        bool same = true;
        for (std::size_t i = 0; i < words; ++i) same = same && got[static_cast<int>(i)] == expected[i];
        differences += !same;
    }
    return differences;
}

}  // namespace support
