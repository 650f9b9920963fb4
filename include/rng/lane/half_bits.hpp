// Rounding of a float to 16 bits, in integer arithmetic over any lane: to nearest, ties to even.
#pragma once

#include "lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The bits of binary16 in the lower halves. |x| must be below 65520 and must not be a subnormal float; -0 becomes +0.
template <class L> RNG_FN lane::u32<L> binary16_bits(lane::f32<L> x) {
    using U = lane::u32<L>;
    const U b = lane::bits(x), magnitude = b & U(0x7fffffffu);
    const U normal = lane::shr<13>(magnitude + U(0xfffu) + (lane::shr<13>(magnitude) & U(1u))) - U(112u << 10);
    // Below 2^-14 the last place is 2^-24, the same as for a float in [0.5, 1): the sum rounds there.
    const U tiny = lane::bits(lane::add(lane::from_bits(magnitude), lane::f32<L>(0.5f))) - U(0x3f000000u);
    const U is_tiny = lane::is_below(magnitude, U(0x38800000u));
    const U rounded = normal ^ ((normal ^ tiny) & is_tiny);
    return rounded | (lane::shr<16>(b) & U(0x8000u) & lane::is_below(U(0u), rounded));
}

/// The bits of bfloat16 in the lower halves. |x| must round to a finite number and must not be a subnormal float.
template <class L> RNG_FN lane::u32<L> bfloat16_bits(lane::f32<L> x) {
    using U = lane::u32<L>;
    const U b = lane::bits(x);
    return lane::shr<16>(b + U(0x7fffu) + (lane::shr<16>(b) & U(1u)));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
