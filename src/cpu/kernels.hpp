// The parts from which the sources of each instruction set make a kernel table.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include "kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// The maps of the whole catalogue over lane L.
template <class L, class Catalogue> struct MapTable;
template <class L, class... D> struct MapTable<L, type_list<D...>> {
    static constexpr rng_abi::MapFunctions functions[] = {lane::map_functions<D, L>()...};
};

}  // namespace wide
RNG_END_NAMESPACE
