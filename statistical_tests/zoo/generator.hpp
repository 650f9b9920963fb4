// Shared by the zoo's generators: the members that <random> requires, seeds, and adapters.
#pragma once

#include <rng/core/counter_engine.hpp>

#include <cstdint>
#include <limits>

namespace rng::stats::zoo {

/// Base of a generator of whole words.
template <class T> struct Whole {
    using result_type = T;
    static constexpr T min() { return 0; }
    static constexpr T max() { return std::numeric_limits<T>::max(); }
};

/// Base of a generator of the low `bits` bits of 32.
template <int bits> struct Narrow {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return (uint32_t{1} << bits) - 1; }
};

/// Makes states from seeds. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
class SplitMix64 : public Whole<uint64_t> {
  public:
    explicit SplitMix64(uint64_t seed) : state_(seed) {}
    uint64_t operator()() {
        uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

  private:
    uint64_t state_;
};

inline uint32_t word_from(SplitMix64& seeds) { return static_cast<uint32_t>(seeds() >> 32); }

/// MurmurHash3's last step: a permutation of 32 bits that is not linear over GF(2). Source: Appleby, 2011.
inline uint32_t mix32(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

/// Bits [shift, shift + bits) of another generator's words, and no other bits.
template <class G, int shift, int bits> struct Slice : G {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return static_cast<uint32_t>((uint64_t{1} << bits) - 1); }
    using G::G;
    uint32_t operator()() { return static_cast<uint32_t>(static_cast<uint64_t>(G::operator()()) >> shift) & max(); }
};

/// The same generator behind mix32: the control of a linear generator.
template <class G> struct Mixed : G {
    using G::G;
    uint32_t operator()() { return mix32(G::operator()()); }
};

/// Sound words, for generators whose flaw is only in the use of words.
struct SoundWords : block_engine<Philox4x32_10> {
    explicit SoundWords(uint64_t seed) : block_engine<Philox4x32_10>(Stream<Philox4x32_10>(seed)) {}
};

}  // namespace rng::stats::zoo
