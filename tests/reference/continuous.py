"""The continuous distributions that stand on functions.py: one class each, written from the contract's appendix."""

from floats import BINARY16, BINARY32, less, negate
from functions import (
    FUNCTIONS,
    ONE,
    ZERO,
    exp,
    expm1,
    largest,
    laplace_quantile,
    ln,
    log1m_exp,
    logit,
    midpoint_fraction,
    smallest,
    tan_of_half_turn,
    top_bit,
    with_sign,
)
from kernels import neglog, sincos
from maps import Normal, Real, check, counted, slot_word, within
from quantile import normal_quantile


def magnitude(x):
    return abs(x[0]), x[1]


class Continuous(Real):
    """Shared limits: each class says what its parameters are."""

    def in_range(self, field, x, low, high):
        check(x > 0 and within(x, low, high), f"{self.name}: {field} must be in [2^{low}, 2^{high}], got {x}")
        return self.format.exactly(x)

    def limits(self, single, double):
        return single if self.format is BINARY32 else double

    def scale_of(self, field, x):
        return self.in_range(field, x, *((-14, 10) if self.result is BINARY16 else self.limits((-76, 90), (-900, 900))))

    def location_of(self, field, x):
        low, high = (-76, 14) if self.result is BINARY16 else self.limits((-76, 126), (-900, 1022))
        check(abs(x) <= 2.0**high, f"{self.name}: {field} must be of magnitude 2^{high} at most, got {x}")
        return self.format.exactly(counted(x, low))

    def map(self, stream, position):
        return self.of_word(slot_word(stream, self.format, position))

    def exponential(self, w):
        return neglog(self.format, w)


class LocScale(Continuous):
    fields, defaults = ("loc", "scale"), (0.0, 1.0)

    def validate(self, loc, scale):
        self.loc, self.scale = self.location_of("loc", loc), self.scale_of("scale", scale)

    def of_word(self, w):
        return self.format.fma(self.scale, self.standard(w), self.loc)


class Scaled(Continuous):
    """One scale, under the name that `fields` gives."""

    defaults = (1.0,)

    def validate(self, scale):
        self.scale = self.scale_of(self.fields[0], scale)

    def of_word(self, w):
        x = self.format.fma(self.scale, self.standard(w), ZERO)
        return largest(x, (1, -24)) if self.result is BINARY16 else x


class Laplace(LocScale):
    name = "laplace"

    def standard(self, w):
        return laplace_quantile(self.format, w)


class Logistic(LocScale):
    name = "logistic"

    def standard(self, w):
        return logit(self.format, w)


class Gumbel(LocScale):
    name = "gumbel"

    def of_word(self, w):
        return self.format.fma(ln(self.format, self.exponential(w)), negate(self.scale), self.loc)


class Cauchy(LocScale):
    name = "cauchy"

    def standard(self, w):
        return tan_of_half_turn(self.format, w)


class HalfCauchy(Scaled):
    name, fields = "half_cauchy", ("scale",)

    def standard(self, w):
        return magnitude(tan_of_half_turn(self.format, w))


class HalfNormal(Scaled):
    name, fields = "half_normal", ("sigma",)

    def standard(self, w):
        return magnitude(normal_quantile(self.format, w))


class Rayleigh(Scaled):
    name, fields = "rayleigh", ("sigma",)

    def standard(self, w):
        e = self.exponential(w)
        return self.format.sqrt(self.format.add(e, e))


class TwoWords(Continuous):
    """A slot of two words of the arithmetic's width."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.slot *= 2

    def map(self, stream, position):
        half = self.slot // 2
        return self.of_words(*(slot_word(stream, self.format, position + k * half) for k in (0, 1)))

    def maxwell_length(self, first, second):
        t, e, z = self.format, self.exponential(first), normal_quantile(self.format, second)
        return t.sqrt(t.fma(z, z, t.add(e, e)))


class Maxwell(TwoWords):
    name, fields, defaults = "maxwell", ("sigma",), (1.0,)

    def validate(self, sigma):
        self.scale = self.scale_of("sigma", sigma)

    def of_words(self, first, second):
        return self.format.fma(self.scale, self.maxwell_length(first, second), ZERO)


class DoubleSidedMaxwell(TwoWords):
    name, fields, defaults = "double_sided_maxwell", ("loc", "scale"), (0.0, 1.0)
    validate = LocScale.validate

    def of_words(self, first, second):
        length = with_sign(self.maxwell_length(first, second), not top_bit(second, self.format.bits))
        return self.format.fma(self.scale, length, self.loc)


class StudentT(TwoWords):
    name, fields, defaults = "student_t", ("nu",), (1.0,)

    def validate(self, nu):
        least = 0.6 if self.format is BINARY32 else 0.15
        check(nu >= least - 2.0**-24 and nu <= 2.0**60, f"student_t: nu must be in [{least}, 2^60], got {nu}")
        self.nu = self.format.exactly(nu)
        self.two_over_nu = self.format.add(*[self.format.reciprocal(self.nu)] * 2)

    def of_words(self, first, second):
        t = self.format
        x = t.fma(self.exponential(first), self.two_over_nu, ZERO)
        radius = t.sqrt(t.fma(self.nu, expm1(t, x), ZERO))
        return t.mul(radius, sincos(t, second)[1])


class InverseGaussian(TwoWords):
    name, fields, defaults = "inverse_gaussian", ("mean", "lambda"), (1.0, 1.0)

    def validate(self, mean, lam):
        t, bound = self.format, self.limits(60, 400)
        self.mean, lam = (self.in_range(field, x, -bound, bound) for field, x in (("mean", mean), ("lambda", lam)))
        self.half_ratio = t.div(self.mean, t.add(lam, lam))

    def of_words(self, first, second):
        t = self.format
        z = normal_quantile(t, first)
        y = t.fma(z, t.mul(z, self.half_ratio), ZERO)
        root = t.sqrt(t.fma(y, y, t.add(y, y)))
        large = t.add(t.add(ONE, y), root)
        u = midpoint_fraction(t, second)
        takes_small = t.fma(u, t.add(large, ONE), negate(large))[0] < 0
        return t.div(self.mean, large) if takes_small else t.mul(self.mean, large)


class ExponentiallyModifiedNormal(TwoWords):
    name, fields, defaults = "exponentially_modified_normal", ("loc", "scale", "shape"), (0.0, 1.0, 1.0)

    def validate(self, loc, scale, shape):
        self.loc = self.location_of("loc", loc)
        self.scale = self.in_range("scale", scale, *self.limits((-46, 90), (-800, 900)))
        self.shape = self.in_range("shape", shape, *self.limits((-20, 20), (-40, 40)))

    def of_words(self, first, second):
        t = self.format
        return t.fma(self.scale, t.fma(self.exponential(first), self.shape, normal_quantile(t, second)), self.loc)


class ByExp(Continuous):
    """Values exp(x): x stays where exp(x), and the scale times it, are normal."""

    def __init__(self, *arguments):
        self.log_scale = ZERO
        super().__init__(*arguments)

    def shape_of(self, field, x, single=(-6, 40), double=(-9, 60)):
        return self.format.reciprocal(self.in_range(field, x, *self.limits(single, double)))

    def with_scale(self, scale):
        self.scale = self.scale_of("scale", scale)
        self.log_scale = ln(self.format, self.scale)

    def least(self):
        return self.format.add(FUNCTIONS[self.format].exp_least, negate(smallest(self.log_scale, ZERO)))

    def greatest(self):
        return self.format.add(FUNCTIONS[self.format].exp_greatest, negate(largest(self.log_scale, ZERO)))

    def bounded_exp(self, x):
        return exp(self.format, smallest(largest(x, self.least()), self.greatest()))

    def scaled_exp(self, x):
        return self.format.fma(self.scale, self.bounded_exp(x), ZERO)


class ShapeScale(ByExp):
    fields, defaults = ("shape", "scale"), (1.0, 1.0)

    def validate(self, shape, scale):
        self.inverse = self.shape_of("shape", shape)
        self.with_scale(scale)


class Weibull(ShapeScale):
    name = "weibull"

    def of_word(self, w):
        return self.scaled_exp(self.format.fma(ln(self.format, self.exponential(w)), self.inverse, ZERO))


class Frechet(ShapeScale):
    name = "frechet"

    def of_word(self, w):
        return self.scaled_exp(self.format.fma(ln(self.format, self.exponential(w)), negate(self.inverse), ZERO))


class Pareto(ShapeScale):
    name = "pareto"

    def of_word(self, w):
        return self.scaled_exp(self.format.fma(self.exponential(w), self.inverse, ZERO))


class Lomax(ShapeScale):
    name = "lomax"

    def validate(self, shape, scale):
        self.inverse = self.shape_of("shape", shape, (-6, 20), (-9, 60))
        self.with_scale(scale)

    def scale_of(self, field, x):
        return self.in_range(field, x, *self.limits((-60, 60), (-800, 800)))

    def of_word(self, w):
        t = self.format
        x = smallest(t.fma(self.exponential(w), self.inverse, ZERO), t.add(self.greatest(), negate(ONE)))
        return t.fma(self.scale, expm1(t, x), ZERO)


class Power(ByExp):
    name, fields, defaults = "power", ("shape",), (1.0,)

    def validate(self, shape):
        self.inverse = self.shape_of("shape", shape, (-20, 60), (-40, 60))

    def of_word(self, w):
        x = self.format.fma(self.exponential(w), negate(self.inverse), ZERO)
        return smallest(self.bounded_exp(x), self.format.below(ONE))


class Kumaraswamy(ByExp):
    name, fields, defaults = "kumaraswamy", ("a", "b"), (1.0, 1.0)

    def validate(self, a, b):
        self.inverse_a, self.inverse_b = (self.shape_of(f, x, (-20, 40), (-40, 60)) for f, x in (("a", a), ("b", b)))

    def of_word(self, w):
        t = self.format
        far = t.integer(self.limits(-58, -650))
        y = largest(t.fma(self.exponential(w), negate(self.inverse_b), ZERO), far)
        x = t.fma(log1m_exp(t, y), self.inverse_a, ZERO)
        return smallest(self.bounded_exp(x), t.below(ONE))


class Lognormal(ByExp):
    name, fields, defaults = "lognormal", ("mu", "sigma"), (0.0, 1.0)
    standard = Normal.standard

    def validate(self, mu, sigma):
        low, most = self.limits((-70, 80), (-900, 700))
        check(abs(mu) <= most, f"lognormal: mu must be of magnitude {most} at most, got {mu}")
        check(0 <= sigma <= 64, f"lognormal: sigma must be in [0, 64], got {sigma}")
        self.mean, self.stddev = (self.format.exactly(counted(x, low)) for x in (mu, sigma))

    def map(self, stream, position):
        return self.bounded_exp(self.format.fma(self.stddev, self.standard(stream, position), self.mean))


class Triangular(Continuous):
    name, fields, defaults = "triangular", ("left", "mode", "right"), (0.0, 0.5, 1.0)

    def validate(self, left, mode, right):
        t = self.format
        left, mode, right = (counted(x, self.limits(-100, -900)) for x in (left, mode, right))
        check(left <= mode <= right and left < right, f"triangular: left <= mode <= right, got {left}, {mode}, {right}")
        self.left, mode, self.right = t.exactly(left), t.exactly(mode), t.exactly(right)
        width = t.add(self.right, negate(self.left))
        below, above = t.add(mode, negate(self.left)), t.add(self.right, negate(mode))
        self.width, self.rising = width, below
        self.rise, self.fall = (t.mul(t.sqrt(width), t.sqrt(side)) for side in (below, above))

    def of_word(self, w):
        t = self.format
        u, v = midpoint_fraction(t, w), midpoint_fraction(t, (1 << t.bits) - 1 - w)
        if less(t.fma(u, self.width, ZERO), self.rising):
            x = t.fma(t.sqrt(u), self.rise, self.left)
        else:
            x = t.fma(negate(t.sqrt(v)), self.fall, self.right)
        return smallest(largest(x, self.left), self.right)


# With the parameters of their second golden; values of float are rounded to nearest.
CONTINUOUS = {
    Lognormal: (0.5, 0.75),
    HalfNormal: (1.7,),
    Laplace: (-1.5, 2.3),
    Logistic: (3.25, 0.7),
    Gumbel: (0.5, 2.5),
    Weibull: (2.75, 1.3),
    Frechet: (3.5, 0.8),
    Pareto: (2.5, 3.0),
    Lomax: (4.5, 2.2),
    Power: (0.35,),
    Kumaraswamy: (0.6, 2.4),
    Rayleigh: (1.9,),
    Maxwell: (2.1,),
    DoubleSidedMaxwell: (-0.4, 1.6),
    Triangular: (-1.25, 0.5, 3.5),
    Cauchy: (1.5, 0.35),
    HalfCauchy: (2.6,),
    StudentT: (4.5,),
    InverseGaussian: (1.4, 0.9),
    ExponentiallyModifiedNormal: (1.25, 0.6, 2.75),
}
# Those that 16-bit types have too.
HALF_CONTINUOUS = (HalfNormal, Laplace, Logistic, Gumbel, Rayleigh, Triangular)
