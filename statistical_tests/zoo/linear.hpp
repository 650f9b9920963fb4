// Linear congruential generators, and controls whose state is wide enough.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "generator.hpp"

namespace rng::stats::zoo {

namespace detail {
__extension__ using uint128 = unsigned __int128;
}

/// Triples of RANDU lie on 15 planes. Sources: IBM, System/360 Scientific Subroutine Package, 1968; Marsaglia, "Random
/// numbers fall mainly in the planes", 1968.
class Randu : public Narrow<31> {
  public:
    explicit Randu(uint64_t seed) : x_(static_cast<uint32_t>(seed) | 1) {}
    uint32_t operator()() { return x_ = 65539 * x_ & 0x7FFFFFFFu; }

  private:
    uint32_t x_;
};

/// All 31 bits of the state. Source: Park, Miller, "Random number generators: good ones are hard to find", 1988, with
/// the multiplier of 1993 (C++'s minstd_rand).
class Minstd : public Narrow<31> {
  public:
    explicit Minstd(uint64_t seed) : x_(static_cast<uint32_t>(1 + seed % 2147483646)) {}
    uint32_t operator()() { return x_ = static_cast<uint32_t>(uint64_t{48271} * x_ % 2147483647); }

  private:
    uint32_t x_;
};

/// MRG32k3a: the same arithmetic with a state of 191 bits. Values end at 2^32 - 210, which no test here can detect.
/// Source: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
/// 1999.
class Mrg32k3a : public Whole<uint32_t> {
  public:
    using State = std::array<int64_t, 3>;  ///< oldest first
    Mrg32k3a(const State& a, const State& b) : a_(a), b_(b) {}
    explicit Mrg32k3a(uint64_t seed) : Mrg32k3a(SplitMix64(seed)) {}
    uint32_t operator()() {
        const int64_t a = positive((1403580 * a_[1] - 810728 * a_[0]) % m1, m1);
        const int64_t b = positive((527612 * b_[2] - 1370589 * b_[0]) % m2, m2);
        a_ = {a_[1], a_[2], a};
        b_ = {b_[1], b_[2], b};
        return static_cast<uint32_t>(positive(a - b, m1));
    }

  private:
    // Initialises members by initialisers. With -O2 -flto, g++ 12 gives a list {&a_, &b_} in the body the memory of a_
    // itself.
    explicit Mrg32k3a(SplitMix64 seeds) : a_(state_of(seeds)), b_(state_of(seeds)) {}
    static State state_of(SplitMix64& seeds) {
        State state;
        for (int64_t& x : state) x = 1 + static_cast<int64_t>(seeds() % 4294944442u);
        return state;
    }

    static constexpr int64_t m1 = 4294967087, m2 = 4294944443;
    static int64_t positive(int64_t x, int64_t m) { return x < 0 ? x + m : x; }
    State a_, b_;
};

/// The whole state, modulus 2^64. Source: Knuth, MMIX.
class Lcg64 : public Whole<uint64_t> {
  public:
    explicit Lcg64(uint64_t seed) : x_(SplitMix64(seed)()) {}
    uint64_t operator()() { return x_ = 6364136223846793005u * x_ + 1442695040888963407u; }

  private:
    uint64_t x_;
};

/// The high half of the state, modulus 2^128. Multiplier: O'Neill, "PCG", 2014.
class Lcg128High : public Whole<uint64_t> {
  public:
    explicit Lcg128High(uint64_t seed) {
        SplitMix64 seeds(seed);
        x_ = seeds();
        x_ = x_ << 64 | seeds();
    }
    uint64_t operator()() {
        constexpr auto multiplier = static_cast<detail::uint128>(0x2360ED051FC65DA4u) << 64 | 0x4385DF649FCCF645u;
        constexpr auto increment = static_cast<detail::uint128>(0x5851F42D4C957F2Du) << 64 | 0x14057B7EF767814Fu;
        x_ = x_ * multiplier + increment;
        return static_cast<uint64_t>(x_ >> 64);
    }

  private:
    detail::uint128 x_;
};

/// Modulus 2^64, the upper bits permuted by themselves. Source: O'Neill, "PCG: A family of simple fast space-efficient
/// statistically good algorithms", 2014 (XSH-RR 64/32).
class Pcg32 : public Whole<uint32_t> {
  public:
    explicit Pcg32(uint64_t seed, uint64_t sequence = 54) : increment_(sequence << 1 | 1) {
        step();
        x_ += seed;
        step();
    }
    uint32_t operator()() {
        const auto folded = static_cast<uint32_t>((x_ >> 18 ^ x_) >> 27);
        const int turn = static_cast<int>(x_ >> 59);
        step();
        return std::rotr(folded, turn);
    }

  private:
    void step() { x_ = 6364136223846793005u * x_ + increment_; }
    uint64_t x_ = 0, increment_;
};

/// The upper 32 bits, modulus 2^48. Source: POSIX mrand48().
class Mrand48 : public Whole<uint32_t> {
  public:
    explicit Mrand48(uint64_t seed) : x_((seed & 0xFFFFFFFFu) << 16 | 0x330E) {}
    uint32_t operator()() {
        x_ = (0x5DEECE66Du * x_ + 0xB) & 0xFFFFFFFFFFFFu;
        return static_cast<uint32_t>(x_ >> 16);
    }

  private:
    uint64_t x_;
};

/// All bits, modulus 2^31. Source: glibc's rand() of TYPE_0, and ANSI C's example.
class RandType0 : public Narrow<31> {
  public:
    explicit RandType0(uint64_t seed) : x_(static_cast<uint32_t>(seed)) {}
    uint32_t operator()() { return x_ = (1103515245u * x_ + 12345u) & 0x7FFFFFFFu; }

  private:
    uint32_t x_;
};

/// Bits 16 to 30, modulus 2^32. Source: Microsoft's rand().
class MicrosoftRand : public Narrow<15> {
  public:
    explicit MicrosoftRand(uint64_t seed) : x_(static_cast<uint32_t>(seed)) {}
    uint32_t operator()() { return (x_ = 214013u * x_ + 2531011u) >> 16 & 0x7FFFu; }

  private:
    uint32_t x_;
};

/// All bits, modulus 2^32. Source: Press et al., Numerical Recipes, 1992 (ranqd1).
class Ranqd1 : public Whole<uint32_t> {
  public:
    explicit Ranqd1(uint64_t seed) : x_(static_cast<uint32_t>(seed)) {}
    uint32_t operator()() { return x_ = 1664525u * x_ + 1013904223u; }

  private:
    uint32_t x_;
};

/// Three small congruential generators, added as fractions; 32 bits of the sum. Source: Wichmann, Hill, algorithm AS
/// 183, 1982.
class WichmannHill : public Whole<uint32_t> {
  public:
    explicit WichmannHill(uint64_t seed) {
        SplitMix64 seeds(seed);
        x_ = 1 + static_cast<uint32_t>(seeds() % 30268);
        y_ = 1 + static_cast<uint32_t>(seeds() % 30306);
        z_ = 1 + static_cast<uint32_t>(seeds() % 30322);
    }
    uint32_t operator()() {
        x_ = 171 * x_ % 30269;
        y_ = 172 * y_ % 30307;
        z_ = 170 * z_ % 30323;
        const double sum = x_ / 30269.0 + y_ / 30307.0 + z_ / 30323.0;
        return static_cast<uint32_t>((sum - std::floor(sum)) * 0x1p32);
    }

  private:
    uint32_t x_, y_, z_;
};

}  // namespace rng::stats::zoo
