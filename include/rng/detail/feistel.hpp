// Feistel: a bijection of [0, n) for n > 2048, computed for one number at a time: value i of a random permutation.
//
// A number of b = ceil(log2 n) bits has a lower half of b / 2 bits and an upper half. Each of the half rounds changes
// one half by a function of the other half and of a key, so it can be undone. A result of n or more goes through the
// rounds again (cycle walking); fewer than two passes are expected. The rounds alone produce permutations of one sign
// more often than of the other, so one more bit of the key first exchanges 0 and 1. docs/contract.md, A.23, has the
// operations. Source: Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002. The function of a half
// round is a product of 32 x 32 bits, whose halves are combined by xor, as in Philox (Salmon et al., SC 2011).
#pragma once

#include "../lane/lane.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The number of half rounds in the contract. docs/statistics/permutation.md has the test results of fewer rounds.
inline constexpr int feistel_rounds = 12;

/// Permutes [0, n), for n from 2049 to 2^62. Rounds is even.
template <int Rounds = feistel_rounds> struct Feistel {
    uint64_t n = 0;
    uint16_t low_bits = 0, high_bits = 0;
    uint32_t key[static_cast<unsigned>(Rounds) + 1] = {};  // one for each round; bit 0 of the last one is the sign bit

    Feistel() = default;
    RNG_FN constexpr Feistel(uint64_t size, const uint32_t* keys) : n(size) {
        uint32_t bits = 0;
        while (bits < 62 && (uint64_t{1} << bits) < size) ++bits;
        low_bits = static_cast<uint16_t>(bits / 2);
        high_bits = static_cast<uint16_t>(bits - low_bits);
        RNG_UNROLL
        for (int r = 0; r <= Rounds; ++r) key[r] = keys[r];
    }

    /// Applies all rounds once, in every lane. The result may be n or more.
    template <class L> [[nodiscard]] RNG_FN lane::u64<L> forward(lane::u64<L> x) const {
        Halves<L> h = split(x);
        RNG_UNROLL
        for (int r = 0; r < Rounds; r += 2) {
            h.high = mixed(h.high, h.low, mask(low_bits), key[r], even_factor);
            h.low = mixed(h.low, h.high, mask(high_bits), key[r + 1], odd_factor);
        }
        return joined(h);
    }
    /// Undoes forward().
    template <class L> [[nodiscard]] RNG_FN lane::u64<L> backward(lane::u64<L> x) const {
        Halves<L> h = split(x);
        RNG_UNROLL
        for (int r = Rounds - 2; r >= 0; r -= 2) {
            h.low = mixed(h.low, h.high, mask(high_bits), key[r + 1], odd_factor);
            h.high = mixed(h.high, h.low, mask(low_bits), key[r], even_factor);
        }
        return joined(h);
    }

    // The cycle of a number below n returns to such numbers. That of another number might not, so it gets one pass.

    /// The permuted number, for i < n.
    [[nodiscard]] RNG_FN uint64_t at(uint64_t i) const {
        lane::u64<lane::Scalar> x(exchanged(i));
        do x = forward(x);
        while (x.v >= n && i < n);
        return x.v;
    }
    /// The number that at() takes to x < n.
    [[nodiscard]] RNG_FN uint64_t inverse(uint64_t x) const {
        lane::u64<lane::Scalar> i(x);
        do i = backward(i);
        while (i.v >= n && x < n);
        return exchanged(i.v);
    }

  private:
    template <class L> struct Halves { lane::u64<L> low, high; };
    static constexpr uint32_t even_factor = 0xD2511F53u, odd_factor = 0xCD9E8D57u;  // those of Philox4x32

    [[nodiscard]] RNG_FN uint64_t exchanged(uint64_t i) const { return i < 2 ? i ^ (key[Rounds] & 1) : i; }
    RNG_FN static constexpr uint64_t mask(uint32_t bits) { return (uint64_t{1} << bits) - 1; }
    template <class L> [[nodiscard]] RNG_FN Halves<L> split(lane::u64<L> x) const {
        using U = lane::u64<L>;
        return {x & U(mask(low_bits)), lane::shr_each(x, U(low_bits))};
    }
    // A product in place of a shift: lanes shift left by constants only.
    template <class L> [[nodiscard]] RNG_FN lane::u64<L> joined(const Halves<L>& h) const {
        using U = lane::u64<L>;
        return lane::mul_halves(h.high & U(mask(high_bits)), U(uint64_t{1} << low_bits)) + (h.low & U(mask(low_bits)));
    }
    /// Returns a half changed by the other one. The excess bits of a half are masked where it is used; on AVX-512 the
    /// mask and the xor with the key are one operation.
    template <class L>
    [[nodiscard]] RNG_FN static lane::u64<L> mixed(lane::u64<L> half, lane::u64<L> other, uint64_t bits_of_other,
                                                   uint32_t k, uint32_t factor) {
        using U = lane::u64<L>;
        const U product = lane::mul_halves((other & U(bits_of_other)) ^ U(k), U(factor));
        return half ^ product ^ lane::shr<32>(product);
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
