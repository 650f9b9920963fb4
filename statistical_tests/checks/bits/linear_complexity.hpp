// Linear complexity of a sequence of bits: the length L of the shortest linear feedback shift register that makes it.
//
// Null, of n uniform bits, n even: P(L) = 2^min(2 n - 2 L, 2 L - 1) / 2^n for 1 <= L <= n. So the deficit
// max(0, n/2 - L) is 0 with probability 5/6 and else geometric, P(j) = 4^(1-j) / 8; the excess max(0, L - n/2) is 0
// with probability 2/3 and else geometric, P(j) = 4^-j. Sources: Rueppel, "Analysis and Design of Stream Ciphers",
// 1986, section 4.1; Berlekamp; Massey, IEEE Trans. Inf. Theory 15, 1969. Oracle: 1001 has L = 3, n
// - 1 zeros and a one have n; mt19937's low bits have 19,937.
#pragma once

#include <rng/stats/p_value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rng::stats {

/// L of the first n bits, bit i being bit i % 64 of bits[i / 64]. Throws Error
/// (invalid_argument) if there are fewer. Takes 1 ms for 2^16 bits, 16 times as long for four times as many.
[[nodiscard]] std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n);

/// The sum of `count` sequences' deficits (P(0) = 5/6) or excesses (P(0) = 2/3): exact for long sequences. (The law
/// above ends at L = 0 and L = n, which is neglected: where all bits are 0, the tail is 2/3 of the true one.)
[[nodiscard]] PValue deficits_p_value(uint64_t sum, uint64_t count);
[[nodiscard]] PValue excesses_p_value(uint64_t sum, uint64_t count);

namespace detail {

/// The same with a choice: many steps of Euclid's algorithm at a time (where can be), or one.
[[nodiscard]] std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n, bool many_at_once);

}  // namespace detail

}  // namespace rng::stats
