// The catalogue: THE list of distributions. Kernels, goldens, tests, the command line and `rng list` iterate it.
#pragma once

#include "bernoulli.hpp"
#include "bits.hpp"
#include "complex_normal.hpp"
#include "exponential.hpp"
#include "normal.hpp"
#include "normal_icdf.hpp"
#include "uniform.hpp"
#include "uniform_dense.hpp"
#include "uniform_int.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

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

/// The place of D in the catalogue, or -1: a user's own distribution.
template <class D> inline constexpr int catalogue_index = detail::index_in<D>(catalogue{});

/// Calls f(type_tag<D>{}) for each distribution of the catalogue, in order.
template <class F> constexpr void for_each_distribution(F&& f) {
    detail::for_each_in(catalogue{}, static_cast<F&&>(f));
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
