// GeneratorUnderTest: what the battery tests.
// It is a source of bits. If its seeds, streams and block function are known too, the battery also compares streams and
// flips bits of inputs.
//
//     const auto source = std::make_shared<rng::stats::UrbgSource<std::mt19937>>(std::mt19937(42), "mt19937");
//     const rng::stats::Report report = run_battery(rng::stats::GeneratorUnderTest{source});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "source.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// A function from a fixed number of 32-bit words (a counter and a key, a seed, a tag) to a fixed number of 32-bit
/// words.
class BlockFunction {
  public:
    virtual ~BlockFunction() = default;
    /// Returns the name of the varied input: "block", "seed", "fork".
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual int input_words() const = 0;   ///< in 32-bit words
    [[nodiscard]] virtual int output_words() const = 0;  ///< in 32-bit words
    /// Returns the number of input bits. The last words may have more bits than are used; the unused bits must be 0.
    [[nodiscard]] virtual int input_bits() const { return 32 * input_words(); }

    /// Evaluates `lanes` inputs at once (a multiple of 16). Word w of input l is inputs[w * lanes + l], and outputs
    /// have the same order. May be called from several threads.
    virtual void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const = 0;
};

/// Streams by number: those of successive seeds, ids or forks.
class StreamSet {
  public:
    virtual ~StreamSet() = default;
    /// Returns how the streams are named: "seeds", "ids", "forks".
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual int word_bits() const = 0;  ///< as in Source
    /// Returns the bytes of a block, which the generator makes at once.
    [[nodiscard]] virtual int block_bytes() const = 0;
    /// Reads the bytes of stream `index` from `position` (a multiple of block_bytes()) on. May be called from several
    /// threads.
    virtual void read(uint64_t index, uint64_t position, std::span<std::byte> to) const = 0;
    /// Returns the number of streams: `index` is below it.
    [[nodiscard]] virtual uint64_t count() const { return UINT64_MAX; }
    /// Calls read() for `streams` successive streams from `first` on: `bytes` (whole blocks) of each, one stream after
    /// another.
    virtual void read_each(uint64_t first, uint64_t streams, uint64_t position, std::size_t bytes,
                           std::byte* to) const {
        for (uint64_t i = 0; i < streams; ++i) read(first + i, position, {to + i * bytes, bytes});
    }
};

/// A generator under test.
struct GeneratorUnderTest {
    std::shared_ptr<Source> source;  ///< never null
    std::vector<std::shared_ptr<const BlockFunction>> functions = {};
    std::vector<std::shared_ptr<const StreamSet>> streams = {};
    uint64_t seed = 0;  ///< structural tests choose their inputs by it

    /// Makes the same generator from a fresh seed, number `round` (from 1 on); empty if there is no seed.
    std::function<GeneratorUnderTest(uint64_t round)> reseeded = {};
};
using Subject [[deprecated("use GeneratorUnderTest")]] = GeneratorUnderTest;

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
