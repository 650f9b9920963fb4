// The maps of the catalogue on an instruction set.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include "count_lanes.hpp"
#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// True if D's map has is_long: its chain of dependent operations needs four registers to overlap. Two are enough for
/// other maps. More registers only spill: measured on a Skylake-SP Xeon and on Zen 4.
template <class D>
inline constexpr bool has_long_chain = [] {
    if constexpr (requires { decltype(D{}.map())::is_long; })
        return decltype(D{}.map())::is_long;
    else
        return false;
}();

/// D's map over registers of lane L: one of them and, for long runs, four or two side by side.
template <class D, class L> constexpr rng_abi::MapFunctions vector_functions() {
    using Two = Unrolled2<L>;
    if constexpr (detail::is_same<L, lane::Scalar>)
        return lane::map_functions<D, L>();
    else if constexpr (has_long_chain<D>)
        return lane::map_functions<D, L, Unrolled2<Two>>();
    else if constexpr (is_mixture<D>)
        return mixture_functions<D, L>();
    else
        return lane::map_functions<D, L, Two>();
}

// The maps of the whole catalogue over lane L are compiled in shares, each a source. CMake generates these sources from
// isa_maps.cpp.in.

/// The index of the first distribution with this kernel. It compares types: addresses are not constants for g++ with
/// -fsanitize=undefined. The builtin instantiates nothing.
template <class Kernel, class... D> constexpr int first_with(type_list<D...>) {
    int index = 0;
    (void)((__is_same(Kernel, lane::kernel_of<D>) || (++index, false)) || ...);
    return index;
}
/// Which of `shares` compiles the kernels of a distribution: the same one for those of one kernel.
template <class D> constexpr int share_of(int shares) { return first_with<lane::kernel_of<D>>(catalogue{}) % shares; }

/// The functions by index in the catalogue. Those of other shares are empty.
struct MapList {
    rng_abi::MapFunctions functions[catalogue::size];
};
template <class L, int Share> struct MapShare {
    static const MapList kernels;  // each in its source, generated from isa_maps.cpp.in
};
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

template <class D, class L, int Share, int Shares> constexpr rng_abi::MapFunctions functions_in_share() {
    if constexpr (share_of<D>(Shares) == Share)
        return vector_functions<D, L>();
    else
        return {};
}
template <class L, int Share, int Shares, class... D> constexpr MapList list_of_share(type_list<D...>) {
    return {{functions_in_share<D, L, Share, Shares>()...}};
}
template <class L, int Shares, class... D> constexpr detail::MapPointers pointers_to_maps(type_list<D...>) {
    return {{MapShare<L, share_of<D>(Shares)>::kernels.functions + catalogue_index<D>...}};
}

}  // namespace wide
RNG_END_NAMESPACE
