// THE list of distributions, by their names alone. Their definitions are in catalogue.hpp.
// Code that needs only the order of the distributions includes this file, and is not compiled again when a distribution
// changes.
#pragma once

#include "../core/integer.hpp"
#include "../core/type_list.hpp"
#include "../float16.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class T> struct bits;                  // #include <rng/distributions/bits.hpp>
template <class T> struct uniform;               // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_open;          // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_open_closed;   // #include <rng/distributions/uniform.hpp>
template <class T> struct uniform_dense;         // #include <rng/distributions/uniform_dense.hpp>
template <class T> struct normal;                // #include <rng/distributions/normal.hpp>
template <class T> struct normal_icdf;           // #include <rng/distributions/normal_icdf.hpp>
template <class T> struct complex_normal;        // #include <rng/distributions/complex_normal.hpp>
template <class T> struct unit_vector2;          // #include <rng/distributions/unit_vector.hpp>
template <class T> struct unit_vector3;          // #include <rng/distributions/unit_vector.hpp>
template <class T> struct unit_vector4;          // #include <rng/distributions/unit_vector.hpp>
template <class T> struct exponential;           // #include <rng/distributions/exponential.hpp>
template <class T> struct lognormal;             // #include <rng/distributions/lognormal.hpp>
template <class T> struct half_normal;           // #include <rng/distributions/half_normal.hpp>
template <class T> struct laplace;               // #include <rng/distributions/laplace.hpp>
template <class T> struct logistic;              // #include <rng/distributions/logistic.hpp>
template <class T> struct gumbel;                // #include <rng/distributions/gumbel.hpp>
template <class T> struct weibull;               // #include <rng/distributions/weibull.hpp>
template <class T> struct frechet;               // #include <rng/distributions/frechet.hpp>
template <class T> struct pareto;                // #include <rng/distributions/pareto.hpp>
template <class T> struct lomax;                 // #include <rng/distributions/lomax.hpp>
template <class T> struct power;                 // #include <rng/distributions/power.hpp>
template <class T> struct kumaraswamy;           // #include <rng/distributions/kumaraswamy.hpp>
template <class T> struct rayleigh;              // #include <rng/distributions/rayleigh.hpp>
template <class T> struct maxwell;               // #include <rng/distributions/maxwell.hpp>
template <class T> struct double_sided_maxwell;  // #include <rng/distributions/double_sided_maxwell.hpp>
template <class T> struct triangular;            // #include <rng/distributions/triangular.hpp>
template <class T> struct cauchy;                // #include <rng/distributions/cauchy.hpp>
template <class T> struct half_cauchy;           // #include <rng/distributions/half_cauchy.hpp>
template <class T> struct student_t;             // #include <rng/distributions/student_t.hpp>
template <class T> struct inverse_gaussian;      // #include <rng/distributions/inverse_gaussian.hpp>
template <class T> struct gamma;                 // #include <rng/distributions/gamma.hpp>
template <class T> struct log_gamma;             // #include <rng/distributions/log_gamma.hpp>
template <class T> struct inverse_gamma;         // #include <rng/distributions/inverse_gamma.hpp>
template <class T> struct chi_squared;           // #include <rng/distributions/chi_squared.hpp>
template <class T> struct chi;                   // #include <rng/distributions/chi.hpp>
template <class T> struct beta;                  // #include <rng/distributions/beta.hpp>
template <class T> struct beta_prime;            // #include <rng/distributions/beta_prime.hpp>
template <class T> struct fisher_f;              // #include <rng/distributions/fisher_f.hpp>
template <class T> struct generalized_normal;    // #include <rng/distributions/generalized_normal.hpp>
template <class T> struct truncated_normal;      // #include <rng/distributions/truncated_normal.hpp>
template <class T> struct von_mises;             // #include <rng/distributions/von_mises.hpp>
template <class T> struct uniform_int;           // #include <rng/distributions/uniform_int.hpp>
struct bernoulli;                                // #include <rng/distributions/bernoulli.hpp>
template <class T> struct poisson;               // #include <rng/distributions/poisson.hpp>
template <class T> struct binomial;              // #include <rng/distributions/binomial.hpp>
template <class T> struct geometric;             // #include <rng/distributions/geometric.hpp>
template <class T> struct hypergeometric;        // #include <rng/distributions/hypergeometric.hpp>
template <class T> struct negative_binomial;     // #include <rng/distributions/negative_binomial.hpp>
template <class T> struct zipf;                  // #include <rng/distributions/zipf.hpp>
template <class T> struct log_series;            // #include <rng/distributions/log_series.hpp>
struct rademacher;                               // #include <rng/distributions/rademacher.hpp>

template <class T> struct noncentral_chi_squared;  // #include <rng/distributions/noncentral_chi_squared.hpp>
template <class T> struct noncentral_f;            // #include <rng/distributions/noncentral_f.hpp>

template <class T> struct complex;  // what complex_normal makes
template <class T> struct vec2;     // what unit_vector2 makes; vec3 and vec4 likewise
template <class T> struct vec3;
template <class T> struct vec4;

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
                            unit_vector2<float>, unit_vector2<double>,                    //
                            unit_vector3<float>, unit_vector3<double>,                    //
                            unit_vector4<float>, unit_vector4<double>,                    //
                            exponential<float>, exponential<double>,                      //
                            lognormal<float>, lognormal<double>,                          //
                            half_normal<float>, half_normal<double>,                      //
                            half_normal<float16>, half_normal<bfloat16>,                  //
                            laplace<float>, laplace<double>,                              //
                            laplace<float16>, laplace<bfloat16>,                          //
                            logistic<float>, logistic<double>,                            //
                            logistic<float16>, logistic<bfloat16>,                        //
                            gumbel<float>, gumbel<double>,                                //
                            gumbel<float16>, gumbel<bfloat16>,                            //
                            weibull<float>, weibull<double>,                              //
                            frechet<float>, frechet<double>,                              //
                            pareto<float>, pareto<double>,                                //
                            lomax<float>, lomax<double>,                                  //
                            power<float>, power<double>,                                  //
                            kumaraswamy<float>, kumaraswamy<double>,                      //
                            rayleigh<float>, rayleigh<double>,                            //
                            rayleigh<float16>, rayleigh<bfloat16>,                        //
                            maxwell<float>, maxwell<double>,                              //
                            double_sided_maxwell<float>, double_sided_maxwell<double>,    //
                            triangular<float>, triangular<double>,                        //
                            triangular<float16>, triangular<bfloat16>,                    //
                            cauchy<float>, cauchy<double>,                                //
                            half_cauchy<float>, half_cauchy<double>,                      //
                            student_t<float>, student_t<double>,                          //
                            inverse_gaussian<float>, inverse_gaussian<double>,            //
                            gamma<float>, gamma<double>,                                  //
                            log_gamma<float>, log_gamma<double>,                          //
                            inverse_gamma<float>, inverse_gamma<double>,                  //
                            chi_squared<float>, chi_squared<double>,                      //
                            chi<float>, chi<double>,                                      //
                            beta<float>, beta<double>,                                    //
                            beta<float16>, beta<bfloat16>,                                //
                            beta_prime<float>, beta_prime<double>,                        //
                            fisher_f<float>, fisher_f<double>,                            //
                            generalized_normal<float>, generalized_normal<double>,        //
                            truncated_normal<float>, truncated_normal<double>,            //
                            truncated_normal<float16>, truncated_normal<bfloat16>,        //
                            von_mises<float>, von_mises<double>,                          //
                            von_mises<float16>, von_mises<bfloat16>,                      //
                            noncentral_chi_squared<float>,                                //
                            noncentral_chi_squared<double>,                               //
                            noncentral_f<float>, noncentral_f<double>,                    //
                            uniform_int<int32_t>, uniform_int<int64_t>,                   //
                            uniform_int<uint32_t>, uniform_int<uint64_t>,                 //
                            uniform_int<int16_t>, uniform_int<uint16_t>,                  //
                            uniform_int<int8_t>, uniform_int<uint8_t>,                    //
                            bernoulli,                                                    //
                            poisson<int32_t>, poisson<int64_t>,                           //
                            binomial<int32_t>, binomial<int64_t>,                         //
                            geometric<int32_t>, geometric<int64_t>,                       //
                            hypergeometric<int32_t>, hypergeometric<int64_t>,             //
                            negative_binomial<int32_t>, negative_binomial<int64_t>,       //
                            zipf<int32_t>, zipf<int64_t>,                                 //
                            log_series<int32_t>, log_series<int64_t>,                     //
                            rademacher>;

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
