"""Exactly rounded binary32 and binary64 arithmetic in Python integers.

A finite value is a pair (m, e), meaning m * 2^e. Every operation computes its exact result as such a pair and rounds it once, to
nearest with ties to even, subnormals included. Zero is (0, e) and has no sign: no operation of the maps yields -0, and parameters
count -0 as +0. A result too large for the format raises OverflowError: no map with accepted parameters reaches one.
"""

from math import frexp, isfinite, isqrt, ldexp


class Format:
    def __init__(self, name, bits, precision):
        self.name, self.bits, self.precision = name, bits, precision
        exponent_bits = bits - precision
        self.bias = (1 << exponent_bits - 1) - 1
        self.emin = 2 - self.bias - precision  # of the last bit of subnormals
        self.emax = self.bias  # of the first bit of the largest value

    def __repr__(self):
        return self.name

    # Rounded operations -----------------------------------------------------------------------------------------------

    def round(self, m, e):
        """m * 2^e rounded once."""
        drop = m.bit_length() - self.precision
        if e + drop < self.emin:
            drop = self.emin - e
        if drop > 0:
            rest = m & ((1 << drop) - 1)
            m >>= drop
            e += drop
            half = 1 << drop - 1
            # m was rounded towards minus infinity and 0 <= rest, so one rule serves both signs.
            if rest > half or (rest == half and m & 1):
                m += 1
        if m and m.bit_length() + e - 1 > self.emax:
            raise OverflowError(f"{m} * 2^{e} is outside {self.name}")
        return m, e

    def add(self, a, b):
        (ma, ea), (mb, eb) = a, b
        if not ma:
            return b
        if not mb:
            return a
        if ea >= eb:
            return self.round((ma << ea - eb) + mb, eb)
        return self.round(ma + (mb << eb - ea), ea)

    def mul(self, a, b):
        return self.round(a[0] * b[0], a[1] + b[1])

    def fma(self, a, b, c):
        m, e = a[0] * b[0], a[1] + b[1]
        mc, ec = c
        if not m:
            return c
        if mc:
            if e >= ec:
                m, e = (m << e - ec) + mc, ec
            else:
                m += mc << ec - e
        return self.round(m, e)

    def sqrt(self, a):
        m, e = a
        if m < 0:
            raise ValueError("sqrt of a negative value")
        # Enough bits for the precision and a rounding bit; an inexact root appends a sticky one.
        shift = max(0, 2 * self.precision + 4 - m.bit_length())
        shift += (e - shift) & 1
        root = isqrt(m << shift)
        sticky = root * root != m << shift
        return self.round(root << 1 | sticky, (e - shift) // 2 - 1)

    def reciprocal(self, a):
        m, e = a
        if m <= 0:
            raise ValueError("reciprocal of a value that is not positive")
        shift = m.bit_length() + self.precision + 2
        quotient, rest = divmod(1 << shift, m)
        return self.round(quotient << 1 | (rest != 0), -shift - e - 1)

    def div(self, a, b):
        (ma, ea), (mb, eb) = a, b
        if not mb:
            raise ZeroDivisionError("division by zero")
        if mb < 0:
            ma, mb = -ma, -mb
        shift = max(0, mb.bit_length() - ma.bit_length() + self.precision + 2)
        quotient, rest = divmod(ma << shift, mb)  # rounded down, whatever the sign: the sticky bit is above it
        return self.round(quotient << 1 | (rest != 0), ea - eb - shift - 1)

    # Conversions ------------------------------------------------------------------------------------------------------

    def nearest(self, x):
        """The format's value nearest to a Python float."""
        if not isfinite(x):
            raise ValueError(f"{x} is not finite")
        fraction, exponent = frexp(x)
        return self.round(int(fraction * 2**53), exponent - 53)

    def exactly(self, x):
        """A Python float or int that is a value of the format."""
        value = self.integer(x) if isinstance(x, int) else self.nearest(x)
        if isinstance(x, float) and to_float(value) != x:
            raise ValueError(f"{x} is not a value of {self.name}")
        return value

    def integer(self, k):
        """Integer to floating point, where it is exact."""
        m, e = self.round(k, 0)
        if m << e != k:
            raise ValueError(f"{k} is not a value of {self.name}")
        return m, e

    def to_bits(self, a):
        m, e = self.round(*a)
        if not m:
            return 0
        sign = (m < 0) << self.bits - 1
        m = abs(m)
        # Normalise to `precision` bits, or to the exponent of subnormals.
        shift = max(m.bit_length() - self.precision, self.emin - e)
        if shift > 0:
            m >>= shift  # zeros only: the value is already rounded
        else:
            m <<= -shift
        e += shift
        hidden = m >> self.precision - 1
        exponent_field = e - self.emin + 1 if hidden else 0
        return sign | exponent_field << self.precision - 1 | m & ((1 << self.precision - 1) - 1)

    def from_bits(self, b):
        sign = -1 if b >> self.bits - 1 else 1
        field = b >> self.precision - 1 & ((1 << self.bits - self.precision) - 1)
        if field > 2 * self.bias:
            raise ValueError("not a finite value")
        m = b & ((1 << self.precision - 1) - 1)
        if field:
            m |= 1 << self.precision - 1
        return sign * m, max(field, 1) - 1 + self.emin

    # Neighbours -------------------------------------------------------------------------------------------------------

    def above(self, a):
        """The next value up."""
        b = self.to_bits(a)
        return self.from_bits(b - 1 if a[0] < 0 else b + 1)

    def below(self, a):
        """The next value down."""
        return negate(self.above(negate(a)))


def negate(a):
    return -a[0], a[1]


def less(a, b):
    (ma, ea), (mb, eb) = a, b
    e = min(ea, eb)
    return ma << ea - e < mb << eb - e


def scaled(a, exponent):
    """a * 2^exponent, exactly."""
    return a[0], a[1] + exponent


def to_float(a):
    """A value of binary32 or binary64 as a Python float, exactly."""
    return ldexp(*a)


BINARY32 = Format("f32", 32, 24)
BINARY64 = Format("f64", 64, 53)
# Storage only: their arithmetic is binary32's.
BINARY16 = Format("f16", 16, 11)
BFLOAT16 = Format("bf16", 16, 8)
