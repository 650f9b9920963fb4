// Engines: a block function, the layout of its counter, and the key and id of a child.
//
// An engine is a type without state. The counter of block b in domain d of stream id is
// { b : 56 bits | d : 8 bits, id : 64 bits }. Domain 0 is the plain counter sequence of Random123, cuRAND and C++26.
// 64-bit engines put b and d into counter word 0, and the id into word 2.
// They yield each of their words as two 32-bit words, low half first.
// To add an engine, write its struct, and add it to Engine and to `engines`. See docs/adding.md.
// Oracles: with the default seed of C++26's std::philox4x32 and std::philox4x64, word 9999 of 32 bits is 1955073260,
// and that of 64 bits is 3409172418970261260.
#pragma once

#include "philox.hpp"
#include "threefry.hpp"
#include "type_list.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The domains of a stream: different domains share no counters. All other numbers are reserved.
namespace domain {
inline constexpr unsigned draws = 0;            ///< one-slot values
inline constexpr unsigned private_streams = 1;  ///< 1..8: the retry stream of words 0..7 of a block
inline constexpr unsigned pair32 = 16;          ///< pairs of 32-bit words (Box-Muller f32)
inline constexpr unsigned pair64 = 17;          ///< pairs of 64-bit words (Box-Muller f64)
inline constexpr unsigned pair128 = 18;         ///< pairs of slots of four words
inline constexpr unsigned pair256 = 19;         ///< pairs of slots of eight words
inline constexpr unsigned own = 64;             ///< 64..127: a distribution's own sequence, which its author numbers
inline constexpr unsigned own_count = 64;
inline constexpr unsigned svd_refill = 252;  ///< columns that the low-rank SVD replaces
inline constexpr unsigned named = 253;       ///< children by name
inline constexpr unsigned counted = 254;     ///< a generator's successive children
inline constexpr unsigned tagged = 255;      ///< children by tag
}  // namespace domain

/// Engines by number, for code that chooses one at run time. The numbers are part of a generator's state.
enum class Engine : uint32_t { philox4x32_10, philox4x32_7, philox4x64_10, threefry4x32_20, threefry4x64_20 };

namespace detail {

inline constexpr uint64_t blocks_per_stream = uint64_t{1} << 56;

/// The base of all engines: a counter of four words of type W, a key of K.
template <class W, int K> struct FourWordEngine {
    using word = W;
    using counter_type = Words<W, 4>;
    using key_type = Words<W, K>;
    static constexpr int words_per_block = 4 * sizeof(W) / 4;  ///< in 32-bit words

    /// The key is the 64 bits of the seed, zero-extended.
    [[nodiscard]] RNG_FN static constexpr key_type key_from_seed(uint64_t seed) {
        key_type key{};
        key[0] = static_cast<W>(seed);
        if constexpr (sizeof(W) == 4) key[1] = static_cast<W>(seed >> 32);
        return key;
    }
    [[nodiscard]] RNG_FN static constexpr counter_type counter(uint64_t block, unsigned domain, uint64_t id) {
        if constexpr (sizeof(W) == 4)
            return {{static_cast<W>(block), static_cast<W>(block >> 32) | (domain << 24), static_cast<W>(id),
                     static_cast<W>(id >> 32)}};
        else
            return {{block | static_cast<uint64_t>(domain) << 56, 0, id, 0}};
    }
    /// The key and the id of the child that a block names: the key is the block's first words, the id the remaining
    /// words of the four.
    [[nodiscard]] RNG_FN static constexpr key_type child_key(const counter_type& b) {
        key_type key{};
        for (int i = 0; i < K; ++i) key[i] = b[i];
        return key;
    }
    [[nodiscard]] RNG_FN static constexpr uint64_t child_id(const counter_type& b) {
        if constexpr (K == 4)
            return 0;
        else if constexpr (sizeof(W) == 4)
            return b[2] | static_cast<uint64_t>(b[3]) << 32;
        else
            return b[2];
    }
    /// Returns 32-bit word `index` (0..words_per_block - 1) of a block.
    [[nodiscard]] RNG_FN static constexpr uint32_t word_of(const counter_type& b, int index) {
        if constexpr (sizeof(W) == 4)
            return select(b, index);
        else
            return static_cast<uint32_t>(select(b, index >> 1) >> (index & 1 ? 32 : 0));
    }

  private:
    // In kernels, an index that is known only at run time would put the block in local memory.
    RNG_FN static constexpr W select(const counter_type& b, int i) {
        return i & 2 ? (i & 1 ? b[3] : b[2]) : (i & 1 ? b[1] : b[0]);
    }
};

}  // namespace detail

/// Philox with four words of type W and R rounds.
template <class W, int R> struct PhiloxEngine : detail::FourWordEngine<W, 2> {
    using algorithm = PhiloxEngine;  ///< the type that selects the SIMD implementation
    using typename detail::FourWordEngine<W, 2>::counter_type, typename detail::FourWordEngine<W, 2>::key_type;
    /// Returns the block of a counter and a key.
    [[nodiscard]] RNG_FN static constexpr counter_type block(counter_type counter, key_type key) {
        return philox<4, W, R>(counter, key);
    }
    using schedule_type = PhiloxSchedule<W, 4, R>;
    /// Returns the keys of all rounds.
    [[nodiscard]] static constexpr schedule_type schedule(key_type key) { return philox_schedule<4, W, R>(key); }
    /// Returns block(counter, key) by the key's schedule.
    [[nodiscard]] RNG_FN static constexpr counter_type scheduled_block(counter_type counter,
                                                                       const schedule_type& round_keys) {
        return scheduled_philox<4, W, R>(counter, round_keys);
    }
};

/// Threefry with four words of type W and R rounds.
template <class W, int R> struct ThreefryEngine : detail::FourWordEngine<W, 4> {
    using algorithm = ThreefryEngine;
    using typename detail::FourWordEngine<W, 4>::counter_type, typename detail::FourWordEngine<W, 4>::key_type;
    /// Returns the block of a counter and a key.
    [[nodiscard]] RNG_FN static constexpr counter_type block(counter_type counter, const key_type& key) {
        return threefry<4, W, R>(counter, key);
    }
};

/// The default engine: Philox with four words of 32 bits and 10 rounds.
struct Philox4x32_10 : PhiloxEngine<uint32_t, 10> {
    static constexpr Engine number = Engine::philox4x32_10;
    static constexpr const char* name = "philox4x32-10";
};
/// Philox with the fewest rounds that pass BigCrush, by the authors' tests: faster, with a smaller margin.
struct Philox4x32_7 : PhiloxEngine<uint32_t, 7> {
    static constexpr Engine number = Engine::philox4x32_7;
    static constexpr const char* name = "philox4x32-7";
};
struct Philox4x64_10 : PhiloxEngine<uint64_t, 10> {
    static constexpr Engine number = Engine::philox4x64_10;
    static constexpr const char* name = "philox4x64-10";
};
/// Threefry with four words of 32 bits and 20 rounds. It uses only additions, rotations and exclusive ors; its key is
/// as wide as the counter.
struct Threefry4x32_20 : ThreefryEngine<uint32_t, 20> {
    static constexpr Engine number = Engine::threefry4x32_20;
    static constexpr const char* name = "threefry4x32-20";
};
struct Threefry4x64_20 : ThreefryEngine<uint64_t, 20> {
    static constexpr Engine number = Engine::threefry4x64_20;
    static constexpr const char* name = "threefry4x64-20";
};

/// The list of all engines, in the order of their numbers. Generators, kernels, goldens and the command line iterate
/// over it.
using engines = type_list<Philox4x32_10, Philox4x32_7, Philox4x64_10, Threefry4x32_20, Threefry4x64_20>;

/// Calls f(type_tag<E>{}) for each engine, in order.
template <class F> constexpr void for_each_engine(F&& f) { detail::for_each_in(engines{}, static_cast<F&&>(f)); }

/// Calls f(type_tag<E>{}) for the engine of this number; does nothing and returns false if there is none.
template <class F> constexpr bool visit_engine(Engine number, F&& f) {
    bool found = false;
    for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        static_assert(static_cast<int>(E::number) == detail::index_in<E>(engines{}), "in the order of their numbers");
        if (E::number != number) return;
        found = true;
        f(tag);
    });
    return found;
}

/// Returns the name of an engine, as the command line and messages write it.
[[nodiscard]] constexpr const char* engine_name(Engine number) {
    const char* name = "unknown engine";
    visit_engine(number, [&](auto tag) { name = decltype(tag)::type::name; });
    return name;
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
