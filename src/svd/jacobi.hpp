// One-sided Jacobi of a small matrix on the host, on the library's threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../cpu/parallel_for.hpp"
#include "jacobi_order.hpp"
#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

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

}  // namespace detail::svd
RNG_END_NAMESPACE
