"""Categories by weights (contract, A.27): the table of aliases, and integer masses."""

from math import frexp, ldexp

from floats import BINARY64, less
from functions import ZERO
from piecewise import add_up, masses, share

T = BINARY64


def of_law(weights):
    """Weights as those of a law: divided by the power of two in the greatest if that is out of range; small ones are 0."""
    weights = [w if w >= 2.0**-1022 else 0.0 for w in weights]
    greatest = max(weights)
    power = 0 if 2.0**-300 <= greatest <= 2.0**300 else frexp(greatest)[1] - 1
    return [0.0 if frexp(w)[1] - 1 - power < -300 else ldexp(w, -power) if w else 0.0 for w in weights]


class Categorical:
    """Python floats as weights. An entry has `low` bits for a category: those of the number of weights, at least 24."""

    name, slot, bits, dtype = "categorical", 2, 32, "i32"

    def __init__(self, weights, low=None):
        self.weights = [T.exactly(w) for w in of_law(weights)]
        self.low = low or max(24, len(weights).bit_length())
        self.cell = 1 << 64 - self.low
        self.entries = self.table()

    def units(self):
        """The units of each category; they sum to K cells."""
        total, k, units = add_up(self.weights, True), len(self.weights), []
        for x in self.weights:
            if not x[0]:
                units.append(0)
                continue
            is_small = less(x, T.mul(total, (1, -100)))
            q = ZERO if is_small else T.mul(T.div(x, total), (k, -self.low))
            units.append(max(1, share(q, (1, 0))))
        greatest = max(range(k), key=lambda i: (self.weights[i][0] * 2.0 ** self.weights[i][1], -i))
        units[greatest] += k * self.cell - sum(units)
        return units

    def table(self):
        units = self.units()
        small = [i for i, m in enumerate(units) if m < self.cell]
        large = [i for i, m in enumerate(units) if m >= self.cell]
        entries = [None] * len(units)
        while small:
            lesser, other = small.pop(), large[-1]
            entries[lesser] = (units[lesser], other)
            units[other] -= self.cell - units[lesser]
            if units[other] < self.cell:
                small.append(large.pop())
        for i in large:
            entries[i] = (self.cell - 1, i)
        return entries

    def value(self, stream, position):
        return self.of_word(stream.word64(position))

    def of_word(self, w):
        product = w * len(self.entries)
        cell, fraction = product >> 64, product % 2**64
        kept, other = self.entries[cell]
        return cell if fraction >> self.low < kept else other


class CategoricalIcdf:
    """The masses are those of a piecewise law whose areas are the weights."""

    name, slot, bits, dtype, linear = "categorical_icdf", 2, 32, "i32", False

    def __init__(self, weights):
        self.densities = [T.exactly(w) for w in of_law(weights)]
        self.pieces = len(weights)
        self.masses = masses(self)

    def width(self, piece):
        return (1, 0)

    def value(self, stream, position):
        return self.of_word(stream.word64(position))

    def of_word(self, w):
        first = i = 0
        while w >= first + self.masses[i]:
            first += self.masses[i]
            i += 1
        return i
