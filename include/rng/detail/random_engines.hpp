// The parts of the engines of random.hpp: buffers that the library refills, and Philox with other constants.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "../core/counter_engine.hpp"
#include "fill_sizes.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes `count` blocks of an engine from this counter on, as 32-bit words in stream order. The counter has full width
/// and wraps. Counter and key are words of the engine, of 32 or 64 bits, least significant first.
RNG_API void write_blocks(Engine engine, uint32_t* out, uint64_t count, const uint64_t (&counter)[4],
                          const uint64_t (&key)[4]);

/// A buffer of many blocks, refilled by the library. Alternatives were measured: with 32-bit indices a call takes a
/// tenth longer, with an inlined refill() a seventh.
template <class E> struct TileBuffer {
    using engine = E;
    using word = typename E::word;
    static constexpr std::size_t words32 = engine_buffer_words, size = words32 * 4 / sizeof(word);
    static constexpr bool uses_library = true;

    alignas(64) uint32_t words[words32]{};

#if defined(RNG_HOST_DEVICE)
    RNG_HOST_DEVICE
#endif
    __attribute__((noinline)) void refill(typename E::counter_type& counter, const typename E::key_type& key) {
#if !RNG_DEVICE_PASS
        constexpr uint64_t blocks = words32 / E::words_per_block;
        uint64_t c[4], k[4]{};
        for (int i = 0; i < 4; ++i) c[i] = counter[i];
        for (int i = 0; i < key.size(); ++i) k[i] = key[i];
        write_blocks(E::number, words, blocks, c, k);
        counter = counter_plus(counter, blocks);
#else
        (void)counter, (void)key;
        RNG_TRAP();  // a host engine inside a kernel: use block_engine there
#endif
    }
    [[nodiscard]] RNG_FN word operator[](std::size_t i) const {
        if constexpr (sizeof(word) == 4)
            return words[i];
        else
            return words[2 * i] | static_cast<word>(words[2 * i + 1]) << 32;
    }
};

/// Philox with constants that its caller chooses.
template <class W, int N, int R, W... consts> struct PhiloxWith {
    struct Constants : PhiloxConstants<W> {
        // The standard numbers the multipliers by the output words; this library numbers them by the input words.
        static constexpr W list[static_cast<unsigned>(N)] = {consts...};
        static constexpr W mul2 = list[0];
        static constexpr W mul4[2] = {list[N - 2], list[0]};
        static constexpr W weyl[2] = {list[1], list[N - 1]};
    };
    using word = W;
    using counter_type = Words<W, N>;
    using key_type = Words<W, N / 2>;
    [[nodiscard]] RNG_FN static constexpr counter_type block(const counter_type& counter, const key_type& key) {
        return philox<N, W, R, Constants>(counter, key);
    }
    static constexpr bool standard = N == 4 && Constants::mul4[0] == PhiloxConstants<W>::mul4[0] &&
                                     Constants::mul4[1] == PhiloxConstants<W>::mul4[1] &&
                                     Constants::weyl[0] == PhiloxConstants<W>::weyl[0] &&
                                     Constants::weyl[1] == PhiloxConstants<W>::weyl[1];
};

/// The buffer of the compiled engine with algorithm A; if there is none, the buffer of A itself.
template <class A, class Compiled = engines> struct BufferOf { using type = OneBlock<A>; };
template <class A, class First, class... Rest>
struct BufferOf<A, type_list<First, Rest...>>
    : std::conditional_t<is_same<A, typename First::algorithm>, type_tag<TileBuffer<First>>,
                         BufferOf<A, type_list<Rest...>>> {};

template <std::size_t w> using word_of_width = std::conditional_t<w == 64, uint64_t, uint32_t>;

template <class UInt, std::size_t w, std::size_t n, std::size_t r, UInt... consts> struct PhiloxBase {
    static_assert(sizeof...(consts) == n, "philox_engine: as many constants as words");
    static_assert(n == 2 || n == 4, "philox_engine: n must be 2 or 4");
    static_assert(r > 0, "philox_engine: at least one round");
    static_assert(0 < w && w <= std::numeric_limits<UInt>::digits, "philox_engine: w must fit the result type");
    static_assert(w == 32 || w == 64, "philox_engine: this library has words of 32 and of 64 bits only");
    using word = word_of_width<w>;
    using custom = PhiloxWith<word, static_cast<int>(n), static_cast<int>(r), static_cast<word>(consts)...>;
    using algorithm = std::conditional_t<custom::standard, PhiloxEngine<word, static_cast<int>(r)>, custom>;
    using type = counter_engine<typename BufferOf<algorithm>::type, UInt>;
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
