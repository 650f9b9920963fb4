// Shared by the laws of values: probabilities with a sign, random points of a cell, the cells of rounded numbers.
#pragma once

#include <rng/float16.hpp>
#include <rng/stats/value_law.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace rng::stats::detail {

inline constexpr double no_probability = std::numeric_limits<double>::quiet_NaN();

/// Returns a probability as ValueLaw holds it. Requires the probability and its complement.
inline double signed_probability(double p, double complement) { return p <= 0.5 ? p : -complement; }

/// Stores 64 random bits for each value, from number `first` on. Requires at most 2048 values.
void random_points(uint64_t first, std::span<uint64_t> to);

/// Returns a random point of the open unit interval: the middle of one of 2^52 cells, so that its complement is one
/// too.
inline double unit(uint64_t random) { return (static_cast<double>(random >> 12) + 0.5) * 0x1p-52; }

/// Returns the point at fraction u of the cell between two probabilities as ValueLaw holds them.
inline double between(double from, double to, double u) {
    if (!std::signbit(from) && std::signbit(to)) {
        const double p = from + u * (1 + to - from);
        return p <= 0.5 ? p : p - 1;
    }
    return from + u * (to - from);
}

/// Returns a random real number that rounds to the float x; x itself if x is no float.
inline double unrounded_f32(double x, double u) {
    const float f = static_cast<float>(x);
    if (static_cast<double>(f) != x || f == 0) return x;
    const uint32_t bits = std::bit_cast<uint32_t>(f);
    const double towards_zero = std::bit_cast<float>(bits - 1), away = std::bit_cast<float>(bits + 1);
    return (x + towards_zero) / 2 + u * ((away - towards_zero) / 2);
}

/// Returns the number of bits of a number's mantissa, the hidden one included.
inline int precision_of(Storage storage) {
    switch (storage) {
        case Storage::f64: return 53;
        case Storage::f32: return 24;
        case Storage::f16: return 11;
        default: return 8;
    }
}
/// Returns the type's next number above or below x. Requires x to be one of its numbers.
inline double neighbour(double x, bool up, Storage storage) {
    const auto f = static_cast<float>(x);
    switch (storage) {
        case Storage::f64: return std::nextafter(x, up ? HUGE_VAL : -HUGE_VAL);
        case Storage::f32: return std::nextafter(f, up ? HUGE_VALF : -HUGE_VALF);
        case Storage::f16:
            return up ? rng::detail::next_value_above<float16>(f) : rng::detail::next_value_below<float16>(f);
        default: return up ? rng::detail::next_value_above<bfloat16>(f) : rng::detail::next_value_below<bfloat16>(f);
    }
}
/// Returns the distance of the type's numbers at x, on the side of zero.
inline double spacing(double x, Storage storage) {
    const double magnitude = std::fabs(x);
    return magnitude == 0 ? neighbour(0, true, storage) : magnitude - neighbour(magnitude, false, storage);
}
/// Returns the type's number nearest to x.
inline double stored(double x, Storage storage) {
    const auto f = static_cast<float>(x);
    switch (storage) {
        case Storage::f64: return x;
        case Storage::f32: return f;
        case Storage::f16: return static_cast<float>(float16(f));
        default: return static_cast<float>(bfloat16(f));
    }
}
/// Returns another point of the open unit interval for the same value, independent of all but the last bits of u.
inline double other_unit(double u) { return u * 0x1p26 - std::floor(u * 0x1p26); }

/// Returns the reason that every law has for a value that is no finite number, else `otherwise`.
inline Outlaw reason_of(double value, Outlaw otherwise) {
    return std::isnan(value) ? Outlaw::nan : std::isinf(value) ? Outlaw::infinite : otherwise;
}

/// Stores f(value, u) for all values.
template <class F>
void each(std::span<const double> values, std::span<const uint64_t> random, std::span<double> to, F f) {
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = f(values[i], unit(random[i]));
}

}  // namespace rng::stats::detail
