// CipherStream: what Stream<E> is to an engine, for a Cipher with any number of rounds; and the source, sets of streams
// and functions that a battery tests.
//
// Counters, keys and children are laid out as those of the library's engines (rng/core/engine.hpp). Ciphers of two
// words, which the library has no engine of, follow them as far as they reach: with 64 bits the counter is { block :
// 56, domain : 8, id : 64 }; with 32 it is { block : 56, domain : 8 }, so there are neither ids nor forks, and the key
// of philox2x32 is the low half of the seed.
#pragma once

#include <rng/stats/subject.hpp>

#include <array>

#include "cipher.hpp"

namespace rng::stats {

struct CipherStream {
    Cipher cipher;
    std::array<uint32_t, 8> key{};  ///< cipher.key_words() of them
    uint64_t id = 0;

    CipherStream(const Cipher& cipher, uint64_t seed, uint64_t id = 0);

    /// Whether the counter has room for ids, and a block for a child.
    [[nodiscard]] static bool has_ids(const Cipher& cipher) { return cipher.block_words() >= 4; }
    [[nodiscard]] CipherStream fork(uint64_t tag) const;

    /// Bytes of the draws from any position on.
    void read(uint64_t position, std::span<std::byte> to) const;
};

/// The cipher's words of one stream, from 32-bit word `position` on.
[[nodiscard]] std::shared_ptr<Source> cipher_source(const CipherStream& stream, uint64_t position, std::string name);

/// "block": counter and key; "seed": a seed and an id to the first block of that stream; "fork": a seed and a tag to
/// the first block of that child.
[[nodiscard]] std::vector<std::shared_ptr<const BlockFunction>> cipher_functions(const Cipher& cipher);

/// "seeds" from `seed` on, "ids" and "forks" of `seed`.
[[nodiscard]] std::vector<std::shared_ptr<const StreamSet>> cipher_streams(const Cipher& cipher, uint64_t seed);

}  // namespace rng::stats
