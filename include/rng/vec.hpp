// vec2, vec3, vec4: vectors of two to four numbers, the results of unit_vector2, unit_vector3 and unit_vector4.
//
//     const rng::vec3<float> v = rng::at(rng::Stream{42}, rng::unit_vector3<float>{}, 0);
//     const float square = v.x * v.x + v.y * v.y + v.z * v.z;
//
// Memory holds the parts in order, without gaps: n vectors are an array of n x 3 numbers for NumPy or a GPU's float3.
#pragma once

#include "core/distribution.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A vector of two numbers.
template <class T> struct vec2 {
    T x, y;
    friend RNG_FN constexpr bool operator==(const vec2& a, const vec2& b) { return a.x == b.x && a.y == b.y; }
};
/// A vector of three numbers.
template <class T> struct vec3 {
    T x, y, z;
    friend RNG_FN constexpr bool operator==(const vec3& a, const vec3& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};
/// A vector of four numbers.
template <class T> struct vec4 {
    T x, y, z, w;
    friend RNG_FN constexpr bool operator==(const vec4& a, const vec4& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
    }
};

namespace detail {

template <> struct Dtype<vec2<float>> { static constexpr const char* name = "f32x2"; };
template <> struct Dtype<vec3<float>> { static constexpr const char* name = "f32x3"; };
template <> struct Dtype<vec4<float>> { static constexpr const char* name = "f32x4"; };
template <> struct Dtype<vec2<double>> { static constexpr const char* name = "f64x2"; };
template <> struct Dtype<vec3<double>> { static constexpr const char* name = "f64x3"; };
template <> struct Dtype<vec4<double>> { static constexpr const char* name = "f64x4"; };

/// The parts of a vec2, vec3 or vec4 type: their number, 0 for all other types, and their type.
template <class V> struct VectorOf { static constexpr int parts = 0; };
template <class T> struct VectorOf<vec2<T>> {
    static constexpr int parts = 2;
    using part_type = T;
};
template <class T> struct VectorOf<vec3<T>> {
    static constexpr int parts = 3;
    using part_type = T;
};
template <class T> struct VectorOf<vec4<T>> {
    static constexpr int parts = 4;
    using part_type = T;
};

}  // namespace detail

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
