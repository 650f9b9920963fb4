"""Derives the expansions of the contract's appendix A.22 anew, as exact rational numbers, and compares them with it.

    python3 count_expansion.py            (10 seconds)

MEDIAN: (P(K <= m) - 1/2) / P(K = m) of binomial{n, p} with n p = m is g(m) = 1/2 + (1 - 2 p) sum_j sigma^j MEDIAN[j](p (1 - p)), sigma =
1 / (n p (1 - p)). From m to m + 1 the distribution function grows by a mass. So g(m + 1) = 1 + (1 - v) G(1), where G(t) continues g(m)
to n p = m + t by a power series. That fixes every coefficient.

QUANTILE: x(z) with P(Beta(x, N - x) > p) = Phi(z), N = n + 1. The beta quantile of shape x has a differential equation of the second
order in the normal deviate. Its solution is a series in d = 1 / sqrt(N p (1 - p)), and its reversion is x(z).
"""

import sys
from fractions import Fraction
from math import comb

from counts import tables

ORDERS, QUANTILE_ORDERS = 8, 10


# ---- power series of one variable: lists of coefficients, cut at `length`


def product(a, b):
    r = [Fraction(0)] * len(a)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b[: len(a) - i]):
                r[i + j] += x * y
    return r


def inverse(a):
    r = [1 / a[0]]
    for n in range(1, len(a)):
        r.append(-sum(a[i] * r[n - i] for i in range(1, n + 1)) / a[0])
    return r


def power(a, k):
    r = [Fraction(1)] + [Fraction(0)] * (len(a) - 1)
    for _ in range(k):
        r = product(r, a)
    return r


def combination(*terms):
    return [sum(c * series[i] for c, series in terms) for i in range(len(terms[0][1]))]


class Place:
    """The equation of g in powers of e = 1 / n, for one p."""

    def __init__(self, p, length):
        self.one = one = [Fraction(1)] + [Fraction(0)] * (length - 1)
        e = [Fraction(0), Fraction(1)] + [Fraction(0)] * (length - 2)
        self.e = e
        u, v = [x / p for x in e], [x / (1 - p) for x in e]
        uv, difference, total = product(u, v), combination((1, u), (-1, v)), combination((1, u), (1, v))
        # Term k of G(1) is constant[k] + by_g[k] g(m).
        constant, by_g = [[Fraction(0)] * length, [-x for x in one]], [one, [Fraction(0)] * length]
        for k in range(1, 2 * length + 2):
            factor = combination((k - 1, uv), (1, total))
            new = combination((-k, product(difference, constant[k])), (1, product(factor, constant[k - 1])))
            if k == 1:
                new = combination((1, new), (-1, u))
            of_g = combination((-k, product(difference, by_g[k])), (1, product(factor, by_g[k - 1])))
            constant.append([x / (k + 1) for x in new])
            by_g.append([x / (k + 1) for x in of_g])
        rest = combination((1, one), (-1, v))
        sums = [[sum(term[i] for term in terms) for i in range(length)] for terms in (constant, by_g)]
        self.by_g = product(rest, sums[1])
        self.here, self.next = [x * p for x in one], combination((p, one), (1, e))
        half = Fraction(1, 2)
        # g(m + 1) - 1 - (1 - v) G(1) for g = 1/2
        self.residual = combination((half - 1, one), (-1, product(rest, sums[0])), (-half, self.by_g))

    def effect(self, j, i):
        """What the term (1 - 2 p) sigma^j (p (1 - p))^i adds to the residual."""

        def term(p):
            w = product(p, combination((1, self.one), (-1, p)))
            skew = combination((1, self.one), (-2, p))
            return product(product(skew, power(self.e, j)), product(power(inverse(w), j), power(w, i)))

        return combination((1, term(self.next)), (-1, product(self.by_g, term(self.here))))


def solved(rows, right):
    """The solution of a linear system."""
    n = len(rows)
    system = [[*row, x] for row, x in zip(rows, right, strict=True)]
    for c in range(n):
        pivot = next(r for r in range(c, n) if system[r][c])
        system[c], system[pivot] = system[pivot], system[c]
        system[c] = [x / system[c][c] for x in system[c]]
        for r in range(n):
            if r != c:
                system[r] = [x - system[r][c] * y for x, y in zip(system[r], system[c], strict=True)]
    return [row[n] for row in system]


def median(orders=ORDERS):
    """{j: coefficients in p (1 - p)}"""
    places = [Place(Fraction(1, k), orders + 3) for k in range(3, orders + 4)]
    found = {}
    for j in range(orders + 1):
        effects = [[place.effect(j, i) for i in range(j + 1)] for place in places]
        rows = [[effect[j + 1] for effect in row] for row in effects[: j + 1]]
        found[j] = solved(rows, [-place.residual[j + 1] for place in places[: j + 1]])
        for place, row in zip(places, effects, strict=True):
            place.residual = combination((1, place.residual), *zip(found[j], row, strict=True))
            assert place.residual[j + 1] == 0, "the other places agree"
    return found


# ---- polynomials in d (or e), z (or y) and p: {(power of d, of z, of p): coefficient}, cut at an order of d


def poly_product(a, b, orders):
    r = {}
    for (ja, ma, ka), x in a.items():
        for (jb, mb, kb), y in b.items():
            if ja + jb <= orders:
                key = (ja + jb, ma + mb, ka + kb)
                r[key] = r.get(key, 0) + x * y
    return {key: x for key, x in r.items() if x}


def poly_sum(*terms):
    r = {}
    for c, a in terms:
        for key, x in a.items():
            r[key] = r.get(key, 0) + c * x
    return {key: x for key, x in r.items() if x}


def poly_power(a, exponent, orders):
    """(1 + a)^exponent, where every term of a has a power of d."""
    r, term, c = {(0, 0, 0): Fraction(1)}, {(0, 0, 0): Fraction(1)}, Fraction(1)
    for n in range(1, orders + 1):
        c = c * (exponent - (n - 1)) / n
        term = poly_product(term, a, orders)
        r = poly_sum((1, r), (c, term))
    return r


def shifted(a, j=0, m=0, k=0):
    return {(key[0] + j, key[1] + m, key[2] + k): x for key, x in a.items()}


def of_order(a, j):
    return {(0, key[1], key[2]): x for key, x in a.items() if key[0] == j}


def quantile(orders=QUANTILE_ORDERS):
    """{(power of z, order): coefficients in p (1 - p)}"""
    one, p = {(0, 0, 0): Fraction(1)}, {(0, 0, 1): Fraction(1)}
    q = poly_sum((1, one), (-1, p))
    # The beta quantile: w'' = w' (-y - w' (A - B) / e), A = (1 - e^2 q) / (1 + e q w), B = (1 - e^2 p) / (1 - e p w)
    w = {(0, 1, 0): Fraction(1)}
    for j in range(1, orders + 1):
        more = j + 1
        a, b = (
            poly_product(poly_sum((1, one), (-1, shifted(x, j=2))), poly_power(shifted(poly_product(sign, w, more), j=1), -1, more), more)
            for x, sign in ((q, q), (p, poly_sum((-1, p))))
        )
        slope = {(key[0], key[1] - 1, key[2]): key[1] * x for key, x in w.items() if key[1]}
        right = poly_product(poly_product(slope, slope, j), shifted(poly_sum((1, a), (-1, b)), j=-1), j)
        by_power = {}
        for (_, m, k), x in of_order(right, j).items():
            by_power.setdefault(m, {})[k] = -x
        # w_j'' - y w_j' - w_j = right, from the highest power down
        for m in range(max(by_power, default=0), -1, -1):
            for k, x in by_power.get(m, {}).items():
                c = -x / (m + 1)
                if c:
                    w[j, m, k] = c
                    if m >= 2:
                        below = by_power.setdefault(m - 2, {})
                        below[k] = below.get(k, 0) - c * m * (m - 1)
    pieces = [of_order(w, j) for j in range(orders + 1)]
    # Reversion: U = -(1 + A)^(1/2) sum_j d^j (1 + A)^(-j/2) w_j(-z; p + d p q U), 1 + A = 1 + d U (1 - 2 p) - d^2 p q U^2
    pq, skew, u = poly_product(p, q, orders), poly_sum((1, one), (-2, p)), {}
    for known in range(orders + 1):
        h = shifted(poly_product(pq, u, known), j=1)
        a = poly_sum(
            (1, shifted(poly_product(u, skew, known), j=1)), (-1, shifted(poly_product(pq, poly_product(u, u, known), known), j=2))
        )
        root, root_inverse = poly_power(a, Fraction(1, 2), known), poly_power(a, Fraction(-1, 2), known)
        powers = [one]
        for _ in range(orders):
            powers.append(poly_product(powers[-1], poly_sum((1, p), (1, h)), known))
        total, factor = {}, root
        for j in range(known + 1):
            by_p = {}
            for (_, m, k), x in pieces[j].items():
                by_p.setdefault(k, {})[0, m, 0] = x * (-1) ** m
            value = poly_sum(*((1, poly_product(part, powers[k], known)) for k, part in by_p.items()))
            total = poly_sum((1, total), (1, shifted(poly_product(value, factor, known - j), j=j)))
            factor = poly_product(factor, root_inverse, known)
        u = poly_sum((-1, total))
    found = {}
    for j in range(orders + 1):
        for m in {key[1] for key in of_order(u, j)}:
            of_p = {k: x for (_, power_of_z, k), x in of_order(u, j).items() if power_of_z == m}
            found[m, j] = in_spread([of_p.get(k, Fraction(0)) for k in range(j + 1)], j % 2)
    return found


def in_spread(c, is_odd):
    """A polynomial in p as one in p (1 - p), after division by 1 - 2 p if `is_odd`."""
    if is_odd:
        quotient, rest = [Fraction(0)] * (len(c) - 1), list(c)
        for i in range(len(c) - 1, 0, -1):
            quotient[i - 1] = rest[i] / -2
            rest[i - 1] -= quotient[i - 1]
        assert rest[0] == 0
        c = quotient
    rest, found = list(c), []
    for i in range((len(c) - 1) // 2, -1, -1):
        x = rest[2 * i] * (-1) ** i
        found.insert(0, x)
        for t in range(i + 1):
            rest[i + t] -= x * comb(i, t) * (-1) ** t
    assert not any(rest)
    return found


def compare(name, derived):
    stated = tables()[name]
    different = [key for key in stated if stated[key] != derived.get(key)] + [key for key in derived if key not in stated]
    print(f"{name}: {len(stated)} rows, {len(different)} differ")
    return not different


if __name__ == "__main__":
    sys.exit(not all([compare("MEDIAN", median()), compare("QUANTILE", quantile())]))
