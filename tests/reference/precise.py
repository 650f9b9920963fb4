"""Fifty-digit references for the accuracy tests: -ln, sine and cosine, normal quantile of a word's midpoint; a value's error in ulp."""

from decimal import Decimal, getcontext
from math import frexp
from statistics import NormalDist

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


ROOT_TWO_PI = (2 * Decimal(PI) / (1 << POINT)).sqrt()


def normal_quantile(w, bits):
    """Phi^-1((w + 1/2) / 2^bits): Halley's steps on Phi(z) - 1/2 = phi(z) (z + z^3 / 3 + z^5 / (3 * 5) + ...)."""
    if w >> bits - 1:
        return -normal_quantile((1 << bits) - 1 - w, bits)
    p = Decimal(2 * w + 1) / (1 << bits + 1) - Decimal("0.5")
    z = p * ROOT_TWO_PI if p > Decimal("-1e-6") else Decimal(NormalDist().inv_cdf(float(p + Decimal("0.5"))))
    for _ in range(3):
        density = (-z * z / 2).exp() / ROOT_TWO_PI
        term, total, k = z, z, 1
        while abs(term) > abs(total) * Decimal("1e-52"):
            k += 2
            term *= z * z / k
            total += term
        step = (density * total - p) / density
        z -= step / (1 + z * step / 2)
    return z


def ulps(value, exact, precision):
    """The distance of (m, e) from `exact` in units of the last place of `exact`."""
    m, e = value
    size = abs(exact)
    exponent = frexp(size)[1] - 1  # of a float, which may have been rounded up to the next power of two
    if Decimal(2) ** exponent > size:
        exponent -= 1
    return abs(Decimal(m) * Decimal(2) ** e - exact) / Decimal(2) ** (exponent - precision + 1)
