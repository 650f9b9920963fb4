// Tuples: the data as a sequence of symbols 0, 1, 2, whose overlapping k-tuples are counted.
//
// Null: independent symbols of known probabilities p. Products of orthonormal polynomials of the symbols have
// coefficients of mean 0 and variance 1 that are uncorrelated, although tuples overlap (Lancaster, 1949; Good, 1953).
// Statistic: sums of squared coefficients up to a weight, the number of symbols that they tie; the largest coefficient.
// Oracle: p = (1/3, 1/3, 1/3) has f1 = (-1, 0, 1) sqrt(3/2), f2 = (1, -2, 1) sqrt(1/2).
// Derivation: docs/statistics/tuples.md.
#pragma once

#include <array>
#include <vector>

#include "../test.hpp"

namespace rng::stats {

/// The probabilities of the three symbols.
struct SymbolLaw {
    std::array<double, 3> p;
};

/// The Hamming weight of uniform `bits` as a symbol: below, within or above a band around bits / 2. The band's
/// probability is as near 1/3 as can be. Requires an even number of bits.
struct WeightBand {
    uint32_t least, most;  ///< bounds of the band, both included
    SymbolLaw law;

    [[nodiscard]] static WeightBand of(uint64_t bits);
};

/// Adds the p-values of counted k-tuples:
/// - "w<=3", for each of `weights`: the sum of squares of all coefficients up to that weight;
/// - "max": the largest coefficient.
/// Requires 3^k `counts`; the oldest symbol of a tuple is the most significant digit of its index. Leaves out each part
/// while the tuples are too few for its p-value to hold (tuples.cpp).
void add_tuple_results(Results& results, const std::string& prefix, std::span<const uint64_t> counts, int k,
                       const SymbolLaw& law, std::span<const int> weights);

/// Counts overlapping 8-tuples.
class Tuples final : public Test {
  public:
    static constexpr int k = 8;
    /// Makes `symbols` symbols 0, 1, 2 from as many bytes or words of `data`.
    using Map = void (*)(const std::byte* data, std::size_t symbols, uint8_t* to);

    Tuples(Map map, std::size_t bytes_per_symbol, const SymbolLaw& law);
    void add(const Segment& segment) override;
    void results(Results& results) const override;

    /// Returns the 3^8 counts of 8-tuples.
    [[nodiscard]] std::vector<uint64_t> tuples() const;

  private:
    Map map_;
    std::size_t bytes_per_symbol_;
    SymbolLaw law_;
    // `counts` and these count the 9-tuples that begin at even symbols: half the increments for the same 8-tuples.
    std::vector<uint16_t> here_;
    std::vector<uint8_t> symbols_;
    std::vector<uint16_t> digits_, fours_, indices_;
};

/// Calls f on each of n values and stores the results, in loops of a fixed length that compilers turn into vectors.
template <class From, class To, class F>
RNG_FN void map_each(const From* __restrict from, std::size_t n, To* __restrict to, F f) {
    constexpr std::size_t step = 64;
    std::size_t i = 0;
    for (; i + step <= n; i += step)
        for (std::size_t j = 0; j < step; ++j) to[i + j] = static_cast<To>(f(from[i + j]));
    for (; i < n; ++i) to[i] = static_cast<To>(f(from[i]));
}

/// Returns the Hamming weight. Uses neither tables nor a special instruction, so that loops over weights become
/// vectors. Source: Warren, "Hacker's Delight", section 5-1.
template <class W> constexpr W hamming_weight(W x) {
    constexpr W twos = static_cast<W>(0x5555555555555555), fours = static_cast<W>(0x3333333333333333),
                bytes = static_cast<W>(0x0f0f0f0f0f0f0f0f);
    x = static_cast<W>(x - ((x >> 1) & twos));
    x = static_cast<W>((x & fours) + ((x >> 2) & fours));
    x = static_cast<W>((x + (x >> 4)) & bytes);
    if constexpr (sizeof(W) > 1) x = static_cast<W>(x + (x >> 8));
    if constexpr (sizeof(W) > 2) x = static_cast<W>(x + (x >> 16));
    if constexpr (sizeof(W) > 4) x = static_cast<W>(x + (x >> 32));
    return static_cast<W>(x & 0x7f);
}

}  // namespace rng::stats
