// CipherStream: what Stream<E> is to an engine, for a Cipher with any number of rounds. Also the source, sets of
// streams and functions that a battery tests.
//
// Counters, keys and children are laid out as those of the library's engines (rng/core/engine.hpp). The library has no
// engine of two words. Ciphers of two words follow the same layout as far as they reach:
// - with 64 bits the counter is { block : 56, domain : 8, id : 64 };
// - with 32 bits the counter is { block : 56, domain : 8 }, so there are neither ids nor forks;
// - the key of philox2x32 is the low half of the seed.
#pragma once

#include <rng/stats/generator_under_test.hpp>

#include <array>

#include "cipher.hpp"

namespace rng::stats {

struct CipherStream {
    Cipher cipher;
    std::array<uint32_t, 8> key{};  ///< cipher.key_words() words of these are used
    uint64_t id = 0;

    CipherStream(const Cipher& cipher, uint64_t seed, uint64_t id = 0);

    /// True if the counter has room for ids, and a block for a child.
    [[nodiscard]] static bool has_ids(const Cipher& cipher) { return cipher.block_words() >= 4; }
    [[nodiscard]] CipherStream fork(uint64_t tag) const;

    /// Stores the bytes of the draws from any position on.
    void read(uint64_t position, std::span<std::byte> to) const;
};

/// Returns the cipher's words of one stream, from 32-bit word `position` on.
[[nodiscard]] std::shared_ptr<Source> cipher_source(const CipherStream& stream, uint64_t position, std::string name);

/// Returns these functions:
/// - "block": from counter and key to a block;
/// - "seed": from a seed and an id to the first block of that stream;
/// - "fork": from a seed and a tag to the first block of that child.
[[nodiscard]] std::vector<std::shared_ptr<const BlockFunction>> cipher_functions(const Cipher& cipher);

/// Returns the sets "seeds" from `seed` on, and "ids" and "forks" of `seed`.
[[nodiscard]] std::vector<std::shared_ptr<const StreamSet>> cipher_streams(const Cipher& cipher, uint64_t seed);

}  // namespace rng::stats
