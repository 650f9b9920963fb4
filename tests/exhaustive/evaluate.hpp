// evaluate<L>: the body of every path_*.cpp.
#pragma once

#include <rng/lane/math_f32.hpp>
#include <rng/lane/quantile.hpp>
#include <rng/lane/scalar.hpp>

#include "paths.hpp"

namespace exhaustive {

inline void store(float* to, rng::lane::f32<rng::lane::Scalar> x) { *to = x.v; }
template <class L> void store(float* to, rng::lane::f32<L> x) { L::store(to, x.v); }
inline rng::lane::u32<rng::lane::Scalar> load(const uint32_t* from, rng::lane::Scalar) { return *from; }
template <class L> rng::lane::u32<L> load(const uint32_t* from, L) { return {L::load(from), 0}; }

template <class L> void evaluate(uint32_t first, Block& block) {
    constexpr std::size_t width = sizeof(typename L::u32_reg) / 4;
    for (std::size_t i = 0; i < block_size; i += width) {
        uint32_t words[width];
        for (std::size_t k = 0; k < width; ++k) words[k] = first + static_cast<uint32_t>(i + k);
        const rng::lane::u32<L> w = load(words, L{});
        const auto magnitude = rng::lane::cos_sin_magnitude(w);
        store(block.value[0] + i, rng::lane::neglog(w));
        store(block.value[1] + i, magnitude.even);
        store(block.value[2] + i, magnitude.odd);
        store(block.value[3] + i, rng::lane::normal_quantile(w));
    }
}

}  // namespace exhaustive
