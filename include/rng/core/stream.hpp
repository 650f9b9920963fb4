// Stream: a very long sequence of 32-bit words, addressed by position. A value type for host and kernels.
//
//     const rng::Stream<> stream{42};                               // the first stream of seed 42
//     const rng::Stream<> child = stream.fork("wind").fork(3);      // its own words, from position 0 on
//     const uint32_t w = word(child, 1000);
//
// A stream is { engine, key, id, position }. N is the engine's number of 32-bit words per block.
// Word w of domain d is word w % N of block w / N.
// A child (fork) is a stream that one block of its parent names. That block is in a domain of its own, so a child never
// shares a counter with draws. See docs/contract.md.
// In signatures and members write rng::Stream<>; the short form rng::Stream works for variables that are initialised.
// Oracle: word(Stream<>{0}, 0) = 0x6627e8d5 (Random123's first known answer of Philox4x32-10).
#pragma once

#include "check.hpp"
#include "engine.hpp"
#include "integer.hpp"
#if !defined(__CUDACC_RTC__)
#include "name_tag.hpp"
#endif

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A sequence of words: an engine, a key, an id, and a position.
template <class E = Philox4x32_10> struct Stream {
    using engine = E;
    using key_type = typename E::key_type;

    key_type key = E::key_from_seed(default_seed);
    uint64_t id = 0;        ///< one of 2^64 streams of the key
    uint64_t position = 0;  ///< where value 0 of a fill begins, in 32-bit words: a float takes one, a double two

    Stream() = default;
    /// Creates stream `stream_id` of the key { seed, zero-extended }, at position `first_word`.
    // A template, so that braces can stand for a key: Stream<>({5, 0}, id, position).
    template <class S>
    requires std::is_convertible_v<S, Integer> RNG_FN explicit constexpr Stream(S seed, Integer stream_id = 0,
                                                                                Integer first_word = 0)
        : key(E::key_from_seed(Integer(seed))), id(stream_id), position(first_word) {}
    RNG_FN constexpr Stream(key_type whole_key, Integer stream_id, Integer first_word)
        : key(whole_key), id(stream_id), position(first_word) {}

    /// The number of words in a stream. A draw past the end is an error on the host; the position never wraps.
    static constexpr uint64_t size_words = detail::blocks_per_stream * E::words_per_block;

    /// Returns block `b` (below 2^56) of domain `d`.
    [[nodiscard]] RNG_FN constexpr typename E::counter_type block(uint64_t b, unsigned d = domain::draws) const {
        return E::block(E::counter(b, d, id), key);
    }

    /// Returns the same stream at another position (in words).
    [[nodiscard]] RNG_FN constexpr Stream at_position(Integer words) const { return {key, id, words}; }

    /// Returns the child with this tag (below 2^56). Pure: the result depends on key and id only, not on the position.
    [[nodiscard]] RNG_FN constexpr Stream fork(Integer tag) const {
        detail::require_tag(tag, "Stream::fork");
        return child(tag, domain::tagged);
    }
#if !defined(__CUDACC_RTC__)
    /// Returns the child with this name (any bytes; UTF-8 by convention). Two of n names give the same child with
    /// probability n^2 / 2^57.
    template <std::convertible_to<std::string_view> Name> [[nodiscard]] constexpr Stream fork(const Name& name) const {
        return child(detail::name_tag(name), domain::named);
    }
#endif
    /// Returns the child that block `b` of a fork domain names, at position 0.
    [[nodiscard]] RNG_FN constexpr Stream child(uint64_t b, unsigned fork_domain) const {
        const auto named = block(b, fork_domain);
        return {E::child_key(named), E::child_id(named), 0};
    }

    friend RNG_FN constexpr bool operator==(const Stream& a, const Stream& b) {
        return a.key == b.key && a.id == b.id && a.position == b.position;
    }
};

/// Returns 32-bit word `w` of a domain of the stream, counted from the stream's first word (not from its position).
template <class E>
[[nodiscard]] RNG_FN constexpr uint32_t word(const Stream<E>& stream, Integer w, unsigned d = domain::draws) {
    detail::require_index(w < Stream<E>::size_words, "word", w);
    return E::word_of(stream.block(w / E::words_per_block, d), static_cast<int>(w % E::words_per_block));
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
