"""Writes many_weights.json: digests and values of laws of more than 2^24 weights (A.21, A.24, A.27). With --check, compares.

The rules are those of categorical.py, piecewise.py and structured.py, written anew in Python's floats, which are BINARY64: the exact
arithmetic of the model would take an hour. It takes two minutes and 2 GB, so no test of the build runs it.
"""

import json
from array import array
from bisect import bisect_right
from functools import reduce
from itertools import accumulate, islice
from operator import add
from pathlib import Path

from stream import Stream
from structured import ALL, Multinomial
from written import write_or_check

PATH = Path(__file__).resolve().parent / "many_weights.json"
COUNT = (1 << 24) + 8
VALUES = 64
# The weights above 0 of the row: their sum is exact.
TRIALS, OUTCOMES = 1000, {5: 1.0, 1 << 24: 2.5, (1 << 24) + 7: 0.5}


def weights():
    """A seventh of them is 0. Their sum rounds at nearly every step."""
    return array("d", (0.0 if i % 7 == 3 else (i * 2654435761 % 2**32) / 3.0 for i in range(COUNT)))


def compensated_sum(xs):
    total = lost = 0.0
    for x in xs:
        following = total + x
        part = following - total
        lost = lost + ((total - (following - part)) + (x - part))
        total = following
    return total + lost


def rounded(x):
    """To an integer, halves up. Twice x is exact."""
    return (int(2 * x) + 1) // 2


def masses(xs, scale, whole, least):
    """Shares of whole numbers: rounded, `least` at least above 0; the first greatest takes what is missing to the whole."""
    total = compensated_sum(xs)
    shares = array("Q", (max(rounded(scale(x / total)), least) if x else 0 for x in xs))
    greatest = xs.index(max(xs))
    shares[greatest] += whole - sum(shares)
    return shares


def alias_entries(xs):
    low = COUNT.bit_length()
    cell = 1 << 64 - low
    units = masses(xs, lambda q: q * (COUNT * 2.0**-low) * 2.0**64, COUNT * cell, 1)
    small = array("L", (i for i, m in enumerate(units) if m < cell))
    large = array("L", (i for i, m in enumerate(units) if m >= cell))
    entries = array("Q", bytes(8 * COUNT))
    while small:
        lesser, other = small.pop(), large[-1]
        entries[lesser] = units[lesser] << low | other
        units[other] -= cell - units[lesser]
        if units[other] < cell:
            small.append(large.pop())
    for i in large:
        entries[i] = cell - 1 << low | i
    return entries, low


def alias_value(entries, low, w):
    cell, fraction = divmod(w * COUNT, 2**64)
    kept, other = divmod(entries[cell], 1 << low)
    return cell if fraction >> low < kept else other


def digest(numbers):
    h = 0
    for x in numbers:
        h = (h * 0x100000001B3 + x) % 2**64
    return f"{h:016x}"


class SparseMultinomial(Multinomial):
    """Outcomes of weight 0 take no trials."""

    def __init__(self):
        self.bits, self.dtype, self.trials = 32, "i32", TRIALS
        total = sum(OUTCOMES.values())
        self.masses = {j: rounded(w / total * ALL) for j, w in OUTCOMES.items()}
        self.masses[max(OUTCOMES, key=OUTCOMES.get)] += ALL - sum(self.masses.values())

    def row(self, p):
        return self.counts(p, self.masses.items())


def answers():
    xs, words = weights(), [Stream.from_seed(42).word64(2 * i) for i in range(VALUES)]
    entries, low = alias_entries(xs)
    row = {"count": COUNT, "entries_digest": digest(entries), "categorical": [alias_value(entries, low, w) for w in words]}
    of_words = masses(xs, lambda q: q * 2.0**64, 2**64, 0)
    ends = array("Q", islice(accumulate(of_words), COUNT - 1))
    row |= {"icdf_masses_digest": digest(of_words), "categorical_icdf": [bisect_right(ends, w) for w in words]}
    row["sum_of_2_to_24"] = reduce(add, xs[: 1 << 24]).hex()  # the last number of weights whose sum is the running one
    row["multinomial_masses_digest"] = digest(masses(xs, lambda q: q * float(ALL), ALL, 1))
    outcomes = [{"outcome": j, "weight": w, "count": n} for (j, w), n in zip(OUTCOMES.items(), SparseMultinomial().row_at(Stream.from_seed(42), 3))]
    return row | {"trials": TRIALS, "row": 3, "outcomes": outcomes}


if __name__ == "__main__":
    write_or_check({PATH: json.dumps(answers(), indent=1) + "\n"})
