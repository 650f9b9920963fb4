// A generator that is sound by other people's work: OpenSSL's ciphers. Tests are calibrated on it, so that a flaw of
// this library's engines cannot hide in the null distributions.
//
// ChaCha20 (RFC 8439) and AES-128 in counter mode (NIST FIPS 197, SP 800-38A). Oracle: the RFC's section 2.3.2, whose
// keystream of block 1 begins 10 f1 e7 e4.
#pragma once

#include <rng/stats/subject.hpp>

#include <array>
#include <string>

namespace rng::stats {

enum class NullCipher { chacha20, aes128_ctr };

using CipherKey = std::array<unsigned char, 32>;  ///< of which AES-128 takes the first half
using CipherIv = std::array<unsigned char, 16>;   ///< as EVP takes it: AES's counter; ChaCha20's counter and nonce

/// Keystream from byte `position` of the cipher on, `iv` being that of position 0. ChaCha20 has 2^38 bytes. Throws
/// Error (unsupported) if OpenSSL does not have the cipher.
void keystream(NullCipher cipher, const CipherKey& key, const CipherIv& iv, uint64_t position, std::span<std::byte> to);

/// Bits, streams and block functions keyed by `seed`: words of 32 or 64 bits (which lanes tests look at), streams by
/// the upper half of AES's counter, and functions of 6 and of 2 words: AES over the input's blocks (CBC-MAC).
[[nodiscard]] Subject null_subject(NullCipher cipher, uint64_t seed, int word_bits);

}  // namespace rng::stats
