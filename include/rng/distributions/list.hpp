// THE list of distributions, by their names alone. Their definitions are in catalogue.hpp.
// Code that needs only the order of the distributions includes this file, and is not compiled again when a distribution
// changes.
#pragma once

#include "../core/integer.hpp"
#include "../core/type_list.hpp"
#include "../float16.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class T> struct bits;                 // #include <rng/distributions/bits.hpp>
template <class T> struct uniform;              // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_open;         // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_open_closed;  // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_dense;        // #include <rng/distributions/uniform_dense.hpp>
template <class T> struct normal;               // #include <rng/distributions/normal.hpp>
template <class T> struct normal_icdf;          // #include <rng/distributions/normal_icdf.hpp>
template <class T> struct complex_normal;       // #include <rng/distributions/complex_normal.hpp>
template <class T> struct exponential;          // #include <rng/distributions/exponential.hpp>
template <class T> struct uniform_int;          // #include <rng/distributions/uniform_int.hpp>
struct bernoulli;                               // #include <rng/distributions/bernoulli.hpp>

template <class T> struct complex;  // what complex_normal makes

using catalogue = type_list<bits<uint32_t>, bits<uint64_t>,                               //
                            uniform<float>, uniform<double>,                              //
                            uniform<float16>, uniform<bfloat16>,                          //
                            uniform_open<float>, uniform_open<double>,                    //
                            uniform_open<float16>, uniform_open<bfloat16>,                //
                            uniform_open_closed<float>, uniform_open_closed<double>,      //
                            uniform_open_closed<float16>, uniform_open_closed<bfloat16>,  //
                            uniform_dense<float>, uniform_dense<double>,                  //
                            normal<float>, normal<double>,                                //
                            normal<float16>, normal<bfloat16>,                            //
                            normal_icdf<float>, normal_icdf<double>,                      //
                            complex_normal<float>, complex_normal<double>,                //
                            exponential<float>, exponential<double>,                      //
                            uniform_int<int32_t>, uniform_int<int64_t>,                   //
                            uniform_int<uint32_t>, uniform_int<uint64_t>,                 //
                            uniform_int<int16_t>, uniform_int<uint16_t>,                  //
                            uniform_int<int8_t>, uniform_int<uint8_t>,                    //
                            bernoulli>;

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

/// The index of D in the catalogue; -1 for a user's own distribution.
template <class D> inline constexpr int catalogue_index = detail::index_in<detail::canonical_t<D>>(catalogue{});

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
