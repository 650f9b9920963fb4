"""The maps: ranges, parameters, accuracy against fifty digits, integers, Bernoulli; and the files that make_goldens writes."""

import json
import random
import struct
import unittest
from decimal import Decimal
from fractions import Fraction
from math import cos, inf, nan, pi, sin, sqrt

import make_goldens
import precise
from directions import UnitVector2, UnitVector3, UnitVector4
from engines import PHILOX4X32_10, STREAM_ENGINES
from floats import BFLOAT16, BINARY16, BINARY32, BINARY64, less, negate, to_float
from kernels import F32, F64, neglog, sincos
from known_answers import edge_words
from maps import (
    Bernoulli, ComplexNormal, Exponential, Normal, NormalIcdf, ParameterError, Uniform, UniformDense, UniformInt, UniformOpen,
    UniformOpenClosed, at, box_muller, fill, lemire,
)
from quantile import normal_quantile
from stream import Stream

FORMATS = (BINARY32, BINARY64)


class Words:
    """A stream whose every word has the same bits: the ends of a map's range."""

    def __init__(self, w):
        self.w = w

    def word(self, position, domain=0):
        return self.w & 0xFFFFFFFF

    def word64(self, position, domain=0):
        return self.w


def value(distribution, w):
    """The value of one word, as a Python float."""
    return to_float(distribution.format.from_bits(distribution.value(Words(w), 0)))


def sample_words(format, n, seed):
    """Random words, words near 0 and near the top, and the edges of the kernels."""
    r = random.Random(seed)
    bits = format.bits
    yield from edge_words(bits)
    for _ in range(n):
        w = r.getrandbits(bits) >> r.choice((0, 0, 0, r.randrange(bits)))
        yield r.choice((w, (1 << bits) - 1 - w))


class Uniforms(unittest.TestCase):
    def test_unit_intervals(self):
        for f in FORMATS:
            top, p = (1 << f.bits) - 1, f.precision
            for distribution, low, high in (
                (Uniform(f), 0.0, 1 - 2.0**-p),
                (UniformOpen(f), 2.0**-p, 1 - 2.0**-p),
                (UniformOpenClosed(f), 2.0**-p, 1.0),
            ):
                self.assertEqual((value(distribution, 0), value(distribution, top)), (low, high))

    def test_one_step(self):
        """Neighbouring variates are 2^-p apart (2^(1-p) in the open form), and the bits below are dropped."""
        for f in FORMATS:
            for D, dropped, step in (Uniform, 0, 1), (UniformOpenClosed, 0, 1), (UniformOpen, 1, 2):
                low_bits = f.bits - f.precision + dropped
                x = [value(D(f), w << low_bits | (1 << low_bits) - 1) for w in (5, 6, 7)]
                self.assertEqual([x[1] - x[0], x[2] - x[1]], [step * 2.0**-f.precision] * 2)
                self.assertEqual(value(D(f), 5 << low_bits), x[0])

    def test_bounds_are_kept(self):
        """Wide bounds with a narrow span: rounding lands on hi and lo unless selection prevents it."""
        for f in FORMATS:
            ulp = 2.0 ** (1 - f.precision)
            for lo, hi in (-2.5, 7.25), (1.0, 1 + 4 * ulp), (-1 - 4 * ulp, -1.0), (-1.0, ulp), (3.0, 2.0**60), (-0.0, 1.0), (-1.0, -0.0):
                for w in 0, 1 << f.bits - 1, (1 << f.bits) - 1:
                    self.assertTrue(lo <= value(Uniform(f, lo, hi), w) < hi)
                    self.assertTrue(lo < value(UniformOpen(f, lo, hi), w) < hi)
                    self.assertTrue(lo < value(UniformOpenClosed(f, lo, hi), w) <= hi)

    def test_selection_decides(self):
        """Four steps wide: the ends of the unit interval round onto the bounds, so each selection is what keeps them out."""
        f, top = BINARY32, 2**32 - 1
        step = 2.0**-23
        lo, hi = 1.0, 1 + 4 * step
        self.assertEqual((value(Uniform(f, lo, hi), 0), value(Uniform(f, lo, hi), top)), (lo, hi - step))
        self.assertEqual((value(UniformOpen(f, lo, hi), 0), value(UniformOpen(f, lo, hi), top)), (lo + step, hi - step))
        self.assertEqual((value(UniformOpenClosed(f, lo, hi), 0), value(UniformOpenClosed(f, lo, hi), top)), (lo + step, hi))


class Accuracy(unittest.TestCase):
    """Sampled; the bounds lie just above what appendix A of the contract states."""

    def worst(self, pairs, precision):
        return max(precise.ulps(computed, exact, precision) for computed, exact in pairs)

    def test_exponential(self):
        for f, n in (BINARY32, 20000), (BINARY64, 10000):
            r = random.Random(8)
            # Between 1/2 and 3/4 the result is small and the word is not: what rounding the word loses shows there.
            middle = (r.randrange(1 << f.bits - 1, 3 << f.bits - 2) for _ in range(n))
            words = *sample_words(f, n, 1), *middle
            worst = self.worst(((neglog(f, w), precise.neg_ln(w, f.bits)) for w in words), f.precision)
            self.assertLess(worst, Decimal("1.25"))

    def test_sine_and_cosine(self):
        for f, n in (BINARY32, 15000), (BINARY64, 8000):
            words = list(sample_words(f, n, 2))
            for k in 0, 1:
                pairs = ((sincos(f, w)[k], precise.sincos(w, f.bits)[k]) for w in words)
                self.assertLess(self.worst(pairs, f.precision), Decimal("1.16"))

    def test_normal(self):
        for f, n in (BINARY32, 20000), (BINARY64, 10000):
            radii, angles = list(sample_words(f, n, 3)), list(sample_words(f, n, 4))
            random.Random(5).shuffle(angles)

            def pairs():
                for even, odd in zip(radii, angles):
                    radius = (2 * precise.neg_ln(even, f.bits)).sqrt()
                    sine, cosine = precise.sincos(odd, f.bits)
                    z = box_muller(f, even, odd)
                    yield z[0], radius * cosine
                    yield z[1], radius * sine

            self.assertLess(self.worst(pairs(), f.precision), 3)

    def test_quantile(self):
        for f, n, bound in (BINARY32, 4000, "1.98"), (BINARY64, 3000, "1.98"):
            r = random.Random(9)
            # Just below |z| = 1, where the largest errors are.
            worst_place = (int((0.1589 + 0.01 * r.random()) * 2**f.bits) for _ in range(n // 2))
            words = *sample_words(f, n, 10), *worst_place
            pairs = ((normal_quantile(f, w), precise.normal_quantile(w, f.bits)) for w in words)
            self.assertLess(self.worst(pairs, f.precision), Decimal(bound))

    def test_ln_2_is_split(self):
        """High plus low parts: ln 2 to twice the precision less the sign's and rounding's bits."""
        for f, kernel in (BINARY32, F32), (BINARY64, F64):
            m, e = kernel.ln2_high
            low, low_exponent = kernel.ln2_low
            total = Decimal(m) * Decimal(2) ** e + Decimal(low) * Decimal(2) ** low_exponent
            self.assertLess(abs(total - Decimal(2).ln()), Decimal(2) ** (-2 * f.precision))

    def test_greatest_normal(self):
        for f, bound in (BINARY32, 6.7638), (BINARY64, 9.4926):
            z = to_float(box_muller(f, 0, 0)[0])
            self.assertTrue(bound - 0.001 < z <= bound, z)

    def test_exponential_is_the_rounded_quotient(self):
        r = random.Random(6)
        for f, extremes in (BINARY32, (-120, 90)), (BINARY64, (-1000, 900)):
            rates = [2.0**e for e in extremes]
            rates += [to_float(f.nearest(r.uniform(0.5, 2) * 2.0 ** r.randint(-40, 40))) for _ in range(40)]
            for rate in rates:
                for w in sample_words(f, 60, 7):
                    exact = Fraction(to_float(neglog(f, w))) / Fraction(rate)
                    x = f.exactly(value(Exponential(f, rate), w))
                    below, x, above = (Fraction(to_float(v)) for v in (f.below(x), x, f.above(x)))
                    self.assertTrue((below + x) / 2 <= exact <= (x + above) / 2, (f, rate, w))


class Normals(unittest.TestCase):
    def test_pairs_are_aligned_in_their_own_domain(self):
        for f, domain in (BINARY32, 16), (BINARY64, 17):
            s = Stream.from_seed(3, 4, 5)
            words = f.bits // 32
            values, _ = fill(s, Normal(f), 9)
            start = -(-5 // words)  # in slots
            for i, bits in enumerate(values):
                slot = start + i
                even, odd = (
                    sum(s.word(words * k + j, domain) << 32 * j for j in range(words)) for k in (slot & ~1, slot | 1)
                )
                self.assertEqual(bits, f.to_bits(box_muller(f, even, odd)[slot & 1]))

    def test_odd_start(self):
        for f in FORMATS:
            s = Stream.from_seed(3, 4)
            whole, _ = fill(s, Normal(f), 8)
            _, later = fill(s, Normal(f), 3)
            self.assertEqual(fill(later, Normal(f), 5)[0], whole[3:])

    def test_scale_and_shift(self):
        for f in FORMATS:
            s = Stream.from_seed(3, 4)
            z = [to_float(f.from_bits(b)) for b in fill(s, Normal(f), 8)[0]]
            for mean, stddev in (3.0, 0.75), (-0.0, 2.0), (2.0**40, 0.0), (-7.0, 2.0**-20), (0.0, 0.0):
                scaled = fill(s, Normal(f, mean, stddev), 8)[0]
                expected = [f.fma(f.exactly(stddev), f.exactly(x), f.exactly(mean)) for x in z]
                self.assertEqual(scaled, [f.to_bits(x) for x in expected])
                if not stddev:
                    self.assertEqual({b for b in scaled}, {f.to_bits(f.exactly(mean))})


class Quantiles(unittest.TestCase):
    def test_symmetric(self):
        for f in FORMATS:
            for w in sample_words(f, 500, 11):
                self.assertEqual(normal_quantile(f, (1 << f.bits) - 1 - w), negate(normal_quantile(f, w)))

    def test_monotone(self):
        """Neighbours and words a few steps apart at the ends of the pieces, where the exponent changes, and at random."""
        r = random.Random(12)
        for f in FORMATS:
            centres = [1 << k for k in range(f.bits)] + [0xB504F333F9DE6484 >> 64 - k for k in range(2, f.bits)]
            centres += [r.getrandbits(f.bits) >> r.randrange(f.bits) for _ in range(300)]
            for centre in centres:
                words = sorted({(centre + d) % (1 << f.bits) for d in (-9, -8, -3, -2, -1, 0, 1, 2, 3, 8, 9)})
                z = [normal_quantile(f, w) for w in words]
                self.assertFalse(any(less(b, a) for a, b in zip(z, z[1:])), (f, hex(centre)))

    def test_one_slot_scaled_and_shifted(self):
        for f in FORMATS:
            s = Stream.from_seed(3, 4, 5)
            slot = f.bits // 32
            start = -(-5 // slot)
            z = [normal_quantile(f, s.word(k) if slot == 1 else s.word64(2 * k)) for k in range(start, start + 8)]
            for mean, stddev in (0.0, 1.0), (3.0, 0.75), (-7.0, 0.0):
                expected = [f.to_bits(f.fma(f.exactly(stddev), x, f.exactly(mean))) for x in z]
                self.assertEqual(fill(s, NormalIcdf(f, mean, stddev), 8)[0], expected)


class FixedRetryStream:
    """A stream whose retry_stream, as words of so many bits, begins with `words`; then come zeros."""

    def __init__(self, words, bits):
        self.words = [w >> 32 * k & 0xFFFFFFFF for w in words for k in range(bits // 32)]
        self.slot = bits // 32

    def word(self, position, domain=0):
        return self.words[position] if position < len(self.words) else 0

    def private_stream(self, position):
        rest = FixedRetryStream([], 32)
        rest.words = self.words[self.slot :]
        return rest


class Dense(unittest.TestCase):
    def test_the_fraction_rounded_down(self):
        r = random.Random(13)
        for f in FORMATS:
            for _ in range(2000):
                zeros = r.choice((0, 0, 0, 1, 2))
                words = [0] * zeros + [r.getrandbits(f.bits) >> r.randrange(f.bits), r.getrandbits(f.bits), r.getrandbits(f.bits)]
                exact = sum(Fraction(w, 1 << f.bits * (k + 1)) for k, w in enumerate(words))
                x = f.from_bits(UniformDense(f).value(FixedRetryStream(words, f.bits), 0))
                self.assertTrue(Fraction(to_float(x)) <= exact < Fraction(to_float(f.above(x))), words)

    def test_ends(self):
        for f in FORMATS:
            ones, p = (1 << f.bits) - 1, f.precision
            least = {BINARY32: [0, 0, 0, 1 << 2], BINARY64: [0] * 15 + [1 << 2]}[f]  # 2^-126, 2^-1022
            for words, x in ([ones], 1 - 2.0**-p), ([0, 1 << f.bits - 1], 2.0 ** (-f.bits - 1)), ([0] * 20, 0.0), (least, 2.0 ** (1 - f.bias)), (
                [0] * (len(least) - 1) + [(1 << 2) - 1, ones], 0.0):
                self.assertEqual(to_float(f.from_bits(UniformDense(f).value(FixedRetryStream(words, f.bits), 0))), x, (f, words))


class Halves(unittest.TestCase):
    def test_rounding(self):
        """binary16 against the struct module; bfloat16 against the definition."""
        r = random.Random(14)
        floats = [struct.unpack("<f", struct.pack("<I", r.getrandbits(32)))[0] for _ in range(5000)]
        floats += [(k + half) * 2.0**-25 for k in range(3000) for half in (0.0, 0.5)]
        for x in floats:
            if 2.0**-126 <= abs(x) < 65520:
                bits = BINARY16.to_bits(BINARY16.round(*BINARY32.exactly(x)))
                self.assertEqual(bits or 0x8000 * (x < 0), struct.unpack("<H", struct.pack("<e", x))[0], x)
            if 2.0**-126 <= abs(x) < 2.0**127:
                y = BFLOAT16.round(*BINARY32.exactly(x))
                below, above = (abs(Fraction(x) - Fraction(to_float(z))) for z in (BFLOAT16.below(y), BFLOAT16.above(y)))
                error = abs(Fraction(x) - Fraction(to_float(y)))
                self.assertTrue(error <= min(below, above), x)
                self.assertTrue(error < min(below, above) or BFLOAT16.to_bits(y) % 2 == 0, x)

    def test_unit_intervals(self):
        for f in BINARY16, BFLOAT16:
            p = f.precision
            for D, low, high in (Uniform, 0, 1 - 2.0**-p), (UniformOpen, 2.0**-p, 1 - 2.0**-p), (UniformOpenClosed, 2.0**-p, 1):
                for w, x in (0, low), (2**32 - 1, high):
                    self.assertEqual(to_float(f.from_bits(D(f).value(Words(w), 0))), x)
            counts = {}
            for top in range(2**p):
                for low in 0, (1 << 32 - p) - 1:
                    x = Uniform(f).value(Words(top << 32 - p | low), 0)
                    counts[x] = counts.get(x, 0) + 1
            self.assertEqual((len(counts), set(counts.values())), (2**p, {2}), "every multiple of 2^-p, equally often")

    def test_normals_are_rounded_f32(self):
        s = Stream.from_seed(5)
        for f in BINARY16, BFLOAT16:
            for mean, stddev in (0.0, 1.0), (1.0, 0.25), (0.0, 2.0**-20):
                for i in range(200):
                    x = BINARY32.from_bits(at(s, Normal(BINARY32, mean, stddev), i))
                    self.assertEqual(at(s, Normal(f, mean, stddev), i), f.to_bits(f.round(*x)))

    def test_refused(self):
        for D, f, *parameters in (
            (Uniform, BINARY16, 0.0, 0.1), (Uniform, BINARY16, 0.0, 65536.0), (Uniform, BFLOAT16, 257.0, 300.0),
            (UniformOpen, BINARY16, 1.0, 1 + 2.0**-10), (UniformOpen, BFLOAT16, 1.0, 1 + 2.0**-7),
            (Normal, BINARY16, 0.0, 4097.0), (Normal, BINARY16, -16385.0, 1.0),
        ):
            with self.assertRaises(ParameterError, msg=(D, f, parameters)):
                D(f, *parameters)
        Uniform(BINARY16, -65504.0, 65504.0), Normal(BINARY16, 2.0**14, 2.0**12), UniformOpen(BFLOAT16, 1.0, 1 + 2.0**-6)


class Complex(unittest.TestCase):
    def test_parts(self):
        """Box-Muller's pair of the slot's own words, from domain 0, scaled by stddev sqrt(1/2)."""
        s = Stream.from_seed(3, 4, 1)
        for f in FORMATS:
            for stddev in 1.0, 3.0, 0.0:
                scale = f.mul(f.exactly(stddev), f.sqrt((1, -1)))
                values, after = fill(s, ComplexNormal(f, stddev), 5)
                self.assertEqual(after.position, 6 * f.bits // 16)  # begun at the second slot
                for i, bits in enumerate(values):
                    first = (i + 1) * f.bits // 16
                    words = (s.word(first), s.word(first + 1)) if f is BINARY32 else (s.word64(first), s.word64(first + 2))
                    parts = [f.to_bits(f.mul(scale, z)) for z in box_muller(f, *words)]
                    self.assertEqual(bits, parts[0] | parts[1] << f.bits)

    def test_mean_square(self):
        f, n = BINARY32, 2000
        total = 0.0
        for bits in fill(Stream.from_seed(1), ComplexNormal(f, 2.0), n)[0]:
            total += sum(to_float(f.from_bits(b)) ** 2 for b in (bits & 2**32 - 1, bits >> 32))
        self.assertLess(abs(total / n / 4 - 1), 6 / n**0.5)  # |z|^2 / 4 is exponential of variance 1

    def test_refused(self):
        for f, stddev in (BINARY32, -1.0), (BINARY32, 2.0**121), (BINARY64, 2.0**1001), (BINARY32, nan), (BINARY64, inf):
            with self.assertRaises(ParameterError, msg=(f, stddev)):
                ComplexNormal(f, stddev)

    def test_small_deviations_count_as_0(self):
        for f, stddev in (BINARY32, 2.0**-76), (BINARY64, 2.0**-900), (BINARY32, -0.0):
            self.assertEqual(fill(Stream.from_seed(1), ComplexNormal(f, stddev), 3), fill(Stream.from_seed(1), ComplexNormal(f, 0.0), 3))


class RetryStream(Words):
    """A stream that begins with these bits, the lowest first."""

    def word(self, position, domain=0):
        return self.w >> 32 * position & 2**32 - 1

    def word64(self, position, domain=0):
        return self.w >> 32 * position & 2**64 - 1


class Directions(unittest.TestCase):
    def test_parts(self):
        """The formulas in Python's doubles, at words near the poles and elsewhere; parts lie in order from the lowest bits."""
        for f, unit in (BINARY32, 2.0**-23), (BINARY64, 2.0**-52):
            top = 1 << f.bits
            for w0 in 0, top - 1, top // 2 - 1, top // 2, top // 4, top // 3:
                p = (2 * w0 + 1) / (2 * top)
                for w1 in 1, top // 5, top // 2, top - 1:
                    w2 = (w0 + w1) % top
                    c, s, c2, s2 = (g(2 * pi * (2 * w + 1) / (2 * top)) for w in (w1, w2) for g in (cos, sin))
                    q = (2 * (top - 1 - w0) + 1) / (2 * top)
                    a, b, r = sqrt(q), sqrt(p), 2 * sqrt(p * q)
                    z = (top - 2 * w0 - 1) / top
                    for direction, words, parts in (
                        (UnitVector2, (w1,), (c, s)), (UnitVector3, (w0, w1), (r * c, r * s, z)),
                        (UnitVector4, (w0, w1, w2, 5), (a * s, a * c, b * s2, b * c2)),
                    ):
                        stream = RetryStream(sum(w << k * f.bits for k, w in enumerate(words)))
                        value = direction(f).value(stream, 0)
                        for k, x in enumerate(parts):
                            got = to_float(f.from_bits(value >> k * f.bits & (top - 1)))
                            self.assertAlmostEqual(got, x, delta=2 * unit, msg=(direction, f, words, k))
                            self.assertTrue(got and (got > 0) == (x > 0) or abs(x) < unit, (direction, f, words, k))


class Refusals(unittest.TestCase):
    def test_refused(self):
        f32, f64 = FORMATS
        up = 1 + 2.0**-23
        for D in Uniform, UniformOpen, UniformOpenClosed:
            for f, *parameters in (
                (f32, 2.0, 1.0), (f32, nan, 1.0), (f32, 0.0, inf), (f64, -inf, 0.0),
                (f32, -(2.0**127), 2.0**127), (f64, -(2.0**1023), 2.0**1023),
                (f32, 0.0, 2.0**-79), (f64, 0.0, 2.0**-901),
            ):
                with self.assertRaises(ParameterError, msg=(D, f, parameters)):
                    D(f, *parameters)
            for f, *parameters in (
                (f32, 0.0, 2.0**-78), (f64, 0.0, 2.0**-900), (f32, -(2.0**-126), 1.0), (f64, 2.0**-1022, 1.0),
                (f32, -(2.0**126), 2.0**126), (f32, -0.0, 1.0),
            ):
                D(f, *parameters)
        for D in UniformOpen, UniformOpenClosed:
            self.assertRaises(ParameterError, D, f32, 1.0, 1.0)
        self.assertEqual(fill(Stream.from_seed(1), Uniform(f32, 1.0, 1.0), 3)[0], 3 * [f32.to_bits(f32.exactly(1.0))])
        for f, low, high in (f32, -120, 90), (f64, -1000, 900):
            for rate in 0.0, -1.0, nan, inf, 2.0**low / 2, 2.0**high * up:
                with self.assertRaises(ParameterError, msg=(f, rate)):
                    Exponential(f, rate)
            Exponential(f, 2.0**low), Exponential(f, 2.0**high)
        for f, least, stddev_most, mean_most in (f32, -76, 120, 126), (f64, -900, 1000, 1022):
            for mean, stddev in (
                (nan, 1.0), (0.0, inf), (0.0, -1.0), (0.0, 2.0**stddev_most * up), (-(2.0**mean_most) * up, 1.0),
            ):
                for D in Normal, NormalIcdf:
                    with self.assertRaises(ParameterError, msg=(D, f, mean, stddev)):
                        D(f, mean, stddev)
            for mean, stddev in (0.0, 2.0**least), (2.0**least, 2.0**stddev_most), (-(2.0**mean_most), 0.0), (2.0**least / 2, 2.0**least / 2):
                Normal(f, mean, stddev)
        for refused in (lambda: UniformInt(8, 0, 256), lambda: UniformInt(32, 1, 0), lambda: Bernoulli(-0.1), lambda: Bernoulli(nan)):
            self.assertRaises(ParameterError, refused)


class Integers(unittest.TestCase):
    def test_lemire_is_unbiased(self):
        """All 8-bit words and all spans: each result comes from equally many words, and no word is refused in vain."""
        for span in range(1, 257):
            counts = [0] * span
            for w in range(256):
                try:
                    counts[lemire(iter([w]).__next__, 8, span)] += 1
                except StopIteration:
                    pass
            self.assertEqual(set(counts), {256 // span}, span)

    def test_powers_of_two_are_the_top_bits(self):
        s = Stream.from_seed(1)
        for bits in 8, 16:
            self.assertEqual(fill(s, UniformInt(bits, 0, 2**bits - 1), 5)[0], [s.word(i) >> 32 - bits for i in range(5)])
        self.assertEqual(fill(s, UniformInt(32, 0, 2**32 - 1), 5)[0], [s.word(2 * i + 1) for i in range(5)])
        self.assertEqual(fill(s, UniformInt(64, 0, 2**64 - 1), 5)[0], [s.word64(2 * i) for i in range(5)])
        self.assertEqual(fill(s, UniformInt(64, -(2**63), 2**63 - 1), 5)[0], [s.word64(2 * i) - 2**63 for i in range(5)])

    def test_slots(self):
        self.assertEqual([UniformInt(b, 0, 1).slot for b in (8, 16, 32, 64)], [1, 1, 2, 2])


class Bernoullis(unittest.TestCase):
    def test_threshold(self):
        for p, threshold in (0.0, 0), (1.0, 2**32), (0.5, 2**31), (2.0**-32, 1), (2.0**-34, 0), (1 - 2.0**-34, 2**32), (1 / 3, 1431655765):
            self.assertEqual(Bernoulli(p).threshold, threshold)
        self.assertEqual([Bernoulli(k * 2.0**-33).threshold for k in (1, 3, 5)], [0, 2, 2], "ties to even")

    def test_comparison(self):
        for w, outcome in (2**31 - 1, 1), (2**31, 0):
            self.assertEqual(Bernoulli(0.5).value(Words(w), 0), outcome)
        for w in 0, 2**32 - 1:
            self.assertEqual((Bernoulli(0.0).value(Words(w), 0), Bernoulli(1.0).value(Words(w), 0)), (0, 1))


class Files(unittest.TestCase):
    def test_goldens_are_what_the_model_gives(self):
        """The last row of every kind of the default engine, and of each shape with the others; test_files has all rows."""
        shapes = {("bits", "u64"), ("uniform", "f32"), ("normal", "f32"), ("normal", "f64"), ("complex_normal", "c64"),
                  ("uniform_dense", "f32")}
        cases = {(engine, distribution.name, distribution.dtype): (engine, distribution, place)
                 for engine, distribution, place in make_goldens.cases()
                 if engine is PHILOX4X32_10 or (distribution.name, distribution.dtype) in shapes}
        text = json.loads((make_goldens.HERE / "goldens.json").read_text())
        rows = {(row["engine"], row["name"], row["dtype"]): row for row in text["goldens"]}
        self.assertEqual(len(cases), len({kind[1:] for kind in rows}) + 4 * len(shapes))
        for (engine, *kind), case in cases.items():
            self.assertEqual(rows[(engine.name, *kind)], make_goldens.golden(*case))

    def test_goldens_are_the_same_in_both_files(self):
        rows = json.loads((make_goldens.HERE / "goldens.json").read_text())["goldens"]
        lines = "".join(map(make_goldens.inc_line, rows))
        self.assertEqual((make_goldens.REPOSITORY / "src" / "verify" / "goldens.inc").read_text(), make_goldens.HEADER + lines)

    def test_digest(self):
        """FNV-1a's own test vectors."""
        self.assertEqual(make_goldens.fnv1a([], 1), 0xCBF29CE484222325)
        self.assertEqual(make_goldens.fnv1a(b"foobar", 1), 0x85944171F73967E8)
        self.assertEqual(make_goldens.fnv1a([int.from_bytes(b"foo", "little"), int.from_bytes(b"bar", "little")], 3), 0x85944171F73967E8)

    def test_hexfloats(self):
        for x, text in (0.0, "0x0p+0"), (1.0, "0x1p+0"), (-2.5, "-0x1.4p+1"), (0.7, "0x1.6666666666666p-1"), (2.0**20, "0x1p+20"):
            self.assertEqual((make_goldens.hexfloat(x), float.fromhex(text)), (text, x))

    def test_golden_table_is_complete(self):
        rows = json.loads((make_goldens.HERE / "goldens.json").read_text())["goldens"]
        kinds = [(row["engine"], row["name"], row["dtype"]) for row in rows]
        every = {(engine.name, name, dtype) for engine in STREAM_ENGINES for _, name, dtype in kinds}
        self.assertEqual(set(kinds), every)
        for kind in every:  # four places of the default engine; one of the others, and one more of their words
            of_default = kind[0] == "philox4x32-10"
            places = 4 + (kind[1] == "noncentral_chi_squared")  # which has another sum from lambda = 512 on
            self.assertEqual(kinds.count(kind), places if of_default else 2 if kind[1:] == ("bits", "u32") else 1, kind)
        # Integers of the full range are raw words. The greatest exponent of zipf and the least p of log_series give 1 only.
        digests = [row["digest"] for row in rows]
        repeated = sorted((row["name"], row["dtype"]) for row in rows if digests.count(row["digest"]) > 1)
        self.assertEqual(repeated, [("bits", "u64"), ("log_series", "i32"), ("uniform_int", "u64"), ("zipf", "i32")])


if __name__ == "__main__":
    unittest.main()
