// The length of a vector of three standard normals, of two words: what two distributions are made of.
#pragma once

#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// sqrt(2 E + Z^2) for an exponential E of the first word and a normal Z of the second.
template <class W> RNG_FN auto maxwell_length(W first, W second) {
    const auto e = lane::neglog(first), z = lane::normal_quantile(second);
    return lane::sqrt(lane::fma(z, z, lane::add(e, e)));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
