// AnyEngine: an engine that is chosen at run time, for kernels and for rng::verify. With it a distribution has two
// kernels, one for Philox4x32-10 and one for all other engines, instead of one for each engine.
//
// A block of AnyEngine has 8 words: two blocks of an engine of 32 bits, or one of 64 bits. A kernel has one copy of the
// function that computes a block, and calls it.
#pragma once

#include "device_fill_kernel.hpp"
#include "stream_record.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

struct AnyEngine {
    static constexpr int words_per_block = 8;
    struct key_type {
        uint64_t word[4];
        Engine engine;
    };
    /// The address of a block: its number, its domain and the stream's id.
    struct Address {
        uint64_t block;
        unsigned domain;
        uint64_t id;
    };
    struct counter_type {
        Words<uint32_t, 8> words;
        Engine engine;
    };

    [[nodiscard]] RNG_FN static key_type key_from_seed(uint64_t) { return {}; }
    [[nodiscard]] RNG_FN static Address counter(uint64_t block, unsigned domain, uint64_t id) {
        return {block, domain, id};
    }
    [[nodiscard]] RNG_FN static counter_type block(const Address& a, const key_type& key) {
        return {words_of(a.block, a.domain, a.id, key.word[0], key.word[1], key.word[2], key.word[3], key.engine),
                key.engine};
    }
    [[nodiscard]] RNG_FN static uint32_t word_of(const counter_type& b, int index) {
        uint32_t word = b.words[0];  // a run-time index would send the block through memory
        RNG_UNROLL
        for (int k = 1; k < words_per_block; ++k) word = k == index ? b.words[k] : word;
        return word;
    }
    [[nodiscard]] RNG_FN static key_type child_key(const counter_type& b) {
        key_type key{{}, b.engine};
        RNG_UNROLL
        for (int k = 0; k < 4; ++k) {
            const uint64_t word = is_wide(b.engine) ? wide(b, k) : b.words[k];
            key.word[k] = k < 2 || is_threefry(b.engine) ? word : 0;
        }
        return key;
    }
    [[nodiscard]] RNG_FN static uint64_t child_id(const counter_type& b) {
        return is_threefry(b.engine) ? 0 : is_wide(b.engine) ? wide(b, 2) : wide(b, 1);
    }

  private:
    [[nodiscard]] RNG_FN static bool is_wide(Engine e) {
        return e == Engine::philox4x64_10 || e == Engine::threefry4x64_20;
    }
    [[nodiscard]] RNG_FN static bool is_threefry(Engine e) {
        return e == Engine::threefry4x32_20 || e == Engine::threefry4x64_20;
    }
    [[nodiscard]] RNG_FN static uint64_t wide(const counter_type& b, int k) {
        return b.words[2 * k] | static_cast<uint64_t>(b.words[2 * k + 1]) << 32;
    }
    /// The arguments are scalars, so that they are passed in registers.
#if defined(__CUDACC__)
    __host__ __device__ __noinline__
#else
    __attribute__((noinline))
#endif
        static Words<uint32_t, 8>
        words_of(uint64_t block, unsigned domain, uint64_t id, uint64_t k0, uint64_t k1, uint64_t k2, uint64_t k3,
                 Engine engine) {
        const uint64_t key[] = {k0, k1, k2, k3};
        switch (engine) {
            case Engine::philox4x32_7: return blocks<Philox4x32_7>(block, domain, id, key);
            case Engine::philox4x64_10: return blocks<Philox4x64_10>(block, domain, id, key);
            case Engine::threefry4x32_20: return blocks<Threefry4x32_20>(block, domain, id, key);
            case Engine::threefry4x64_20: return blocks<Threefry4x64_20>(block, domain, id, key);
            default: return blocks<Philox4x32_10>(block, domain, id, key);
        }
    }
    template <class E>
    [[nodiscard]] RNG_FN static Words<uint32_t, 8> blocks(uint64_t block, unsigned domain, uint64_t id,
                                                          const uint64_t* words) {
        typename E::key_type key{};
        RNG_UNROLL
        for (int k = 0; k < static_cast<int>(sizeof key / sizeof key[0]); ++k)
            key[k] = static_cast<typename E::word>(words[k]);
        Words<uint32_t, 8> made{};
        // A private stream comes from the block that has the number of the slot's block and the domain of the slot's
        // first word in it. For an engine of 4 words, a block here is two such blocks. A fork comes from one block of
        // the engine whatever its size: that of its tag, or of its number.
        const unsigned word = domain - domain::private_streams;
        const bool names = E::words_per_block == 4 && word < 8;
        const bool forks = domain >= domain::named;
        const unsigned d = names ? domain::private_streams + word % 4 : domain;
        constexpr int count = words_per_block / E::words_per_block;
        RNG_UNROLL
        for (int i = 0; i < count; ++i) {
            const uint64_t b = forks ? block : block * count + (names ? word / 4 : static_cast<unsigned>(i));
            const auto one = E::block(E::counter(b, d, id), key);
            RNG_UNROLL
            for (int k = 0; k < E::words_per_block; ++k) made[i * E::words_per_block + k] = E::word_of(one, k);
        }
        return made;
    }
};

/// Returns the stream of a record.
[[nodiscard]] inline Stream<AnyEngine> any_stream(const StreamRecord& r) {
    return {AnyEngine::key_type{{r.key[0], r.key[1], r.key[2], r.key[3]}, r.engine}, r.id, r.position};
}

/// A kernel keeps values in registers across the call. With fewer than 128 registers it would spill some of them.
template <class D> inline constexpr unsigned resident_blocks<D, AnyEngine> = has_large_map<D> ? 1 : 2;

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
