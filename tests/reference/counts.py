"""The distributions of counts, from the contract's appendix A.22, whose tables of rational numbers are read from there."""

import re
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from pathlib import Path

from continuous import magnitude
from floats import BINARY64, less, negate, scaled, to_float
from functions import FUNCTIONS, HALF, ONE, ZERO, exp, expm1, largest, ln, log1m_exp, log1p, midpoint_fraction, remainder, smallest
from kernels import horner, neglog
from maps import check, counted
from quantile import normal_quantile
from samplers import Gamma
from stream import RetryStream

T = BINARY64
CONTRACT = Path(__file__).resolve().parents[2] / "docs" / "contract.md"
ALL_WORDS = 1 << 64
LEAST_WORDS = 1 << 14
TERMS = 12


@lru_cache(maxsize=1)
def tables():
    """{"MEDIAN": {j: [rationals]}, "QUANTILE": {(m, j): [rationals]}} as the contract states them."""
    text = CONTRACT.read_text()
    block = re.search(r"<!-- expansions -->\n\n((?:    .*\n)+)", text)[1]
    found = {"MEDIAN": {}, "QUANTILE": {}}
    for name, key, values in re.findall(r"(MEDIAN|QUANTILE) ([\d ]+):((?:\s+-?\d+(?:/\d+)?)+)", block):
        index = tuple(map(int, key.split()))
        found[name][index if len(index) > 1 else index[0]] = [Fraction(x) for x in values.split()]
    return found


def rounded(x):
    """A rational number, rounded once."""
    shift = max(0, T.precision + 2 + x.denominator.bit_length() - abs(x.numerator).bit_length())
    quotient, rest = divmod(x.numerator << shift, x.denominator)
    return T.round(quotient << 1 | (rest != 0), -shift - 1)


def rational(numerator, denominator):
    return rounded(Fraction(numerator, denominator))


def real(n):
    """An integer as a double."""
    return T.round(n, 0)


def mul(a, b):
    return T.mul(a, b)


def sub(a, b):
    return T.add(a, negate(b))


def floor(x):
    m, e = x
    return m << e if e >= 0 else m >> -e


def words(share):
    """floor(share 2^64)"""
    return floor((share[0], share[1] + 64))


STIRLING = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360)]


def stirling(r):
    return mul(r, horner(T, [rational(*c) for c in STIRLING], mul(r, r)))


def short_log(y):
    return horner(T, [rational((-1) ** (k + 1), k + 2) for k in range(9)], y)


def short_exp(x):
    coefficients, factorial = [], 1
    for k in range(8):
        factorial *= max(k, 1)
        coefficients.append(rational(1, factorial))
    return horner(T, coefficients, x)


class Walk:
    """A law by the ratios of its masses: P(k + 1) / P(k) = up(k) / down(k + 1), up to the value `most`, which may be None."""

    def __init__(self, up, down, most, anchor):
        self.up, self.down, self.most, self.anchor = up, down, most, anchor

    def above(self, k, mass):
        return mul(mass, T.div(self.up(k), self.down(k + 1)))

    def below(self, k, mass):
        return mul(mass, T.div(self.down(k), self.up(k - 1)))

    def normalise(self):
        """The anchor's mass and its share from all masses, as multiples of 2^-58 of the anchor's."""
        k, mass, before = self.anchor, (1, -6), 0
        while k > 0:
            mass, k = self.below(k, mass), k - 1
            if words(mass) == 0:
                break
            before += words(mass)
        k, mass, after = self.anchor, (1, -6), 0
        while k != self.most:
            mass, k = self.above(k, mass), k + 1
            if words(mass) == 0:
                break
            after += words(mass)
        total = real(before + (1 << 58) + after)
        self.mass = scaled(T.reciprocal(total), 58)
        self.last = words(T.div(real(before + (1 << 58)), total)) - 1

    def find(self, w):
        k, mass = self.anchor, self.mass
        if w <= self.last:
            rest = self.last - w
            while k > 0 and words(mass) >= LEAST_WORDS and rest >= words(mass):
                rest -= words(mass)
                mass, k = self.below(k, mass), k - 1
            return k
        rest = w - self.last - 1
        while True:
            mass, k = self.above(k, mass), k + 1
            if rest < words(mass) or words(mass) < LEAST_WORDS or k == self.most:
                return k
            rest -= words(mass)


class Integers:
    """What the counts share: their type and their slot."""

    slot, fields = 2, ()

    def __init__(self, bits, *parameters):
        self.bits, self.dtype, self.parameters = bits, f"i{bits}", parameters
        for field, x in zip(self.fields, parameters, strict=True):
            check(isfinite(x), f"{self.name}: {field} must be finite, got {x}")
        self.validate(*parameters)

    def value(self, stream, position):
        return self.of_word(stream.word64(position))


class Rademacher:
    name, fields, slot, dtype, bits, parameters = "rademacher", (), 1, "i8", 8, ()

    def value(self, stream, position):
        return 1 - 2 * (stream.word(position) >> 31)


class Geometric(Integers):
    name, fields = "geometric", ("p",)

    def validate(self, p):
        low = -25 if self.bits == 32 else -44
        check(2.0**low <= p <= 1, f"geometric: p must be in [2^{low}, 1], got {p}")
        self.scale = ZERO if p == 1 else T.reciprocal(negate(log1p(T, negate(T.exactly(p)))))

    def of_word(self, w):
        return floor(mul(neglog(T, w), self.scale))


class Count(Integers):
    """A binomial law with p up to 1/2, or with trials None the Poisson law of mean p."""

    is_binomial = False

    def prepare(self, trials, p):
        self.trials, self.is_constant, self.coefficients = trials, p == 0 or trials == 0, None
        if self.is_constant:
            return
        self.is_binomial = trials is not None
        p = T.exactly(p)
        q = sub(ONE, p)
        mean = mul(real(trials + 1), p) if self.is_binomial else p
        variance = mul(mean, q) if self.is_binomial else mean
        if not less(variance, (256, 0)):
            self.prepare_polynomial(real(self.trials + 1) if self.is_binomial else None, p, q, mean, variance)
        else:
            self.prepare_walk(p, q)

    def terms(self, key, w):
        """A coefficient of an expansion: a polynomial in w, or its first term."""
        c = [rounded(x) for x in tables()[key[0]][key[1]]]
        return horner(T, c, w) if self.is_binomial else c[0]

    def prepare_walk(self, p, q):
        n = real(self.trials) if self.is_binomial else None
        mean = mul(n, p) if self.is_binomial else p
        odds = T.div(p, q) if self.is_binomial else mean
        up = (lambda k: mul(sub(n, real(k)), odds)) if self.is_binomial else lambda k: odds
        walk = self.walk = Walk(up, real, self.trials, 0 if less(mean, (16, 0)) else floor(T.add(mean, HALF)))
        if less(mean, (16, 0)):
            e = mul(n, log1p(T, negate(p))) if self.is_binomial else negate(mean)
            walk.last, walk.mass = ALL_WORDS - 1 - words(negate(expm1(T, e))), exp(T, e)
            return
        m = real(walk.anchor)
        u, t = T.reciprocal(m), sub(mean, m)
        sigma, w, square = u, ZERO, None
        if self.is_binomial:
            t = T.fma(n, p, negate(m))
            rest = sub(n, m)
            v, r = T.reciprocal(rest), T.reciprocal(n)
            sigma = T.add(u, v)
            share, other = mul(m, r), mul(rest, r)
            w = mul(share, other)
        square = mul(t, t)
        log, series = mul(u, short_log(mul(t, u))), stirling(u)
        if self.is_binomial:
            log = T.fma(v, short_log(negate(mul(t, v))), log)
            series = T.add(series, sub(stirling(v), stirling(r)))
        inverse_two_pi = T.exactly(float.fromhex("0x1.45f306dc9c883p-3"))
        walk.mass = mul(T.sqrt(mul(sigma, inverse_two_pi)), short_exp(T.fma(square, log, negate(series))))

        median = [self.terms(("MEDIAN", j), w) for j in range(9)]
        g = horner(T, median, sigma)
        before = T.fma(sub(other, share), g, HALF) if self.is_binomial else T.add(g, HALF)
        term = negate(t)
        total = T.add(before, term)
        first = mul(sub(v, u) if self.is_binomial else negate(u), t)
        second = mul(sigma, square)
        third = mul(mul(u, v), square) if self.is_binomial else None
        for k in range(1, 12):
            factor = mul(second, rational(1, k + 1))
            if self.is_binomial:
                factor = T.fma(third, rational(k - 1, k + 1), factor)
            before, term = term, T.fma(mul(first, rational(k, k + 1)), term, mul(factor, before))
            if k == 1:
                term = T.fma(mul(u, square), negate(HALF), term)
            total = T.add(total, term)
        walk.last = words(T.fma(walk.mass, total, HALF)) - 1

    def prepare_polynomial(self, n, p, q, mean, variance, shift=ZERO):
        low = T.add(T.fma(n, p, negate(mean)), shift) if self.is_binomial else ZERO
        self.centre = floor(mean)
        fraction = T.add(sub(mean, (self.centre, 0)), low) if less(mean, (1, 52)) else low
        d, deviation = T.reciprocal(variance), T.sqrt(variance)
        inverse = T.reciprocal(deviation)
        skew, w = T.fma((-2, 0), p, ONE), mul(p, q) if self.is_binomial else ZERO
        c = []
        for m in range(TERMS):
            rows = [self.terms(("QUANTILE", (m, j)), w) for j in range(max(m - 1, m == 0), 11, 2)]
            x = horner(T, rows, d)
            c.append(mul(skew, x) if self.is_binomial and m % 2 == 0 else x)
        c[0], c[1] = T.add(c[0], fraction), mul(deviation, c[1])
        power = inverse
        for m in range(3, TERMS):
            c[m], power = mul(power, c[m]), mul(power, inverse)
        self.coefficients = c

    def count(self, w):
        if self.is_constant:
            return 0
        if self.coefficients is None:
            return self.walk.find(w)
        return self.quantile(w)

    def quantile(self, w):
        return self.centre + floor(horner(T, self.coefficients, normal_quantile(T, w)))


class Poisson(Count):
    name, fields = "poisson", ("mean",)

    def validate(self, mean):
        high = 30 if self.bits == 32 else 62
        check(0 <= mean <= 2.0**high, f"poisson: mean must be in [0, 2^{high}], got {mean}")
        self.prepare(None, counted(mean, -64))

    def of_word(self, w):
        return self.count(w)


class Binomial(Count):
    name, fields = "binomial", ("trials", "p")

    def validate(self, trials, p):
        most = 2**31 - 1 if self.bits == 32 else 2**62
        check(0 <= trials <= most, f"binomial: trials must be in [0, {most}], got {trials}")
        check(0 <= p <= 1, f"binomial: p must be in [0, 1], got {p}")
        self.is_mirrored = p > 0.5
        self.prepare(trials, 1 - p if self.is_mirrored else counted(p, -130))

    def of_word(self, w):
        return self.trials - self.count(ALL_WORDS - 1 - w) if self.is_mirrored else self.count(w)


class Hypergeometric(Integers):
    name, fields, slot = "hypergeometric", ("good", "bad", "draws"), 4

    def validate(self, good, bad, draws):
        most = 2**31 - 1 if self.bits == 32 else 2**53 - 1
        check(0 <= good <= most, f"hypergeometric: good must be in [0, {most}], got {good}")
        check(0 <= bad <= most, f"hypergeometric: bad must be in [0, {most}], got {bad}")
        check(self.bits == 32 or good + bad <= most, f"hypergeometric: bad must be at most {most} - good, got {bad}")
        check(0 <= draws <= good + bad, f"hypergeometric: draws must be in [0, good + bad], got {draws}")
        total = good + bad
        # K = base + sign * (count of the reduced law)
        base, sign = 0, 1
        if total - draws < draws:
            base, sign, draws = good, -1, total - draws
        if bad < good:
            base, sign, good = base + sign * draws, -sign, bad
        good, draws = min(good, draws), max(good, draws)
        self.base, self.sign, self.good = base, sign, good
        if good == 0:
            return
        n, g, d = real(total), real(good), real(draws)
        rest = total - good - draws
        mean = T.div(mul(g, d), n)
        spread = mul(T.div(sub(n, g), n), T.div(sub(n, d), sub(n, ONE)))
        variance = mul(mean, spread)
        mode = T.div(mul(T.add(g, ONE), T.add(d, ONE)), T.add(n, (1, 1)))
        self.mode = floor(mode)
        self.walk = None
        if less(variance, (256, 0)):
            up = lambda k: mul(sub(g, real(k)), sub(d, real(k)))
            down = lambda k: mul(real(k), T.add(real(rest), real(k)))
            self.walk = Walk(up, down, good, self.mode)
            self.walk.normalise()
            return
        m = real(self.mode)
        product, of_mode = mul(g, d), mul(m, n)
        excess = T.add(sub(of_mode, product), sub(T.fma(m, n, negate(of_mode)), T.fma(g, d, negate(product))))
        root, offset = (T.exactly(float.fromhex(x)) for x in ("0x1.b72cd3f331398p+0", "0x1.cc3ebd3bc711ap-1"))
        self.place = sub(HALF, T.div(excess, n))
        self.width = T.fma(T.sqrt(T.add(variance, HALF)), root, offset)
        self.reach = smallest(mul(m, (16, 0)), (1, 50))
        cells = [m, sub(g, m), sub(d, m), T.add(real(rest), m)]
        self.cells = [(c, T.reciprocal(c), sign) for c, sign in zip(cells, (1, -1, -1, 1), strict=True)]
        self.remainders = ZERO
        for _, inverse, _ in self.cells:
            self.remainders = T.add(self.remainders, stirling(inverse))
        self.slope = log1p(T, T.div(excess, mul(cells[1], cells[2])))

    def value(self, stream, position):
        retry_stream = RetryStream(stream, position, self.slot)
        while True:
            count = self.proposal(retry_stream.word64(), retry_stream.word64())
            if count is not None:
                return self.base + self.sign * count

    def proposal(self, w, second):
        if self.good == 0:
            return 0
        if self.sign < 0:
            w = ALL_WORDS - 1 - w
        if self.walk is not None:
            return self.walk.find(w)
        v = sub(midpoint_fraction(T, second), HALF)
        x = T.fma(T.div(v, midpoint_fraction(T, w)), self.width, self.place)
        step = floor(smallest(largest(x, negate(self.reach)), self.reach))
        total = T.fma(real(step), self.slope, negate(self.remainders))
        for cell, inverse, sign in self.cells:
            y = mul(real(step), inverse if sign > 0 else negate(inverse))
            y = smallest(largest(y, (-15, -4)), (8, 0))
            t, square = T.add(ONE, y), mul(y, y)
            r = remainder(T, y, t)
            by_cell = T.fma(square, horner(T, [HALF, negate(rational(1, 6)), rational(1, 3)], y), mul(t, r))
            log = T.add(T.fma(square, T.fma(y, rational(1, 3), negate(HALF)), y), r)
            total = T.add(total, T.fma(cell, by_cell, T.fma(log, HALF, stirling(T.div(inverse, t)))))
        e = neglog(T, w)
        return self.mode + step if less(total, T.add(e, e)) else None


class NegativeBinomial(Count):
    name, fields, slot = "negative_binomial", ("r", "p"), 4

    def validate(self, r, p):
        check(2.0**-20 <= r <= 2.0**60, f"negative_binomial: r must be in [2^-20, 2^60], got {r}")
        low = -24 if self.bits == 32 else -40
        check(2.0**low <= p <= 1, f"negative_binomial: p must be in [2^{low}, 1], got {p}")
        r, p = T.exactly(r), T.exactly(p)
        q = sub(ONE, p)
        self.r, self.is_constant, self.walk, self.coefficients = r, not q[0], None, None
        if self.is_constant:
            return
        odds = T.div(q, p)
        mean = mul(odds, r)
        far = T.add(T.fma(T.sqrt(T.div(mean, p)), (40, 0), mean), T.div((64, 0), p))
        check(not less((2**31 - 1, 0) if self.bits == 32 else (1, 62), far), f"negative_binomial: r = {r}: values are too great")
        less_one = sub(r, ONE)
        if less(mul(T.div(odds, p), r), (256, 0)) and not less(p, (1, -5)):
            mode = floor(mul(less_one, odds)) if less(ZERO, less_one) else 0
            self.walk = Walk(lambda k: mul(T.add(r, real(k)), q), real, None, mode)
            self.walk.normalise()
            return
        total = T.add(ONE, q)
        if less(ZERO, less_one) and not less(mul(less_one, q), mul(total, mul(total, (256, 0)))):
            low = T.div(T.add(T.fma(negate(odds), p, q), sub(sub(ONE, q), p)), p)
            n, inverse = sub(ONE, r), T.add(ONE, odds)
            mean = mul(n, negate(odds))
            self.is_binomial = True
            self.prepare_polynomial(n, negate(odds), inverse, mean, mul(mean, inverse), mul(less_one, low))
            return
        self.mixture = Gamma(T, to_float(r), 1.0)
        self.odds = odds

    def value(self, stream, position):
        retry_stream = RetryStream(stream, position, self.slot)
        first, second = retry_stream.word64(), retry_stream.word64()
        if self.is_constant:
            return 0
        if self.walk is not None:
            return self.walk.find(first)
        if self.coefficients is not None:
            return self.quantile(first)
        trial = self.mixture.trial
        while (made := trial(normal_quantile(T, first), neglog(T, second))) is None:
            first, second = retry_stream.word64(), retry_stream.word64()
        if trial.is_small:
            mean = mul(self.odds, self.mixture.bounded_exp(trial.log(*made), self.odds))
        else:
            mean = mul(made[0], self.odds)
        w = retry_stream.word64()
        if not less((1, -64), mean):
            return 0
        poisson = Count.__new__(Count)
        poisson.prepare(None, to_float(mean))
        return min(poisson.count(w), 2 ** (self.bits - 1) - 1)


class LogSeries(Integers):
    name, fields, slot = "log_series", ("p",), 4

    def validate(self, p):
        bits = 25 if self.bits == 32 else 45
        check(2.0**-60 <= p <= 1 - 2.0**-bits, f"log_series: p must be in [2^-60, 1 - 2^-{bits}], got {p}")
        self.log = log1p(T, negate(T.exactly(p)))

    def value(self, stream, position):
        return self.of_words(stream.word64(position), stream.word64(position + 2))

    def of_words(self, first, second):
        power = mul(midpoint_fraction(T, first), self.log)
        return 1 + floor(T.div(neglog(T, second), negate(log1m_exp(T, power))))


class Zipf(Integers):
    name, fields, slot = "zipf", ("a", "most"), 2

    def validate(self, a, most):
        greatest = 2**31 - 1 if self.bits == 32 else 2**45
        check(0 <= a <= 2.0**10, f"zipf: a must be in [0, 2^10], got {a}")
        check(0 <= most <= greatest, f"zipf: most must be in [0, {greatest}], got {most}")
        check(most > 0 or a > 1, f"zipf: a must be above 1 if most is 0, got {a}")
        self.a, self.most = T.exactly(counted(float(a), -60)), most or greatest
        self.exponent = sub(ONE, self.a)
        log_of_end = ln(T, T.add(real(self.most), HALF))
        self.is_flat = not less((11, -4), mul(magnitude(self.exponent), log_of_end))
        self.factor = ONE if self.is_flat else self.exponent
        if not self.is_flat:
            size = T.reciprocal(magnitude(self.exponent))
            self.inverse = negate(size) if less(self.exponent, ZERO) else size
        self.end = self.of_log(log_of_end)
        least = sub(self.of_log(T.exactly(float.fromhex("0x1.9f323ecbf984cp-2"))), self.factor)
        self.width = sub(least, self.end)

    def bounded(self, x):
        return smallest(largest(x, FUNCTIONS[T].exp_least), (64, 0))

    def quotient(self, f, t, half):
        """f(t) / t for a function f(t) = t + half t^2 + ..."""
        return T.fma(t, half, ONE) if less(magnitude(t), (1, -27)) else T.div(f(T, t), t)

    def of_log(self, log):
        t = mul(log, self.exponent)
        return mul(log, self.quotient(expm1, t, HALF)) if self.is_flat else exp(T, self.bounded(t))

    def log_of(self, y):
        if not self.is_flat:
            return mul(ln(T, y), self.inverse)
        return mul(y, self.quotient(log1p, mul(y, self.exponent), negate(HALF)))

    def value(self, stream, position):
        retry_stream = RetryStream(stream, position, self.slot)
        while True:
            y = T.fma(midpoint_fraction(T, retry_stream.word64()), self.width, self.end)
            k = min(max(floor(T.add(exp(T, self.bounded(self.log_of(y))), HALF)), 1), self.most)
            mass = exp(T, self.bounded(mul(ln(T, real(k)), negate(self.a))))
            bar = T.fma(negate(mass), self.factor, self.of_log(ln(T, T.add(real(k), HALF))))
            beyond = sub(y, bar)
            if k >= 2**16 or not less(negate(beyond) if less(self.factor, ZERO) else beyond, ZERO):
                return k


# Parameters of the goldens: walks from 0 and from an anchor, polynomials, mirrored and constant laws.
COUNTS = {
    Poisson: {32: ((1.0,), (3.5,), (200.25,), (1e6,)), 64: ((1.0,), (77.7,), (300.0,), (1e15,))},
    Binomial: {
        32: ((1, 0.5), (20, 0.3), (1000, 0.7), (1000000, 0.4)),
        64: ((1, 0.5), (100, 0.25), (4 * 10**18, 2.0**-55), (2**62, 0.75)),
    },
    Geometric: {32: ((0.5,), (1 / 3,), (1.0,), (2.0**-25,)), 64: ((0.5,), (0.9,), (2.0**-44,), (1e-6,))},
    Hypergeometric: {
        32: ((1, 1, 1), (100000, 70000, 90000), (700, 300, 400), (40, 60, 30)),
        64: ((1, 1, 1), (4 * 10**15, 5 * 10**15 + 1, 3 * 10**15), (5000, 4 * 10**15, 10**13), (10**6, 2 * 10**6, 2999000)),
    },
    NegativeBinomial: {
        32: ((1.0, 0.5), (20.5, 0.015625), (2.5, 0.25), (2000.0, 0.3)),
        64: ((1.0, 0.5), (0.3, 2.0**-30), (1e12, 0.75), (0.25, 0.04)),
    },
    Zipf: {
        32: ((2.0, 0), (1.125, 0), (0.0, 100), (1024.0, 7)),
        64: ((2.0, 0), (0.75, 10**12), (1.0, 2**45), (1 + 2.0**-30, 1000)),
    },
    LogSeries: {32: ((0.5,), (0.9,), (2.0**-60,), (1 - 2.0**-25,)), 64: ((0.5,), (0.999,), (0.1,), (1 - 2.0**-45,))},
}
