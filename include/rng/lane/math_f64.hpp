// Elementary functions of words for f64 maps over any lane: the counterparts of math_f32.hpp for 64-bit words.
//
// Largest observed errors: neglog 1.18 ulp, sine and cosine 1.14 ulp (6e7 inputs and edges), logit 3.0 ulp, tangent
// 2.3 ulp (2e6 words).
// Oracle: neglog(0) = -ln(2^-65) = 45.0546.
#pragma once

#include "lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {

/// x + offset for an integer x below 2^32 (offset 0 or 1/2). It is exact, and cheap on machines whose 64-bit
/// conversions are slow.
template <class L> RNG_FN f64<L> from_u32_bits(u64<L> x, double offset) {
    return sub(from_bits(x | u64<L>(0x4330000000000000u)), f64<L>(0x1p52 - offset));
}

/// (ln(1 + f) - f) / f^2 for f in [sqrt(1/2) - 1, sqrt(2) - 1].
template <class L> RNG_FN f64<L> log_polynomial(f64<L> f) {
    using F = f64<L>;
    return horner(f, F(-0x1.0000000000000p-1), F(0x1.555555555558bp-2), F(-0x1.0000000000033p-2),
                  F(0x1.999999998f930p-3), F(-0x1.555555554744bp-3), F(0x1.24924929b8794p-3), F(-0x1.0000000992d77p-3),
                  F(0x1.c71c6f345841bp-4), F(-0x1.999993a01260fp-4), F(0x1.745d72db651dbp-4), F(-0x1.555657c073dc1p-4),
                  F(0x1.3b0c4696a1975p-4), F(-0x1.2478c791da5f2p-4), F(0x1.1168042c4bb8ep-4), F(-0x1.0180a0d3a8cc9p-4),
                  F(0x1.de3805064873ep-5), F(-0x1.acf06661691d7p-5), F(0x1.ab9c1cfc65be2p-5), F(-0x1.0657f53319203p-4),
                  F(0x1.037a28780acd3p-4), F(-0x1.d8757f5d85503p-6));
}
/// (ln(1 + f) - f) / f^2 for f in [-0.334, 0.5].
template <class L> RNG_FN f64<L> wide_log_polynomial(f64<L> f) {
    using F = f64<L>;
    return horner(f, F(-0x1.fffffffffffffp-2), F(0x1.5555555555552p-2), F(-0x1.00000000002bdp-2),
                  F(0x1.999999999a72cp-3), F(-0x1.5555555517833p-3), F(0x1.24924923f2df8p-3), F(-0x1.000000131c91ep-3),
                  F(0x1.c71c7236d47d7p-4), F(-0x1.999993556ede4p-4), F(0x1.745d01d730565p-4), F(-0x1.5555eb427b818p-4),
                  F(0x1.3b161eccf5c1dp-4), F(-0x1.248a6c5d2f953p-4), F(0x1.10e613ffdd100p-4), F(-0x1.002f68c9e0abcp-4),
                  F(0x1.e57c131579bdap-5), F(-0x1.c80a525b58602p-5), F(0x1.995f13b457625p-5), F(-0x1.7d31061da356cp-5),
                  F(0x1.be7e5002ab20fp-5), F(-0x1.069a23c6052dcp-4), F(0x1.9130ed4235e70p-5), F(-0x1.0b5488ffb0ee8p-6));
}

/// e of the bits e 2^52 + ..., |e| < 2048, read through the mantissa of 2^52 + e + 2048.
template <class L> RNG_FN f64<L> exponent_of(u64<L> offset) {
    using U = u64<L>;
    const U biased = shr<52>(offset + U(uint64_t{2048} << 52)) | U(0x4330000000000000u);
    return sub(from_bits(biased), f64<L>(0x1p52 + 2048));
}

/// The cosine (even) and the sine (odd) of 2 pi r / 2^66, for r up to 2^63.
template <class L> RNG_FN Pair<f64<L>> cos_sin_of_offset(u64<L> r) {
    using F = f64<L>;
    using U = u64<L>;
    const F y_hi = from_u32_bits(shr<32>(r), 0.0);
    const F y_lo = from_u32_bits(r & U(0xffffffffu), 0.0);
    const auto y = mul(fma(y_hi, F(0x1p32), y_lo), F(0x1p-64));
    const auto t = mul(y, y);
    const F p = horner(t, F(0x1.1a5ee7758e854p-54), F(-0x1.4abbce625be53p-1), F(0x1.466bc6775ab7ep-4),
                       F(-0x1.32d2cce63b446p-8), F(0x1.5078349e27c8fp-13), F(-0x1.e3076fb44d291p-19),
                       F(0x1.e909972d434f0p-25), F(-0x1.7410d23949489p-31));
    const F sine = fma(y_hi, F(0x1.921fb54442d18p-32), fma(y_lo, F(0x1.921fb54442d18p-64), mul(y, p)));
    const F cosine = horner(t, F(1.0), F(-0x1.3bd3cc9be45dep+0), F(0x1.03c1f081b5a0dp-2), F(-0x1.55d3c7e3b0ea0p-6),
                            F(0x1.e1f5064efeea7p-11), F(-0x1.a6d1b15086860p-16), F(0x1.f983b1b623671p-22),
                            F(-0x1.8499574f8ecc9p-28), F(-0x1.74facfa6b0e7cp-31));
    return {cosine, sine};
}

}  // namespace detail

/// -ln((w + 1/2) / 2^Bits) of a word of Bits bits, in (2.7e-20, 45.06).
template <int Bits = 64, class L> RNG_FN f64<L> neglog(u64<L> w) {
    using F = f64<L>;
    using U = u64<L>;
    const F hi32 = detail::from_u32_bits(shr<32>(w), 0.0);
    const F lo = detail::from_u32_bits(w & U(0xffffffffu), 0.5);
    const F rounded = fma(hi32, F(0x1p32), lo);
    const auto hi = mul(hi32, F(0x1p32));
    const U offset = bits(rounded) - U(0x3fe6a09e667f3bcdu);
    const F scale = from_bits(U(0x3ff0000000000000u) - (offset & U(0xfff0000000000000u)));
    const F g = fma(hi, scale, F(-1.0));
    const F f = fma(lo, scale, g);
    const F f_low = fma(lo, scale, sub(g, f));
    // Bits - e, with e biased by 2048 to be positive and read through the mantissa of 2^52 + e.
    const U biased = shr<52>(offset + U(uint64_t{2048} << 52)) | U(0x4330000000000000u);
    const F turns = sub(F(0x1p52 + (2048 + Bits)), from_bits(biased));
    const F tail = fma(mul(f, f), detail::log_polynomial(f), fma(turns, F(-0x1.abc9e3b39803fp-56), f_low));
    return sub(fms(turns, F(0x1.62e42fefa39efp-1), f), tail);
}

/// (w + 1/2) / 2^64, rounded once.
template <class L> RNG_FN f64<L> midpoint_fraction(u64<L> w) {
    using F = f64<L>;
    const F lo = detail::from_u32_bits(w & u64<L>(0xffffffffu), 0.5);
    return fma(detail::from_u32_bits(shr<32>(w), 0.0), F(0x1p-32), mul(lo, F(0x1p-64)));
}

/// The quantile of the distribution of density exp(-|x|) / 2 at the midpoint (w + 1/2) / 2^64, |result| < 44.37.
template <class L> RNG_FN f64<L> laplace_quantile(u64<L> w) {
    return flip_sign(neglog<63>(w ^ (u64<L>(uint64_t{0}) - shr<63>(w))), ~w);
}

/// ln(u / (1 - u)) of the midpoint u = (w + 1/2) / 2^64, |result| < 45.06.
template <class L> RNG_FN f64<L> logit(u64<L> w) {
    using F = f64<L>;
    using U = u64<L>;
    const U m = w ^ (U(uint64_t{0}) - shr<63>(w));
    const F hi32 = detail::from_u32_bits(shr<32>(m), 0.0);
    const F lo = detail::from_u32_bits(m & U(0xffffffffu), 0.5);
    const F a = fma(hi32, F(0x1p32), lo), b = sub(F(0x1p64), a);
    const U offset = bits(a) - bits(b) + U(uint64_t{1} << 51);
    const F scale = from_bits(U(0x3ff0000000000000u) - (offset & U(0xfff0000000000000u)));
    const auto hi = mul(hi32, F(0x1p32));
    const F difference = add(fma(hi, scale, fma(hi32, F(0x1p32), F(-0x1p64))), fma(lo, scale, lo));
    const F f = div(difference, b);
    const F e = detail::exponent_of(offset);
    const F tail = fma(mul(f, f), detail::wide_log_polynomial(f), mul(e, F(0x1.abc9e3b39803fp-56)));
    return flip_sign(add(fma(e, F(0x1.62e42fefa39efp-1), f), tail), w);
}

/// Magnitudes of the sine (odd) and cosine (even) of 2 pi (w + 1/2) / 2^64; the signs are bit 63 of w and of w + 2^62.
template <class L> RNG_FN Pair<f64<L>> cos_sin_magnitude(u64<L> w) {
    using U = u64<L>;
    const Pair<f64<L>> near = detail::cos_sin_of_offset(abs_signed(shl<2>(w) | U(2u)));
    const U octant = w + U(uint64_t{1} << 61);
    return {select_bit<62>(octant, near.odd, near.even), select_bit<62>(octant, near.even, near.odd)};
}

/// Two magnitudes whose quotient odd / even is |tan(pi (u - 1/2))|, of the midpoint u = (w + 1/2) / 2^64.
template <class L> RNG_FN Pair<f64<L>> tan_terms_of_half_turn(u64<L> w) {
    using U = u64<L>;
    const Pair<f64<L>> near = detail::cos_sin_of_offset(abs_signed(shl<1>(w) | U(1u)));
    const U octant = w + U(uint64_t{1} << 62);
    return {select_bit<63>(octant, near.even, near.odd), select_bit<63>(octant, near.odd, near.even)};
}

/// tan(pi (u - 1/2)) of the same midpoint, |result| < 1.18e19. Its sign is that of ~w.
template <class L> RNG_FN f64<L> tan_of_half_turn(u64<L> w) {
    const Pair<f64<L>> terms = tan_terms_of_half_turn(w);
    return flip_sign(div(terms.odd, terms.even), ~w);
}

/// Box-Muller: two standard normals from two 64-bit words.
template <class L> RNG_FN Pair<f64<L>> box_muller(u64<L> radius_word, u64<L> angle_word) {
    const f64<L> e = neglog(radius_word);
    const f64<L> radius = sqrt_in_range(add(e, e));
    const Pair<f64<L>> trig = cos_sin_magnitude(angle_word);
    return {flip_sign(mul(radius, trig.even), angle_word + u64<L>(uint64_t{1} << 62)),
            flip_sign(mul(radius, trig.odd), angle_word)};
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
