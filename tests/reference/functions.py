"""The functions of numbers in the floating-point maps, and the functions of words that stand on them.

Each line is one rounded operation, in the order that the contract's appendix fixes. The coefficients are minimax fits made for
this project; they are part of the contract.
"""

from dataclasses import dataclass

from floats import BINARY32, BINARY64, less, negate, scaled
from kernels import HALF, KERNELS, ONE, horner, neglog, reduced_sincos_f32, reduced_sincos_f64, signed, table

ZERO = (0, 0)
LOG_HALF = BINARY32.nearest(-0.6931472)  # in f64 too: it only chooses between two forms


@dataclass(frozen=True)
class Functions:
    """What differs between the types."""

    log2_e: tuple
    exp_least: tuple
    exp_greatest: tuple
    exp: list
    wide_log: list
    third: tuple
    half_pi: tuple
    least_square: tuple
    remainder: list
    atan: list


F32 = Functions(
    log2_e=BINARY32.exactly(float.fromhex("0x1.715476p+0")),
    exp_least=BINARY32.nearest(-87.33),
    exp_greatest=BINARY32.nearest(88.72),
    exp=table(BINARY32, "0x1.fffffep-2 0x1.5554b0p-3 0x1.555716p-5 0x1.12278ep-7 0x1.6b7334p-10"),
    wide_log=table(BINARY32, """-0x1.fffffep-2 0x1.55551cp-2 -0x1.0000e6p-2 0x1.99bab2p-3 -0x1.553658p-3 0x1.218b5ep-3
        -0x1.fd11a2p-4 0x1.fd4e12p-4 -0x1.e80c28p-4 0x1.eecd9ep-5"""),
    third=BINARY32.exactly(float.fromhex("0x1.555556p-2")),
    half_pi=BINARY32.exactly(float.fromhex("0x1.921fb6p+0")),
    least_square=(1, -40),
    remainder=table(BINARY32, """0x1.fffffcp-3 -0x1.999b1p-3 0x1.555aecp-3 -0x1.241968p-3 0x1.fd31ccp-4 -0x1.d98aa2p-4
        0x1.d359a8p-4 -0x1.281596p-4"""),
    atan=table(BINARY32, """-0x1.555534p-2 0x1.999082p-3 -0x1.24159ap-3 0x1.c02f78p-4 -0x1.572266p-4 0x1.d7771cp-5
        -0x1.f8b314p-6 0x1.5f7f52p-7 -0x1.cbc6d6p-10"""),
)

F64 = Functions(
    log2_e=BINARY64.exactly(float.fromhex("0x1.71547652b82fep+0")),
    exp_least=BINARY64.nearest(-708.39),
    exp_greatest=BINARY64.nearest(709.78),
    exp=table(BINARY64, """0x1.0000000000000p-1 0x1.5555555555559p-3 0x1.555555555554dp-5 0x1.111111110f65ap-7
        0x1.6c16c16c1aaf7p-10 0x1.a01a01afffe71p-13 0x1.a01a018e10e94p-16 0x1.71ddf81bab092p-19 0x1.27e5133a9ba33p-22
        0x1.af5f12249e710p-26 0x1.1f1a292963ac9p-29"""),
    wide_log=table(BINARY64, """-0x1.fffffffffffffp-2 0x1.5555555555552p-2 -0x1.00000000002bdp-2 0x1.999999999a72cp-3
        -0x1.5555555517833p-3 0x1.24924923f2df8p-3 -0x1.000000131c91ep-3 0x1.c71c7236d47d7p-4 -0x1.999993556ede4p-4
        0x1.745d01d730565p-4 -0x1.5555eb427b818p-4 0x1.3b161eccf5c1dp-4 -0x1.248a6c5d2f953p-4 0x1.10e613ffdd100p-4
        -0x1.002f68c9e0abcp-4 0x1.e57c131579bdap-5 -0x1.c80a525b58602p-5 0x1.995f13b457625p-5 -0x1.7d31061da356cp-5
        0x1.be7e5002ab20fp-5 -0x1.069a23c6052dcp-4 0x1.9130ed4235e70p-5 -0x1.0b5488ffb0ee8p-6"""),
    third=BINARY64.exactly(float.fromhex("0x1.5555555555555p-2")),
    half_pi=BINARY64.exactly(float.fromhex("0x1.921fb54442d18p+0")),
    least_square=(1, -200),
    remainder=table(BINARY64, """0x1.fffffffffffa9p-3 -0x1.999999999d6ecp-3 0x1.5555555572b95p-3 -0x1.2492491ec4f53p-3
        0x1.ffffffc6faff4p-4 -0x1.c71c76c6d35f2p-4 0x1.9999af876c284p-4 -0x1.745c2b2d841bfp-4 0x1.55512b6574763p-4
        -0x1.3b28a3425514cp-4 0x1.24fe9b696089bp-4 -0x1.103edeb63edddp-4 0x1.f42f37330ce07p-5 -0x1.e36c3e7c66f9ap-5
        0x1.0b931686fbb8ap-4 -0x1.0282aeb4e28c6p-4 0x1.f263f0191c350p-6"""),
    atan=table(BINARY64, """-0x1.555555555550dp-2 0x1.99999999944c3p-3 -0x1.249249235485bp-3 0x1.c71c7178190eep-4
        -0x1.745d113ce1c13p-4 0x1.3b13621f9166cp-4 -0x1.110e30a82f2b8p-4 0x1.e1ba4852f2d31p-5 -0x1.ae58da23b9f87p-5
        0x1.82c92c45cfa2ap-5 -0x1.59788570f7e8ap-5 0x1.2bda973ce9fc0p-5 -0x1.e8fd374eb2336p-6 0x1.671380e91fccbp-6
        -0x1.c5755ef75f215p-7 0x1.d4d92e6e956ffp-8 -0x1.775bbdccb0792p-9 0x1.b00bd7ac57466p-11 -0x1.3be4c2e60bacap-13
        0x1.b6bd378e61c00p-17"""),
)

FUNCTIONS = {BINARY32: F32, BINARY64: F64}


def largest(a, b):
    return b if less(a, b) else a


def smallest(a, b):
    return b if less(b, a) else a


def split(t, x):
    """(e, f): x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), by the bits of x."""
    e = (t.to_bits(x) - KERNELS[t].log_origin) >> t.precision - 1
    return e, t.add(scaled(x, -e), negate(ONE))


def log_of_split(t, e, f, low):
    """e ln 2 + ln(1 + f + low)."""
    k, ne = KERNELS[t], t.integer(e)
    tail = t.fma(t.mul(f, f), horner(t, k.log, f), t.fma(ne, k.ln2_low, low))
    return t.add(t.fma(ne, k.ln2_high, f), tail)


def ln(t, x):
    return log_of_split(t, *split(t, x), ZERO)


def log1p(t, x):
    """ln(1 + x)."""
    y = t.add(ONE, x)
    low = t.add(x, negate(t.add(y, negate(ONE))))
    e, f = split(t, y)
    return log_of_split(t, e, f, t.mul(low, (1, -e)))


def exp_split(t, x):
    """(p, n): exp(x) = 2^n (1 + p). Rounding to an integer is the sum with 1.5 * 2^(precision - 1)."""
    k, of_exp = KERNELS[t], FUNCTIONS[t]
    shifter = (3, t.precision - 2)
    n = t.add(t.fma(x, of_exp.log2_e, shifter), negate(shifter))
    r = t.fma(n, negate(k.ln2_low), t.fma(n, negate(k.ln2_high), x))
    return t.fma(t.mul(r, horner(t, of_exp.exp, r)), r, r), n[0] * 2 ** n[1] if n[1] >= 0 else n[0] >> -n[1]


def exp(t, x):
    p, n = exp_split(t, x)
    return scaled(t.add(p, ONE), n)


def expm1(t, x):
    p, n = exp_split(t, x)
    power = (1, n)
    return t.fma(power, p, t.add(power, negate(ONE)))


def log1m_exp(t, x):
    """ln(1 - exp(x)) for x < 0."""
    p, n = exp_split(t, x)
    power = (1, n)
    if less(LOG_HALF, x):
        one_minus, low = t.fma(negate(power), p, t.add(ONE, negate(power))), ZERO
    else:
        exp_x = t.fma(power, p, power)
        one_minus = t.add(ONE, negate(exp_x))
        low = t.add(t.add(ONE, negate(one_minus)), negate(exp_x))
    e, f = split(t, one_minus)
    return log_of_split(t, e, f, t.mul(low, (1, -e)))


def top_bit(w, bits):
    return w >> bits - 1


def folded(w, bits):
    """The word or its complement, whichever is below half."""
    return (1 << bits) - 1 - w if top_bit(w, bits) else w


def with_sign(x, negative):
    return negate(x) if negative else x


def parts(t, w):
    """(high, low): w + 1/2 without error."""
    low_bits = KERNELS[t].log_low_bits
    return (w >> low_bits, low_bits), t.add(t.integer(w & (1 << low_bits) - 1), HALF)


def midpoint_fraction(t, w):
    """(w + 1/2) / 2^bits."""
    high, low = parts(t, w)
    if t is BINARY32:
        return scaled(t.add(high, low), -32)
    return t.fma(scaled(high, -32), (1, -32), t.mul(low, (1, -64)))


def laplace_quantile(t, w):
    """-ln((m + 1/2) / 2^(bits - 1)) of the folded word m, with a sign."""
    m = folded(w, t.bits)
    return with_sign(neglog(t, m, t.bits - 1), not top_bit(w, t.bits))


def logit(t, w):
    """ln(u / (1 - u)) of the midpoint u."""
    k = KERNELS[t]
    high, low = parts(t, folded(w, t.bits))
    whole = (1, t.bits)
    a = t.add(high, low)
    b = t.add(whole, negate(a))
    e = t.to_bits(a) - t.to_bits(b) + (1 << t.precision - 2) >> t.precision - 1
    scale = (1, -e)
    difference = t.add(t.fma(high, scale, t.add(high, negate(whole))), t.fma(low, scale, low))
    f = t.div(difference, b)
    ne = t.integer(e)
    tail = t.fma(t.mul(f, f), horner(t, FUNCTIONS[t].wide_log, f), t.mul(ne, k.ln2_low))
    return with_sign(t.add(t.fma(ne, k.ln2_high, f), tail), top_bit(w, t.bits))


def tan_terms_of_half_turn(t, w):
    """Two magnitudes whose quotient is |tan(pi (u - 1/2))| of the midpoint u."""
    bits = t.bits
    mask = (1 << bits) - 1
    r = abs(signed((w << 1 | 1) & mask, bits))
    sine, cosine = (reduced_sincos_f32 if t is BINARY32 else reduced_sincos_f64)(r)
    return (sine, cosine) if top_bit((w + (1 << bits - 2)) & mask, bits) else (cosine, sine)


def tan_of_half_turn(t, w):
    return with_sign(t.div(*tan_terms_of_half_turn(t, w)), not top_bit(w, t.bits))


def remainder(t, y, one_and_y):
    """ln(1 + y) - y + y^2 / 2 - y^3 / 3."""
    k, c = KERNELS[t], FUNCTIONS[t]
    e, f = split(t, one_and_y)
    z = f if e else y
    square = largest(t.mul(z, z), c.least_square)

    def first_terms(x):
        return t.fma(t.mul(x, x), t.fma(x, c.third, negate(HALF)), x)

    far = t.fma(t.integer(e), k.ln2_high, t.add(first_terms(f), negate(first_terms(y)))) if e else ZERO
    return t.fma(negate(t.mul(square, square)), horner(t, c.remainder, z), far)


def arctangent(t, n, d):
    """atan(n / d) for n, d >= 0."""
    c = FUNCTIONS[t]
    r = t.div(smallest(n, d), largest(n, d))
    square = largest(t.mul(r, r), c.least_square)
    near = t.fma(r, t.mul(square, horner(t, c.atan, square)), r)
    return t.add(c.half_pi, negate(near)) if less(d, n) else near
