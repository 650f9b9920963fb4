// The order in which the Jacobi method takes pairs of rows, on the host and on devices.
#pragma once

#include <rng/core/config.hpp>

#include <cstdint>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

inline constexpr uint32_t most_sweeps = 40;

/// The rounds of a sweep over q rows. Each pair of rows has one round, and the pairs of a round have no row in common.
/// The rows are in blocks of four: three rounds of pairs inside the blocks, and then four for each round of a
/// round-robin of the blocks, so that a processor's cache keeps a pair of blocks for four rounds.
struct JacobiOrder {
    static constexpr uint32_t block = 4, inside = block - 1;
    uint32_t blocks;  // even; rows from q on do not exist

    RNG_FN explicit constexpr JacobiOrder(uint32_t q) : blocks((q + 2 * block - 1) / (2 * block) * 2) {}
    [[nodiscard]] RNG_FN constexpr uint32_t rounds() const { return inside + block * (blocks - 1); }
    [[nodiscard]] RNG_FN constexpr uint32_t pairs() const { return blocks / 2 * block; }
    /// Returns pair k of a round; its first row has the lower number.
    [[nodiscard]] RNG_FN constexpr rng_abi::RowPair pair(uint32_t round, uint32_t k) const {
        if (round < inside) {
            const uint32_t apart = round + 1, a = apart == 1 ? k % 2 * 2 : k % 2;
            return {k / 2 * block + a, k / 2 * block + (a ^ apart)};
        }
        const uint32_t turn = (round - inside) / block, apart = (round - inside) % block;
        const uint32_t one = block_at(turn, k / block), other = block_at(turn, blocks - 1 - k / block);
        const uint32_t low = one < other ? one : other, high = one < other ? other : one;
        return {low * block + k % block, high * block + (k % block ^ apart)};
    }

  private:
    /// Returns the block at a place of the round-robin: all but the first move by one place in each turn.
    [[nodiscard]] RNG_FN constexpr uint32_t block_at(uint32_t turn, uint32_t place) const {
        if (place == 0) return 0;
        return place > turn ? place - turn : place - turn + blocks - 1;
    }
};

}  // namespace detail::svd
RNG_END_NAMESPACE
