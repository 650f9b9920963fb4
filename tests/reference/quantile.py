"""The normal quantile of a word's midpoint: a polynomial around one half, others of the base-two logarithm in the tails.

Each line is one rounded operation, in the order that the contract's appendix fixes. In each table the lead comes first, the
factor of the exact product in an fma; in the tables of the tails the value at the middle of the piece comes before it.
"""

from dataclasses import dataclass

from floats import BINARY32, BINARY64, negate
from kernels import HALF, KERNELS, ONE, horner, table


@dataclass(frozen=True)
class Quantile:
    """What differs between the types. pieces: (least L, the L of the piece's middle, its table), L = -log2 of the smaller tail."""

    log2: list
    centre: list
    pieces: tuple


F32 = Quantile(
    log2=table(BINARY32, """0x1.715476p+0 -0x1.65b766p-23 -0x1.715472p-1 0x1.ec7738p-2 -0x1.715ccep-2 0x1.2686e2p-2
        -0x1.e90c26p-3 0x1.be4378p-3 -0x1.aba804p-3 0x1.f55292p-4"""),
    centre=table(BINARY32, """0x1.40d932p+0 -0x1.c3d788p-28 0x1.4ffe76p-2 0x1.712d8cp-3 0x1.007c54p-3 0x1.f0ee14p-5
        0x1.117d6ep-2 -0x1.4ede7ap-1 0x1.9cca4ap+0 -0x1.d9ca5p+0 0x1.112546p+0"""),
    pieces=(
        (3, 6, table(BINARY32, """0x1.13b22ap+1 0x1.1ac2d8p-2 0x1.2c2df6p-24 -0x1.b5ae5p-26 -0x1.bd2248p-7
            0x1.4abda6p-10 -0x1.2ab206p-13 0x1.28c8fcp-16 -0x1.419d92p-19 0x1.6e6614p-22 -0x1.2bf06ap-25
            0x1.f816aap-29 -0x1.006da4p-29 0x1.6d12a6p-32""")),
        (9, 19, table(BINARY32, """0x1.27c24p+2 0x1.26753cp-3 -0x1.710bbep-25 -0x1.1c74b4p-27 -0x1.0e91cap-9
            0x1.e60968p-15 -0x1.0d4178p-19 0x1.4bcacap-24 -0x1.bd7ff8p-29 0x1.32ebp-33 -0x1.5cc51ap-38 0x1.b79488p-43
            -0x1.4b7d78p-46 0x1.57640ap-50 -0x1.fd5656p-56""")),
    ),
)

F64 = Quantile(
    log2=table(BINARY64, """0x1.71547652b82fep+0 0x1.913700c0ebdefp-51 -0x1.71547652b82dbp-1 0x1.ec709dc39e6f9p-2
        -0x1.71547652bce5bp-2 0x1.2776c51041b97p-2 -0x1.ec709dc149187p-3 0x1.a61761d3b0696p-3 -0x1.7154761e652d8p-3
        0x1.484b38e93f75ap-3 -0x1.2776eff5082cep-3 0x1.0c96c4a972d1cp-3 -0x1.ec61f06ab88f8p-4 0x1.c6ff81fe91954p-4
        -0x1.a7515c1967ea5p-4 0x1.868b4d9040b7cp-4 -0x1.63525acb0db0ep-4 0x1.62d568c074922p-4 -0x1.96f8adb8a919cp-4
        0x1.766bf123a2044p-4 -0x1.46a83465c1776p-5"""),
    centre=table(BINARY64, """0x1.40d931ff62706p+0 -0x1.9a1da4e87e2d4p-54 0x1.4ffddeaa22d6dp-2 0x1.71713082e7757p-3
        0x1.f55d0d6badbb8p-4 0x1.78494e55c1b7dp-4 0x1.2ba853bf62984p-4 0x1.f0624af55d12dp-5 0x1.a461470c4a29dp-5
        0x1.8c2ad34ffbd9ap-5 0x1.1f2f75e6beb38p-9 0x1.5c38ca4f8a6d9p-2 -0x1.ea712a86fff8dp+0 0x1.3c85b3c32993cp+3
        -0x1.3dfa93bf165bap+5 0x1.000b05ead6b2bp+7 -0x1.47edc30c7afcep+8 0x1.4c3f25cf81d6ep+9 -0x1.06cdbfbf55cb7p+10
        0x1.3deccb065cc34p+10 -0x1.1c3429b75ef40p+10 0x1.6256eba6ddc45p+9 -0x1.13a1bc4e14e02p+8 0x1.94c28136051ddp+5"""),
    pieces=(
        (3, 5, table(BINARY64, """0x1.dcdbfee3cb022p+0 0x1.3b26390d9f981p-2 -0x1.a0e9253afa891p-54
            0x1.ff4e5a079c814p-55 -0x1.2e356840185b6p-6 0x1.0f680e51a440ep-9 -0x1.27b0a04759423p-12
            0x1.6297334a30287p-15 -0x1.c2705d63b5dafp-18 0x1.295105e926be2p-20 -0x1.9371390ab1a94p-23
            0x1.177049ed3af83p-25 -0x1.895f3def1db38p-28 0x1.1876c5ec66ddap-30 -0x1.943700240caa7p-33
            0x1.25ecd158c0762p-35 -0x1.adf8ed4fe8cb2p-38 0x1.3b70178ec4bc5p-40 -0x1.d6fd7ab62ca4ap-43
            0x1.6bee4220d9333p-45 -0x1.0c2bcff898783p-47 0x1.4938f179b5cd6p-50 -0x1.c0401c41bb000p-53
            0x1.16c88d52a9a6ap-54 -0x1.303a5d4a01203p-56 0x1.64b8c197f1eafp-59 -0x1.508bf69c9fd36p-63""")),
        (8, 14, table(BINARY64, """0x1.ebc4627bdd628p+1 0x1.5c58e4015a2cfp-3 0x1.2c5a26e64793ap-56
            0x1.242ce479299d2p-53 -0x1.ba2e3e268e848p-9 0x1.10708f666af32p-13 -0x1.9d334fb6e7fd1p-18
            0x1.5b833d955b479p-22 -0x1.36fe0c098ae09p-26 0x1.22117b9a35d37p-30 -0x1.16a8f37187684p-34
            0x1.11afee3445d5cp-38 -0x1.1175abb9e6614p-42 0x1.14fd864e76422p-46 -0x1.1bb91cc5b65b4p-50
            0x1.259c3325b50e5p-54 -0x1.32620fbbb682bp-58 0x1.3ec7bda52e5d5p-62 -0x1.4b4b5809f6025p-66
            0x1.71b8b56e20469p-70 -0x1.b466529591288p-74 0x1.89b29ab9da028p-78 -0x1.9814bd71aeb84p-83
            0x1.58914d8e0d248p-86 -0x1.f82fef34a08a8p-89 0x1.2ded93129087ep-92 -0x1.ff58e6e798911p-98""")),
        (22, 41, table(BINARY64, """0x1.c92ff4df34487p+2 0x1.8611d1f46a61ap-4 0x1.71e0feab4d118p-53
            -0x1.88980fa4518c7p-55 -0x1.40e2005e37cbfp-11 0x1.05046cec5f804p-17 -0x1.07b79634b0d33p-23
            0x1.292209931d170p-29 -0x1.658ccacaaf35fp-35 0x1.c19d041ecf5cdp-41 -0x1.23bc46a1f37eap-46
            0x1.83a4724864185p-52 -0x1.06512a626d9bap-57 0x1.6847f0f0c424bp-63 -0x1.f4b0693f023e8p-69
            0x1.5f365d1af10d3p-74 -0x1.f2582d4638ecap-80 0x1.664ebfa2d8f63p-85 -0x1.f9d4658631b8bp-91
            0x1.54ab8e36cf453p-96 -0x1.0a23e4e87e5dcp-101 0x1.04598b76eac78p-106 -0x1.518df1f97c941p-112
            0x1.76823b6e11822p-122 0x1.f5d15ca30863ap-131 0x1.e3adcac1ebaccp-128 -0x1.01055d74fff32p-132
            0x1.4193f0fb2df0cp-139""")),
    ),
)

QUANTILES = {BINARY32: F32, BINARY64: F64}


def led(format, c, x, argument):
    """x * c[0] and, a smaller term, x * (c[1] + c[2] * argument + ...)."""
    return format.fma(x, c[0], format.mul(x, horner(format, c[1:], argument)))


def midpoint(format, m):
    """(high, low) with high * 2^(bits / 2) + low = m + 1/2."""
    half = format.bits // 2
    return format.integer(m >> half), format.add(format.integer(m & (1 << half) - 1), HALF)


def centre(format, m):
    """The quantile of 1 - p for p = (m + 1/2) / 2^bits, by v = 1 - 2p."""
    t, bits = format, format.bits
    hi, lo = midpoint(t, (1 << bits - 1) - 1 - m)
    v = t.mul(t.fma(hi, (1, bits // 2), lo), (1, 1 - bits))
    return led(t, QUANTILES[t].centre, v, t.mul(v, v))


def tail(format, m, middle, c):
    """The same by y = -log2 p - middle."""
    t = format
    hi, lo = midpoint(t, m)
    power = (1, t.bits // 2)
    a = t.fma(hi, power, lo)
    hi = t.mul(hi, power)
    e = (t.to_bits(a) - KERNELS[t].log_origin) >> t.precision - 1
    s = (1, -e)
    f = t.fma(lo, s, t.fma(hi, s, negate(ONE)))
    g = led(t, QUANTILES[t].log2, f, f)
    y = t.add(t.integer(t.bits - middle - e), negate(g))
    return t.add(t.fma(y, c[1], horner(t, c[2:], y)), c[0])


def normal_quantile(format, w):
    """Phi^-1((w + 1/2) / 2^bits)."""
    bits = format.bits
    upper = w >> bits - 1
    m = (1 << bits) - 1 - w if upper else w
    z = None
    for least, middle, c in QUANTILES[format].pieces:
        if m < 1 << bits - least:
            z = tail(format, m, middle, c)
    if z is None:
        z = centre(format, m)
    return z if upper else negate(z)
