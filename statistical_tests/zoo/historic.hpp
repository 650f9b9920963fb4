// Lagged generators, von Neumann's, RC4, and hashes of counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "generator.hpp"

namespace rng::stats::zoo {

/// x(n) = op(x(n - p), x(n - q)), p > q. Sums: Mitchell, Moore, 1958 (Knuth, TAOCP 2, section 3.2.2); exclusive ors:
/// Kirkpatrick, Stoll, 1981 (R250). In products of odd numbers only the lowest three bits are linear. The upper half is
/// sound: Marsaglia, "A current view of random number generators", 1985.
template <class T, unsigned p, unsigned q, class Op> class Lagged : public Whole<T> {
  public:
    explicit Lagged(uint64_t seed) {
        SplitMix64 seeds(seed);
        const bool odd = std::is_same_v<Op, std::multiplies<T>>;
        for (T& word : x_) word = static_cast<T>(seeds() >> (64 - 8 * sizeof(T))) | T{odd};
    }
    T operator()() {
        const T next = Op()(x_[i_], x_[i_ < q ? i_ + p - q : i_ - q]);
        x_[i_] = next;
        i_ = i_ + 1 < p ? i_ + 1 : 0;
        return next;
    }

  private:
    std::array<T, p> x_;
    unsigned i_ = 0;  // place of x(n - p)
};
using Lagged55 = Lagged<uint32_t, 55, 24, std::plus<uint32_t>>;
using Lagged607 = Lagged<uint32_t, 607, 273, std::plus<uint32_t>>;
using R250 = Lagged<uint32_t, 250, 103, std::bit_xor<uint32_t>>;
using Lagged55Products = Slice<Lagged<uint64_t, 55, 24, std::multiplies<uint64_t>>, 32, 32>;
using Lagged607Products = Slice<Lagged<uint64_t, 607, 273, std::multiplies<uint64_t>>, 32, 32>;

/// The middle half of the square. Source: von Neumann, "Various techniques used in connection with random digits",
/// 1951.
class MiddleSquare : public Whole<uint32_t> {
  public:
    explicit MiddleSquare(uint64_t seed) : x_(word_from_seed(seed)) {}
    uint32_t operator()() { return x_ = static_cast<uint32_t>(uint64_t{x_} * x_ >> 16); }

  private:
    static uint32_t word_from_seed(uint64_t seed) { return static_cast<uint32_t>(SplitMix64(seed)()); }
    uint32_t x_;
};

/// The same with 64 bits, and a Weyl sequence added. Source: Widynski, "Middle-square Weyl sequence RNG", 2017.
class MiddleSquareWeyl : public Whole<uint32_t> {
  public:
    explicit MiddleSquareWeyl(uint64_t seed) : x_(SplitMix64(seed)()) {}
    uint32_t operator()() {
        x_ = x_ * x_ + (weyl_ += 0xB5AD4ECEDA1CE2A9u);
        x_ = x_ >> 32 | x_ << 32;
        return static_cast<uint32_t>(x_);
    }

  private:
    uint64_t x_, weyl_ = 0;
};

/// Byte `dropped` of RC4's output under one random key of 128 bits after another. The second byte (dropped = 1) is 0
/// twice as often as other bytes: Mantin, Shamir, "A practical attack on broadcast RC4", 2001. The authors of later
/// attacks advise to drop some multiple of 256: Mironov, 2002.
template <int dropped> class Rc4 : public Whole<uint8_t> {
  public:
    explicit Rc4(uint64_t seed) : keys_(seed) {}
    uint8_t operator()() {
        const std::array<uint64_t, 2> key{keys_(), keys_()};
        std::array<uint8_t, 256> s;
        std::iota(s.begin(), s.end(), uint8_t{0});
        uint8_t j = 0;
        for (unsigned i = 0; i < 256; ++i) {
            j = static_cast<uint8_t>(j + s[i] + (key[i / 8 % 2] >> i % 8 * 8));
            std::swap(s[i], s[j]);
        }
        j = 0;
        for (uint8_t i = 1, n = 0;; ++i) {
            j = static_cast<uint8_t>(j + s[i]);
            std::swap(s[i], s[j]);
            if (static_cast<int>(left_behind_ + n) == dropped) {
                left_behind_ = 0;
                return s[static_cast<uint8_t>(s[i] + s[j])];
            }
            if (++n == 0) left_behind_ += 256;
        }
    }

  private:
    SplitMix64 keys_;
    int left_behind_ = 0;
};

/// A hash of a 32-bit counter: no word comes twice.
class Hash32 : public Whole<uint32_t> {
  public:
    explicit Hash32(uint64_t seed) : n_(static_cast<uint32_t>(seed)) {}
    uint32_t operator()() { return mix32(n_++ * 0x9E3779B9u); }

  private:
    uint32_t n_;
};

}  // namespace rng::stats::zoo
