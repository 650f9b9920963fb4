// Linear complexity of a sequence of bits: the length L of the shortest linear feedback shift register that makes it.
//
// Null: P(L) = 2^min(2 n - 2 L, 2 L - 1) / 2^n for 1 <= L <= n and n uniform bits, n even (Rueppel, 1986, section 4.1).
// Statistic: the deficit max(0, n/2 - L) and the excess max(0, L - n/2) are geometric, apart from P(0) = 5/6 and 2/3.
// Oracle: 1001 has L = 3; n - 1 zeros and a one have L = n; mt19937's low bits have L = 19,937.
// Derivation: docs/statistics/linear_complexity.md.
#pragma once

#include <rng/stats/p_value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rng::stats {

/// Returns L of the first n bits; bit i is bit i % 64 of bits[i / 64]. Throws Error (invalid_argument) if there are
/// fewer bits. Takes 1 ms for 2^16 bits, 16 times as long for four times as many.
[[nodiscard]] std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n);

/// Return the p-value of the sum of `count` sequences' deficits (P(0) = 5/6) or excesses (P(0) = 2/3). They are exact
/// for long sequences; if all bits are 0, the tail is 2/3 of the true one.
[[nodiscard]] PValue deficits_p_value(uint64_t sum, uint64_t count);
[[nodiscard]] PValue excesses_p_value(uint64_t sum, uint64_t count);

namespace detail {

/// Does the same by a chosen way: many steps of Euclid's algorithm at a time if `many_at_once`, else one. Requires a
/// machine with PCLMUL for many steps on x86-64.
[[nodiscard]] std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n, bool many_at_once);

}  // namespace detail

}  // namespace rng::stats
