// One-sided Jacobi of a small matrix on the host, on the library's threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../cpu/parallel_for.hpp"
#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

inline constexpr uint32_t most_sweeps = 40;

/// The rounds of a sweep over q rows. Each pair of rows has one round, and the pairs of a round have no row in common.
/// The rows are in blocks of four: three rounds of pairs inside the blocks, and then four for each round of a
/// round-robin of the blocks, so that a processor's cache keeps a pair of blocks for four rounds.
struct JacobiOrder {
    static constexpr uint32_t block = 4, inside = block - 1;
    uint32_t blocks;  // even; rows from q on do not exist

    explicit constexpr JacobiOrder(uint32_t q) : blocks((q + 2 * block - 1) / (2 * block) * 2) {}
    [[nodiscard]] constexpr uint32_t rounds() const { return inside + block * (blocks - 1); }
    [[nodiscard]] constexpr uint32_t pairs() const { return blocks / 2 * block; }
    /// Returns pair k of a round; its first row has the lower number.
    [[nodiscard]] constexpr rng_abi::RowPair pair(uint32_t round, uint32_t k) const {
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
    [[nodiscard]] constexpr uint32_t block_at(uint32_t turn, uint32_t place) const {
        if (place == 0) return 0;
        return place > turn ? place - turn : place - turn + blocks - 1;
    }
};

/// Rotates pairs of the q rows of m until all pairs are orthogonal up to `tolerance`, or most_sweeps are done. The rows
/// are rng_abi::RotateFunction's, with parts of ld values.
inline void jacobi(const rng_abi::LinalgFunctions& kernels, double* m, size_t q, size_t ld, int planes,
                   double tolerance) {
    const size_t width = ld * static_cast<size_t>(planes);
    const JacobiOrder order(static_cast<uint32_t>(q));
    constexpr uint32_t block = JacobiOrder::block;
    const size_t units = order.pairs() / block;          // pairs of blocks, or of neighbours
    const size_t grain = (size_t{1} << 12) / width + 1;  // units that take about 10 microseconds
    std::vector<double> norms(q);
    std::atomic<bool> rotated = true;
    for (uint32_t sweep = 0; sweep < most_sweeps && rotated; ++sweep) {
        rotated = false;
        for (size_t i = 0; i < q; ++i) kernels.multiply_rows(m + i * width, m + i * width, width, 1, width, &norms[i]);
        for (uint32_t begin = 0, end = JacobiOrder::inside; begin < order.rounds(); begin = end, end += block)
            rng_cpu::parallel_for(units, grain, units / grain, [&](size_t first, size_t last) {
                for (size_t unit = first; unit < last; ++unit)
                    for (uint32_t round = begin; round < end; ++round) {
                        rng_abi::RowPair pairs[block];
                        size_t count = 0;
                        for (uint32_t k = 0; k < block; ++k) {
                            pairs[count] = order.pair(round, static_cast<uint32_t>(unit) * block + k);
                            if (pairs[count].b < q) ++count;
                        }
                        if (kernels.rotate_pairs(m, width, planes, tolerance, norms.data(), pairs, count))
                            rotated.store(true, std::memory_order_relaxed);
                    }
            });
    }
}

}  // namespace detail
RNG_END_NAMESPACE
