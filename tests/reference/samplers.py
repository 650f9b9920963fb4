"""The samplers of real numbers: proposal after proposal, each with the next words of the value's retry stream. From the contract's appendix A.20."""

from math import inf, isinf

from continuous import ByExp, Continuous, magnitude
from floats import BINARY16, BINARY32, less, negate, scaled, to_float
from functions import (
    FUNCTIONS,
    ONE,
    ZERO,
    arctangent,
    exp,
    expm1,
    folded,
    largest,
    ln,
    midpoint_fraction,
    remainder,
    smallest,
    tan_terms_of_half_turn,
    top_bit,
    with_sign,
)
from kernels import HALF, horner, neglog, sincos
from maps import box_muller, check, counted, within
from quantile import normal_quantile
from stream import RetryStream


class Sampler(Continuous):
    """`words` of a slot are given to proposal(), which returns a value, or None if it rejects."""

    words = 2

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.slot *= self.words

    def map(self, stream, position):
        retry_stream = RetryStream(stream, position, self.slot)
        draw = retry_stream.word if self.format.bits == 32 else retry_stream.word64
        while True:
            x = self.proposal(*[draw() for _ in range(self.words)])
            if x is not None:
                return x

    def normal(self, w):
        return normal_quantile(self.format, w)

    def inverse(self, x):
        return self.format.reciprocal(x)

    def bounded_exp(self, x, scale=ONE):
        """exp(x), where x first moves to where exp(x) and `scale` times it are normal."""
        t, f, log = self.format, FUNCTIONS[self.format], ln(self.format, scale)
        low, high = t.add(f.exp_least, negate(smallest(log, ZERO))), t.add(f.exp_greatest, negate(largest(log, ZERO)))
        return exp(t, smallest(largest(x, low), high))


class Trial:
    """A trial of a gamma variable of one shape."""

    def __init__(self, format, shape):
        t = self.format = format
        third = FUNCTIONS[t].third
        self.is_small = less(shape, ONE)
        self.d = t.add(shape, scaled(third, 1)) if self.is_small else t.add(shape, negate(third))
        self.c = t.sqrt(t.reciprocal(t.mul((9, 0), self.d)))
        self.three_d = t.mul((3, 0), self.d)
        self.inverse = t.reciprocal(shape) if self.is_small else ZERO

    def __call__(self, z, e):
        """The cube and the rest of the exponential variable; None if the trial rejects."""
        t = self.format
        y = largest(t.mul(z, self.c), t.add(negate(ONE), (1, -24 if t is BINARY32 else -53)))
        s = t.add(y, ONE)
        if less(s, HALF):
            cube = t.mul(t.mul(s, s), t.mul(s, self.d))
        else:
            cube = t.fma(t.mul(self.d, y), horner(t, [(3, 0), (3, 0), ONE], y), self.d)
        rest = t.fma(remainder(t, y, s), self.three_d, e)
        return (cube, rest) if less(ZERO, rest) else None

    def log(self, cube, rest):
        return self.format.fma(rest, negate(self.inverse), ln(self.format, cube))


class OfGamma(Sampler):
    """A function of one gamma variable: of_value for shapes of at least 1, of_log below."""

    def with_trial(self, shape):
        self.trial = Trial(self.format, shape)

    def shape_of(self, field, x, add=0):
        low, high = self.limits((-20, 30), (-40, 60))
        return self.in_range(field, x, low + add, high + add)

    def proposal(self, first, second):
        made = self.trial(self.normal(first), self.exponential(second))
        if made is None:
            return None
        return self.of_log(self.trial.log(*made)) if self.trial.is_small else self.of_value(made[0])


class Gamma(OfGamma):
    name, fields, defaults = "gamma", ("shape", "scale"), (1.0, 1.0)

    def validate(self, shape, scale):
        self.with_trial(self.shape_of("shape", shape))
        self.scale = self.in_range("scale", scale, *self.limits((-50, 90), (-800, 900)))

    def of_value(self, x):
        return self.format.mul(x, self.scale)

    def of_log(self, x):
        return self.format.mul(self.scale, self.bounded_exp(x, self.scale))


class ChiSquared(Gamma):
    name, fields, defaults = "chi_squared", ("nu",), (1.0,)

    def validate(self, nu):
        self.with_trial(scaled(self.shape_of("nu", nu, 1), -1))
        self.scale = (2, 0)


class LogGamma(OfGamma):
    name, fields, defaults = "log_gamma", ("shape",), (1.0,)

    def validate(self, shape):
        self.with_trial(self.shape_of("shape", shape))

    def of_value(self, x):
        return ln(self.format, x)

    def of_log(self, x):
        return x


class InverseGamma(OfGamma):
    name, fields, defaults = "inverse_gamma", ("shape", "scale"), (1.0, 1.0)

    def validate(self, shape, scale):
        self.with_trial(self.shape_of("shape", shape))
        self.scale = self.in_range("scale", scale, *self.limits((-90, 50), (-900, 800)))

    def of_value(self, x):
        return self.format.div(self.scale, x)

    def of_log(self, x):
        return self.format.mul(self.scale, self.bounded_exp(negate(x), self.scale))


class Chi(OfGamma):
    name, fields, defaults = "chi", ("nu",), (1.0,)

    def validate(self, nu):
        self.with_trial(scaled(self.shape_of("nu", nu, 1), -1))
        self.root_two = self.format.sqrt((2, 0))

    def of_value(self, x):
        return self.format.sqrt(self.format.add(x, x))

    def of_log(self, x):
        return self.format.mul(self.root_two, self.bounded_exp(self.format.mul(x, HALF), self.root_two))


class GeneralizedNormal(Sampler):
    name, fields, defaults = "generalized_normal", ("loc", "scale", "shape"), (0.0, 1.0, 2.0)

    def validate(self, loc, scale, shape):
        self.loc = self.location_of("loc", loc)
        self.scale = self.in_range("scale", scale, *self.limits((-28, 30), (-500, 500)))
        self.inverse_shape = self.inverse(self.in_range("shape", shape, *self.limits((-4, 20), (-6, 40))))
        self.trial = Trial(self.format, self.inverse_shape)

    def proposal(self, first, second):
        t = self.format
        made = self.trial(self.normal(first), neglog(t, folded(second, t.bits), t.bits - 1))
        if made is None:
            return None
        cube, rest = made
        log = t.mul(ln(t, cube), self.inverse_shape)
        if self.trial.is_small:
            log = t.add(log, negate(rest))
        size = with_sign(self.bounded_exp(log, self.scale), not top_bit(second, t.bits))
        return t.fma(self.scale, size, self.loc)


class OfTwoGammas(Sampler):
    words = 4

    def with_trials(self, a, b):
        self.trials = Trial(self.format, a), Trial(self.format, b)

    def shape_of(self, field, x, add=0):
        low, high = self.limits((-20, 24), (-40, 60))
        return self.in_range(field, x, low + add, high + add)

    def proposal(self, radius, angle, *words):
        normals = box_muller(self.format, radius, angle)
        made = [trial(z, self.exponential(w)) for trial, z, w in zip(self.trials, normals, words, strict=True)]
        if None in made:
            return None
        if any(trial.is_small for trial in self.trials):
            logs = [trial.log(*m) for trial, m in zip(self.trials, made, strict=True)]
            return self.of_log(self.format.add(logs[0], negate(logs[1])))
        return self.of_values(made[0][0], made[1][0])


class Beta(OfTwoGammas):
    name, fields, defaults = "beta", ("a", "b"), (1.0, 1.0)

    def validate(self, a, b):
        self.with_trials(self.shape_of("a", a), self.shape_of("b", b))

    def share(self, lesser, whole, is_of_x):
        x = self.format.div(lesser, whole)
        if not is_of_x:
            x = self.format.add(ONE, negate(x))
        x = smallest(x, self.result.below(ONE))
        return largest(x, (1, -24)) if self.result is BINARY16 else x

    def of_values(self, x, y):
        return self.share(smallest(x, y), self.format.add(x, y), less(x, y))

    def of_log(self, log):
        t = self.format
        power = exp(t, largest(negate(magnitude(log)), FUNCTIONS[t].exp_least))
        return self.share(power, t.add(ONE, power), less(log, ZERO))


class BetaPrime(OfTwoGammas):
    name, fields, defaults = "beta_prime", ("a", "b"), (1.0, 1.0)
    ratio = ONE

    def validate(self, a, b):
        self.with_trials(self.shape_of("a", a), self.shape_of("b", b))

    def of_values(self, x, y):
        return self.format.mul(self.format.div(x, y), self.ratio)

    def of_log(self, log):
        return self.format.mul(self.ratio, self.bounded_exp(log, self.ratio))


class FisherF(BetaPrime):
    name, fields, defaults = "fisher_f", ("d1", "d2"), (1.0, 1.0)

    def validate(self, d1, d2):
        d1, d2 = self.shape_of("d1", d1, 1), self.shape_of("d2", d2, 1)
        self.with_trials(scaled(d1, -1), scaled(d2, -1))
        self.ratio = self.format.div(d2, d1)


class TruncatedNormal(Sampler):
    name, fields, defaults = "truncated_normal", ("mean", "stddev", "lo", "hi"), (0.0, 1.0, -2.0, 2.0)
    infinite_fields = ("lo", "hi")
    mean_step, least_bar = ONE, ZERO  # where a method has none

    def bound_of(self, field, x, side):
        if x == side:
            return (1 if x > 0 else -1), self.limits(126, 1022)
        bound = self.location_of(field, x)
        check(to_float(self.result.nearest(x)) == x, f"{self.name}: {field} must be a value of {self.dtype}, got {x}")
        return bound

    def deviations(self, x, y):
        t, far = self.format, (1, self.limits(20, 60))
        u = t.add(x, negate(y))
        if less(t.mul(self.stddev, far), magnitude(u)):
            return far if u[0] > 0 else negate(far)
        if less(magnitude(u), t.mul(self.stddev, (1, self.limits(-28, -100)))):
            return ZERO
        return t.div(u, self.stddev)

    def validate(self, mean, stddev, lo, hi):
        t = self.format
        self.mean, self.stddev = self.location_of("mean", mean), self.scale_of("stddev", stddev)
        self.lo, self.hi = self.bound_of("lo", lo, -inf), self.bound_of("hi", hi, inf)
        if not isinf(lo) and not isinf(hi):
            check(to_float(self.hi) - to_float(self.lo) >= 2.0 ** self.limits(-78, -900), f"{self.name}: hi must be lo + 2^-78 or 2^-900 at least, got {hi}")
        a, b = self.deviations(self.lo, self.mean), self.deviations(self.hi, self.mean)
        self.width = self.deviations(self.hi, self.lo)
        mirrored = t.add(a, b)[0] < 0
        p = self.near = negate(b) if mirrored else a
        self.origin = self.hi if mirrored else self.lo
        self.step = negate(self.stddev) if mirrored else self.stddev
        if not less(HALF, p) and not less(self.width, ONE):
            self.method = self.whole
            return
        check(not less((1, self.limits(12, 50)), p), f"{self.name}: a bound must be at most 2^12 or 2^50 stddev from the mean")
        check(not less(self.width, (1, self.limits(-28, -100))), f"{self.name}: hi must be lo + 2^-28 or 2^-100 stddev at least")
        if less(HALF, p) and less(ONE, t.mul(self.width, p)):
            self.method = self.tail
            root = t.sqrt(t.fma(p, p, (4, 0)))
            self.mean_step = self.inverse(t.mul(t.add(p, root), HALF))
        else:
            self.method = self.narrow
            self.least_bar = t.mul(p, t.mul(p, HALF)) if p[0] < 0 else ZERO

    def proposal(self, first, second):
        x = self.method(first, second)
        return None if x is None else smallest(largest(x, self.lo), self.hi)

    def whole(self, first, second):
        x = self.format.fma(self.stddev, self.normal(first), self.mean)
        return None if less(x, self.lo) or less(self.hi, x) else x

    def tail(self, first, second):
        t = self.format
        e = self.exponential(first)
        s, g = t.mul(e, self.mean_step), t.mul(t.add(e, negate(ONE)), self.mean_step)
        bar = t.mul(g, t.mul(g, HALF))
        if not less(bar, self.exponential(second)) or less(self.width, s):
            return None
        return t.fma(self.step, s, self.origin)

    def narrow(self, first, second):
        t = self.format
        s = t.mul(midpoint_fraction(t, first), self.width)
        bar = t.fma(s, t.fma(s, HALF, self.near), self.least_bar)
        return t.fma(self.step, s, self.origin) if less(bar, self.exponential(second)) else None


PI = {True: float.fromhex("0x1.921fb4p+1"), False: float.fromhex("0x1.921fb54442d18p+1")}
TURN = {True: ("0x1.921fb6p+2", "-0x1.777a5cp-23"), False: ("0x1.921fb54442d18p+2", "0x1.1a62633145c07p-52")}


class VonMises(Sampler):
    name, fields, defaults = "von_mises", ("mu", "kappa"), (0.0, 1.0)

    def validate(self, mu, kappa):
        t = self.format
        pi = PI[t is BINARY32]
        check(abs(mu) <= pi, f"von_mises: mu must be of magnitude pi at most, got {mu}")
        bound = self.limits(40, 60)
        check(0 <= kappa <= 2.0**bound, f"von_mises: kappa must be in [0, 2^{bound}]")
        mu, kappa = counted(mu, self.limits(-76, -900)), counted(kappa, -bound)
        self.mu, self.kappa, self.pi = t.exactly(mu), t.exactly(kappa), t.exactly(pi)
        self.turn = [t.exactly(float.fromhex(x)) for x in TURN[t is BINARY32]]
        if kappa == 0:
            self.least = self.narrowing = ONE
            return
        u = t.add(self.kappa, self.kappa)
        r = t.add(ONE, t.sqrt(t.fma(u, u, ONE)))
        root = t.sqrt(r)
        rho = t.div(t.mul(u, root), t.mul(r, t.add(root, t.sqrt((2, 0)))))
        rest = t.add(ONE, negate(rho))
        self.least = t.div(t.mul(t.mul(rest, rest), self.kappa), t.add(rho, rho))
        self.narrowing = t.div(rest, t.add(ONE, rho))

    def proposal(self, first, second):
        t = self.format
        n, d = tan_terms_of_half_turn(t, first)
        n = t.mul(n, self.narrowing)
        square = t.mul(n, n)
        v = t.fma(t.div(t.add(square, square), t.fma(d, d, square)), self.kappa, self.least)
        if less(self.exponential(second), t.add(t.add(v, negate(ONE)), negate(ln(t, v)))):
            return None
        half = arctangent(t, n, d)
        x = t.add(with_sign(t.add(half, half), not top_bit(first, t.bits)), self.mu)
        if less(self.pi, magnitude(x)):
            high, low = (with_sign(part, x[0] > 0) for part in self.turn)
            x = t.add(t.add(x, high), low)
        return smallest(largest(x, negate(self.pi)), self.pi)


class NoncentralChiSquared(Sampler):
    name, fields, defaults = "noncentral_chi_squared", ("nu", "lambda"), (1.0, 1.0)
    words = 4

    def degrees(self, field, nu):
        return self.in_range(field, nu, *self.limits((-19, 31), (-39, 61)))

    def with_numerator(self, nu, lam):
        t = self.format
        low, high = self.limits((-100, 31), (-900, 61))
        check(0 <= lam <= 2.0**high, f"{self.name}: lambda must be in [0, 2^{high}], got {lam}")
        lam = t.exactly(counted(lam, low))
        self.trial = Trial(t, t.add(scaled(nu, -1), ONE))
        self.half_lambda = scaled(lam, -1)
        self.two_over_nu = t.add(*[t.reciprocal(nu)] * 2)
        self.is_by_log, self.is_far = less(nu, (2, 0)), not less(lam, (512, 0))

    def validate(self, nu, lam):
        self.with_numerator(self.degrees("nu", nu), lam)

    def half(self, first, second, radius, angle):
        """Half of a value and False, or its logarithm and True; None if the trial rejects."""
        t = self.format
        made = self.trial(self.normal(first), self.exponential(second))
        if made is None:
            return None
        g, rest = made
        x = t.add(self.half_lambda, negate(rest))
        if not less(ZERO, x) and self.is_by_log:
            return t.fma(x, self.two_over_nu, ln(t, g)), True
        if not less(ZERO, x):
            return t.mul(g, exp(t, t.mul(x, self.two_over_nu))), False
        log_power = largest(t.mul(self.exponential(radius), negate(self.two_over_nu)), FUNCTIONS[t].exp_least)
        square = negate(expm1(t, log_power))
        sine, cosine = sincos(t, angle)
        c, root, shift = t.mul(t.sqrt(square), cosine), t.sqrt(g), t.sqrt(x)
        if self.is_far:
            return t.fma(t.mul(root, c), t.add(shift, shift), t.add(g, x)), False
        along = t.fma(root, c, shift)
        others = t.fma(t.mul(cosine, cosine), t.add(ONE, negate(square)), t.mul(sine, sine))
        return t.fma(along, along, t.mul(largest(g, (1, -60)), others)), False

    def proposal(self, *words):
        made = self.half(*words)
        if made is None:
            return None
        x, is_log = made
        return self.format.mul((2, 0), self.bounded_exp(x, (2, 0))) if is_log else self.format.add(x, x)


class NoncentralF(NoncentralChiSquared):
    """One program on the retry_stream: trials of four words until one is accepted, then trials of two."""

    name, fields, defaults = "noncentral_f", ("d1", "d2", "lambda"), (1.0, 1.0, 1.0)

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.slot = 8

    def validate(self, d1, d2, lam):
        d1, d2 = self.degrees("d1", d1), self.degrees("d2", d2)
        self.with_numerator(d1, lam)
        self.denominator = Trial(self.format, scaled(d2, -1))
        self.ratio = self.format.div(d2, d1)

    def map(self, stream, position):
        t, retry_stream = self.format, RetryStream(stream, position, self.slot)
        draw = retry_stream.word if t.bits == 32 else retry_stream.word64
        numerator = denominator = None
        while numerator is None:
            numerator = self.half(*[draw() for _ in range(4)])
        while denominator is None:
            z, e = draw(), draw()
            denominator = self.denominator(self.normal(z), self.exponential(e))
        x, is_log = numerator
        if not self.is_by_log and not self.denominator.is_small:
            return t.mul(t.div(x, denominator[0]), self.ratio)
        log = t.add(x if is_log else ln(t, x), negate(self.denominator.log(*denominator)))
        return t.mul(self.ratio, self.bounded_exp(log, self.ratio))


# With the parameters of their second golden; values of float are rounded to nearest.
SAMPLERS = {
    Gamma: (2.5, 1.75),
    LogGamma: (0.3,),
    InverseGamma: (0.7, 2.25),
    ChiSquared: (5.5,),
    Chi: (3.5,),
    Beta: (2.25, 3.5),
    BetaPrime: (0.4, 1.5),
    FisherF: (5.0, 7.5),
    GeneralizedNormal: (0.5, 1.25, 0.75),
    TruncatedNormal: (0.5, 2.0, 2.25, 9.5),
    VonMises: (2.5, 4.75),
    NoncentralChiSquared: (4.5, 3.25),
    NoncentralF: (5.5, 7.25, 2.5),
}
# Further ones, for methods that choose among forms by their parameters.
FURTHER = {NoncentralChiSquared: (300.0, 700.0)}
# Those that 16-bit types have too.
HALF_SAMPLERS = (Beta, TruncatedNormal, VonMises)
