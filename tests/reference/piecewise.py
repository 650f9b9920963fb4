"""Piecewise laws (contract, A.21): lists of boundaries and densities, integer masses, and the place inside a piece."""

from floats import BINARY32, BINARY64, less, negate
from functions import ZERO

T = BINARY64  # the arithmetic of both types
ONE_HALF = (1, -1)
MOST_OF_RUNNING_SUM = 1 << 24


def area(law, piece):
    height = T.add(law.densities[piece], law.densities[piece + 1]) if law.linear else law.densities[piece]
    return T.fma(height, law.width(piece), ZERO)


def add_up(areas, compensated):
    """The running sum, or that plus the running sum of what its additions round off."""
    total = lost = ZERO
    for x in areas:
        following = T.add(total, x)
        if compensated:
            part = T.add(following, negate(total))
            lost = T.add(lost, T.add(T.add(total, negate(T.add(following, negate(part)))), T.add(x, negate(part))))
        total = following
    return T.add(total, lost)


def share(a, total):
    """a / total * 2^64, the quotient rounded once, then rounded to an integer, halves up."""
    if not a[0]:
        return 0
    m, e = T.div(a, total)
    return int((m * 2 ** (e + 65) + 1) // 2) if e >= -65 else (m + (1 << -e - 65)) >> -e - 64


def masses(law):
    """The words that lead to each piece; they sum to 2^64."""
    areas = [area(law, i) for i in range(law.pieces)]
    total, greatest = add_up(areas, law.pieces > MOST_OF_RUNNING_SUM), 0
    for i, a in enumerate(areas):
        if less(areas[greatest], a):
            greatest = i
    shares = [share(a, total) for a in areas]
    shares[greatest] += 2**64 - sum(shares)
    return shares


def number(n, half):
    """n or n + 1/2, rounded once."""
    high, low = T.integer(n >> 32), T.integer(n % 2**32)
    return T.fma(high, (1, 32), T.add(low, ONE_HALF) if half else low)


def ratio(x, most):
    return ZERO if less(x, T.fma(most, (1, -200), ZERO)) else T.div(x, most)


class Piecewise:
    slot = 2

    def __init__(self, format, boundaries, densities):
        """Python floats that are values of the format."""
        self.format, self.bits, self.dtype = format, format.bits, format.name
        for x in *boundaries, *densities:
            format.exactly(x)
        self.boundaries = [T.exactly(x) for x in boundaries]
        self.densities = [T.exactly(x) for x in densities]
        self.pieces = len(boundaries) - 1
        self.masses = masses(self)

    def width(self, piece):
        return T.add(self.boundaries[piece + 1], negate(self.boundaries[piece]))

    def value(self, stream, position):
        return self.of_word(stream.word64(position))

    def of_word(self, w):
        first = piece = 0
        while w >= first + self.masses[piece]:
            first += self.masses[piece]
            piece += 1
        before, mass = w - first, self.masses[piece]
        whole = (1, 64) if mass == 2**64 else number(mass, False)
        t = T.div(number(before, True), whole)
        if self.linear:
            p, q = self.densities[piece : piece + 2]
            most = q if less(p, q) else p
            a, b = ratio(p, most), ratio(q, most)
            v = T.div(number(mass - 1 - before, True), whole)
            square = T.fma(t, T.fma(b, b, ZERO), T.fma(v, T.fma(a, a, ZERO), ZERO))
            t = T.div(T.fma(t, T.add(a, b), ZERO), T.add(a, T.sqrt(square)))
        x = T.fma(t, self.width(piece), self.boundaries[piece])
        return self.format.to_bits(self.inside(x, self.boundaries[piece + 1]))

    def inside(self, x, hi):
        f = self.format
        least = (1, -126 if f is BINARY32 else -1022)
        magnitude = (abs(x[0]), x[1])
        x = ZERO if less(magnitude, least) else f.round(*x)
        if less(x, hi):
            return x
        if not hi[0]:
            return negate(least)
        return ZERO if hi[0] > 0 and not less(least, hi) else f.below(hi)


class PiecewiseConstant(Piecewise):
    name, linear = "piecewise_constant", False


class PiecewiseLinear(Piecewise):
    name, linear = "piecewise_linear", True
