// Elementary functions of numbers over any lane, for f32 and f64: ln, log1p, exp, expm1, log1m_exp, atan_of_ratio,
// floor_to_integer (f64 only).
//
// The functions of words (math_f32.hpp, math_f64.hpp) come first in a map; these work on their results.
// The coefficients are minimax fits made for this project; docs/contract.md lists them and the operations in order.
// Largest errors over every f32 number: ln 1.53 ulp, log1p 1.77, exp 1.04, expm1 1.55, log1m_exp 2.17. Seen in f64
// (1.5e6 numbers): ln 1.6 ulp, log1p 1.8, exp 1.1, expm1 1.9, log1m_exp 2.1. atan_of_ratio 1.8 (4e5 quotients).
// Oracle: exp(1) = 2.7182818.
#pragma once

#include "math_f32.hpp"
#include "math_f64.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

/// The lane's register of numbers of type T: f32<L> or f64<L>.
template <class L, class T> struct RealOf { using type = f32<L>; };
template <class L> struct RealOf<L, double> { using type = f64<L>; };
template <class L, class T> using real_t = typename RealOf<L, T>::type;

/// The numbers between which exp() takes its argument: exp() of the ends is normal and finite.
template <class T> inline constexpr T exp_least = T(-708.39);
template <class T> inline constexpr T exp_greatest = T(709.78);
template <> inline constexpr float exp_least<float> = -87.33f;
template <> inline constexpr float exp_greatest<float> = 88.72f;

namespace detail {

/// The constants of the functions for f32<L> and f64<L>.
template <class F> struct Constants;
template <class L> struct Constants<f32<L>> {
    using U = u32<L>;
    static constexpr int fraction_bits = 23;
    static constexpr uint32_t one = 0x3f800000u, root_half = 0x3f3504f3u, exponent = 0xff800000u;
    static constexpr float ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f, log2_e = 0x1.715476p+0f;
    static constexpr float shifter = 0x1.8p23f;  // adding it to a small number leaves an integer in the low bits
    static constexpr float third = 0x1.555556p-2f, half_pi = 0x1.921fb6p+0f, least_square = 0x1p-40f;
};
template <class L> struct Constants<f64<L>> {
    using U = u64<L>;
    static constexpr int fraction_bits = 52;
    static constexpr uint64_t one = 0x3ff0000000000000u, root_half = 0x3fe6a09e667f3bcdu,
                              exponent = 0xfff0000000000000u;
    static constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56,
                            log2_e = 0x1.71547652b82fep+0;
    static constexpr double shifter = 0x1.8p52;
    static constexpr double third = 0x1.5555555555555p-2, half_pi = 0x1.921fb54442d18p+0, least_square = 0x1p-200;
};

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
template <class L> RNG_FN f32<L> exp_polynomial(f32<L> r) {
    using F = f32<L>;
    return horner(r, F(0x1.fffffep-2f), F(0x1.5554b0p-3f), F(0x1.555716p-5f), F(0x1.12278ep-7f), F(0x1.6b7334p-10f));
}
template <class L> RNG_FN f64<L> exp_polynomial(f64<L> r) {
    using F = f64<L>;
    return horner(r, F(0x1.0000000000000p-1), F(0x1.5555555555559p-3), F(0x1.555555555554dp-5), F(0x1.111111110f65ap-7),
                  F(0x1.6c16c16c1aaf7p-10), F(0x1.a01a01afffe71p-13), F(0x1.a01a018e10e94p-16),
                  F(0x1.71ddf81bab092p-19), F(0x1.27e5133a9ba33p-22), F(0x1.af5f12249e710p-26),
                  F(0x1.1f1a292963ac9p-29));
}
/// (f - f^2 / 2 + f^3 / 3 - ln(1 + f)) / f^4 for f in [sqrt(1/2) - 1, sqrt(2) - 1], to 2^-20 and 2^-44.
template <class L> RNG_FN f32<L> log_remainder_polynomial(f32<L> f) {
    using F = f32<L>;
    return horner(f, F(0x1.fffffcp-3f), F(-0x1.999b1p-3f), F(0x1.555aecp-3f), F(-0x1.241968p-3f), F(0x1.fd31ccp-4f),
                  F(-0x1.d98aa2p-4f), F(0x1.d359a8p-4f), F(-0x1.281596p-4f));
}
template <class L> RNG_FN f64<L> log_remainder_polynomial(f64<L> f) {
    using F = f64<L>;
    return horner(f, F(0x1.fffffffffffa9p-3), F(-0x1.999999999d6ecp-3), F(0x1.5555555572b95p-3),
                  F(-0x1.2492491ec4f53p-3), F(0x1.ffffffc6faff4p-4), F(-0x1.c71c76c6d35f2p-4), F(0x1.9999af876c284p-4),
                  F(-0x1.745c2b2d841bfp-4), F(0x1.55512b6574763p-4), F(-0x1.3b28a3425514cp-4), F(0x1.24fe9b696089bp-4),
                  F(-0x1.103edeb63edddp-4), F(0x1.f42f37330ce07p-5), F(-0x1.e36c3e7c66f9ap-5), F(0x1.0b931686fbb8ap-4),
                  F(-0x1.0282aeb4e28c6p-4), F(0x1.f263f0191c350p-6));
}

/// (atan(x) / x - 1) / x^2 of s = x^2, for x in [0, 1].
template <class L> RNG_FN f32<L> atan_polynomial(f32<L> s) {
    using F = f32<L>;
    return horner(s, F(-0x1.555534p-2f), F(0x1.999082p-3f), F(-0x1.24159ap-3f), F(0x1.c02f78p-4f), F(-0x1.572266p-4f),
                  F(0x1.d7771cp-5f), F(-0x1.f8b314p-6f), F(0x1.5f7f52p-7f), F(-0x1.cbc6d6p-10f));
}
template <class L> RNG_FN f64<L> atan_polynomial(f64<L> s) {
    using F = f64<L>;
    return horner(s, F(-0x1.555555555550dp-2), F(0x1.99999999944c3p-3), F(-0x1.249249235485bp-3),
                  F(0x1.c71c7178190eep-4), F(-0x1.745d113ce1c13p-4), F(0x1.3b13621f9166cp-4), F(-0x1.110e30a82f2b8p-4),
                  F(0x1.e1ba4852f2d31p-5), F(-0x1.ae58da23b9f87p-5), F(0x1.82c92c45cfa2ap-5), F(-0x1.59788570f7e8ap-5),
                  F(0x1.2bda973ce9fc0p-5), F(-0x1.e8fd374eb2336p-6), F(0x1.671380e91fccbp-6), F(-0x1.c5755ef75f215p-7),
                  F(0x1.d4d92e6e956ffp-8), F(-0x1.775bbdccb0792p-9), F(0x1.b00bd7ac57466p-11),
                  F(-0x1.3be4c2e60bacap-13), F(0x1.b6bd378e61c00p-17));
}
template <class L> RNG_FN f32<L> exponent_of(u32<L> offset) { return signed_to_f32(sar<23>(offset)); }

/// x = 2^e (1 + f) for a positive normal x, with 1 + f in [sqrt(1/2), sqrt(2)), without error.
template <class F> struct Split {
    F e, f;
    typename Constants<F>::U exponent;  // e, at the place of the exponent in a number's bits
};
template <class F> RNG_FN Split<F> split(F x) {
    using C = Constants<F>;
    using U = typename C::U;
    const U offset = bits(x) - U(C::root_half), exponent = offset & U(C::exponent);
    const F one_and_f = from_bits(bits(x) - exponent);
    return {exponent_of(offset), sub(one_and_f, from_bits(U(C::one))), exponent};
}

/// e ln(2) + ln(1 + f + low), for a low that is small beside 1.
template <class F, Factor Low> RNG_FN F log_of_split(F e, F f, Low low) {
    using C = Constants<F>;
    const F tail = fma(mul(f, f), log_polynomial(f), fma(e, F(C::ln2_low), low));
    return add(fma(e, F(C::ln2_high), f), tail);
}

/// exp(x) = 2^n (1 + p); `power` is the bits of 2^n minus those of 1.
template <class F> struct ExpSplit {
    F p;
    typename Constants<F>::U power;
};
template <class F> RNG_FN ExpSplit<F> exp_split(F x) {
    using C = Constants<F>;
    const F shifted = fma(x, F(C::log2_e), F(C::shifter));
    const F n = sub(shifted, F(C::shifter));
    const F r = fma(n, F(-C::ln2_low), fma(n, F(-C::ln2_high), x));
    return {fma(mul(r, exp_polynomial(r)), r, r), shl<C::fraction_bits>(bits(shifted))};
}

}  // namespace detail

/// The greatest integer up to x, for |x| < 2^51.
template <class L> RNG_FN f64<L> floor(f64<L> x) {
    using F = f64<L>;
    using C = detail::Constants<F>;
    const F nearest = sub(add(x, F(C::shifter)), F(C::shifter));
    return select(lanes_below(x, nearest), sub(nearest, F(1.0)), nearest);
}
/// An integer as a word in two's complement, for |n| < 2^51.
template <class L> RNG_FN u64<L> to_integer(f64<L> n) {
    using F = f64<L>;
    using C = detail::Constants<F>;
    return bits(add(n, F(C::shifter))) - bits(F(C::shifter));
}
/// to_integer(floor(x)): the greatest integer up to x, in two's complement, for |x| < 2^51.
template <class L> RNG_FN u64<L> floor_to_integer(f64<L> x) {
#if !RNG_DEVICE_PASS
    if constexpr (!requires { L::bytes; }) {  // one value: no branch, and one sum less in the chain
        using F = f64<L>;
        const F shifter(detail::Constants<F>::shifter), shifted = add(x, shifter);
        const bool is_above = any(lanes_below(x, sub(shifted, shifter)));
        return bits(shifted) - bits(shifter) - u64<L>(uint64_t{is_above});
    }
#endif
    return to_integer(floor(x));
}

/// ln(x) for a positive normal x.
template <template <class> class Real, class L> RNG_FN Real<L> ln(Real<L> x) {
    const auto parts = detail::split(x);
    return detail::log_of_split(parts.e, parts.f, Real<L>(0));
}

/// ln(1 + x) for x in (-1, 1], where 1 + x is not 0.
template <template <class> class Real, class L> RNG_FN Real<L> log1p(Real<L> x) {
    using F = Real<L>;
    using C = detail::Constants<F>;
    using U = typename C::U;
    const F one(1), t = add(one, x);
    const F low = sub(x, sub(t, one));  // 1 + x = t + low without error
    const auto parts = detail::split(t);
    return detail::log_of_split(parts.e, parts.f, mul(low, from_bits(U(C::one) - parts.exponent)));
}

/// ln(1 + y) - y + y^2 / 2 - y^3 / 3 for y > -1, without cancellation near 0; `t` is 1 + y, rounded. A square below
/// 2^-40 (f32) or 2^-200 counts as that number, so that no power of y is subnormal.
template <template <class> class Real, class L> RNG_FN Real<L> log1p_remainder(Real<L> y, Real<L> t) {
    using F = Real<L>;
    using C = detail::Constants<F>;
    using U = typename C::U;
    const auto [e, f, exponent] = detail::split(t);
    const auto is_near = lanes_below(exponent, U(1));  // e = 0: then y has digits that f has lost
    const F z = select(is_near, y, f);
    const F square = select_greater(fma(z, z, F(0)), F(C::least_square));
    const auto first_terms = [](F x) { return fma(mul(x, x), fma(x, F(C::third), F(-0.5f)), x); };
    const F far = fma(e, F(C::ln2_high), sub(first_terms(f), first_terms(y)));
    return fnma(mul(square, square), detail::log_remainder_polynomial(z), select(is_near, F(0), far));
}

/// atan(n / d) for n, d >= 0 whose ratio is in [2^-60, 2^60] (f32) or [2^-500, 2^500].
template <template <class> class Real, class L> RNG_FN Real<L> atan_of_ratio(Real<L> n, Real<L> d) {
    using F = Real<L>;
    using C = detail::Constants<F>;
    const F r = div(select_less(n, d), select_greater(n, d));
    const F square = select_greater(fma(r, r, F(0)), F(C::least_square));
    const F near = fma(r, mul(square, detail::atan_polynomial(square)), r);
    return select(lanes_below(d, n), sub(F(C::half_pi), near), near);
}

/// exp(x) for x in [-87.33, 88.72] (f32) or [-708.39, 709.78] (f64).
template <template <class> class Real, class L> RNG_FN Real<L> exp(Real<L> x) {
    const auto parts = detail::exp_split(x);
    return from_bits(bits(add(parts.p, Real<L>(1))) + parts.power);
}

/// exp(x) - 1 for x in [-87.33, 88] (f32) or [-708.39, 709] (f64).
template <template <class> class Real, class L> RNG_FN Real<L> expm1(Real<L> x) {
    using F = Real<L>;
    using C = detail::Constants<F>;
    const auto parts = detail::exp_split(x);
    const F scale = from_bits(typename C::U(C::one) + parts.power);
    return fma(scale, parts.p, sub(scale, F(1)));
}

/// ln(1 - exp(x)) for x in [-87.33, 0) (f32) or [-708.39, 0) (f64), by the form that loses no digits: Maechler,
/// "Accurately computing log(1 - exp(-|a|))", 2012.
template <template <class> class Real, class L> RNG_FN Real<L> log1m_exp(Real<L> x) {
    using F = Real<L>;
    using C = detail::Constants<F>;
    using U = typename C::U;
    const F one(1);
    const auto parts = detail::exp_split(x);
    const F power = from_bits(U(C::one) + parts.power);
    const F by_expm1 = fnma(power, parts.p, sub(one, power));
    const F exp_x = fma(power, parts.p, power), rounded = sub(one, exp_x);
    const F rest = sub(sub(one, rounded), exp_x);  // rounded + rest = 1 - exp(x) without error
    const auto is_small = lanes_below(F(-0.6931472f), x);
    const auto split = detail::split(select(is_small, by_expm1, rounded));
    const auto low = mul(select(is_small, F(0), rest), from_bits(U(C::one) - split.exponent));
    return detail::log_of_split(split.e, split.f, low);
}

/// ln k! - (k + 1/2) ln k + k - ln(2 pi) / 2 of r = 1 / k, for k >= 15: what Stirling's formula leaves.
template <class L> RNG_FN f64<L> stirling_remainder(f64<L> r) {
    using F = f64<L>;
    const F series = horner(mul(r, r), F(0x1.5555555555555p-4), F(-0x1.6c16c16c16c17p-9), F(0x1.a01a01a01a01ap-11),
                            F(-0x1.3813813813814p-11), F(0x1.b951e2b18ff23p-11), F(-0x1.f6ab0d9993c7dp-10));
    return fma(r, series, F(0.0));
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
