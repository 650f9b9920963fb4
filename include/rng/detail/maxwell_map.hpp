// The map of maxwell and double_sided_maxwell: the length of a vector of three standard normals, from two words.
#pragma once

#include "../core/standard.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// loc + scale sqrt(2 E + Z^2), for an exponential E of the first word and a normal Z of the second, whose top bit
/// gives the sign of the root if `signs` is set.
template <class T> struct MaxwellMap {
    static constexpr bool is_long = true;
    T loc, scale;
    std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> signs;  // all ones, or 0: the root is positive

    template <class W> RNG_FN auto operator()(W first, W second) const {
        const auto e = lane::neglog(first), z = lane::normal_quantile(second);
        using F = decltype(lane::neglog(first));
        const F length = lane::sqrt(lane::fma(z, z, lane::add(e, e)));
        const W sign = ~second & W(signs);
        return lane::fma(F(scale), lane::flip_sign(length, sign), F(loc));
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
