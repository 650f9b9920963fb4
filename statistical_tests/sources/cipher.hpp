// Cipher: Philox and Threefry of any size and number of rounds, chosen at run time and evaluated many inputs at a time.
//
// A test of reduced rounds needs some dozens of functions. As templates each would be compiled by itself. Here a round
// is a pass over 64 inputs, which the compiler turns into vectors, and the number of passes is a variable.
// Oracles: the templates of rng/core (tests/stats/test_engines_under_test.cpp compares every number of rounds).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace rng::stats {

struct Cipher {
    enum class Family { philox, threefry };
    Family family = Family::philox;
    int words = 4;       ///< words of the counter and of a block: 2 or 4
    int word_bits = 32;  ///< 32 or 64
    int rounds = 10;     ///< 1..max_rounds

    static constexpr int most_rounds(Family family) { return family == Family::philox ? 16 : 32; }

    /// Return the sizes of a block, a counter and a key, in 32-bit words.
    [[nodiscard]] int block_words() const { return words * word_bits / 32; }
    [[nodiscard]] int key_words() const { return family == Family::philox ? block_words() / 2 : block_words(); }
    [[nodiscard]] std::string name() const;  ///< "threefry4x32-9"

    /// Computes the blocks of `lanes` counters and keys, laid out as for BlockFunction::evaluate: counter words before
    /// key words, low halves before high ones. Requires a multiple of 16 lanes.
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const;
};

/// Returns the cipher of this name; nothing if no cipher has the name.
[[nodiscard]] std::optional<Cipher> cipher_by_name(const std::string& name);

}  // namespace rng::stats
