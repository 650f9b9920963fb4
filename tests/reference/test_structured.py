"""structured_answers.json is what the model gives, and the model's rows have the laws' exact properties."""

import unittest
from fractions import Fraction

import structured_answers
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


if __name__ == "__main__":
    unittest.main()
