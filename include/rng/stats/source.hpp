// Source: where the bits under test come from. Any generator of <random>'s kind can be a source:
//
//     rng::stats::UrbgSource source(std::mt19937(42), "mt19937");
//
// Sources for engines, views, files and commands: sources.hpp.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>

#include <rng/core/config.hpp>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// A sequence of words as bytes, little-endian.
class Source {
  public:
    virtual ~Source() = default;

    /// Returns a name for people, such as "philox4x32-10, seed 42". A checkpoint is also recognised by this name.
    [[nodiscard]] virtual std::string name() const = 0;
    /// Returns the size of the generator's own word in bits: 8, 16, 32 or 64. Tests of single bits and of words use
    /// this size.
    [[nodiscard]] virtual int word_bits() const = 0;
    /// Returns the number of bytes, if it is known.
    [[nodiscard]] virtual std::optional<uint64_t> size() const { return std::nullopt; }

    /// Returns true if read() takes any position, from several threads at the same time. If false, positions must
    /// ascend, and bytes between two reads are skipped.
    [[nodiscard]] virtual bool is_random_access() const { return false; }
    /// Reads the bytes from `position` on (a multiple of 8) and returns how many. The count is smaller than asked only
    /// at the end of the source.
    /// Throws Error if the bytes cannot be read.
    virtual std::size_t read(uint64_t position, std::span<std::byte> to) = 0;
};

/// A generator of std's kind (UniformRandomBitGenerator). Its range must begin at 0 or be narrowed to a power of two.
/// The least value is subtracted from each number. The source uses the low bits that all results have.
/// Examples: 30 bits of std::minstd_rand, 24 of std::ranlux24. Values at or above the power of two are skipped.
/// If their number is not 8, 16, 32 or 64, the bits are packed without gaps.
/// The least significant bit of a word comes first.
template <std::uniform_random_bit_generator G> class UrbgSource final : public Source {
  public:
    /// Takes the numbers of this generator.
    explicit UrbgSource(G generator, std::string name = "generator")
        : generator_(std::move(generator)), name_(std::move(name)) {}

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return is_whole ? bits : 32; }

    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        for (; position_ < position; position_ += 8) static_cast<void>(next_64());
        for (std::size_t i = 0; i < to.size(); i += 8) {
            const uint64_t word = next_64();
            std::memcpy(to.data() + i, &word, to.size() - i < 8 ? to.size() - i : 8);
        }
        position_ += (to.size() + 7) / 8 * 8;
        return to.size();
    }

  private:
    static constexpr uint64_t span = static_cast<uint64_t>(G::max()) - static_cast<uint64_t>(G::min());
    static constexpr int bits = span == UINT64_MAX ? 64 : std::bit_width(span + 1) - 1;
    static_assert(bits >= 1, "the generator has one value only");
    static constexpr bool is_whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;

    uint64_t next() {
        for (;;) {
            const uint64_t value = static_cast<uint64_t>(generator_()) - static_cast<uint64_t>(G::min());
            if (bits == 64 || value >> (bits % 64) == 0) return value;
        }
    }
    uint64_t next_64() {
        if constexpr (bits == 64) {
            return next();
        } else {
            uint64_t word = 0;
            for (int have = 0; have < 64;) {
                if (left_ == 0) {
                    rest_ = next();
                    left_ = bits;
                }
                const int take = left_ < 64 - have ? left_ : 64 - have;
                word |= (rest_ & ((uint64_t{1} << take) - 1)) << have;
                rest_ >>= take;
                left_ -= take;
                have += take;
            }
            return word;
        }
    }

    G generator_;
    std::string name_;
    uint64_t position_ = 0;
    uint64_t rest_ = 0;  // bits of the last value that are not yet used
    int left_ = 0;
};

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
