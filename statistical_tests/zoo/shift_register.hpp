// Generators that are linear over GF(2): each of their bits is a sum of bits of the state. Controls are the same
// recurrence behind an output that is not linear.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <random>

#include "generator.hpp"

namespace rng::stats::zoo {

/// The seed is the state, and must not be 0. Source: Marsaglia, "Xorshift RNGs", 2003.
class Xorshift32 : public Whole<uint32_t> {
  public:
    explicit Xorshift32(uint64_t seed) : x_(static_cast<uint32_t>(seed)) {}
    uint32_t operator()() {
        x_ ^= x_ << 13;
        x_ ^= x_ >> 17;
        return x_ ^= x_ << 5;
    }

  private:
    uint32_t x_;
};

/// The same paper, with 64 bits of state, which must not be 0.
class Xorshift64 : public Whole<uint64_t> {
  public:
    explicit Xorshift64(uint64_t seed) : x_(seed) {}
    uint64_t operator()() {
        x_ ^= x_ << 13;
        x_ ^= x_ >> 7;
        return x_ ^= x_ << 17;
    }

  private:
    uint64_t x_;
};

/// The same paper, with 128 bits of state in 32-bit words. Without a seed the state is the paper's.
class Xorshift128 : public Whole<uint32_t> {
  public:
    Xorshift128() : s_{123456789, 362436069, 521288629, 88675123} {}
    explicit Xorshift128(uint64_t seed) {
        SplitMix64 seeds(seed);
        for (uint32_t& word : s_) word = word_from(seeds);
    }
    uint32_t operator()() {
        const uint32_t t = s_[0] ^ s_[0] << 11;
        s_ = {s_[1], s_[2], s_[3], s_[3] ^ s_[3] >> 19 ^ t ^ t >> 8};
        return s_[3];
    }

  private:
    std::array<uint32_t, 4> s_;
};

/// The same paper (xorwow; cuRAND's XORWOW): 160 bits of state, and a Weyl sequence added. Without a seed the state is
/// the paper's.
class Xorwow : public Whole<uint32_t> {
  public:
    Xorwow() : s_{123456789, 362436069, 521288629, 88675123, 5783321}, d_(6615241) {}
    explicit Xorwow(uint64_t seed) {
        SplitMix64 seeds(seed);
        for (uint32_t& word : s_) word = word_from(seeds);
        d_ = word_from(seeds);
    }
    uint32_t operator()() {
        const uint32_t t = s_[0] ^ s_[0] >> 2;
        s_ = {s_[1], s_[2], s_[3], s_[4], (s_[4] ^ s_[4] << 4) ^ (t ^ t << 1)};
        return (d_ += 362437) + s_[4];
    }

  private:
    std::array<uint32_t, 5> s_;
    uint32_t d_;
};

/// The state of xoroshiro128. Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators", 2021.
class Xoroshiro128 : public Whole<uint64_t> {
  public:
    Xoroshiro128(uint64_t s0, uint64_t s1) : s0_(s0), s1_(s1) {}

  protected:
    explicit Xoroshiro128(SplitMix64 seeds) : s0_(seeds()), s1_(seeds()) {}
    void step() {
        s1_ ^= s0_;
        s0_ = std::rotl(s0_, 24) ^ s1_ ^ s1_ << 16;
        s1_ = std::rotl(s1_, 37);
    }
    uint64_t s0_, s1_;
};
/// xoroshiro128+: the lowest bit of a sum is linear.
struct Xoroshiro128Plus : Xoroshiro128 {
    using Xoroshiro128::Xoroshiro128;
    explicit Xoroshiro128Plus(uint64_t seed) : Xoroshiro128(SplitMix64(seed)) {}
    uint64_t operator()() {
        const uint64_t value = s0_ + s1_;
        step();
        return value;
    }
};
/// xoroshiro128**.
struct Xoroshiro128StarStar : Xoroshiro128 {
    using Xoroshiro128::Xoroshiro128;
    explicit Xoroshiro128StarStar(uint64_t seed) : Xoroshiro128(SplitMix64(seed)) {}
    uint64_t operator()() {
        const uint64_t value = std::rotl(s0_ * 5, 7) * 9;
        step();
        return value;
    }
};

/// The same paper: xoshiro128** and xoshiro256**, by the type of their words.
template <class T> class XoshiroStarStar : public Whole<T> {
  public:
    explicit XoshiroStarStar(const std::array<T, 4>& state) : s_(state) {}
    explicit XoshiroStarStar(uint64_t seed) {
        SplitMix64 seeds(seed);
        for (T& word : s_) word = static_cast<T>(seeds());
    }
    T operator()() {
        constexpr bool wide = sizeof(T) == 8;
        const T value = std::rotl<T>(s_[1] * 5, 7) * 9, t = s_[1] << (wide ? 17 : 9);
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = std::rotl(s_[3], wide ? 45 : 11);
        return value;
    }

  private:
    std::array<T, 4> s_;
};

/// Matsumoto, Nishimura, 1998.
struct Mt19937 : std::mt19937 {
    using result_type = uint32_t;
    explicit Mt19937(uint64_t seed) : std::mt19937(static_cast<uint32_t>(seed)) {}
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return 0xFFFFFFFFu; }
    uint32_t operator()() { return static_cast<uint32_t>(std::mt19937::operator()()); }
};

/// Panneton, L'Ecuyer, Matsumoto, "Improved long-period generators based on linear recurrences modulo 2", 2006
/// (WELL512a).
class Well512a : public Whole<uint32_t> {
  public:
    explicit Well512a(uint64_t seed) {
        SplitMix64 seeds(seed);
        for (uint32_t& word : s_) word = word_from(seeds);
    }
    uint32_t operator()() {
        const uint32_t v0 = at(0), m1 = at(13), m2 = at(9), last = at(15);
        const uint32_t z1 = v0 ^ v0 << 16 ^ (m1 ^ m1 << 15), z2 = m2 ^ m2 >> 11, next = z1 ^ z2;
        at(0) = next;
        at(15) = last ^ last << 2 ^ (z1 ^ z1 << 18) ^ z2 << 28 ^ (next ^ (next << 5 & 0xDA442D24u));
        i_ = (i_ + 15) & 15;
        return s_[i_];
    }

  private:
    uint32_t& at(unsigned offset) { return s_[(i_ + offset) & 15]; }
    std::array<uint32_t, 16> s_;
    unsigned i_ = 0;
};

/// L'Ecuyer, "Maximally equidistributed combined Tausworthe generators", 1996 (taus88).
class Taus88 : public Whole<uint32_t> {
  public:
    explicit Taus88(uint64_t seed) {
        SplitMix64 seeds(seed);
        for (uint32_t& word : s_) word = word_from(seeds) | 16;
    }
    uint32_t operator()() {
        s_[0] = (s_[0] & 0xFFFFFFFEu) << 12 ^ (s_[0] << 13 ^ s_[0]) >> 19;
        s_[1] = (s_[1] & 0xFFFFFFF8u) << 4 ^ (s_[1] << 2 ^ s_[1]) >> 25;
        s_[2] = (s_[2] & 0xFFFFFFF0u) << 17 ^ (s_[2] << 3 ^ s_[2]) >> 11;
        return s_[0] ^ s_[1] ^ s_[2];
    }

  private:
    std::array<uint32_t, 3> s_;
};

}  // namespace rng::stats::zoo
