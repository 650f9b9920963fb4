// What the functions of paths.hpp should be, in double: far more accurate than an f32's last place, and fast enough for
// all 2^32 words.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "paths.hpp"

namespace exhaustive {

/// |value - exact| in units of the last place of an f32 of exact's size.
inline double ulps(float value, double exact) {
    const uint64_t exponent = std::bit_cast<uint64_t>(exact) & 0x7ff0000000000000u;
    return std::abs(static_cast<double>(value) - exact) / std::bit_cast<double>(exponent - (uint64_t{23} << 52));
}

inline double neglog(uint32_t w) { return -std::log((w + 0.5) * 0x1p-32); }

struct Magnitudes {
    double cosine, sine;
};
/// Sine and cosine of the angle 2 pi (w + 1/2) / 2^32, reduced without error to an eighth of a turn.
inline Magnitudes cos_sin(uint32_t w) {
    const uint32_t octant = w + 0x20000000u;
    const double rest = ((octant & 0x3fffffffu) + 0.5 - 0x1p29) * (2 * std::numbers::pi * 0x1p-32);
    const double sine = std::abs(std::sin(rest)), cosine = std::cos(rest);
    return octant >> 30 & 1 ? Magnitudes{sine, cosine} : Magnitudes{cosine, sine};
}

/// Phi^-1 of a number in (0, 1/2), in long double.
inline long double quantile(long double p) {
    return -std::numbers::sqrt2_v<long double> * boost::math::erfc_inv(2 * p);
}

/// Computes the quantiles of the words first, first + 1, ... of a block in the lower half, by Taylor series around the
/// middles of pieces.
///     z' = 1 / phi(z), z'' = z z'^2, z''' = (2 z^2 + 1) z'^3, z'''' = (6 z^3 + 7 z) z'^4
inline void quantiles(uint32_t first, double (&exact)[block_size]) {
    const std::size_t piece = first < (1u << 20) ? 1 : first < (1u << 24) ? 64 : block_size;
    for (std::size_t i = 0; i < block_size; i += piece) {
        const double offset = 0.5 * static_cast<double>(piece);  // the middle, in words from the piece's first
        const double middle = first + static_cast<double>(i) + offset;
        const long double z_long = quantile(static_cast<long double>(middle) * 0x1p-32L);
        const auto z = static_cast<double>(z_long);
        const double low = static_cast<double>(z_long - static_cast<long double>(z));
        const double slope = std::sqrt(2 * std::numbers::pi) * std::exp(z * z / 2) * 0x1p-32;
        const double c2 = z / 2, c3 = (2 * z * z + 1) / 6, c4 = (6 * z * z + 7) * z / 24;
        for (std::size_t k = 0; k < piece; ++k) {
            const double h = (static_cast<double>(k) + 0.5 - offset) * slope;
            exact[i + k] = z + (low + h * (1 + h * (c2 + h * (c3 + h * c4))));
        }
    }
}

}  // namespace exhaustive
