// Engines: a block function with the layout of its counter and the table that names children.
//
// An engine is a type without state. The counter of block b in domain d of stream id is { b : 56 bits | d : 8 bits,
// id : 64 bits }; domain 0 is the plain counter sequence of Random123, cuRAND and C++26.
// Oracle: the 10000th word of Philox4x32_10 with the default seed is 1955073260 (C++26 std::philox4x32).
#pragma once

#include "philox.hpp"

RNG_BEGIN_NAMESPACE

/// The domains of a stream: equal counters in different domains never occur. All others are reserved.
namespace domain {
inline constexpr unsigned draws = 0;            ///< one-slot values
inline constexpr unsigned private_streams = 1;  ///< 1..8: the tape of word lane 0..7 of a block
inline constexpr unsigned pair32 = 16;          ///< pairs of 32-bit words (Box-Muller f32)
inline constexpr unsigned pair64 = 17;          ///< pairs of 64-bit words (Box-Muller f64)
inline constexpr unsigned named = 253;          ///< children by name
inline constexpr unsigned counted = 254;        ///< a generator's successive children
inline constexpr unsigned tagged = 255;         ///< children by tag
}  // namespace domain

/// Engines by number, for code that chooses one at run time. The numbers are part of a generator's state.
enum class Engine : uint32_t { philox4x32_10 = 0 };

/// Philox4x32 with 10 rounds: the default engine.
struct Philox4x32_10 {
    using word = uint32_t;
    using counter_type = Words<word, 4>;
    using key_type = Words<word, 2>;
    static constexpr int words_per_block = 4;  ///< in 32-bit words
    static constexpr Engine number = Engine::philox4x32_10;
    static constexpr const char* name = "philox4x32-10";

    [[nodiscard]] RNG_FN static constexpr counter_type block(counter_type counter, key_type key) {
        return philox<4, word, 10>(counter, key);
    }
    [[nodiscard]] RNG_FN static constexpr key_type key_from_seed(uint64_t seed) {
        return {{static_cast<word>(seed), static_cast<word>(seed >> 32)}};
    }
    [[nodiscard]] RNG_FN static constexpr counter_type counter(uint64_t block, unsigned domain, uint64_t id) {
        return {{static_cast<word>(block), static_cast<word>(block >> 32) | (domain << 24), static_cast<word>(id),
                 static_cast<word>(id >> 32)}};
    }
    /// The child that a block names: key from words 0 and 1, id from words 2 and 3.
    [[nodiscard]] RNG_FN static constexpr key_type child_key(counter_type b) { return {{b[0], b[1]}}; }
    [[nodiscard]] RNG_FN static constexpr uint64_t child_id(counter_type b) {
        return b[2] | static_cast<uint64_t>(b[3]) << 32;
    }
    /// Word `lane` (0..words_per_block - 1) of a block, as 32-bit words.
    [[nodiscard]] RNG_FN static constexpr uint32_t word_of(const counter_type& b, int lane) {
        // By selection: an index known only at run time would send the block through memory in kernels.
        return lane & 2 ? (lane & 1 ? b[3] : b[2]) : (lane & 1 ? b[1] : b[0]);
    }
};

/// The name of an engine as the command line and messages spell it.
[[nodiscard]] constexpr const char* engine_name(Engine engine) {
    return engine == Engine::philox4x32_10 ? Philox4x32_10::name : "unknown engine";
}

/// 32-bit words in a block of the engine.
[[nodiscard]] constexpr int engine_words_per_block(Engine) { return Philox4x32_10::words_per_block; }

RNG_END_NAMESPACE
