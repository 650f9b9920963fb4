// unit_vector2, unit_vector3, unit_vector4: a uniform direction, as a point of the unit circle or sphere in 2, 3 and 4
// dimensions.
//
//     std::vector<rng::vec3<float>> v(100);
//     rng::fill(v, rng::unit_vector3<float>{});    // also at(stream, dist, i), and rng::unit_vector3<float>{}(engine)
//
// - unit_vector2 is the cosine and the sine of one angle.
// - unit_vector3 takes z from its first word and the longitude from its second: the area of a zone is proportional to
//   its height (Archimedes).
// - unit_vector4 is a uniform rotation as a quaternion (x, y, z, w): Shoemake, "Uniform random rotations", Graphics
//   Gems III, 1992. The squares of the radii of its two circles sum to 1.
// No rejection, no normalisation: each part has a relative error of a few ulp, near the poles too. No part is 0.
// Greatest | |v| - 1 | seen in 3e8 values: 0.66, 1.42 and 1.21 times 2^-23 (float) or 2^-52 (double).
// Oracle: the words 0x40000000 and 0x20000000 give (3/8)^(1/2) (1, 1) and 1/2 in three dimensions.
#pragma once

#include "../draw.hpp"
#include "../lane/functions.hpp"
#include "../vec.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The cosine (even) and the sine (odd) of the word's angle, with their signs.
template <class W> RNG_FN auto direction(W w) {
    const auto magnitudes = lane::cos_sin_magnitude(w);
    // The cosine is negative in the second and third quarter turn: if the two top bits differ.
    return lane::Pair<decltype(lane::neglog(w))>{lane::flip_sign(magnitudes.even, w ^ lane::shl<1>(w)),
                                                 lane::flip_sign(magnitudes.odd, w)};
}

/// Returns the word c for which (2 c + 1) / 2^32 or 2^64 is |1 - 2 p|, where p is the midpoint of w.
template <class L> RNG_FN lane::u32<L> from_middle(lane::u32<L> w) {
    return w ^ lane::sar<31>(w) ^ lane::u32<L>(0x7fffffffu);
}
template <class L> RNG_FN lane::u64<L> from_middle(lane::u64<L> w) {
    using U = lane::u64<L>;
    return w ^ (U(uint64_t{0}) - lane::shr<63>(w)) ^ U(0x7fffffffffffffffu);
}

/// The map of N dimensions.
template <class T, int N> struct UnitVectorMap;

template <class T> struct UnitVectorMap<T, 2> {
    template <class W> RNG_FN auto operator()(W w) const { return direction(w); }
};
template <class T> struct UnitVectorMap<T, 3> {
    static constexpr bool is_long = true;
    template <class W> RNG_FN auto operator()(W first, W second) const {
        using F = decltype(lane::neglog(first));
        const auto u = lane::midpoint_fraction(first), v = lane::midpoint_fraction(~first);  // 1 - z^2 = 4 u v
        const F half = lane::sqrt_in_range(lane::fma(u, v, F(0))), radius = lane::add(half, half);
        const F height = lane::midpoint_fraction(from_middle(first));
        const auto circle = direction(second);
        return lane::Parts<F, 3>{{lane::fma(radius, circle.even, F(0)), lane::fma(radius, circle.odd, F(0)),
                                  lane::flip_sign(lane::add(height, height), first)}};
    }
};
template <class T> struct UnitVectorMap<T, 4> {
    template <class W> RNG_FN auto operator()(W share, W first, W second, W) const {
        using F = decltype(lane::neglog(first));
        const F a = lane::sqrt_in_range(lane::midpoint_fraction(~share)),
                b = lane::sqrt_in_range(lane::midpoint_fraction(share));
        const auto p = direction(first), q = direction(second);
        return lane::Parts<F, 4>{{lane::fma(a, p.odd, F(0)), lane::fma(a, p.even, F(0)), lane::fma(b, q.odd, F(0)),
                                  lane::fma(b, q.even, F(0))}};
    }
};

}  // namespace detail

/// A point of the unit circle.
template <class T> struct unit_vector2 {
    static_assert(detail::is_real<T>, "unit_vector2 is of float or double");
    using result_type = vec2<T>;
    using part_type = T;

    static constexpr const char* name = "unit_vector2";
    static constexpr const char* support = "|v| = 1";
    static constexpr const char* summary = "uniform direction in the plane";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr int parts = 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] constexpr ParameterFault fault() const { return {}; }
    [[nodiscard]] RNG_FN detail::UnitVectorMap<T, 2> map() const { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

/// A point of the unit sphere.
template <class T> struct unit_vector3 {
    static_assert(detail::is_real<T>, "unit_vector3 is of float or double");
    using result_type = vec3<T>;
    using part_type = T;

    static constexpr const char* name = "unit_vector3";
    static constexpr const char* support = "|v| = 1";
    static constexpr const char* summary = "uniform direction in space";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr int parts = 3;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] constexpr ParameterFault fault() const { return {}; }
    [[nodiscard]] RNG_FN detail::UnitVectorMap<T, 3> map() const { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

/// A point of the unit sphere of four dimensions: a uniform rotation, as a quaternion (x, y, z, w).
template <class T> struct unit_vector4 {
    static_assert(detail::is_real<T>, "unit_vector4 is of float or double");
    using result_type = vec4<T>;
    using part_type = T;

    static constexpr const char* name = "unit_vector4";
    static constexpr const char* support = "|v| = 1";
    static constexpr const char* summary = "uniform direction in four dimensions, or rotation";
    static constexpr int slot_words = sizeof(T);
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr int parts = 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] constexpr ParameterFault fault() const { return {}; }
    [[nodiscard]] RNG_FN detail::UnitVectorMap<T, 4> map() const { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
