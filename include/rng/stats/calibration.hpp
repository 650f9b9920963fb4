// Calibration: the battery runs many times on a null reference. Are the p-values uniform? Is the family-wise rate as
// stated?
//
//     const rng::stats::Calibration result = rng::stats::calibrate({.batteries = 200, .threads = 8});
//     std::cout << result.worst_chi_square_p << "\n";
//
// The null reference is OpenSSL's ciphers, which other people have shown to be sound.
// Tests are calibrated on these ciphers, so a flaw of this library's engines cannot hide in the null distributions.
//
// The ciphers are ChaCha20 (RFC 8439) and AES-128 in counter mode (NIST FIPS 197, SP 800-38A).
// Oracle: section 2.3.2 of the RFC: the keystream of block 1 begins 10 f1 e7 e4.
//
// A program links the target rng_stats_calibration of this project's build, which needs OpenSSL's libcrypto.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "battery_parts.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The ciphers of the null reference.
enum class NullCipher { chacha20, aes128_ctr };

using CipherKey = std::array<unsigned char, 32>;  ///< AES-128 takes the first half
using CipherIv = std::array<unsigned char, 16>;   ///< as EVP takes it: AES's counter; ChaCha20's counter and nonce

/// Writes the cipher's keystream from byte `position` on; `iv` is that of position 0. ChaCha20 has 2^38 bytes.
/// Throws Error (unsupported) if OpenSSL does not have the cipher.
void keystream(NullCipher cipher, const CipherKey& key, const CipherIv& iv, uint64_t position, std::span<std::byte> to);

/// Returns a generator under test with bits, streams and block functions, all keyed by `seed`.
/// - Bits: words of 32 or 64 bits; tests of lanes use the word size.
/// - Streams: numbered by the upper half of AES's counter.
/// - Block functions: of 6 and of 2 words, AES over the input's blocks (CBC-MAC).
[[nodiscard]] GeneratorUnderTest null_generator(NullCipher cipher, uint64_t seed, int word_bits);
/// The former name of null_generator().
[[deprecated("use null_generator")]] [[nodiscard]] inline GeneratorUnderTest null_subject(NullCipher cipher,
                                                                                          uint64_t seed,
                                                                                          int word_bits) {
    return null_generator(cipher, seed, word_bits);
}

/// How many batteries run, and on what.
struct CalibrationOptions {
    /// The generator of battery number `key`: words of 32 and of 64 bits in turns, so that tests of lanes see both
    /// sizes.
    std::function<GeneratorUnderTest(uint64_t key)> generator = [](uint64_t key) {
        return null_generator(NullCipher::chacha20, key, key % 2 ? 32 : 64);
    };
    uint64_t batteries = 1000;
    uint64_t first_key = 1;
    Tier tier = Tier::quick;  ///< structural, or the tier of the structural tests that run beside a stream
    uint64_t bytes = uint64_t{1} << 26;
    std::vector<std::string> only;
    int threads = 1;                              ///< the number of batteries that run at the same time
    std::function<void(uint64_t done)> progress;  ///< called after each battery, by any thread
    const std::atomic<bool>* stop = nullptr;      ///< if it becomes true, no further battery begins
};

/// All p-values of one part of a test at one size.
struct CalibrationRow {
    std::string test;  ///< the test with its part
    std::string stage;
    uint64_t size = 0;
    uint64_t values = 0;
    double chi_square_p = 1;  ///< of 100 bins (fewer where a bin would expect less than 10) of randomised p-values
    uint64_t below[3] = {};   ///< two-sided p below 1e-2, 1e-3, 1e-4
    double below_p[3] = {1, 1, 1};  ///< probability of this count or more if the p-values are uniform
    double least_log10 = 0;         ///< the smallest two-sided p
};

/// The result of a calibration.
struct Calibration {
    uint64_t batteries = 0;
    uint64_t p_values = 0;
    /// The number of batteries with an adjusted p-value below each rate.
    struct Rate {
        double rate;
        uint64_t fired;
        double fired_p;  ///< probability of this count or more at that rate
    };
    std::vector<Rate> rates;
    std::vector<CalibrationRow> rows;  ///< worst first
    double worst_chi_square_p = 1;     ///< Bonferroni-adjusted for the rows
    double worst_tail_p = 1;           ///< the same for the tail counts
};

/// Runs the batteries, and compares their p-values with uniform ones. Throws as run_battery does.
[[nodiscard]] Calibration calibrate(const CalibrationOptions& options);

/// Runs batteries range.first ... range.last - 1 alone, and writes the counts of their p-values to `file`, whole or not
/// at all. Battery i has the key first_key + i. `arguments` go into the file, for counts_arguments(). Returns false,
/// and writes nothing, if CalibrationOptions::stop became true. Throws what run_battery() throws, and:
/// - Error (invalid_argument) if the range is empty, or leaves [0, options.batteries);
/// - Error (bad_state) if the file cannot be written.
[[nodiscard]] bool count_batteries(const CalibrationOptions& options, SegmentRange range, const std::string& file,
                                   std::span<const std::string> arguments = {});
/// Adds the counts of files of count_batteries(), in any order: the result of calibrate() with the same options.
/// Throws Error as merge_counts() does.
[[nodiscard]] Calibration merge_batteries(const CalibrationOptions& options, std::span<const std::string> files);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
