// The catalogue: THE list of distributions. Kernels, goldens, tests, the command line and `rng list` iterate it.
#pragma once

#include "bits.hpp"
#include "exponential.hpp"
#include "normal.hpp"
#include "uniform.hpp"

RNG_BEGIN_NAMESPACE

template <class... D> struct type_list { static constexpr int size = sizeof...(D); };

template <class D> struct type_tag { using type = D; };

using catalogue = type_list<bits<uint32_t>, bits<uint64_t>,                           //
                            uniform<float>, uniform<double>,                          //
                            uniform_open<float>, uniform_open<double>,                //
                            uniform_open_closed<float>, uniform_open_closed<double>,  //
                            normal<float>, normal<double>,                            //
                            exponential<float>, exponential<double>>;

inline constexpr int catalogue_size = catalogue::size;

namespace detail {

template <class D, class... E> constexpr int index_in(type_list<E...>) {
    int index = 0, found = -1;
    ((found = is_same<D, E> ? index : found, ++index), ...);
    return found;
}

template <class F, class... D> constexpr void for_each_in(type_list<D...>, F&& f) { (f(type_tag<D>{}), ...); }

}  // namespace detail

/// The place of D in the catalogue, or -1: a user's own distribution.
template <class D> inline constexpr int catalogue_index = detail::index_in<D>(catalogue{});

/// Calls f(type_tag<D>{}) for each distribution of the catalogue, in order.
template <class F> constexpr void for_each_distribution(F&& f) {
    detail::for_each_in(catalogue{}, static_cast<F&&>(f));
}

RNG_END_NAMESPACE
