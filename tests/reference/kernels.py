"""The two kernels of the floating-point maps: -ln of a word and the sine and cosine of a word's angle.

Each line is one rounded operation, in the order that the contract's appendix fixes. The coefficients are minimax fits made for
this project; they are part of the contract.
"""

from dataclasses import dataclass

from floats import BINARY32, BINARY64, negate, scaled


def table(format, literals):
    return [format.exactly(float.fromhex(x)) for x in literals.split()]


@dataclass(frozen=True)
class Kernel:
    """What differs between the types."""

    format: object
    log_low_bits: int  # of the word, converted apart from the high bits and with 1/2 added
    log_origin: int  # the bits of sqrt(1/2)
    ln2_high: tuple
    ln2_low: tuple
    log: list
    sine: list
    cosine: list


F32 = Kernel(
    format=BINARY32,
    log_low_bits=16,
    log_origin=0x3F3504F3,
    ln2_high=BINARY32.exactly(float.fromhex("0x1.62e43p-1")),
    ln2_low=BINARY32.exactly(float.fromhex("-0x1.05c61p-29")),
    log=table(BINARY32, """-0x1.fffff8p-2 0x1.555608p-2 -0x1.0004f8p-2 0x1.994844p-3 -0x1.53ad4cp-3 0x1.290438p-3
        -0x1.19e3e8p-3 0x1.c6a6dcp-4 -0x1.55403ap-5"""),
    sine=table(BINARY32, "0x1.921fb6p+0 -0x1.4abbbap-1 0x1.465eeap-4 -0x1.2da156p-8 -0x1.a32970p-25"),
    cosine=table(BINARY32, "0x1p+0 -0x1.3bd3ccp+0 0x1.03c1aep-2 -0x1.55b132p-6 0x1.d46d86p-11"),
)

F64 = Kernel(
    format=BINARY64,
    log_low_bits=32,
    log_origin=0x3FE6A09E667F3BCD,
    ln2_high=BINARY64.exactly(float.fromhex("0x1.62e42fefa39efp-1")),
    ln2_low=BINARY64.exactly(float.fromhex("0x1.abc9e3b39803fp-56")),
    log=table(BINARY64, """-0x1.0000000000000p-1 0x1.555555555558bp-2 -0x1.0000000000033p-2 0x1.999999998f930p-3
        -0x1.555555554744bp-3 0x1.24924929b8794p-3 -0x1.0000000992d77p-3 0x1.c71c6f345841bp-4 -0x1.999993a01260fp-4
        0x1.745d72db651dbp-4 -0x1.555657c073dc1p-4 0x1.3b0c4696a1975p-4 -0x1.2478c791da5f2p-4 0x1.1168042c4bb8ep-4
        -0x1.0180a0d3a8cc9p-4 0x1.de3805064873ep-5 -0x1.acf06661691d7p-5 0x1.ab9c1cfc65be2p-5 -0x1.0657f53319203p-4
        0x1.037a28780acd3p-4 -0x1.d8757f5d85503p-6"""),
    sine=table(BINARY64, """0x1.921fb54442d18p+0 -0x1.4abbce625be53p-1 0x1.466bc6775ab7ep-4 -0x1.32d2cce63b446p-8
        0x1.5078349e27c8fp-13 -0x1.e3076fb44d291p-19 0x1.e909972d434f0p-25 -0x1.7410d23949489p-31 0x1.1a5ee7758e854p-54"""),
    cosine=table(BINARY64, """0x1.0000000000000p+0 -0x1.3bd3cc9be45dep+0 0x1.03c1f081b5a0dp-2 -0x1.55d3c7e3b0ea0p-6
        0x1.e1f5064efeea7p-11 -0x1.a6d1b15086860p-16 0x1.f983b1b623671p-22 -0x1.8499574f8ecc9p-28 -0x1.74facfa6b0e7cp-31"""),
)

KERNELS = {BINARY32: F32, BINARY64: F64}

ONE = (1, 0)
HALF = (1, -1)


def horner(format, c, x):
    r = c[-1]
    for coefficient in reversed(c[:-1]):
        r = format.fma(r, x, coefficient)
    return r


def signed(w, bits):
    return w - (1 << bits) if w >> bits - 1 else w


def neglog(format, w, bits=None):
    """-ln((w + 1/2) / 2^bits) of a word of so many bits, by default of the type's width."""
    k, t = KERNELS[format], format
    power = (1, k.log_low_bits)
    hi = t.integer(w >> k.log_low_bits)
    lo = t.add(t.integer(w & (1 << k.log_low_bits) - 1), HALF)
    a = t.fma(hi, power, lo)
    hi = t.mul(hi, power)
    # The exponent e that leaves a * 2^-e in [sqrt(1/2), sqrt(2)).
    e = (t.to_bits(a) - k.log_origin) >> t.precision - 1
    s = (1, -e)
    g = t.fma(hi, s, negate(ONE))
    f = t.fma(lo, s, g)
    f_low = t.fma(lo, s, t.add(g, negate(f)))
    ne = t.integer((bits or t.bits) - e)
    tail = t.fma(t.mul(f, f), horner(t, k.log, f), t.fma(ne, negate(k.ln2_low), f_low))
    return t.add(t.fma(ne, k.ln2_high, negate(f)), negate(tail))


def reduced_sincos_f32(ra):
    """Sine and cosine of (pi / 2) * ra / 2^32 for ra in (0, 2^31)."""
    t, c = BINARY32, F32.sine
    yh, yl = t.integer(ra & 0x7FFFFF00), t.integer(ra & 0xFF)
    y = t.mul(t.add(yh, yl), (1, -32))
    sq = t.mul(y, y)
    p = t.fma(sq, t.fma(sq, t.fma(sq, c[3], c[2]), c[1]), c[4])
    c0 = scaled(c[0], -32)
    sine = t.fma(yh, c0, t.fma(yl, c0, t.mul(y, p)))
    return sine, horner(t, F32.cosine, sq)


def reduced_sincos_f64(ra):
    """Sine and cosine of (pi / 2) * ra / 2^64 for ra in (0, 2^63)."""
    t, c = BINARY64, F64.sine
    yh, yl = t.integer(ra >> 32), t.integer(ra & 0xFFFFFFFF)
    y = t.mul(t.fma(yh, (1, 32), yl), (1, -64))
    sq = t.mul(y, y)
    p = t.fma(horner(t, c[1:8], sq), sq, c[8])
    sine = t.fma(yh, scaled(c[0], -32), t.fma(yl, scaled(c[0], -64), t.mul(y, p)))
    return sine, horner(t, F64.cosine, sq)


def sincos(format, w):
    """(sine, cosine) of the angle 2 pi (w + 1/2) / 2^bits."""
    bits = format.bits
    mask = (1 << bits) - 1
    # Four times the angle, modulo a turn, as a signed fraction of a turn: the offset from the nearest quarter turn.
    r = abs(signed((w << 2 | 2) & mask, bits))
    sine, cosine = (reduced_sincos_f32 if format is BINARY32 else reduced_sincos_f64)(r)
    if (w + (1 << bits - 3)) >> bits - 2 & 1:
        sine, cosine = cosine, sine
    if w >> bits - 1:
        sine = negate(sine)
    if (w + (1 << bits - 2) & mask) >> bits - 1:
        cosine = negate(cosine)
    return sine, cosine
