// The parts from which the sources of each instruction set make a kernel table.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include "count_lanes.hpp"
#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// True if the chain of dependent operations of D's map is so long that it takes four registers to overlap. Two are
/// enough for the others. More registers than that only spill: measured on a Skylake-SP Xeon and on Zen 4.
template <class D> inline constexpr bool has_long_chain = false;
template <> inline constexpr bool has_long_chain<normal<double>> = true;
template <> inline constexpr bool has_long_chain<complex_normal<double>> = true;
template <> inline constexpr bool has_long_chain<exponential<double>> = true;
template <class T> inline constexpr bool has_long_chain<normal_icdf<T>> = true;
template <class T> inline constexpr bool has_long_chain<lognormal<T>> = true;
template <class T> inline constexpr bool has_long_chain<logistic<T>> = true;
template <class T> inline constexpr bool has_long_chain<gumbel<T>> = true;
template <class T> inline constexpr bool has_long_chain<weibull<T>> = true;
template <class T> inline constexpr bool has_long_chain<frechet<T>> = true;
template <class T> inline constexpr bool has_long_chain<pareto<T>> = true;
template <class T> inline constexpr bool has_long_chain<lomax<T>> = true;
template <class T> inline constexpr bool has_long_chain<power<T>> = true;
template <class T> inline constexpr bool has_long_chain<kumaraswamy<T>> = true;
template <class T> inline constexpr bool has_long_chain<maxwell<T>> = true;
template <class T> inline constexpr bool has_long_chain<double_sided_maxwell<T>> = true;
template <class T> inline constexpr bool has_long_chain<student_t<T>> = true;
template <class T> inline constexpr bool has_long_chain<inverse_gaussian<T>> = true;
template <class T> inline constexpr bool has_long_chain<half_normal<T>> = true;
template <class T> inline constexpr bool has_long_chain<laplace<T>> = true;
template <class T> inline constexpr bool has_long_chain<gamma<T>> = true;
template <class T> inline constexpr bool has_long_chain<log_gamma<T>> = true;
template <class T> inline constexpr bool has_long_chain<inverse_gamma<T>> = true;
template <class T> inline constexpr bool has_long_chain<chi_squared<T>> = true;
template <class T> inline constexpr bool has_long_chain<chi<T>> = true;
template <class T> inline constexpr bool has_long_chain<beta<T>> = true;
template <class T> inline constexpr bool has_long_chain<beta_prime<T>> = true;
template <class T> inline constexpr bool has_long_chain<fisher_f<T>> = true;
template <class T> inline constexpr bool has_long_chain<generalized_normal<T>> = true;
template <class T> inline constexpr bool has_long_chain<truncated_normal<T>> = true;
template <class T> inline constexpr bool has_long_chain<von_mises<T>> = true;
template <class T> inline constexpr bool has_long_chain<noncentral_chi_squared<T>> = true;
template <class T> inline constexpr bool has_long_chain<noncentral_f<T>> = true;
template <class T> inline constexpr bool has_long_chain<unit_vector3<T>> = true;
template <> inline constexpr bool has_long_chain<uniform_int<int32_t>> = true;
template <> inline constexpr bool has_long_chain<uniform_int<uint32_t>> = true;

/// D's map over registers of lane L: four or two of them side by side, and one for the rest.
template <class D, class L> constexpr rng_abi::MapFunctions vector_functions() {
    using Two = Unrolled2<L>;
    if constexpr (has_long_chain<D>)
        return lane::map_functions<D, L, Unrolled2<Two>, Two>();
    else if constexpr (is_mixture<D>)
        return mixture_functions<D, L>();
    else
        return lane::map_functions<D, L, Two>();
}

/// The maps of the whole catalogue over lane L. Each object has a table of its own: a long one would be a symbol that
/// the linker shares between objects.
namespace {
template <class L, class Catalogue> struct MapTable;
template <class L, class... D> struct MapTable<L, type_list<D...>> {
    static constexpr rng_abi::MapFunctions functions[] = {vector_functions<D, L>()...};
};
template <class... D> struct MapTable<lane::Scalar, type_list<D...>> {
    static constexpr rng_abi::MapFunctions functions[] = {lane::map_functions<D, lane::Scalar>()...};
};

}  // namespace

}  // namespace wide
RNG_END_NAMESPACE
