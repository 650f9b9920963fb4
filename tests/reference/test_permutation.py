"""The model of permutations: a bijection by rounds, exactly uniform by exchanges."""

import itertools
import math
import unittest

import permutation
from engines import STREAM_ENGINES
from known_answers import CHOICES
from permutation import Permutation, weighted_choice
from stream import Stream


class Permutations(unittest.TestCase):
    def test_rounds_are_a_bijection(self):
        for engine in STREAM_ENGINES:
            for n in 2049, 3000, 4096:
                p = Permutation(Stream.from_seed(42, engine=engine), n)
                self.assertEqual(sorted(map(p.value, range(n))), list(range(n)))

    def test_all_exchanges_give_each_order_once(self):
        """Value j of the draws is uniform on [0, j]: so all n! orders are equally likely if each comes once."""
        for n in range(1, 7):
            orders = set()
            for draws in itertools.product(*(range(j + 1) for j in range(n))):
                original, permutation.at = permutation.at, lambda _, law, j, draws=draws: draws[j]
                try:
                    orders.add(tuple(Permutation(Stream.from_seed(0), n).table))
                finally:
                    permutation.at = original
            self.assertEqual(len(orders), math.factorial(n))

    def test_successive_permutations_differ(self):
        for engine in STREAM_ENGINES:
            s = Stream.from_seed(42, engine=engine)
            tables = {tuple(Permutation(s, 52, k).table) for k in range(8)}
            self.assertEqual(len(tables), 8)

    def test_choices_have_positive_weights(self):
        for weights, k in CHOICES:
            chosen = weighted_choice(Stream.from_seed(7), weights, k)
            self.assertEqual(len(set(chosen)), k)
            self.assertTrue(all(weights[i] > 0 for i in chosen))


if __name__ == "__main__":
    unittest.main()
