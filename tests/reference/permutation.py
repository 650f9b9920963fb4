"""Permutations and choices (contract, A.23): exchanges up to n = 2048, rounds above. Integers, but for the keys of weights."""

from continuous import Gumbel
from floats import BINARY64, less
from functions import ln
from maps import UniformInt, at

MOST_EXCHANGED = 2048
ROUNDS = 12
FACTORS = (0xD2511F53, 0xCD9E8D57)
SLOT = 4


def private_stream(stream, k):
    return stream.private_stream(stream.slot_position(SLOT, k))


def mixed(x, key, factor):
    product = factor * (x ^ key)
    return product % 2**32 ^ product >> 32


class Permutation:
    """Permutation k of the stream."""

    def __init__(self, stream, n, k=0):
        self.n = n
        own = private_stream(stream, k)
        if n <= MOST_EXCHANGED:
            self.table = list(range(n))
            for j in range(n - 1, 0, -1):
                other = at(own, UniformInt(16, 0, j, signed=False), j)
                self.table[j], self.table[other] = self.table[other], self.table[j]
        else:
            bits = (n - 1).bit_length()
            self.low = bits // 2
            self.high = bits - self.low
            self.keys = [own.word(r) for r in range(ROUNDS)]
            self.exchange = own.word(ROUNDS) % 2

    def rounds(self, x):
        high, low = divmod(x, 1 << self.low)
        for r in range(0, ROUNDS, 2):
            high ^= mixed(low, self.keys[r], FACTORS[0]) % (1 << self.high)
            low ^= mixed(high, self.keys[r + 1], FACTORS[1]) % (1 << self.low)
        return high << self.low | low

    def value(self, i):
        if self.n <= MOST_EXCHANGED:
            return self.table[i]
        i = self.rounds(i ^ self.exchange if i < 2 else i)
        while i >= self.n:
            i = self.rounds(i)
        return i


def weighted_choice(stream, weights, k):
    """Weights are Python floats."""
    own, law = private_stream(stream, 0), Gumbel(BINARY64, 0.0, 1.0)
    left = {}
    for i, w in enumerate(weights):
        if w > 0:
            bits = at(own, law, i)
            left[i] = BINARY64.add(ln(BINARY64, BINARY64.exactly(w)), BINARY64.from_bits(bits))
    chosen = []
    for _ in range(k):
        best = None
        for i, key in left.items():
            if best is None or less(left[best], key):
                best = i
        chosen.append(best)
        del left[best]
    return chosen
