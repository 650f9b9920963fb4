// Calibration: the battery on a null reference, many times over. Are the p-values uniform, and is the family-wise rate
// what it says?
//
// The null reference is sound by other people's work: OpenSSL's ciphers. Tests are calibrated on it, so that a flaw of
// this library's engines cannot hide in the null distributions.
//
// ChaCha20 (RFC 8439) and AES-128 in counter mode (NIST FIPS 197, SP 800-38A). Oracle: the RFC's section 2.3.2, whose
// keystream of block 1 begins 10 f1 e7 e4.
//
// A program links this with the target rng_stats_calibration of this project's build, which needs OpenSSL's libcrypto.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

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

struct CalibrationOptions {
    /// The subject of battery number `key`: words of 32 and of 64 bits in turns, so that tests of lanes see both.
    std::function<Subject(uint64_t key)> subject = [](uint64_t key) {
        return null_subject(NullCipher::chacha20, key, key % 2 ? 32 : 64);
    };
    uint64_t batteries = 1000;
    uint64_t first_key = 1;
    Tier tier = Tier::quick;  ///< structural, or what structural tests are given beside a stream
    uint64_t bytes = uint64_t{1} << 26;
    std::vector<std::string> only;
    int threads = 1;  ///< batteries at a time
    std::function<void(uint64_t done)> progress;
    const std::atomic<bool>* stop = nullptr;
};

/// All p-values of one part of a test at one size.
struct CalibrationRow {
    std::string test;  ///< with its part
    std::string stage;
    uint64_t size = 0;
    uint64_t values = 0;
    double chi_square_p = 1;  ///< of 100 bins (fewer where a bin would expect less than 10) of randomised p-values
    uint64_t below[3] = {};   ///< two-sided p below 1e-2, 1e-3, 1e-4
    double below_p[3] = {1, 1, 1};  ///< probability of as many, or more, if p-values are what they say
    double least_log10 = 0;         ///< the smallest two-sided p
};

struct Calibration {
    uint64_t batteries = 0;
    uint64_t p_values = 0;
    /// Batteries with an adjusted p-value below each rate.
    struct Rate {
        double rate;
        uint64_t fired;
        double fired_p;  ///< probability of as many, or more, at that rate
    };
    std::vector<Rate> rates;
    std::vector<CalibrationRow> rows;  ///< worst first
    double worst_chi_square_p = 1;     ///< Bonferroni-adjusted for the rows
    double worst_tail_p = 1;           ///< likewise, of the tail counts
};

[[nodiscard]] Calibration calibrate(const CalibrationOptions& options);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
