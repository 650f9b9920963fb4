// counter_engine: a block function as an engine in the style of <random>, for the host and for kernels.
//
// The state is that of C++26's std::philox_engine: a key K, a counter X and the index i of the word last returned.
// X has the full width of the counter and wraps to zero.
// The Buffer keeps the words of the next blocks. There are two buffers, which give the same words:
// - OneBlock (one_block.hpp) works everywhere, in constant expressions too.
// - TileBuffer (detail/random_engines.hpp) is refilled by the compiled library.
//
//     rng::block_engine<rng::Philox4x32_10> engine(stream);   // in a kernel, or without librng
//
// Source: C++26 [rand.eng.philox], [rand.req.eng].
// Oracle: value 10000 of block_engine<Philox4x32_10>{} is 1955073260.
#pragma once

#if !defined(__CUDACC_RTC__)
#include <array>
#endif

#include "one_block.hpp"
#include "standard.hpp"
#include "stream.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// An engine in the style of <random>. UInt is the result_type, at least as wide as the engine's words.
template <class Buffer, class UInt = typename Buffer::word> class counter_engine {
  public:
    using engine = typename Buffer::engine;
    using result_type = UInt;
    using word = typename engine::word;
    using counter_type = typename engine::counter_type;
    using key_type = typename engine::key_type;

    static constexpr std::size_t word_size = 8 * sizeof(word);
    static constexpr std::size_t word_count = static_cast<std::size_t>(counter_type::size());
    static constexpr result_type default_seed = 20111115u;
    static_assert(std::is_unsigned_v<UInt> && sizeof(UInt) >= sizeof(word));

    /// The standard's K, X (least significant word first) and i.
    /// If i is word_count - 1, X is the counter of the next block; otherwise X is the counter after the current
    /// block's.
    struct state_type {
        key_type key;
        counter_type counter;
        int index;
        friend RNG_FN constexpr bool operator==(const state_type& a, const state_type& b) {
            return a.key == b.key && a.counter == b.counter && a.index == b.index;
        }
    };

    /// Seeds the engine with default_seed.
    RNG_FN constexpr counter_engine() : counter_engine(default_seed) {}
    /// Seeds the engine: the key's first word is value mod 2^w; the key's other words and the counter are 0.
    RNG_FN explicit constexpr counter_engine(result_type value) { seed(value); }
    /// Seeds the engine from a seed sequence, as seed(q) does.
    template <detail::seed_sequence<result_type> Sseq> explicit counter_engine(Sseq& q) { seed(q); }
    /// Starts at a key and a counter, with words as block() takes them, least significant first.
    RNG_FN constexpr counter_engine(const key_type& key, const counter_type& counter) : key_(key), counter_(counter) {}
    /// Continues from a state; its index must be in [0, word_count - 1].
    RNG_FN explicit constexpr counter_engine(const state_type& s) : key_(s.key), counter_(s.counter) {
        if (s.index == last_index) return;
        counter_ = detail::counter_minus(counter_, 1);
        buffer_.refill(counter_, key_);
        next_ = static_cast<index>(s.index) + 1;
    }
    /// Continues the stream: the engine's next value is the stream's word at its position. 64-bit engines first round
    /// the position up to whole words.
    /// Throws Error (end_of_stream) if the position is past the end.
    template <std::same_as<engine> E> RNG_FN explicit constexpr counter_engine(const Stream<E>& s) : key_(s.key) {
        constexpr uint64_t per_word = sizeof(word) / 4, per_block = E::words_per_block;
        const uint64_t position = s.position / per_word + (s.position % per_word != 0);
        detail::require_inside_stream(position < Stream<E>::size_words / per_word, "counter_engine");
        counter_ = E::counter(position * per_word / per_block, domain::draws, s.id);
        discard(position % (per_block / per_word));
    }

    RNG_FN constexpr void seed(result_type value = default_seed) {
        key_ = {};
        key_[0] = static_cast<word>(value);
        counter_ = {};
        next_ = Buffer::size;
    }
    /// Takes the sequence's first words, of 32 bits, as the key, least significant first; the counter is 0.
    template <detail::seed_sequence<result_type> Sseq> void seed(Sseq& q) {
        constexpr int per_word = sizeof(word) / 4;
        uint32_t a[key_type::size() * per_word];
        q.generate(a + 0, a + key_type::size() * per_word);
        for (int k = 0; k < key_type::size(); ++k) {
            key_[k] = a[k * per_word];
            if constexpr (per_word == 2) key_[k] |= static_cast<word>(a[k * per_word + 1]) << 32;
        }
        counter_ = {};
        next_ = Buffer::size;
    }
#if !defined(__CUDACC_RTC__)
    /// Sets the counter: the next value is the first word of this counter's block. Its words are in the order from the
    /// most significant, each taken mod 2^w.
    constexpr void set_counter(const std::array<result_type, word_count>& counter) {
        for (std::size_t i = 0; i < word_count; ++i)
            counter_[static_cast<int>(i)] = static_cast<word>(counter[word_count - 1 - i]);
        next_ = Buffer::size;
    }
#endif

    /// Returns 0, the least value.
    [[nodiscard]] RNG_FN static constexpr result_type min() { return 0; }
    /// Returns the greatest value: all bits of a word are ones.
    [[nodiscard]] RNG_FN static constexpr result_type max() { return static_cast<word>(~word{0}); }

    /// Returns the next word.
    RNG_FN constexpr result_type operator()() {
        if (next_ >= Buffer::size) [[unlikely]]
            refill();
        return buffer_[next_++];
    }
    /// Advances as z calls would, in constant time.
    RNG_FN constexpr void discard(unsigned long long z) {
        if (z <= buffered()) {
            next_ += static_cast<index>(z);
            return;
        }
        if (next_ < Buffer::size) z -= Buffer::size - next_;
        counter_ = detail::counter_plus(counter_, passed() / block_words);
        counter_ = detail::counter_plus(counter_, z / word_count);
        next_ = Buffer::size + passed() % block_words;
        z %= word_count;
        if constexpr (is_lazy) {
            next_ += static_cast<index>(z);
        } else if (z != 0) {
            buffer_.refill(counter_, key_);
            next_ = static_cast<index>(z);
        }
    }

    /// Returns the state, from which a constructor continues.
    [[nodiscard]] RNG_FN constexpr state_type state() const {
        constexpr index n = word_count;
        const index left = words_before(after_passed());
        return {key_, detail::counter_minus(counter_at(after_passed()), left / n),
                last_index - static_cast<int>(left % n)};
    }
    friend RNG_FN constexpr bool operator==(const counter_engine& a, const counter_engine& b) {
        return a.state() == b.state();
    }
    /// Returns how many words of the current group of `n` are used. A block consists of such groups; n is 1, 2 or 4.
    [[nodiscard]] RNG_FN constexpr unsigned used_words(unsigned n) const { return static_cast<unsigned>(next_ % n); }
    /// Returns what to_stream() would have returned before the engine's last `words` words.
    [[nodiscard]] RNG_FN constexpr auto stream_before(unsigned words) const {
        const Place place = place_before(words);
        detail::require_draws(place.is_draw);
        return Stream<engine>(key_, place.id, place.position);
    }
    /// Returns true if to_stream() has a stream to return.
    [[nodiscard]] RNG_FN constexpr bool has_stream() const { return place_before(0).is_draw; }

    /// True if the buffer is refilled by the compiled library.
    static constexpr bool uses_library = Buffer::uses_library;
    /// The number of 64-bit words of a mark: key, counter and place in the buffer. Engines of one type with equal marks
    /// give equal next values.
    static constexpr int mark_words = 1 + (key_type::size() + counter_type::size()) * int{sizeof(word)} / 8;
    template <int I> [[nodiscard]] RNG_FN constexpr uint64_t mark_word() const {
        constexpr int per_word = 8 / int{sizeof(word)}, key_words = key_type::size() / per_word;
        if constexpr (I == 0)
            return next_;
        else if constexpr (I <= key_words)
            return joined<per_word>(key_, I - 1);
        else
            return joined<per_word>(counter_, I - 1 - key_words);
    }
    /// Returns how many values can be discarded without a change of the counter.
    [[nodiscard]] RNG_FN constexpr unsigned long long buffered() const { return most_next - next_; }

  private:
    using index = std::remove_const_t<decltype(Buffer::size)>;
    static constexpr auto block_words = static_cast<index>(word_count);
    /// A buffer that the library refills is refilled only when a word is needed. Until then, a place beyond its end
    /// counts the words that discard() has passed: a std_distribution passes all words of its engine.
    static constexpr bool is_lazy = Buffer::uses_library;
    static constexpr index most_next = is_lazy ? index{1} << 30 : Buffer::size;

    [[nodiscard]] RNG_FN constexpr index passed() const { return next_ > Buffer::size ? next_ - Buffer::size : 0; }
    /// Returns the number of blocks in which the passed words are.
    [[nodiscard]] RNG_FN constexpr index after_passed() const {
        if constexpr (is_lazy)
            return (passed() + block_words - 1) / block_words;
        else
            return 0;
    }
    /// Returns the counter of the block that comes `blocks` after the buffer.
    [[nodiscard]] RNG_FN constexpr counter_type counter_at(index blocks) const {
        return blocks == 0 ? counter_ : detail::counter_plus(counter_, blocks);
    }
    /// Returns the number of words from the next one to the start of that block.
    [[nodiscard]] RNG_FN constexpr index words_before(index blocks) const {
        return Buffer::size + blocks * block_words - next_;
    }
    RNG_FN constexpr void refill() {
        if constexpr (is_lazy) {
            const index past = passed();
            if (past >= block_words) counter_ = detail::counter_plus(counter_, past / block_words);
            buffer_.refill(counter_, key_);
            next_ = past % block_words;
        } else {
            buffer_.refill(counter_, key_);
            next_ = 0;
        }
    }
    template <int PerWord, class W> [[nodiscard]] RNG_FN static constexpr uint64_t joined(const W& words, int i) {
        if constexpr (PerWord == 1)
            return words[i];
        else
            return words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32;
    }
    // Not a Stream: a copy of one would go through memory, and reading back what was just written there takes half the
    // time of a draw.
    struct Place {
        bool is_draw;  // in domain 0
        uint64_t id, position;
    };
    [[nodiscard]] RNG_FN constexpr Place place_before(unsigned words) const {
        constexpr index n = word_count;
        const index after = after_passed(), back = words_before(after) + words;
        const index blocks = (back + n - 1) / n;
        const counter_type counter = counter_at(after);
        // The subtraction is from one word of 64 bits: a borrow from the next word happens only outside domain 0.
        uint64_t block = counter[0], id = counter[2];
        bool draws = true;
        if constexpr (sizeof(word) == 4) {
            block |= static_cast<uint64_t>(counter[1]) << 32;
            id |= static_cast<uint64_t>(counter[3]) << 32;
        } else {
            draws = (counter[1] | counter[3]) == 0;
        }
        block -= blocks;
        const uint64_t lane = blocks * n - back;
        return {draws && block < detail::blocks_per_stream, id,
                block * engine::words_per_block + lane * (sizeof(word) / 4)};
    }

    static constexpr int last_index = counter_type::size() - 1;

    key_type key_{};
    counter_type counter_{};  // of the block after the buffer
    index next_ = Buffer::size;
    Buffer buffer_{};
};

/// The engine for kernels, constant expressions and programs without librng: it computes one block at a time.
/// The words are the same as those of E's other engines.
template <class E> using block_engine = counter_engine<detail::OneBlock<E>>;

/// Returns the stream whose word at its position is the engine's next value.
/// Throws Error (invalid_argument) if the counter is outside domain 0:
/// - its block number is 2^56 or more, or
/// - word 1 or word 3 of a 64-bit counter is not 0.
template <class Buffer, class UInt>
requires requires { Buffer::engine::words_per_block; }
[[nodiscard]] RNG_FN constexpr Stream<typename Buffer::engine> to_stream(const counter_engine<Buffer, UInt>& engine) {
    return engine.stream_before(0);
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
