"""structured_answers.json is what the model gives, and the model's rows have the laws' exact properties."""

import unittest
from fractions import Fraction
from unittest import mock

import many_weights
import piecewise
import structured
import structured_answers
from categorical import Categorical, CategoricalIcdf
from floats import BINARY32, BINARY64
from stream import Stream
from structured import HaarOrthogonal, Multinomial, cholesky, weight_masses


def number(x):
    return Fraction(x[0]) * Fraction(2) ** x[1]


class Structured(unittest.TestCase):
    def test_file_is_what_the_model_gives(self):
        self.assertEqual(structured_answers.PATH.read_text(), structured_answers.output())

    def test_masses(self):
        for weights in ([3.0], [1.0, 0.0, 2.0], [2.0**-300, 1.0], [1 / 3] * 7):
            masses = weight_masses(weights)
            self.assertEqual(sum(masses), 1 << 60)
            total = sum(map(Fraction, weights))
            for w, m in zip(weights, masses, strict=True):
                self.assertEqual(m == 0, w == 0)
                self.assertLessEqual(abs(m - Fraction(w) / total * 2**60), 2**9)  # the quotient has 53 bits

    def test_counts_sum_to_the_trials(self):
        for trials in 0, 1, 1000, 2**62:
            row = Multinomial(64, trials, [1.0, 2.0, 0.0, 4.0]).row_at(Stream.from_seed(3), 5)
            self.assertEqual((sum(row), row[2]), (trials, 0))

    def test_cholesky(self):
        self.assertEqual([number(x) for x in cholesky(BINARY64, [4.0, 2.0, 2.0, 5.0], 2)], [2, 0, 1, 2])
        self.assertEqual([number(x) for x in cholesky(BINARY64, [1.0, 1.0, 1.0, 1.0], 2)], [1, 0, 1, 0])

    def test_orthogonality(self):
        for t, bound in (BINARY32, 2**-21), (BINARY64, 2**-50):
            q, sign = HaarOrthogonal(t, 3).matrix(Stream.from_seed(9))
            q = [[number(x) for x in row] for row in q]
            for i in range(3):
                for j in range(3):
                    self.assertLess(abs(sum(a * b for a, b in zip(q[i], q[j], strict=True)) - (i == j)), bound)
            det = sum(q[0][k] * (q[1][(k + 1) % 3] * q[2][(k + 2) % 3] - q[1][(k + 2) % 3] * q[2][(k + 1) % 3]) for k in range(3))
            self.assertLess(abs(det - sign), bound)

    def test_many_weights_have_the_models_rules(self):
        count = 300
        with mock.patch.object(many_weights, "COUNT", count), mock.patch.object(piecewise, "MOST_OF_RUNNING_SUM", 0), mock.patch.object(structured, "MOST_OF_RUNNING_SUM", 0):
            xs = many_weights.weights()
            entries, low = many_weights.alias_entries(xs)
            alias, icdf = Categorical(xs, low), CategoricalIcdf(xs)
            self.assertEqual(list(entries), [kept << low | other for kept, other in alias.entries])
            for w in (k * (2**64 // 499) for k in range(499)):
                self.assertEqual(many_weights.alias_value(entries, low, w), alias.of_word(w))
            self.assertEqual(list(many_weights.masses(xs, lambda q: q * 2.0**64, 2**64, 0)), icdf.masses)
            self.assertEqual(list(many_weights.masses(xs, lambda q: q * 2.0**60, 2**60, 1)), weight_masses(xs))


if __name__ == "__main__":
    unittest.main()
