// normal_quantile: Phi^-1((w + 1/2) / 2^n) for a word w of n = 32 or 64 bits, over any lane; monotone in the word.
//
// Between p = 1/8 and 7/8 the value is a polynomial in v = 1 - 2p; outside, one in L = -log2 p (or -log2(1 - p)). Words
// are denser than values, so noise in the last place could make a greater word's value smaller. To prevent this, each
// stage from the word to the value is a rounding of x * lead + q(x), where the step of the exact product from one x to
// the next is greater than the rounding errors of q, and q is at most a quarter of the product. z(~w) = -z(w), because
// both words fold to the same m. Each polynomial is computed only if a lane needs it: few words are far out. The
// polynomials are minimax fits for this project; docs/contract.md lists them and the operations in order. Largest
// observed errors: 1.97 ulp (f32, all 2^32 words), 1.86 ulp (f64, 4e7 words). Compare Wichura, "Algorithm AS 241",
// Appl. Statist. 37, 1988.
// Oracle: the word 0x06666666 (p = 0.025) gives -1.95996.
#pragma once

#include "math_f32.hpp"
#include "math_f64.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {

/// The quantile's magnitude at p = (m + 1/2) / 2^32 from 1/8 to 1/2, by v = 1 - 2p.
template <class L> RNG_FN f32<L> quantile_centre(u32<L> m) {
    using F = f32<L>;
    using U = u32<L>;
    const U c = m ^ U(0x7fffffffu);
    const F c_lo = add(signed_to_f32(c & U(0xffffu)), F(0.5f));
    const auto v = mul(fma(signed_to_f32(shr<16>(c)), F(65536.0f), c_lo), F(0x1p-31f));
    const auto t = mul(v, v);
    return fma(v, F(0x1.40d932p+0f),
               mul(v, horner(t, F(-0x1.c3d788p-28f), F(0x1.4ffe76p-2f), F(0x1.712d8cp-3f), F(0x1.007c54p-3f),
                             F(0x1.f0ee14p-5f), F(0x1.117d6ep-2f), F(-0x1.4ede7ap-1f), F(0x1.9cca4ap+0f),
                             F(-0x1.d9ca5p+0f), F(0x1.112546p+0f))));
}

/// The quantile's magnitude for p below 1/8, by L - 6 and L - 19 with L = -log2 p.
template <class L> RNG_FN f32<L> quantile_tail(u32<L> m) {
    using F = f32<L>;
    using U = u32<L>;
    const F hi16 = signed_to_f32(shr<16>(m));
    const F lo = add(signed_to_f32(m & U(0xffffu)), F(0.5f));

    // g = log2(a / 2^e), with a / 2^e in about [sqrt(1/2), sqrt(2)], as in neglog. L = 32 - e - g.
    const F rounded = fma(hi16, F(65536.0f), lo);
    const auto hi = mul(hi16, F(65536.0f));
    const U offset = bits(rounded) - U(0x3f3504f3u);
    const F scale = from_bits(U(0x3f800000u) - (offset & U(0xff800000u)));
    const F f = fma(lo, scale, fma(hi, scale, F(-1.0f)));
    const F g = fma(f, F(0x1.715476p+0f),
                    mul(f, horner(f, F(-0x1.65b766p-23f), F(-0x1.715472p-1f), F(0x1.ec7738p-2f), F(-0x1.715ccep-2f),
                                  F(0x1.2686e2p-2f), F(-0x1.e90c26p-3f), F(0x1.be4378p-3f), F(-0x1.aba804p-3f),
                                  F(0x1.f55292p-4f))));
    const U e = sar<23>(offset);
    const F y6 = sub(signed_to_f32(U(26u) - e), g);
    const F near = add(fma(y6, F(0x1.1ac2d8p-2f),
                           horner(y6, F(0x1.2c2df6p-24f), F(-0x1.b5ae5p-26f), F(-0x1.bd2248p-7f), F(0x1.4abda6p-10f),
                                  F(-0x1.2ab206p-13f), F(0x1.28c8fcp-16f), F(-0x1.419d92p-19f), F(0x1.6e6614p-22f),
                                  F(-0x1.2bf06ap-25f), F(0x1.f816aap-29f), F(-0x1.006da4p-29f), F(0x1.6d12a6p-32f))),
                       F(0x1.13b22ap+1f));
    const U is_far = m - U(0x00800000u);  // bit 31 is set where L > 9
    if (!any_bit<31>(is_far)) return near;
    const F y19 = sub(signed_to_f32(U(13u) - e), g);
    const F far = add(
        fma(y19, F(0x1.26753cp-3f),
            horner(y19, F(-0x1.710bbep-25f), F(-0x1.1c74b4p-27f), F(-0x1.0e91cap-9f), F(0x1.e60968p-15f),
                   F(-0x1.0d4178p-19f), F(0x1.4bcacap-24f), F(-0x1.bd7ff8p-29f), F(0x1.32ebp-33f), F(-0x1.5cc51ap-38f),
                   F(0x1.b79488p-43f), F(-0x1.4b7d78p-46f), F(0x1.57640ap-50f), F(-0x1.fd5656p-56f))),
        F(0x1.27c24p+2f));
    return select_bit<31>(is_far, far, near);
}

/// The quantile's magnitude at p = (m + 1/2) / 2^64 from 1/8 to 1/2, by v = 1 - 2p.
template <class L> RNG_FN f64<L> quantile_centre(u64<L> m) {
    using F = f64<L>;
    using U = u64<L>;
    const U c = m ^ U(0x7fffffffffffffffu);
    const F c_lo = detail::from_u32_bits(c & U(0xffffffffu), 0.5);
    const auto v = mul(fma(detail::from_u32_bits(shr<32>(c), 0.0), F(0x1p32), c_lo), F(0x1p-63));
    const auto t = mul(v, v);
    return fma(v, F(0x1.40d931ff62706p+0),
               mul(v, horner(t, F(-0x1.9a1da4e87e2d4p-54), F(0x1.4ffddeaa22d6dp-2), F(0x1.71713082e7757p-3),
                             F(0x1.f55d0d6badbb8p-4), F(0x1.78494e55c1b7dp-4), F(0x1.2ba853bf62984p-4),
                             F(0x1.f0624af55d12dp-5), F(0x1.a461470c4a29dp-5), F(0x1.8c2ad34ffbd9ap-5),
                             F(0x1.1f2f75e6beb38p-9), F(0x1.5c38ca4f8a6d9p-2), F(-0x1.ea712a86fff8dp+0),
                             F(0x1.3c85b3c32993cp+3), F(-0x1.3dfa93bf165bap+5), F(0x1.000b05ead6b2bp+7),
                             F(-0x1.47edc30c7afcep+8), F(0x1.4c3f25cf81d6ep+9), F(-0x1.06cdbfbf55cb7p+10),
                             F(0x1.3deccb065cc34p+10), F(-0x1.1c3429b75ef40p+10), F(0x1.6256eba6ddc45p+9),
                             F(-0x1.13a1bc4e14e02p+8), F(0x1.94c28136051ddp+5))));
}

/// The quantile's magnitude for p below 1/8, by L - 5, L - 14 and L - 41 with L = -log2 p.
template <class L> RNG_FN f64<L> quantile_tail(u64<L> m) {
    using F = f64<L>;
    using U = u64<L>;
    const F hi32 = detail::from_u32_bits(shr<32>(m), 0.0);
    const F lo = detail::from_u32_bits(m & U(0xffffffffu), 0.5);
    const F rounded = fma(hi32, F(0x1p32), lo);
    const auto hi = mul(hi32, F(0x1p32));
    const U offset = bits(rounded) - U(0x3fe6a09e667f3bcdu);
    const F scale = from_bits(U(0x3ff0000000000000u) - (offset & U(0xfff0000000000000u)));
    const F f = fma(lo, scale, fma(hi, scale, F(-1.0)));
    const F g = fma(f, F(0x1.71547652b82fep+0),
                    mul(f, horner(f, F(0x1.913700c0ebdefp-51), F(-0x1.71547652b82dbp-1), F(0x1.ec709dc39e6f9p-2),
                                  F(-0x1.71547652bce5bp-2), F(0x1.2776c51041b97p-2), F(-0x1.ec709dc149187p-3),
                                  F(0x1.a61761d3b0696p-3), F(-0x1.7154761e652d8p-3), F(0x1.484b38e93f75ap-3),
                                  F(-0x1.2776eff5082cep-3), F(0x1.0c96c4a972d1cp-3), F(-0x1.ec61f06ab88f8p-4),
                                  F(0x1.c6ff81fe91954p-4), F(-0x1.a7515c1967ea5p-4), F(0x1.868b4d9040b7cp-4),
                                  F(-0x1.63525acb0db0ep-4), F(0x1.62d568c074922p-4), F(-0x1.96f8adb8a919cp-4),
                                  F(0x1.766bf123a2044p-4), F(-0x1.46a83465c1776p-5))));

    // 2^53 + 2 (e + 2048). An fma halves it, because a compiler may reassociate a sum of sums.
    const F e = from_bits(shr<52>(offset + U(uint64_t{2048} << 52)) | U(0x4340000000000000u));
    const F y5 = sub(fma(e, F(-0.5), F(0x1p52 + (2048 + 59))), g);
    const F near = add(fma(y5, F(0x1.3b26390d9f981p-2),
                           horner(y5, F(-0x1.a0e9253afa891p-54), F(0x1.ff4e5a079c814p-55), F(-0x1.2e356840185b6p-6),
                                  F(0x1.0f680e51a440ep-9), F(-0x1.27b0a04759423p-12), F(0x1.6297334a30287p-15),
                                  F(-0x1.c2705d63b5dafp-18), F(0x1.295105e926be2p-20), F(-0x1.9371390ab1a94p-23),
                                  F(0x1.177049ed3af83p-25), F(-0x1.895f3def1db38p-28), F(0x1.1876c5ec66ddap-30),
                                  F(-0x1.943700240caa7p-33), F(0x1.25ecd158c0762p-35), F(-0x1.adf8ed4fe8cb2p-38),
                                  F(0x1.3b70178ec4bc5p-40), F(-0x1.d6fd7ab62ca4ap-43), F(0x1.6bee4220d9333p-45),
                                  F(-0x1.0c2bcff898783p-47), F(0x1.4938f179b5cd6p-50), F(-0x1.c0401c41bb000p-53),
                                  F(0x1.16c88d52a9a6ap-54), F(-0x1.303a5d4a01203p-56), F(0x1.64b8c197f1eafp-59),
                                  F(-0x1.508bf69c9fd36p-63))),
                       F(0x1.dcdbfee3cb022p+0));
    const U is_middle = m - U(uint64_t{1} << 56);  // bit 63 is set where L > 8
    if (!any_bit<63>(is_middle)) return near;
    const F y14 = sub(fma(e, F(-0.5), F(0x1p52 + (2048 + 50))), g);
    const F middle = add(fma(y14, F(0x1.5c58e4015a2cfp-3),
                             horner(y14, F(0x1.2c5a26e64793ap-56), F(0x1.242ce479299d2p-53), F(-0x1.ba2e3e268e848p-9),
                                    F(0x1.10708f666af32p-13), F(-0x1.9d334fb6e7fd1p-18), F(0x1.5b833d955b479p-22),
                                    F(-0x1.36fe0c098ae09p-26), F(0x1.22117b9a35d37p-30), F(-0x1.16a8f37187684p-34),
                                    F(0x1.11afee3445d5cp-38), F(-0x1.1175abb9e6614p-42), F(0x1.14fd864e76422p-46),
                                    F(-0x1.1bb91cc5b65b4p-50), F(0x1.259c3325b50e5p-54), F(-0x1.32620fbbb682bp-58),
                                    F(0x1.3ec7bda52e5d5p-62), F(-0x1.4b4b5809f6025p-66), F(0x1.71b8b56e20469p-70),
                                    F(-0x1.b466529591288p-74), F(0x1.89b29ab9da028p-78), F(-0x1.9814bd71aeb84p-83),
                                    F(0x1.58914d8e0d248p-86), F(-0x1.f82fef34a08a8p-89), F(0x1.2ded93129087ep-92),
                                    F(-0x1.ff58e6e798911p-98))),
                         F(0x1.ebc4627bdd628p+1));
    const U is_far = m - U(uint64_t{1} << 42);  // bit 63 is set where L > 22
    if (!any_bit<63>(is_far)) return select_bit<63>(is_middle, middle, near);
    const F y41 = sub(fma(e, F(-0.5), F(0x1p52 + (2048 + 23))), g);
    const F far = add(fma(y41, F(0x1.8611d1f46a61ap-4),
                          horner(y41, F(0x1.71e0feab4d118p-53), F(-0x1.88980fa4518c7p-55), F(-0x1.40e2005e37cbfp-11),
                                 F(0x1.05046cec5f804p-17), F(-0x1.07b79634b0d33p-23), F(0x1.292209931d170p-29),
                                 F(-0x1.658ccacaaf35fp-35), F(0x1.c19d041ecf5cdp-41), F(-0x1.23bc46a1f37eap-46),
                                 F(0x1.83a4724864185p-52), F(-0x1.06512a626d9bap-57), F(0x1.6847f0f0c424bp-63),
                                 F(-0x1.f4b0693f023e8p-69), F(0x1.5f365d1af10d3p-74), F(-0x1.f2582d4638ecap-80),
                                 F(0x1.664ebfa2d8f63p-85), F(-0x1.f9d4658631b8bp-91), F(0x1.54ab8e36cf453p-96),
                                 F(-0x1.0a23e4e87e5dcp-101), F(0x1.04598b76eac78p-106), F(-0x1.518df1f97c941p-112),
                                 F(0x1.76823b6e11822p-122), F(0x1.f5d15ca30863ap-131), F(0x1.e3adcac1ebaccp-128),
                                 F(-0x1.01055d74fff32p-132), F(0x1.4193f0fb2df0cp-139))),
                      F(0x1.c92ff4df34487p+2));
    return select_bit<63>(is_middle, select_bit<63>(is_far, far, middle), near);
}

}  // namespace detail

/// Phi^-1((w + 1/2) / 2^32), |z| <= 6.3380.
template <class L> RNG_FN f32<L> normal_quantile(u32<L> w) {
    using F = f32<L>;
    using U = u32<L>;
    const U m = w ^ sar<31>(w);            // from the nearer end: a = m + 1/2, below 2^31
    const U is_tail = m - U(0x20000000u);  // bit 31 is set where p < 1/8
    F z(0.0f);
    if (any_bit<31>(is_tail ^ U(0x80000000u))) z = detail::quantile_centre(m);
    if (any_bit<31>(is_tail)) z = select_bit<31>(is_tail, detail::quantile_tail(m), z);
    return flip_sign(z, w ^ U(0x80000000u));
}

/// Phi^-1((w + 1/2) / 2^64), |z| <= 9.1553.
template <class L> RNG_FN f64<L> normal_quantile(u64<L> w) {
    using F = f64<L>;
    using U = u64<L>;
    const U m = w ^ (U(uint64_t{0}) - shr<63>(w));
    const U is_tail = m - U(uint64_t{1} << 61);
    F z(0.0);
    if (any_bit<63>(is_tail ^ U(uint64_t{1} << 63))) z = detail::quantile_centre(m);
    if (any_bit<63>(is_tail)) z = select_bit<63>(is_tail, detail::quantile_tail(m), z);
    return flip_sign(z, w ^ U(0x8000000000000000u));
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
