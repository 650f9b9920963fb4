"""Structured results (contract, A.24): rows of numbers that belong together, made of the values of a row's private stream."""

from fractions import Fraction

from categorical import of_law
from counts import Binomial, Hypergeometric
from floats import BINARY32, BINARY64, less, negate, scaled, to_float
from functions import exp, largest
from maps import ComplexNormal, Exponential, Normal, at, check
from piecewise import MOST_OF_RUNNING_SUM, add_up
from samplers import Chi, LogGamma

T = BINARY64  # sums of both types
ZERO, ONE = (0, 0), (1, 0)
SLOT = 4
ALL = 1 << 60


def magnitude(x):
    return abs(x[0]), x[1]


def settled(format, x):
    """A sum, rounded to the type; 0 if it is small."""
    return ZERO if less(magnitude(x), (1, -126 if format is BINARY32 else -400)) else format.round(*x)


def sub(a, b):
    return T.add(a, negate(b))


def dot(pairs, start=ZERO):
    """start + a b + a b + ..., an fma for each pair."""
    for a, b in pairs:
        start = T.fma(a, b, start)
    return start


class Structured:
    """row(P) gives the elements of a row, as numbers of the type, or as integers."""

    def __init__(self, format):
        self.format, self.dtype, self.bits = format, format.name, format.bits

    def number(self, distribution, p, j):
        """Component j of the private stream."""
        return distribution.format.from_bits(at(p, distribution, j))

    def normals(self, p, count):
        return [self.number(Normal(self.format), p, j) for j in range(count)]

    def row_at(self, stream, i):
        """The bits of row i."""
        p = stream.private_stream(stream.slot_position(SLOT, i))
        return [self.bits_of(x) for x in self.row(p)]

    def bits_of(self, x):
        return self.format.to_bits(x)


class Dirichlet(Structured):
    name = "dirichlet"

    def __init__(self, format, alpha):
        super().__init__(format)
        self.is_flat = all(a == 1 for a in alpha)
        self.parts = [Exponential(format) if self.is_flat else LogGamma(format, a) for a in alpha]

    def row(self, p):
        t = self.format
        e = [self.number(part, p, j) for j, part in enumerate(self.parts)]
        if not self.is_flat:
            greatest = e[0]
            for x in e:
                greatest = largest(greatest, x)
            least = (-69 if t is BINARY32 else -650, 0)
            e = [exp(t, largest(t.add(x, negate(greatest)), least)) for x in e]
        total = ZERO
        for x in e:
            total = T.add(total, x)
        return [t.div(x, t.round(*total)) for x in e]


class MultivariateNormal(Structured):
    name = "multivariate_normal"

    def __init__(self, format, mean, factor):
        super().__init__(format)
        self.mean, d = [format.exactly(x) for x in mean], len(mean)
        self.factor = [[format.exactly(factor[i * d + j]) for j in range(d)] for i in range(d)]

    def row(self, p):
        z = self.normals(p, len(self.mean))
        return [settled(self.format, dot(zip(row[: i + 1], z), mean)) for i, (mean, row) in enumerate(zip(self.mean, self.factor, strict=True))]


class Sphere(Structured):
    name = "sphere"

    def __init__(self, format, d):
        super().__init__(format)
        self.d = d

    def row(self, p):
        z = self.normals(p, self.d)
        length = T.sqrt(dot(zip(z, z)))
        return [self.format.round(*T.div(x, length)) for x in z]


class Ball(Sphere):
    name = "ball"

    def row(self, p):
        z = self.normals(p, self.d)
        length = T.sqrt(dot(zip(z, z)))
        e = self.number(Exponential(BINARY64), p.fork(1), 0)
        factor = T.div(exp(T, T.div(negate(e), (self.d, 0))), length)
        return [settled(self.format, T.mul(x, factor)) for x in z]


class HaarOrthogonal(Sphere):
    name = "haar_orthogonal"

    def row(self, p):
        return [x for row in self.matrix(p)[0] for x in row]

    def matrix(self, p):
        """The rows, and the sign of the determinant."""
        t, d = self.format, self.d
        q, sign = [None] * d, 1
        for k in reversed(range(d)):
            x = [ZERO] * k + [self.number(Normal(t), p, k * d + i) for i in range(k, d)]
            square = dot(zip(x, x))
            length, size = T.sqrt(square), magnitude(x[k])
            if x[k][0] < 0:
                sign = -sign
            v = T.add(size, length)
            v = negate(v) if x[k][0] < 0 else v
            half = T.fma(size, length, square)
            for c in range(k + 1, d):
                s = T.div(dot(zip(q[c][k + 1 :], x[k + 1 :])), half)
                q[c] = [settled(t, T.fma(negate(s), v if i == k else x[i], q[c][i])) if i >= k else ZERO for i in range(d)]
            q[k] = [t.round(*T.div(a, length)) for a in x]
        return q, sign


class HaarSpecialOrthogonal(HaarOrthogonal):
    name = "haar_special_orthogonal"

    def row(self, p):
        q, sign = self.matrix(p)
        return [negate(x) if sign < 0 and i == self.d - 1 else x for row in q for i, x in enumerate(row)]


class HaarUnitary(Sphere):
    name = "haar_unitary"

    def bits_of(self, x):
        return [self.format.to_bits(part) for part in x]

    def row(self, p):
        t, d = self.format, self.d
        source, mask = ComplexNormal(t), (1 << t.bits) - 1
        q = [None] * d
        for k in reversed(range(d)):
            words = [at(p, source, k * d + i) for i in range(k, d)]
            x = [(ZERO, ZERO)] * k + [(t.from_bits(w & mask), t.from_bits(w >> t.bits)) for w in words]
            square = dot((part, part) for number in x for part in number)
            length = T.sqrt(square)
            re, im = x[k]
            size = T.sqrt(dot([(re, re), (im, im)]))
            factor, half = T.add(size, length), T.fma(size, length, square)
            v = T.mul(T.div(re, size), factor), T.mul(T.div(im, size), factor)
            for c in range(k + 1, d):
                a = b = ZERO
                for (qr, qi), (xr, xi) in zip(q[c][k + 1 :], x[k + 1 :], strict=True):
                    a = T.fma(qi, xi, T.fma(qr, xr, a))
                    b = T.fma(negate(qr), xi, T.fma(qi, xr, b))
                a, b = T.div(a, half), T.div(b, half)

                def turned(old, y):
                    real = T.fma(b, y[1], T.fma(negate(a), y[0], old[0]))
                    imaginary = T.fma(negate(b), y[0], T.fma(negate(a), y[1], old[1]))
                    return settled(t, real), settled(t, imaginary)

                q[c] = [turned(q[c][i], v if i == k else x[i]) if i >= k else (ZERO, ZERO) for i in range(d)]
            q[k] = [tuple(t.round(*T.div(part, length)) for part in number) for number in x]
        return [x for row in q for x in row]


class Wishart(Structured):
    name = "wishart"

    def __init__(self, format, df, factor, d):
        super().__init__(format)
        self.d = d
        df = T.exactly(df)
        self.chis = [Chi(format, to_float(format.round(*sub(df, (i, 0))))) for i in range(d)]
        self.factor = [[format.exactly(factor[i * d + j]) for j in range(i + 1)] for i in range(d)]

    def row(self, p):
        t, d = self.format, self.d
        a = [
            [self.number(Normal(t), p, i * d + j) for j in range(i)] + [settled(t, self.number(self.chis[i], p, i))]
            for i in range(d)
        ]
        m = [[settled(t, dot((self.factor[i][k], a[k][j]) for k in range(j, i + 1))) for j in range(i + 1)] for i in range(d)]
        lower = [[settled(t, dot((m[i][k], m[j][k]) for k in range(j + 1))) for j in range(i + 1)] for i in range(d)]
        return [lower[max(i, j)][min(i, j)] for i in range(d) for j in range(d)]


def weight_masses(weights):
    """Whole numbers with the sum 2^60."""
    weights = of_law(weights)
    total = add_up(map(T.exactly, weights), len(weights) > MOST_OF_RUNNING_SUM)
    masses = []
    for w in weights:
        m = 0
        if w:
            quotient = T.div(T.exactly(w), total)
            share = Fraction(quotient[0]) * Fraction(2) ** (quotient[1] + 60)
            m = max(1, int(share + Fraction(1, 2)))
        masses.append(m)
    masses[weights.index(max(weights))] += ALL - sum(masses)
    return masses


def real(n):
    """An integer up to 2^60 as a double."""
    return T.round(n, 0)


class Multinomial(Structured):
    name = "multinomial"

    def __init__(self, bits, trials, weights):
        self.bits, self.dtype, self.trials = bits, f"i{bits}", trials
        self.masses = weight_masses(weights)

    def bits_of(self, x):
        return x

    def row(self, p):
        return self.counts(p, enumerate(self.masses))

    def counts(self, p, masses):
        left, rest, counts = self.trials, ALL, []
        for j, mass in masses:
            others, n = rest - mass, 0
            if min(mass, others) and left:
                share = to_float(T.div(real(min(mass, others)), real(rest)))
                n = at(p.fork(j), Binomial(self.bits, left, share), 0)
            counts.append(left - n if others < mass else n)
            left, rest = left - counts[-1], others
        return counts


class MultivariateHypergeometric(Structured):
    name = "multivariate_hypergeometric"

    def __init__(self, bits, counts, draws):
        self.bits, self.dtype, self.counts, self.draws = bits, f"i{bits}", counts, draws

    def bits_of(self, x):
        return x

    def row(self, p):
        left, row = self.draws, []
        for j, good in enumerate(self.counts):
            law = Hypergeometric(self.bits, good, sum(self.counts[j + 1 :]), left)
            row.append(at(p.fork(j), law, 0))
            left -= row[-1]
        return row


def triangle(a, unit, raised):
    """The rows of the lower factor of a, whose diagonal is raised by a share; None if there is none."""
    d, scale = len(a), [T.sqrt(row[i]) for i, row in enumerate(a)]
    rows = [[ZERO] * d for _ in range(d)]
    for j in range(d):
        def rest(i):
            first = T.fma(raised, a[i][j], a[i][j]) if i == j else a[i][j]
            return dot(((negate(rows[i][k]), rows[j][k]) for k in range(j)), first)

        pivot, bound = rest(j), T.mul(unit, a[j][j])
        if less(pivot, negate(bound)):
            return None
        if not less(bound, pivot):
            limits = [T.mul(T.mul(T.sqrt(unit), scale[i]), scale[j]) for i in range(d)]
            if any(less(limits[i], magnitude(rest(i))) for i in range(j + 1, d)):
                return None
            continue
        rows[j][j] = T.sqrt(pivot)
        for i in range(j + 1, d):
            quotient = T.div(rest(i), rows[j][j])
            is_residue = not less(T.mul((1, -49), scale[i]), magnitude(quotient))
            rows[i][j] = ZERO if is_residue else quotient
    return rows


def cholesky(format, matrix, d):
    """The lower factor, row by row."""
    single = format is BINARY32
    unit = (d, -20 if single else -49)
    a = [[format.exactly(matrix[i * d + j]) for j in range(d)] for i in range(d)]
    rows = triangle(a, unit, ZERO)
    for power in range(1, 5 if single else 17):
        rows = rows or triangle(a, unit, scaled(unit, power))
    check(rows, "cholesky: the matrix is not positive semi-definite")
    return [settled(format, x) for row in rows for x in row]
