"""The block functions: Philox and Threefry of every Random123 width and any round count.

A block function is a bijection of the counter for every key. Both families are those of Salmon, Moraes, Dror and Shaw,
"Parallel random numbers: as easy as 1, 2, 3" (SC 2011); Threefry is Skein's Threefish without the tweak.
Oracle: philox4x32 with 10 rounds, zero counter and key, begins with 0x6627e8d5.
"""

from functools import lru_cache

PHILOX_MULTIPLIERS = {
    (2, 32): (0xD256D193,),
    (4, 32): (0xD2511F53, 0xCD9E8D57),
    (2, 64): (0xD2B74407B1CE6E93,),
    (4, 64): (0xD2E7470EE14C6C93, 0xCA5A826395121157),
}
# The golden ratio and sqrt(3) - 1, in 32 and 64 bits.
PHILOX_WEYL = {32: (0x9E3779B9, 0xBB67AE85), 64: (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)}

# One row per round (mod 8): the rotation of each pair of words.
THREEFRY_ROTATIONS = {
    (2, 32): ((13,), (15,), (26,), (6,), (17,), (29,), (16,), (24,)),
    (4, 32): ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20)),
    (2, 64): ((16,), (42,), (12,), (31,), (16,), (32,), (24,), (21,)),
    (4, 64): ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)),
}
THREEFRY_PARITY = {32: 0x1BD11BDA, 64: 0x1BD11BDAA9FC1A22}
THREEFRY_ROUNDS_PER_INJECTION = 4


def philox(words, bits, rounds, counter, key):
    """Philox<words>x<bits>: counter of `words` words, key of half as many."""
    mask = (1 << bits) - 1
    multipliers = PHILOX_MULTIPLIERS[words, bits]
    x, k = list(counter), list(key)
    for r in range(rounds):
        if r:
            k = [(v + w) & mask for v, w in zip(k, PHILOX_WEYL[bits])]
        products = [m * x[2 * i] for i, m in enumerate(multipliers)]
        # Each pair takes the high half of the other pair's product: the products cross over.
        for i, product in enumerate(reversed(products)):
            x[2 * i] = (product >> bits) ^ x[2 * i + 1] ^ k[i]
            x[2 * i + 1] = product & mask
    return tuple(x)


def threefry(words, bits, rounds, counter, key):
    """Threefry<words>x<bits>: counter and key of `words` words."""
    mask = (1 << bits) - 1
    rotations = THREEFRY_ROTATIONS[words, bits]
    parity = THREEFRY_PARITY[bits]
    for k in key:
        parity ^= k
    schedule = (*key, parity)
    x = [(v + k) & mask for v, k in zip(counter, key)]
    for r in range(rounds):
        for i, rotation in enumerate(rotations[r % 8]):
            # Odd rounds of the four-word form mix words (0, 3) and (2, 1).
            a, b = 2 * i, (2 * i + 1) if r % 2 == 0 else (words - 1 - 2 * i)
            x[a] = (x[a] + x[b]) & mask
            x[b] = ((x[b] << rotation | x[b] >> (bits - rotation)) & mask) ^ x[a]
        if (r + 1) % THREEFRY_ROUNDS_PER_INJECTION == 0:
            n = (r + 1) // THREEFRY_ROUNDS_PER_INJECTION
            x = [(v + schedule[(n + i) % (words + 1)]) & mask for i, v in enumerate(x)]
            x[-1] = (x[-1] + n) & mask
    return tuple(x)


class Engine:
    """A family, a width and a round count; its words are `bits` wide, its key has `key_words` of them."""

    def __init__(self, family, words, bits, rounds):
        self.family, self.words, self.bits, self.rounds = family, words, bits, rounds
        self.key_words = words // 2 if family == "philox" else words
        self.name = f"{family}{words}x{bits}-{rounds}"
        function = {"philox": philox, "threefry": threefry}[family]

        # A fill reads each block once per word; the cache makes that one evaluation.
        @lru_cache(maxsize=256)
        def block(counter, key):
            return function(words, bits, rounds, counter, key)

        self.block = block

    @property
    def words32(self):
        """32-bit words per block."""
        return self.words * self.bits // 32

    def __repr__(self):
        return self.name


PHILOX4X32_10 = Engine("philox", 4, 32, 10)
PHILOX4X32_7 = Engine("philox", 4, 32, 7)
PHILOX4X64_10 = Engine("philox", 4, 64, 10)
THREEFRY4X32_20 = Engine("threefry", 4, 32, 20)
THREEFRY4X64_20 = Engine("threefry", 4, 64, 20)

# The engines that streams, and so bulk fills, are made of.
STREAM_ENGINES = (PHILOX4X32_10, PHILOX4X32_7, PHILOX4X64_10, THREEFRY4X32_20, THREEFRY4X64_20)
