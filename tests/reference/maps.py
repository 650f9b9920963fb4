"""The distributions: parameters with their accepted ranges, slots, and the map from a slot's words to a value's bits.

`fill` and `at` are the two ways to read a stream; they agree by construction, because a value depends on its slot's position alone.
"""

from functools import lru_cache
from math import isfinite

from floats import BFLOAT16, BINARY16, BINARY32, BINARY64, less, negate, scaled, to_float
from kernels import neglog, sincos
from quantile import normal_quantile
from stream import DRAWS, PAIRS_32, PAIRS_64, RetryStream


class ParameterError(ValueError):
    """A parameter that the contract refuses."""


def check(condition, message):
    if not condition:
        raise ParameterError(message)


def within(x, low, high):
    """Powers of two as bounds, both included."""
    return 2.0**low <= abs(x) <= 2.0**high


def slot_word(stream, format, position, domain=DRAWS):
    """The word of the type's width whose slot begins at `position`."""
    return stream.word(position, domain) if format.bits == 32 else stream.word64(position, domain)


class Bits:
    """Raw words: u32 or u64."""

    name, fields, defaults = "bits", (), ()

    def __init__(self, bits):
        self.dtype, self.bits, self.slot = f"u{bits}", bits, bits // 32

    parameters = ()

    def value(self, stream, position):
        return stream.word(position) if self.bits == 32 else stream.word64(position)


class Real:
    """A distribution of reals: one slot is one word of the arithmetic's width. Parameters are values of the arithmetic.

    `result` is the format of the values, `format` that of the arithmetic: binary32 for the 16-bit ones."""

    infinite_fields = ()

    def __init__(self, result, *parameters):
        self.result, self.dtype, self.bits = result, result.name, result.bits
        self.format = BINARY32 if result.bits == 16 else result
        self.slot = self.format.bits // 32
        self.parameters = parameters or self.defaults
        check(len(self.parameters) == len(self.fields), f"{self.name} takes {self.fields}")
        for field, x in zip(self.fields, self.parameters):
            check(isfinite(x) or (field in self.infinite_fields and x == x), f"{self.name}: {field} must be finite, got {x}")
        self.validate(*self.parameters)

    def value(self, stream, position):
        return self.result.to_bits(self.map(stream, position))


class Uniform(Real):
    name, fields, defaults = "uniform", ("lo", "hi"), (0.0, 1.0)
    # (dropped low bits beside those that the precision drops, multiplier, offset) of k; u = k * 2^-precision.
    variate = (0, 1, 0)

    def validate(self, lo, hi):
        single = self.format is BINARY32
        lo, hi = (counted(x, -126 if single else -1022) for x in (lo, hi))
        self.is_point = lo == hi and self.variate == Uniform.variate
        check(lo < hi or self.is_point, f"{self.name}: lo must be below hi, got {lo} and {hi}")
        for x in lo, hi:
            try:
                self.result.exactly(x)
            except (OverflowError, ValueError):
                raise ParameterError(f"{self.name}: a bound must be a value of {self.dtype}, got {x}") from None
        self.lo, self.hi = self.format.exactly(lo), self.format.exactly(hi)
        try:
            self.span = self.format.add(self.hi, negate(self.lo))
        except OverflowError:
            raise ParameterError(f"{self.name}: hi - lo must be finite, got {lo} and {hi}") from None
        least = -78 if single else -900
        check(self.is_point or to_float(self.span) >= 2.0**least, f"{self.name}: hi - lo must be at least 2^{least}")

    def unit(self, w):
        """The variate for lo = 0 and hi = 1."""
        drop, multiplier, offset = self.variate
        p = self.result.precision
        return (w >> self.format.bits - p + drop) * multiplier + offset, -p

    def map(self, stream, position):
        x = self.format.fma(self.unit(slot_word(stream, self.format, position)), self.span, self.lo)
        return self.keep_inside(x)

    def keep_inside(self, x):
        return min_of(x, self.hi if self.is_point else self.result.below(self.hi))


class UniformOpen(Uniform):
    name = "uniform_open"
    variate = (1, 2, 1)

    def validate(self, lo, hi):
        super().validate(lo, hi)
        above = self.result.above(self.lo)
        check(less(above, self.hi), f"{self.name}: there must be a number between lo and hi, got {lo} and {hi}")

    def keep_inside(self, x):
        return max_of(min_of(x, self.result.below(self.hi)), self.result.above(self.lo))


class UniformOpenClosed(Uniform):
    name = "uniform_open_closed"
    variate = (0, 1, 1)

    def keep_inside(self, x):
        return max_of(min_of(x, self.hi), self.result.above(self.lo))


def counted(x, low):
    """A parameter as the map takes it: what is below 2^low in magnitude counts as 0."""
    return 0.0 if abs(x) < 2.0**low else x


def min_of(x, bound):
    return bound if less(bound, x) else x


def max_of(x, bound):
    return bound if less(x, bound) else x


class Exponential(Real):
    name, fields, defaults = "exponential", ("rate",), (1.0,)

    def validate(self, rate):
        low, high = (-120, 90) if self.format is BINARY32 else (-1000, 900)
        check(rate > 0 and within(rate, low, high), f"exponential: rate must be in [2^{low}, 2^{high}], got {rate}")
        self.rate = self.format.exactly(rate)
        self.scale = self.format.reciprocal(self.rate)

    def map(self, stream, position):
        e = neglog(self.format, slot_word(stream, self.format, position))
        # One correction step makes q the correctly rounded quotient e / rate.
        q = self.format.mul(e, self.scale)
        r = self.format.fma(negate(self.rate), q, e)
        return self.format.fma(r, self.scale, q)


@lru_cache(maxsize=4)
def box_muller(format, even, odd):
    """The standard normal pair: radius from the even slot's word, angle from the odd one's."""
    e = neglog(format, even)
    radius = format.sqrt(format.add(e, e))
    sine, cosine = sincos(format, odd)
    return format.mul(radius, cosine), format.mul(radius, sine)


class LocationScale(Real):
    """mean + stddev * z."""

    fields, defaults = ("mean", "stddev"), (0.0, 1.0)

    def validate(self, mean, stddev):
        limits = {BINARY64: (-900, 1000, 1022), BINARY16: (-76, 12, 14)}
        low, of_stddev, of_mean = limits.get(self.result, (-76, 120, 126))
        check(0 <= stddev <= 2.0**of_stddev, f"{self.name}: stddev must be in [0, 2^{of_stddev}], got {stddev}")
        check(abs(mean) <= 2.0**of_mean, f"{self.name}: mean must be of magnitude 2^{of_mean} at most, got {mean}")
        self.mean, self.stddev = (self.format.exactly(counted(x, low)) for x in (mean, stddev))

    def map(self, stream, position):
        return self.format.fma(self.stddev, self.standard(stream, position), self.mean)


class Normal(LocationScale):
    name = "normal"

    def standard(self, stream, position):
        domain = PAIRS_32 if self.format is BINARY32 else PAIRS_64
        parity = position // self.slot % 2
        start = position - parity * self.slot
        even = slot_word(stream, self.format, start, domain)
        odd = slot_word(stream, self.format, start + self.slot, domain)
        return box_muller(self.format, even, odd)[parity]


class NormalIcdf(LocationScale):
    name = "normal_icdf"

    def standard(self, stream, position):
        return normal_quantile(self.format, slot_word(stream, self.format, position))


class UniformDense(Real):
    """The infinite fraction 0.w0 w1 w2 ... of the retry stream's words, rounded down to the precision."""

    name, fields, defaults = "uniform_dense", (), ()

    def validate(self):
        pass

    def map(self, stream, position):
        retry_stream, w = RetryStream(stream, position, self.slot), self.format.bits
        draw = retry_stream.word if w == 32 else retry_stream.word64
        m, e = draw(), -w
        # The leading one and as many bits below it as a significand has; zero if that is below the normal numbers.
        while m.bit_length() < self.format.precision and e > -2 * self.format.bias:
            m, e = m << w | draw(), e - w
        drop = max(0, m.bit_length() - self.format.precision)
        m, e = m >> drop, e + drop
        return (m, e) if m.bit_length() + e - 1 >= 1 - self.format.bias else (0, 0)


class ComplexNormal:
    """A Box-Muller pair of the two words of a value's own slot, in domain 0; the value's bits are the real part's, then the
    imaginary part's."""

    name, fields = "complex_normal", ("stddev",)

    def __init__(self, format, stddev=1.0):
        low, high = (-75, 120) if format is BINARY32 else (-899, 1000)
        check(0 <= stddev <= 2.0**high, f"complex_normal: stddev must be in [0, 2^{high}]")
        self.format, self.parameters = format, (stddev,)
        self.bits, self.slot = 2 * format.bits, format.bits // 16
        self.dtype = f"c{self.bits}"
        root_half = format.sqrt((1, -1))
        self.scale = format.mul(format.exactly(counted(stddev, low)), root_half)

    def value(self, stream, position):
        words = [slot_word(stream, self.format, position + k * self.slot // 2) for k in (0, 1)]
        re, im = (self.format.to_bits(self.format.fma(self.scale, z, (0, 0))) for z in box_muller(self.format, *words))
        return re | im << self.format.bits


def lemire(draw, word_bits, span):
    """An integer below `span` from words of `word_bits` bits, each result from equally many words: Lemire's multiply-high method."""
    biased = (1 << word_bits) % span
    while True:
        product = draw() * span
        if product & (1 << word_bits) - 1 >= biased:
            return product >> word_bits


class UniformInt:
    """Integers of lo..hi, both included, without bias. Refused words are replaced from the value's own retry stream."""

    name, fields = "uniform_int", ("lo", "hi")

    def __init__(self, bits, lo, hi, signed=None):
        """`signed` is needed only to name the type of bounds that fit both."""
        check(lo <= hi, f"uniform_int: lo must not be above hi, got {lo} and {hi}")
        self.bits, self.parameters = bits, (lo, hi)
        self.dtype = f"{'i' if (lo < 0 if signed is None else signed) else 'u'}{bits}"
        self.slot = 1 if bits <= 16 else 2
        self.lo, self.span = lo, hi - lo + 1
        check(self.span <= 1 << bits, f"uniform_int: {lo}..{hi} does not fit {bits} bits")

    def value(self, stream, position):
        """The integer itself, which may be negative."""
        retry_stream = RetryStream(stream, position, self.slot)
        draw, word_bits = (retry_stream.word, 32) if self.slot == 1 else (retry_stream.word64, 64)
        return self.lo + lemire(draw, word_bits, self.span)


class Bernoulli:
    name, fields, slot, dtype, bits = "bernoulli", ("p",), 1, "u8", 8

    def __init__(self, p=0.5):
        check(0 <= p <= 1, f"bernoulli: p must be in [0, 1], got {p}")
        self.parameters = (p,)
        # The product is exact; Python's round takes ties to even.
        self.threshold = round(p * 2.0**32)

    def value(self, stream, position):
        return int(stream.word(position) < self.threshold)


REAL_DISTRIBUTIONS = (Uniform, UniformOpen, UniformOpenClosed, Exponential, Normal, NormalIcdf)


def at(stream, distribution, i):
    """Value i of a fill that starts at the stream's position."""
    return distribution.value(stream, stream.slot_position(distribution.slot, i))


def fill(stream, distribution, n):
    """The next n values, and the stream after them."""
    return [at(stream, distribution, i) for i in range(n)], stream.after(distribution.slot, n)
