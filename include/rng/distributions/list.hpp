// The list of all distributions, by their names alone. Their definitions are in catalogue.hpp.
// Code that needs only the order of the distributions includes this file, and is not compiled again when a distribution
// changes.
#pragma once

#include "../core/integer.hpp"
#include "../core/type_list.hpp"
#include "../float16.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

// An error about an incomplete type leads to the row, which names the header to include.
#define RNG_DISTRIBUTION(name, header, ...) template <class T> struct name;
#define RNG_PLAIN_DISTRIBUTION(name, header) struct name;
#include "distributions.inc"
#undef RNG_DISTRIBUTION
#undef RNG_PLAIN_DISTRIBUTION

template <class T> struct complex;  // the result type of complex_normal
template <class T> struct vec2;     // the result types of unit_vector2, unit_vector3 and unit_vector4
template <class T> struct vec3;
template <class T> struct vec4;

namespace detail {

template <template <class> class D, class... T> using ListOf = type_list<D<T>...>;

}  // namespace detail

#define RNG_DISTRIBUTION(name, header, ...) detail::ListOf<name, __VA_ARGS__>,
#define RNG_PLAIN_DISTRIBUTION(name, header) type_list<name>,
/// The distributions in all their types.
using catalogue = detail::concatenated<
#include "distributions.inc"
    type_list<>>;
#undef RNG_DISTRIBUTION
#undef RNG_PLAIN_DISTRIBUTION

inline constexpr int catalogue_size = catalogue::size;

namespace detail {

/// Maps a distribution of integers to the type that the catalogue lists, by width and sign. Any other distribution
/// stays the same.
template <class D> struct Canonical { using type = D; };
template <template <class> class Dist, class T>
requires(integer<T>&& index_in<Dist<fixed_width<T>>>(catalogue{}) >= 0) struct Canonical<Dist<T>> {
    using type = Dist<fixed_width<T>>;
};
template <class D> using canonical_t = typename Canonical<D>::type;

/// Returns the same parameters in the catalogue's type: the distribution itself, or a copy.
template <class D> const D& canonical(const D& dist) { return dist; }
template <class D>
requires(!is_same<D, canonical_t<D>>) canonical_t<D> canonical(const D& dist) {
    return __builtin_bit_cast(canonical_t<D>, dist);
}

}  // namespace detail

/// The index of D in the catalogue; -1 for a user-defined distribution.
template <class D> inline constexpr int catalogue_index = detail::index_in<detail::canonical_t<D>>(catalogue{});

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
