// Elementary functions of words for f32 maps over any lane: the logarithm of a word's midpoint and of its odds, and the
// sine, cosine and tangent of its angle. functions.hpp has those of numbers.
//
// The functions take integer words, so that the reduction is exact. They use only fma, mul, add, integer operations and
// correctly rounded division. The coefficients are minimax fits made for this project; docs/contract.md lists them and
// the operations in order.
// Largest errors (over all 2^32 words): neglog 1.25 ulp, sine and cosine 1.15 ulp, logit 3.29 ulp, tangent 2.59 ulp.
// Oracle: neglog(0) = -ln(2^-33) = 22.8738.
#pragma once

#include "lane.hpp"
#include "word_parts.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {

/// (ln(1 + f) - f) / f^2 for f in [sqrt(1/2) - 1, sqrt(2) - 1].
template <class L> RNG_FN f32<L> log_polynomial(f32<L> f) {
    using F = f32<L>;
    return horner(f, F(-0x1.fffff8p-2f), F(0x1.555608p-2f), F(-0x1.0004f8p-2f), F(0x1.994844p-3f), F(-0x1.53ad4cp-3f),
                  F(0x1.290438p-3f), F(-0x1.19e3e8p-3f), F(0x1.c6a6dcp-4f), F(-0x1.55403ap-5f));
}
/// (ln(1 + f) - f) / f^2 for f in [-0.334, 0.5].
template <class L> RNG_FN f32<L> wide_log_polynomial(f32<L> f) {
    using F = f32<L>;
    return horner(f, F(-0x1.fffffep-2f), F(0x1.55551cp-2f), F(-0x1.0000e6p-2f), F(0x1.99bab2p-3f), F(-0x1.553658p-3f),
                  F(0x1.218b5ep-3f), F(-0x1.fd11a2p-4f), F(0x1.fd4e12p-4f), F(-0x1.e80c28p-4f), F(0x1.eecd9ep-5f));
}

/// w + 1/2 in two parts without error: high is a multiple of 2^16.
template <class L> struct Midpoint { f32<L> high, low; };
template <class L> RNG_FN Midpoint<L> midpoint(u32<L> w) {
    using F = f32<L>;
    using U = u32<L>;
    // Halves of w are put into the last places of 2^23 and of 2^39.
    const F high = sub(from_bits(U(0x53000000u) | shr<16>(w)), F(0x1p39f));
#if defined(__CUDA_ARCH__)
    return {high, add(low_bits_to_f32<16>(w), F(0.5f))};
#else
    return {high, sub(from_bits(U(0x4b000000u) | (w & U(0xffffu))), F(0x1p23f - 0.5f))};
#endif
}

/// The cosine (even) and the sine (odd) of 2 pi r / 2^34, for r up to 2^31.
template <class L> RNG_FN Pair<f32<L>> cos_sin_of_offset(u32<L> r) {
    using F = f32<L>;
    using U = u32<L>;
    // Two exact parts: a single rounding of the angle would cost half an ulp of the sine.
#if defined(__CUDA_ARCH__)
    // One integer operation each: kernels are bound by those (docs/decisions/cuda.md).
    const F y_hi = sub(from_bits(U(0x4f000000u) | shr<8>(r)), F(0x1p31f));
    const F y_lo = low_bits_to_f32<8>(r);
#else
    const F y_hi = signed_to_f32(r & U(0x7fffff00u));
    const F y_lo = signed_to_f32(r & U(0xffu));
#endif
    const auto y = mul(add(y_hi, y_lo), F(0x1p-32f));
    const auto t = mul(y, y);
    const F p = horner(t, F(-0x1.a3297p-25f), F(-0x1.4abbbap-1f), F(0x1.465eeap-4f), F(-0x1.2da156p-8f));
    const F half_pi(0x1.921fb6p-32f);  // pi/2 scaled by 2^-32; p holds the rest of pi/2
    const F sine = fma(y_hi, half_pi, fma(y_lo, half_pi, mul(y, p)));
    const F cosine = horner(t, F(1.0f), F(-0x1.3bd3ccp+0f), F(0x1.03c1aep-2f), F(-0x1.55b132p-6f), F(0x1.d46d86p-11f));
    return {cosine, sine};
}

}  // namespace detail

/// -ln((w + 1/2) / 2^Bits) of a word of Bits bits, in (1.1e-10, 22.88).
template <int Bits = 32, class L> RNG_FN f32<L> neglog(u32<L> w) {
    using F = f32<L>;
    using U = u32<L>;
    const auto [hi, lo] = detail::midpoint(w);
    const F rounded = add(hi, lo);  // only its exponent is used
    // Offset so that the mantissa 1.f lies in [sqrt(1/2), sqrt(2)): the exponent e is the floor of the shifted bits.
    const U offset = bits(rounded) - U(0x3f3504f3u);
    const U exponent = offset & U(0xff800000u);            // e 2^23
    const F scale = from_bits(U(0x3f800000u) - exponent);  // 2^-e
    // f + f_low = (w + 1/2) / 2^e - 1 without error.
    const F g = fma(hi, scale, F(-1.0f));
    const F f = fma(lo, scale, g);
    const F f_low = fma(lo, scale, sub(g, f));
#if defined(__CUDA_ARCH__)
    const F turns = fma(upper_half_to_f32(exponent), F(-0x1p-7f), F(float(Bits)));
#else
    const F turns = fma(signed_to_f32(exponent), F(-0x1p-23f), F(float(Bits)));  // Bits - e
#endif
    const F tail = fma(mul(f, f), detail::log_polynomial(f), fma(turns, F(0x1.05c61p-29f), f_low));
    return sub(fms(turns, F(0x1.62e43p-1f), f), tail);
}

/// (w + 1/2) / 2^32, rounded once.
template <class L> RNG_FN f32<L> midpoint_fraction(u32<L> w) {
    const auto [hi, lo] = detail::midpoint(w);
    return fma(add(hi, lo), f32<L>(0x1p-32f), f32<L>(0.0f));
}

/// The quantile of the distribution of density exp(-|x|) / 2 at the midpoint (w + 1/2) / 2^32, |result| < 22.19.
template <class L> RNG_FN f32<L> laplace_quantile(u32<L> w) { return flip_sign(neglog<31>(w ^ sar<31>(w)), ~w); }

/// ln(u / (1 - u)) of the midpoint u = (w + 1/2) / 2^32, |result| < 22.88.
template <class L> RNG_FN f32<L> logit(u32<L> w) {
    using F = f32<L>;
    using U = u32<L>;
    const auto [hi, lo] = detail::midpoint(w ^ sar<31>(w));  // a = hi + lo, from the nearer end
    const F a = add(hi, lo), b = sub(F(0x1p32f), a);
    // 2^e is near a / b: a 2^-e / b lies in (0.66, 1.5), because a float's bits are nearly its logarithm.
    const U offset = bits(a) - bits(b) + U(0x00400000u);
    const U exponent = offset & U(0xff800000u);
    const F scale = from_bits(U(0x3f800000u) - exponent);
    // f = (a 2^-e - b) / b, where b = 2^32 - hi - lo; the sum is exact where it cancels.
    const F difference = add(fma(hi, scale, sub(hi, F(0x1p32f))), fma(lo, scale, lo));
    const F f = div(difference, b);
    const auto e = mul(signed_to_f32(exponent), F(0x1p-23f));
    const F tail = fma(mul(f, f), detail::wide_log_polynomial(f), mul(e, F(-0x1.05c61p-29f)));
    return flip_sign(add(fma(e, F(0x1.62e43p-1f), f), tail), w);
}

/// Magnitudes of the sine (odd) and cosine (even) of 2 pi (w + 1/2) / 2^32; the signs are bit 31 of w and of w + 2^30.
template <class L> RNG_FN Pair<f32<L>> cos_sin_magnitude(u32<L> w) {
    using U = u32<L>;
    // The distance to the nearest quarter turn, in 2^-34 turns.
    const Pair<f32<L>> near = detail::cos_sin_of_offset(abs_signed(shl<2>(w) | U(2u)));
    const U octant = w + U(0x20000000u);
    return {select_bit<30>(octant, near.odd, near.even), select_bit<30>(octant, near.even, near.odd)};
}

/// Two magnitudes whose quotient odd / even is |tan(pi (u - 1/2))|, of the midpoint u = (w + 1/2) / 2^32.
template <class L> RNG_FN Pair<f32<L>> tan_terms_of_half_turn(u32<L> w) {
    using U = u32<L>;
    const Pair<f32<L>> near = detail::cos_sin_of_offset(abs_signed(shl<1>(w) | U(1u)));
    const U octant = w + U(0x40000000u);
    return {select_bit<31>(octant, near.even, near.odd), select_bit<31>(octant, near.odd, near.even)};
}

/// tan(pi (u - 1/2)) of the same midpoint, |result| < 2.74e9. Its sign is that of ~w.
template <class L> RNG_FN f32<L> tan_of_half_turn(u32<L> w) {
    const Pair<f32<L>> terms = tan_terms_of_half_turn(w);
    return flip_sign(div(terms.odd, terms.even), ~w);
}

/// Box-Muller: two standard normals from two words (radius from the first, angle from the second).
/// The sign is applied to each product afterwards, in integers, so that no user's addition can fuse with the product.
template <class L> RNG_FN Pair<f32<L>> box_muller(u32<L> radius_word, u32<L> angle_word) {
    const f32<L> e = neglog(radius_word);
    const f32<L> radius = sqrt_in_range(add(e, e));
    const Pair<f32<L>> trig = cos_sin_magnitude(angle_word);
    return {flip_sign(mul(radius, trig.even), angle_word + u32<L>(0x40000000u)),
            flip_sign(mul(radius, trig.odd), angle_word)};
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
