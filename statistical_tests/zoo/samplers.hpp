// Distributions drawn carelessly, as callables that return one value after another, and the same drawn well.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "generator.hpp"
#include "linear.hpp"

namespace rng::stats::zoo {

/// Sums of `terms` uniform numbers, standardised: normal in the middle alone.
template <int terms> class SumOfUniforms {
  public:
    explicit SumOfUniforms(uint64_t seed) : words_(seed) {}
    double operator()() {
        double sum = 0;
        for (int i = 0; i < terms; ++i) sum += (words_() + 0.5) * 0x1p-32;
        return (sum - terms / 2.0) / std::sqrt(terms / 12.0);
    }

  private:
    SoundWords words_;
};

/// Pairs of normal values from the upper `bits` bits of 64-bit words, radius first. The radius takes the uniform
/// number's complement, in (0, 1]. Source: Box, Muller, "A note on the generation of random normal deviates", 1958.
template <class Words64, int bits> class BoxMuller {
  public:
    explicit BoxMuller(uint64_t seed) : words_(seed) {}
    double operator()() {
        if ((is_second_ = !is_second_)) {
            radius_ = std::sqrt(-2 * std::log(1 - uniform()));
            angle_ = 2 * std::numbers::pi * uniform();
            return radius_ * std::cos(angle_);
        }
        return radius_ * std::sin(angle_);
    }

  private:
    double uniform() { return std::ldexp(static_cast<double>(words_() >> (64 - bits)), -bits); }
    Words64 words_;
    double radius_ = 0, angle_ = 0;
    bool is_second_ = false;
};

/// 64-bit words that are to 2^64 as minstd's values are to their modulus.
class MinstdFraction {
  public:
    explicit MinstdFraction(uint64_t seed) : generator_(seed) {}
    uint64_t operator()() {
        return static_cast<uint64_t>((static_cast<detail::uint128>(generator_()) << 64) / 2147483647);
    }

  private:
    Minstd generator_;
};

/// 64-bit words made of two 32-bit ones.
template <class G> class Doubled {
  public:
    explicit Doubled(uint64_t seed) : generator_(seed) {}
    uint64_t operator()() {
        const uint64_t high = generator_();
        return high << 32 | generator_();
    }

  private:
    G generator_;
};

/// Standard normal values. Values beyond `cut` are drawn again.
template <int cut> class CutNormal {
  public:
    explicit CutNormal(uint64_t seed) : normal_(seed) {}
    double operator()() {
        for (;;)
            if (const double z = normal_(); std::abs(z) <= cut) return z;
    }

  private:
    BoxMuller<Doubled<SoundWords>, 53> normal_;
};

/// -log of a uniform number of `bits` bits in (0, 1].
template <int bits> class ExponentialOf {
  public:
    explicit ExponentialOf(uint64_t seed) : words_(seed) {}
    double operator()() { return -std::log(std::ldexp(static_cast<double>((words_() >> (64 - bits)) + 1), -bits)); }

  private:
    Doubled<SoundWords> words_;
};

/// A fraction of `bits` bits. 23 bits are a float of [1, 2) by its mantissa, less 1; a float of [0, 1) has room for 24.
template <int bits> class FloatOf {
  public:
    explicit FloatOf(uint64_t seed) : words_(seed) {}
    double operator()() { return std::ldexp(static_cast<double>(words_() >> (32 - bits)), -bits); }

  private:
    SoundWords words_;
};

/// A word of 32 bits as a fraction on half precision's grid of 2^-11: rounded to nearest, which may be 1, or down.
template <bool nearest> class HalfOf {
  public:
    explicit HalfOf(uint64_t seed) : words_(seed) {}
    double operator()() {
        const double scaled = words_() * 0x1p-21;
        return (nearest ? std::round(scaled) : std::floor(scaled)) * 0x1p-11;
    }

  private:
    SoundWords words_;
};

/// 1 if `bits` random bits are below the probability 0.3 in so many bits, else 0.
template <int bits> class BiasedCoin {
  public:
    explicit BiasedCoin(uint64_t seed) : words_(seed) {}
    double operator()() { return words_() >> (32 - bits) < std::lround(std::ldexp(0.3, bits)); }

  private:
    SoundWords words_;
};

/// A number below 1,000,003: 24 bits modulo 1,000,003, or the high product with 64 bits if `wide`.
template <bool wide> class Below1000003 {
  public:
    explicit Below1000003(uint64_t seed) : words_(seed) {}
    double operator()() {
        const uint64_t word = words_(), range = 1000003;
        return static_cast<double>(wide ? rng::detail::mulhi64(word, range) : (word >> 40) % range);
    }

  private:
    Doubled<SoundWords> words_;
};

}  // namespace rng::stats::zoo
