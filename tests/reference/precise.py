"""Fifty-digit references for the accuracy tests: -ln, sine and cosine of a word's midpoint, and the error of a value in ulp."""

from decimal import Decimal, getcontext
from math import frexp

getcontext().prec = 50
POINT = 240  # fixed-point bits of the trigonometric series


def arctan_inverse(n):
    """arctan(1 / n) in fixed point."""
    term = total = (1 << POINT) // n
    k = 1
    while term:
        term //= -n * n
        k += 2
        total += term // k
    return total


PI = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))  # Machin


def neg_ln(w, bits):
    """-ln((w + 1/2) / 2^bits)."""
    return -(Decimal(2 * w + 1) / (1 << bits + 1)).ln()


def series(x, first):
    """The Taylor series of the sine (first = 1) or cosine (first = 0) of a fixed-point angle."""
    term = total = x if first else 1 << POINT
    k, sign = first, 1
    while term:
        term = (term * x >> POINT) * x // ((k + 1) * (k + 2)) >> POINT
        k, sign = k + 2, -sign
        total += sign * term
    return Decimal(total) / (1 << POINT)


def sincos(w, bits):
    """Sine and cosine of 2 pi (w + 1/2) / 2^bits, reduced to the first quarter turn in integers."""
    quarter, rest = divmod(2 * w + 1, 1 << bits - 1)
    x = (PI * rest << 1) >> bits + 1
    s, c = series(x, 1), series(x, 0)
    return ((s, c), (c, -s), (-s, -c), (-c, s))[quarter]


def ulps(value, exact, precision):
    """The distance of (m, e) from `exact` in units of the last place of `exact`."""
    m, e = value
    size = abs(exact)
    exponent = frexp(size)[1] - 1  # of a float, which may have been rounded up to the next power of two
    if Decimal(2) ** exponent > size:
        exponent -= 1
    return abs(Decimal(m) * Decimal(2) ** e - exact) / Decimal(2) ** (exponent - precision + 1)
