// The expansions that the distributions of counts (count_map.hpp) use, for the binomial distribution with n trials of
// probability p and for its limit, the Poisson distribution.
//
// All coefficients are exact rationals, each rounded once; docs/contract.md, A.22, lists them, and
// tests/reference/count_expansion.py derives them again. A coefficient of the binomial distribution is a polynomial in
// w = p (1 - p), and that of the Poisson distribution is its first term.
#pragma once

#include "../lane/lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// c0 + w (c1 + w (c2 + ...)), or c0 alone for the Poisson distribution, whose w is 0.
template <class F, bool Binomial> struct TermsInSpread {
    F w;
    template <class... C> RNG_FN F operator()(double c0, [[maybe_unused]] C... rest) const {
        if constexpr (Binomial && sizeof...(rest) > 0)
            return lane::horner(w, F(c0), F(rest)...);
        else
            return F(c0);
    }
};

/// The terms of g = (P(K <= m) - 1/2) / P(K = m) if the mean is an integer m, in powers of sigma = 1 / variance.
/// For the binomial distribution g = 1/2 + (1 - 2 p) median_terms(sigma, q), for the Poisson distribution g = 1/2 +
/// median_terms(1 / m, q). The Poisson case is Ramanujan's.
template <class F, bool Binomial> RNG_FN F median_terms(F sigma, const TermsInSpread<F, Binomial>& q) {
    return lane::horner(sigma, q(0x1.5555555555555p-3), q(-0x1.e573ac901e574p-6, -0x1.e573ac901e574p-7),
                        q(0x1.71de3a556c734p-9, -0x1.71de3a556c734p-10, -0x1.71de3a556c734p-10),
                        q(0x1.ed284dc73b445p-10, -0x1.71de3a556c734p-9, 0x0p+0, 0x1.ed284dc73b445p-11),
                        q(-0x1.7545a382f9508p-11, 0x1.d2970c63b7a4ap-10, -0x1.ce45d829f2411p-14, 0x1.01b42d787cc04p-13,
                          0x1.7545a382f9508p-12),
                        q(-0x1.63a9a08a341f7p-11, 0x1.37346c78ed9b8p-9, -0x1.5cfc97fc5b40dp-10, -0x1.ab42237637a71p-17,
                          -0x1.ab42237637a71p-17, -0x1.63a9a08a341f7p-12),
                        q(0x1.efd58409ae687p-12, -0x1.16e81a45721acp-9, 0x1.07bfe6326a4b2p-9, -0x1.08214481e5e32p-14,
                          0x0p+0, -0x1.e5068260f9f3dp-15, -0x1.efd58409ae687p-13),
                        q(0x1.3566c4262986fp-11, -0x1.a96d4db479199p-9, 0x1.332645c59dc96p-8, -0x1.6c3b856a3e81p-10,
                          -0x1.3b412707d5621p-18, 0x1.a2ddcd07d2df7p-18, 0x1.203f3045dec84p-16, 0x1.3566c4262986fp-12),
                        q(-0x1.3b8a9f45d011dp-11, 0x1.0060a168b90e7p-8, -0x1.e4e15c54ed6cdp-8, 0x1.ef1fef011656p-9,
                          -0x1.10e5d66b65e12p-14, 0x1.b2cceb3fe8e0dp-18, 0x1.b2cceb3fe8e0dp-18, 0x1.04e79104f5e09p-14,
                          0x1.3b8a9f45d011dp-12));
}

/// Coefficient M of the quantile function, which is a polynomial in the normal quantile z, as a series in d = 1 /
/// variance. It lacks its power of the standard deviation and, for even M, the factor 1 - 2 p.
template <int M, class F, bool Binomial> RNG_FN F quantile_terms(F d, const TermsInSpread<F, Binomial>& q) {
    if constexpr (M == 0)
        return lane::horner(
            d, q(0x1.5555555555555p-2), q(-0x1.43a2730abee4dp-6, -0x1.43a2730abee4dp-7),
            q(-0x1.48c5892f7cd83p-11, -0x1.a53d17c4d7f5p-7, -0x1.9af6eb7b5c0e4p-8),
            q(0x1.9b92c82e2c67cp-10, -0x1.88b30e86f1907p-9, -0x1.01fe90fc6030cp-7, -0x1.881731d42136fp-9),
            q(0x1.7d51e327c437p-13, 0x1.626d6f7b37255p-9, -0x1.4e2104768ba23p-8, -0x1.28129a980dbd7p-8,
              -0x1.58c6f142232fbp-11));
    else if constexpr (M == 1)
        return lane::horner(
            d, q(1.0), q(-0x1.c71c71c71c71cp-6, -0x1.38e38e38e38e4p-2),
            q(0x1.1ac243d863734p-6, -0x1.8f10a530400d8p-5, -0x1.3ec9d9a715b3cp-5),
            q(0x1.ea47c3993b314p-10, 0x1.7bbc76098978cp-7, -0x1.6a3416162fdf5p-5, -0x1.0ea904f8ad5fbp-7),
            q(-0x1.17e117eb05cf5p-8, 0x1.647ab68f5b11bp-6, -0x1.207fe86fa6476p-7, -0x1.186d9cb579d73p-5,
              -0x1.323e22ac844a6p-9),
            q(-0x1.ee9bb05854abbp-11, -0x1.4d8c4c99e26e7p-8, 0x1.56ef49673ba3bp-5, -0x1.03ef18800eaabp-5,
              -0x1.8a0f40a440799p-6, -0x1.2c01b1f39bee5p-10));
    else if constexpr (M == 2)
        return lane::horner(
            d, q(0x1.5555555555555p-3), q(0x1.1b2e24a967083p-7, 0x1.1b2e24a967083p-8),
            q(-0x1.a080bf5af8d8ap-7, 0x1.3c16ea84c7e76p-6, 0x1.0e043beb40489p-9),
            q(-0x1.75aecd25cde43p-9, -0x1.7aa5f9bcaae45p-7, 0x1.6f96e2f4ae6a2p-6, 0x1.8a12f6d2abfa9p-11),
            q(0x1.d296952813297p-8, -0x1.db244f368533ap-6, 0x1.6dadc4c4500b1p-8, 0x1.58a97d3d25c6dp-6,
              0x1.d7056dc93cc5p-13));
    else if constexpr (M == 3)
        return lane::horner(d, q(-0x1.c71c71c71c71cp-7, -0x1.c71c71c71c71cp-6),
                            q(-0x1.cdda7ed755c13p-9, 0x1.c05e64b6e3226p-9, -0x1.deb59f7fe507dp-8),
                            q(0x1.273136bedc5f4p-7, -0x1.3678a037a14a7p-5, 0x1.5a4f1bfd567bep-6, -0x1.490036654e07ep-9),
                            q(0x1.b21d6cbd253c8p-9, -0x1.65b8207f16cb2p-11, -0x1.8017cd14f7547p-5, 0x1.0a4638d1a5475p-5,
                              -0x1.e6a9038002af9p-11),
                            q(-0x1.355cd1ce8571dp-7, 0x1.0ca1cf9f75a95p-4, -0x1.c91d7e1ab76p-4, -0x1.0c57ad7816565p-7,
                              0x1.2d182f375c47ap-5, -0x1.cd1f2f39844f7p-12));
    else if constexpr (M == 4)
        return lane::horner(d, q(0x1.e573ac901e574p-9, 0x1.e573ac901e574p-10),
                            q(0x1.b1706c5c1b17p-10, 0x1.a01a01a01a01ap-11, 0x1.4969ebf41496ap-10),
                            q(-0x1.9e848576e7f8bp-8, 0x1.2d8a8cceb9f52p-6, -0x1.2028221cff0cp-8, 0x1.88000f119649ap-11),
                            q(-0x1.b59fe9a639b07p-9, -0x1.93f97d8a76fcap-11, 0x1.cbfe9241a8bf3p-6,
                              -0x1.31de7784ac42cp-7, 0x1.a5ec0909ee6d6p-12));
    else if constexpr (M == 5)
        return lane::horner(
            d, q(-0x1.5ceb240795cebp-10, 0x1.8a6dfc3518a6ep-9, 0x1.e573ac901e574p-13),
            q(-0x1.bb8cd09c27e3dp-11, 0x1.e23271887063ap-10, 0x1.dbbd56b2a7371p-10, 0x1.8b258ca1b1085p-12),
            q(0x1.22993b229ed98p-8, -0x1.9896c6b3b4a01p-6, 0x1.06e19cf4841p-5, -0x1.75598925ab917p-9,
              0x1.8ce2fd3e39ba3p-12),
            q(0x1.95810f76ee0c8p-9, -0x1.313cad2f29b1ep-7, -0x1.8184a5f3d9e68p-6, 0x1.ec507efc307b9p-5,
              -0x1.268fc9c14e687p-7, 0x1.31834365325eep-12));
    else if constexpr (M == 6)
        return lane::horner(
            d, q(0x1.24cfee2e4b309p-11, -0x1.3439309c850abp-11, 0x1.ed284dc73b445p-16),
            q(0x1.e10e8b654e50fp-12, -0x1.9f3ed344a503cp-12, -0x1.3da42e8a8bf39p-11, 0x1.1c05abd8ab24p-16),
            q(-0x1.97b63934833cdp-9, 0x1.bb0c31c1b37bbp-7, -0x1.8516045186b3ep-7, 0x1.0a61fd6c81cbbp-12,
              -0x1.69af74f9f0df9p-18));
    else if constexpr (M == 7)
        return lane::horner(
            d, q(-0x1.0e962060208e6p-12, 0x1.030419802becp-10, -0x1.c438b5527198ep-12, 0x1.ac6e36c515169p-16),
            q(-0x1.0fdfa3de49f92p-12, 0x1.e534587806e7ap-11, 0x1.05879a00af00ap-13, -0x1.4a29974ab96dbp-11,
              0x1.3e62238479e0ap-15),
            q(0x1.1e53d5d5827f1p-9, -0x1.fa72513937d8dp-7, 0x1.0095daa05913dp-5, -0x1.0333e2ad31904p-6,
              -0x1.f8f67ad4f0ebbp-14, 0x1.166194c0e2bf4p-15));
    else if constexpr (M == 8)
        return lane::horner(
            d, q(0x1.0b207f76956fbp-13, -0x1.5ac056b015acp-12, 0x1.3439309c850abp-14, -0x1.48c5892f7cd83p-19),
            q(0x1.3ce0b7905be83p-13, -0x1.6a291b2b526cp-12, -0x1.b57e458382f95p-13, 0x1.249218e379f4cp-13,
              -0x1.831a9efc8aa85p-18));
    else if constexpr (M == 9)
        return lane::horner(d,
                            q(-0x1.14be086208b0dp-14, 0x1.72b228f530707p-12, -0x1.bd75b10225d61p-12,
                              0x1.90fba23bca428p-15, -0x1.04bbf22109c3ap-22),
                            q(-0x1.7a23c38af7f8p-14, 0x1.d98962ea81398p-12, -0x1.4355b9124058cp-12,
                              -0x1.01f06e9829a73p-11, 0x1.d69950643dd12p-14, -0x1.a3db856f5e242p-20));
    else if constexpr (M == 10)
        return lane::horner(d, q(0x1.2973239d6affbp-15, -0x1.321cfc6af2ebbp-13, 0x1.ffc56ef3837c5p-14,
                                 -0x1.ef4e126c8092bp-18, -0x1.8e2825e109ef7p-24));
    else
        return lane::horner(d, q(-0x1.491e452f89344p-16, 0x1.1abf1936182c1p-13, -0x1.15255b127db2ap-12,
                                 0x1.17dd2a3fe3afap-13, -0x1.238fee79e66ddp-18, -0x1.43f24731f751dp-24));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
