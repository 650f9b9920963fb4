"""The rounded arithmetic, against Python's own floats and exact fractions."""

import random
import re
import struct
import unittest
from fractions import Fraction
from math import sqrt
from pathlib import Path

from floats import BINARY32, BINARY64, less, negate, to_float


def bits64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def bits32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def as_fraction(a):
    return Fraction(a[0]) * Fraction(2) ** a[1]


def doubles(n, spread=60, seed=1):
    """Finite values of both signs, some with few bits so that ties and exact cancellation happen."""
    r = random.Random(seed)
    for _ in range(n):
        m = r.choice((r.getrandbits(53), r.getrandbits(4) + 1, (1 << 53) - 1 - r.getrandbits(3), 1 << 52))
        yield r.choice((-1, 1)) * float(m) * 2.0 ** (r.randint(-spread, spread) - 53)


class Binary64(unittest.TestCase):
    """CPython's floats and int / int are correctly rounded binary64."""

    f = BINARY64

    def check(self, result, expected):
        self.assertEqual(self.f.to_bits(result), bits64(expected + 0.0))

    def test_add_and_mul(self):
        for spread in 3, 60, 500:
            values = list(doubles(4000, spread))
            for x, y in zip(values, reversed(values)):
                a, b = self.f.exactly(x), self.f.exactly(y)
                self.check(self.f.add(a, b), x + y)
                self.check(self.f.mul(a, b), x * y)

    def test_cancellation_gives_plus_zero(self):
        a = self.f.exactly(1.5)
        self.assertEqual(self.f.to_bits(self.f.add(a, negate(a))), 0)
        self.assertEqual(self.f.to_bits(self.f.fma(a, negate(a), self.f.exactly(2.25))), 0)

    def test_fma_rounds_once(self):
        for spread in 3, 60, 300:
            values = list(doubles(3000, spread, seed=2))
            for x, y, z in zip(values, values[7:], values[31:]):
                exact = Fraction(x) * Fraction(y) + Fraction(z)
                a, b, c = (self.f.exactly(v) for v in (x, y, z))
                self.check(self.f.fma(a, b, c), exact.numerator / exact.denominator)

    def test_subnormals(self):
        tiny = 5e-324
        for k in range(1, 2000):
            a, b = self.f.exactly(k * tiny), self.f.exactly(1 / 3)
            self.check(a, k * tiny)
            self.check(self.f.mul(a, b), k * tiny * (1 / 3))
            self.check(self.f.mul(self.f.exactly(2.0**-540 * k), self.f.exactly(2.0**-532)), 2.0**-540 * k * 2.0**-532)

    def test_sqrt(self):
        for x in map(abs, doubles(4000)):
            self.check(self.f.sqrt(self.f.exactly(x)), sqrt(x))

    def test_sqrt_beside_midpoints(self):
        """Squares of midpoints, rounded: the roots least different from a tie."""
        for k in range(1, 2000):
            midpoint = 2**53 + 2 * k + 1
            a = self.f.nearest(float(midpoint * midpoint))
            low, root, high = (as_fraction(v) for v in (self.f.below(self.f.sqrt(a)), self.f.sqrt(a), self.f.above(self.f.sqrt(a))))
            self.assertLess(((low + root) / 2) ** 2, as_fraction(a))
            self.assertGreater(((high + root) / 2) ** 2, as_fraction(a))

    def test_reciprocal(self):
        for x in map(abs, doubles(4000)):
            self.check(self.f.reciprocal(self.f.exactly(x)), 1 / x)

    def test_overflow_is_an_error(self):
        huge = self.f.exactly(1.7976931348623157e308)
        with self.assertRaises(OverflowError):
            self.f.add(huge, huge)


class Binary32(unittest.TestCase):
    """Through doubles: f32 sums, products, quotients and roots computed in binary64 round twice without harm (53 >= 2 * 24 + 2)."""

    f = BINARY32

    def values(self, n, spread=20, seed=3):
        for x in doubles(n, spread, seed):
            yield struct.unpack("<f", struct.pack("<f", x))[0]

    def check(self, result, expected):
        self.assertEqual(self.f.to_bits(result), bits32(expected + 0.0))

    def test_add_mul_sqrt_reciprocal(self):
        values = list(self.values(6000))
        for x, y in zip(values, reversed(values)):
            a, b = self.f.exactly(x), self.f.exactly(y)
            self.check(self.f.add(a, b), x + y)
            self.check(self.f.mul(a, b), x * y)
            self.check(self.f.sqrt(self.f.exactly(abs(x))), sqrt(abs(x)))
            self.check(self.f.reciprocal(self.f.exactly(abs(x))), 1 / abs(x))

    def test_fma_is_nearest_and_even(self):
        values = list(self.values(9000, seed=4))
        for x, y, z in zip(values, values[7:], values[31:]):
            a, b, c = (self.f.exactly(v) for v in (x, y, z))
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            result = self.f.fma(a, b, c)
            error = abs(as_fraction(result) - exact)
            for neighbour in self.f.above(result), self.f.below(result):
                other = abs(as_fraction(neighbour) - exact)
                self.assertLessEqual(error, other)
                if error == other:
                    self.assertEqual(self.f.to_bits(result) & 1, 0, "a tie goes to even")

    def test_subnormals_and_nearest(self):
        for k in range(1, 2000):
            x = k * 2.0**-152
            self.check(self.f.nearest(x), x)
            self.check(self.f.mul(self.f.nearest(k * 2.0**-80), self.f.exactly(2.0**-72)), x)
        with self.assertRaises(OverflowError):
            self.f.nearest(2.0**128 - 2.0**103)
        self.check(self.f.nearest(2.0**128 - 2.0**103 - 2.0**75), 2.0**128 - 2.0**104)


class Casts(unittest.TestCase):
    def test_round_trip(self):
        r = random.Random(5)
        for f, top in (BINARY32, 0x7F800000), (BINARY64, 0x7FF0000000000000):
            for b in [1, 2, top - 1, *(r.randrange(1, top) for _ in range(3000))]:
                for bits in b, b | 1 << f.bits - 1:
                    self.assertEqual(f.to_bits(f.from_bits(bits)), bits)
        self.assertEqual(BINARY64.to_bits(BINARY64.exactly(-2.5)), bits64(-2.5))
        self.assertEqual(to_float(BINARY32.from_bits(bits32(-0.1))), struct.unpack("<f", struct.pack("<f", -0.1))[0])

    def test_not_finite(self):
        for b in 0x7F800000, 0xFF800000, 0x7FC00000:
            with self.assertRaises(ValueError):
                BINARY32.from_bits(b)

    def test_exactly_refuses_rounding(self):
        for f, x in (BINARY32, 0.7), (BINARY32, 2**24 + 1), (BINARY64, 2**53 + 1):
            with self.assertRaises(ValueError):
                f.exactly(x)

    def test_neighbours(self):
        for f, tiny in (BINARY32, 2.0**-149), (BINARY64, 5e-324):
            zero = (0, 0)
            self.assertEqual((to_float(f.above(zero)), to_float(f.below(zero))), (tiny, -tiny))
            one = f.exactly(1.0)
            ulp = 2.0 ** (1 - f.precision)
            self.assertEqual((to_float(f.above(one)), to_float(f.below(one))), (1 + ulp, 1 - ulp / 2))
            self.assertEqual(to_float(f.above(negate(one))), -1 + ulp / 2)

    def test_less(self):
        values = [0.0, *doubles(300, 4)]
        for x, y in zip(values * 2, [*values[1:], *reversed(values)]):
            self.assertEqual(less(BINARY64.exactly(x), BINARY64.exactly(y)), x < y)
        self.assertFalse(less(BINARY64.exactly(0.5), BINARY64.exactly(0.5)))


class FmaCases(unittest.TestCase):
    """The cases by which the library checks its fma."""

    def test_their_sums_are_exact_integers_rounded_once(self):
        text = (Path(__file__).resolve().parents[2] / "src" / "fma_check.cpp").read_text()
        for f, table in (BINARY64, "doubles"), (BINARY32, "floats"):
            lines = re.search(table + r"\[\] = \{\n(.*?)\n\};", text, re.DOTALL)[1].splitlines()
            self.assertEqual(len(lines), 5)
            for line in lines:
                a, b, c, total = (f.exactly(float.fromhex(x.rstrip("f") if "p" in x else x)) for x in line.strip(" {},").split(", "))
                self.assertEqual(as_fraction(f.fma(a, b, c)), as_fraction(total), line)


if __name__ == "__main__":
    unittest.main()
