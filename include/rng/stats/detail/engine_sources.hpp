// The parts of an engine under test (../engine.hpp): its words, its streams by number and its block function.
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "../generator_under_test.hpp"
#include "stream_bytes.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats::detail {

/// A stream's words from its position on.
template <class E> class EngineSource final : public Source {
  public:
    EngineSource(const Stream<E>& stream, std::string name)
        : stream_(stream.at_position(0)), first_(stream.position), name_(std::move(name)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return 8 * sizeof(typename E::word); }
    [[nodiscard]] std::optional<uint64_t> size() const override { return (Stream<E>::size_words - first_) * 4; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        // Segments begin at multiples of any block. If the position is inside a block, the bytes before it are cut off.
        const uint64_t at = first_ * 4 + position;
        const std::size_t front = at % (E::words_per_block * 4);
        if (front != 0) {
            const std::size_t size = std::min<std::size_t>(E::words_per_block * 4 - front, to.size());
            std::byte block[E::words_per_block * 4];
            read_stream(stream_, at - front, block);
            std::memcpy(to.data(), block + front, size);
            read_stream(stream_, at + size, to.subspan(size));
        } else {
            read_stream(stream_, at, to);
        }
        return to.size();
    }

  private:
    Stream<E> stream_;  // at position 0, which read_stream counts from
    uint64_t first_;    // in 32-bit words
    std::string name_;
};

/// Streams of an engine by number: the ways in which programs name many streams, and the worst ways that are allowed.
template <class E> class EngineStreams final : public StreamSet {
  public:
    enum class Kind {
        seeds,         ///< `seed`, `seed` + 1, ...
        ids,           ///< ids of one seed
        forks,         ///< by tag, forks of one stream
        tree,          ///< children of children: fork(index / 256).fork(index % 256)
        small_seeds,   ///< 0, 1, 2, ... with `seed` as their id
        one_bit_keys,  ///< seeds of one bit, then of two, with `seed` as their id
        weyl_keys,  ///< Philox only: keys `index` multiples of its Weyl constants apart, as the keys of its rounds are
        counters    ///< one stream from block index * 2^40 on
    };
    EngineStreams(uint64_t seed, Kind kind) : seed_(seed), kind_(kind) {}
    [[nodiscard]] std::string name() const override {
        static constexpr const char* names[] = {"seeds",       "ids",          "forks",     "tree",
                                                "small-seeds", "one-bit-keys", "weyl-keys", "counters"};
        return names[static_cast<int>(kind_)];
    }
    [[nodiscard]] int word_bits() const override { return 8 * sizeof(typename E::word); }
    [[nodiscard]] int block_bytes() const override { return E::words_per_block * 4; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        read_stream(stream(index), position + start(index), to);
    }
    [[nodiscard]] uint64_t count() const override {
        if (kind_ == Kind::one_bit_keys) return 64 + 64 * 63 / 2;
        if (kind_ == Kind::weyl_keys && sizeof(typename E::word) == 4) return uint64_t{1} << 32;
        return kind_ == Kind::counters ? rng::detail::blocks_per_stream >> apart : UINT64_MAX;
    }
    void read_each(uint64_t first, uint64_t streams, uint64_t position, std::size_t bytes,
                   std::byte* to) const override {
        constexpr std::size_t block_bytes = E::words_per_block * 4;
        if (bytes > 32 * block_bytes) return StreamSet::read_each(first, streams, position, bytes, to);
        for (uint64_t i = first; i < first + streams; ++i) {
            const Stream<E> s = stream(i);
            const uint64_t block = (position + start(i)) / block_bytes;
            for (std::size_t b = 0; b < bytes / block_bytes; ++b, to += block_bytes) {
                const auto words = s.block(block + b);
                std::memcpy(to, &words, block_bytes);
            }
        }
    }

  private:
    static constexpr int apart = 40;  // log2 of the blocks from one of `counters` to the next

    [[nodiscard]] Stream<E> stream(uint64_t index) const {
        switch (kind_) {
            case Kind::seeds: return Stream<E>(seed_ + index);
            case Kind::ids: return Stream<E>(seed_, index);
            case Kind::forks: return Stream<E>(seed_).fork(index);
            case Kind::tree: return Stream<E>(seed_).fork(index / 256).fork(index % 256);
            case Kind::small_seeds: return Stream<E>(index, seed_);
            case Kind::one_bit_keys: return Stream<E>(few_bits(index), seed_);
            case Kind::weyl_keys: return weyl(index);
            default: return Stream<E>(seed_);
        }
    }
    [[nodiscard]] uint64_t start(uint64_t index) const {
        return kind_ == Kind::counters ? (index << apart) * (E::words_per_block * 4) : 0;
    }
    /// One bit of 64, then pairs: {1, 0}, {2, 0}, {2, 1}, {3, 0}, ...
    [[nodiscard]] static uint64_t few_bits(uint64_t index) {
        if (index < 64) return uint64_t{1} << index;
        index -= 64;
        unsigned high = 1;
        for (; index >= high; ++high) index -= high;
        return uint64_t{1} << high | uint64_t{1} << index;
    }
    [[nodiscard]] Stream<E> weyl(uint64_t index) const {
        Stream<E> s(seed_);
        for (int i = 0; i < 2; ++i)
            s.key[i] += static_cast<typename E::word>(index) * rng::detail::PhiloxConstants<typename E::word>::weyl[i];
        return s;
    }
    uint64_t seed_;
    Kind kind_;
};

/// Returns the stream sets of one engine, one for each kind above.
template <class E> [[nodiscard]] std::vector<std::shared_ptr<const StreamSet>> streams_of(uint64_t seed) {
    using Kind = typename EngineStreams<E>::Kind;
    std::vector<std::shared_ptr<const StreamSet>> sets;
    for (const Kind kind : {Kind::seeds, Kind::ids, Kind::forks, Kind::tree, Kind::small_seeds, Kind::one_bit_keys,
                            Kind::weyl_keys, Kind::counters})
        if (kind != Kind::weyl_keys || E::key_type::size() == 2)  // Philox
            sets.push_back(std::make_shared<EngineStreams<E>>(seed, kind));
    return sets;
}

/// The block function of an engine. Its input is the counter words, then the key words, in 32-bit words.
template <class E> class EngineBlock final : public BlockFunction {
  public:
    using word = typename E::word;
    static constexpr int halves = sizeof(word) / 4;
    static constexpr int counter_words = E::words_per_block,
                         key_words = static_cast<int>(sizeof(typename E::key_type) / 4);

    [[nodiscard]] std::string name() const override { return "block"; }
    [[nodiscard]] int input_words() const override { return counter_words + key_words; }
    [[nodiscard]] int output_words() const override { return counter_words; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        const auto word_at = [&](std::size_t lane, int w) {
            const uint32_t* const at = inputs + static_cast<std::size_t>(w * halves) * lanes + lane;
            if constexpr (halves == 1)
                return *at;
            else
                return at[0] | static_cast<uint64_t>(at[lanes]) << 32;
        };
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            typename E::counter_type counter{};
            typename E::key_type key{};
            for (int w = 0; w < counter_words / halves; ++w) counter[w] = word_at(lane, w);
            for (int w = 0; w < key_words / halves; ++w) key[w] = word_at(lane, counter_words / halves + w);
            const auto block = E::block(counter, key);
            for (int w = 0; w < counter_words; ++w)
                outputs[static_cast<std::size_t>(w) * lanes + lane] = E::word_of(block, w);
        }
    }
};

/// Returns "philox4x32-10, seed 42"; id and position follow if they are not 0.
[[nodiscard]] inline std::string stream_name(const std::string& engine, uint64_t seed, uint64_t id, uint64_t position) {
    std::string name = engine + ", seed " + std::to_string(seed);
    if (id != 0) name += ", id " + std::to_string(id);
    if (position != 0) name += ", position " + std::to_string(position);
    return name;
}

/// Returns "block", "seed" and "fork" of Philox with this number of rounds, evaluated in vectors. threefry_functions:
/// the same for Threefry.
[[nodiscard]] std::vector<std::shared_ptr<const BlockFunction>> philox_functions(int word_bits, int rounds);
[[nodiscard]] std::vector<std::shared_ptr<const BlockFunction>> threefry_functions(int word_bits, int rounds);

template <class W, int R> auto functions_of(const PhiloxEngine<W, R>*) { return philox_functions(8 * sizeof(W), R); }
template <class W, int R> auto functions_of(const ThreefryEngine<W, R>*) {
    return threefry_functions(8 * sizeof(W), R);
}
template <class E> std::vector<std::shared_ptr<const BlockFunction>> functions_of() {
    if constexpr (requires { functions_of(static_cast<const typename E::algorithm*>(nullptr)); })
        return functions_of(static_cast<const typename E::algorithm*>(nullptr));
    else
        return {std::make_shared<EngineBlock<E>>()};
}

}  // namespace rng::stats::detail

#include <rng/core/restore_macros.inc>
