"""The counts: the contract's rational numbers, those of the header, and the model's laws against exact sums."""

import random
import re
import unittest
from fractions import Fraction
from math import comb, exp, factorial
from pathlib import Path

from count_expansion import median, quantile
from counts import ALL_WORDS, Binomial, Geometric, Hypergeometric, LogSeries, NegativeBinomial, Poisson, Zipf, rounded, tables
from floats import to_float
from maps import ParameterError

HEADER = Path(__file__).resolve().parents[2] / "include" / "rng" / "detail" / "count_expansions.hpp"


def masses(count, most):
    """The words of the values 0 to `most`, by bisection."""
    borders = [0]
    for k in range(most):
        low, high = borders[-1], ALL_WORDS  # the first word of a value above k
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if count.of_word(middle) <= k else (low, middle)
        borders.append(low)
    return [b - a for a, b in zip(borders, [*borders[1:], ALL_WORDS], strict=True)]


class Counts(unittest.TestCase):
    def test_header_has_the_contract_s_numbers(self):
        stated = [rounded(c) for _, row in sorted(tables()["MEDIAN"].items()) for c in row]
        stated += [rounded(c) for _, row in sorted(tables()["QUANTILE"].items()) for c in row]
        text = HEADER.read_text()
        found = re.findall(r"-?0x[0-9a-f.]+p[-+]\d+|(?<=q\()1\.0", text)
        self.assertEqual([float.fromhex(x) for x in found], [to_float(x) for x in stated])

    def test_ramanujan_s_expansion(self):
        # Of 1/2 - theta: Ramanujan, "Question 294", J. Indian Math. Soc. 3, 1911.
        known = ["1/6", "-4/135", "8/2835", "16/8505", "-8992/12629925", "-334144/492567075"]
        self.assertEqual([tables()["MEDIAN"][j][0] for j in range(6)], [Fraction(x) for x in known])

    def test_expansions_are_derived_anew(self):
        """Of lower order than count_expansion.py, which takes all."""
        for name, rows in ("MEDIAN", median(4)), ("QUANTILE", quantile(6)):
            for key, row in rows.items():
                self.assertEqual(tables()[name][key], row)

    def test_masses(self):
        for count, exact in (
            (Poisson(32, 3.5), lambda k: Fraction(7, 2) ** k / factorial(k) * Fraction(exp(-3.5))),
            (Binomial(32, 20, 0.25), lambda k: comb(20, k) * Fraction(3 ** (20 - k), 4**20)),
            (Binomial(32, 70, 0.75), lambda k: comb(70, k) * Fraction(3**k, 4**70)),
        ):
            most = 20 if count.trials != 70 else 70
            for k, words in enumerate(masses(count, most)[:most]):
                self.assertLess(abs(Fraction(words, ALL_WORDS) - exact(k)), Fraction(1, 2**49), (count.name, k))

    def test_normalised_walks(self):
        def hypergeometric(k):
            return Fraction(comb(40, k) * comb(60, 30 - k), comb(100, 30))

        def negative_binomial(k):
            return Fraction((k + 2) * (k + 1), 2) * Fraction(3**k, 4 ** (k + 3))

        for law, exact in (Hypergeometric(32, 40, 60, 30), hypergeometric), (NegativeBinomial(32, 3.0, 0.25), negative_binomial):
            law.of_word = law.walk.find
            for k, words in enumerate(masses(law, 25)[:25]):
                self.assertLess(abs(Fraction(words, ALL_WORDS) - exact(k)), Fraction(1, 2**49), (law.name, k))

    def test_values_of_trials(self):
        """The mean of hypergeometric by trials; the shares of zipf by accepted words; small values of log_series."""
        r = random.Random(2)
        law, seen = Hypergeometric(32, 2000, 3000, 2500), []
        while len(seen) < 60:
            count = law.proposal(r.getrandbits(64), r.getrandbits(64))
            if count is not None:
                seen.append(count)
        self.assertLess(abs(sum(seen) / 60 - 1000), 5 * (300 / 60) ** 0.5)
        log_series = LogSeries(32, 0.5)
        ones = sum(log_series.of_words(r.getrandbits(64), r.getrandbits(64)) == 1 for _ in range(400))
        self.assertLess(abs(ones - 400 * 0.7213), 5 * (400 * 0.7213 * 0.2787) ** 0.5)

    def test_corners(self):
        r = random.Random(1)
        words = [0, ALL_WORDS - 1, *(r.getrandbits(64) for _ in range(20))]
        for count, value in ((Poisson(32, 0.0), 0), (Binomial(32, 9, 0.0), 0), (Binomial(32, 9, 1.0), 9), (Binomial(32, 0, 0.5), 0), (Geometric(32, 1.0), 0)):
            self.assertEqual({count.of_word(w) for w in words}, {value})

    def test_parameters_are_refused(self):
        for make in (
            lambda: Poisson(32, -1.0), lambda: Poisson(32, 2.0**30 + 1), lambda: Poisson(64, 2.0**63), lambda: Binomial(32, -1, 0.5),
            lambda: Binomial(64, 2**62 + 1, 0.5), lambda: Binomial(32, 1, 1.5), lambda: Geometric(32, 0.0), lambda: Geometric(64, 2.0**-45),
            lambda: Hypergeometric(32, 1, 1, 3), lambda: Hypergeometric(64, 2**53, 0, 1), lambda: NegativeBinomial(32, 1e10, 0.5),
            lambda: NegativeBinomial(64, 1.0, 0.0), lambda: Zipf(32, 1.0, 0), lambda: Zipf(64, 2.0, 2**45 + 1), lambda: LogSeries(32, 1.0),
        ):
            self.assertRaises(ParameterError, make)


if __name__ == "__main__":
    unittest.main()
