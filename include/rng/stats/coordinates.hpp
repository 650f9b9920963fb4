// coordinates_of(v): the uniform numbers that a direction stands for. Tests of values judge unit vectors by them.
//
//     const auto u = rng::stats::coordinates_of(rng::at(rng::Stream{42}, rng::unit_vector3<double>{}, 0));
//     const bool is_northern = u[0] < 0.5;
//
// The parts of a direction depend on each other. These numbers do not, and each is uniform on [0, 1):
// - in the plane, the angle from the x axis, in turns;
// - in space, (1 - z) / 2 and the longitude (Archimedes);
// - in four dimensions, x^2 + y^2 and the angles of (x, y) and of (z, w) (Hopf's coordinates).
// They are rounded down to 2^-16 for float and 2^-40 for double, where rounding errors of the parts do not show.
// Oracle: coordinates_of(vec2{-1.0, 0.0}) is 1/2.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <rng/vec.hpp>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

namespace detail {

/// The binary digits of the coordinates of vectors of T.
template <class T> inline constexpr int coordinate_bits = sizeof(T) == 4 ? 16 : 40;

/// Returns a number that is nearly of [0, 1) as a multiple of 2^-coordinate_bits of it.
template <class T> [[nodiscard]] double coordinate(double u) {
    constexpr double points = sizeof(T) == 4 ? 0x1p16 : 0x1p40;
    return std::clamp(std::floor(u * points), 0.0, points - 1) / points;
}
/// Returns the angle of (x, y) in turns.
template <class T> [[nodiscard]] double turn(T x, T y) {
    const double u = std::atan2(static_cast<double>(y), static_cast<double>(x)) / (2 * std::numbers::pi);
    return coordinate<T>(u < 0 ? u + 1 : u);
}

}  // namespace detail

template <class T> [[nodiscard]] std::array<double, 1> coordinates_of(const vec2<T>& v) {
    return {detail::turn(v.x, v.y)};
}
template <class T> [[nodiscard]] std::array<double, 2> coordinates_of(const vec3<T>& v) {
    return {detail::coordinate<T>((1 - static_cast<double>(v.z)) / 2), detail::turn(v.x, v.y)};
}
template <class T> [[nodiscard]] std::array<double, 3> coordinates_of(const vec4<T>& v) {
    const auto x = static_cast<double>(v.x), y = static_cast<double>(v.y);
    return {detail::coordinate<T>(x * x + y * y), detail::turn(v.x, v.y), detail::turn(v.z, v.w)};
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
