// Elementary functions of numbers over any lane, for f32 and f64: ln, log1p, exp, expm1, log1m_exp.
//
// The functions of words (math_f32.hpp, math_f64.hpp) come first in a map; these work on their results.
// The coefficients are minimax fits made for this project; docs/contract.md lists them and the operations in order.
// Largest errors seen (4e6 numbers, f32 and f64): ln 1.6 ulp, log1p 1.8, exp 1.1, expm1 1.9,
// log1m_exp 2.1.
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

/// What the functions need to know of f32<L> and f64<L>.
template <class F> struct Constants;
template <class L> struct Constants<f32<L>> {
    using U = u32<L>;
    static constexpr int fraction_bits = 23;
    static constexpr uint32_t one = 0x3f800000u, root_half = 0x3f3504f3u, exponent = 0xff800000u;
    static constexpr float ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f, log2_e = 0x1.715476p+0f;
    static constexpr float shifter = 0x1.8p23f;  // the sum with a small number has this number's integer in its bits
};
template <class L> struct Constants<f64<L>> {
    using U = u64<L>;
    static constexpr int fraction_bits = 52;
    static constexpr uint64_t one = 0x3ff0000000000000u, root_half = 0x3fe6a09e667f3bcdu,
                              exponent = 0xfff0000000000000u;
    static constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56,
                            log2_e = 0x1.71547652b82fep+0;
    static constexpr double shifter = 0x1.8p52;
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
template <class L> RNG_FN f32<L> exponent_of(u32<L> offset) { return signed_to_f32(sar<23>(offset)); }

/// x = 2^e (1 + f) for a positive normal x, with 1 + f in [sqrt(1/2), sqrt(2)), without error.
template <class F> struct Split {
    F e, f;
    typename Constants<F>::U exponent;  // e, where the exponent is in the bits of a number
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

/// exp(x) = 2^n (1 + p); 2^n is in the bits of a number, less those of 1.
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

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
