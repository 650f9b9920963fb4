#!/usr/bin/env python3
"""Sobol points (contract, A.25): direction numbers, points by their definition, scrambling by a matrix of bits.

    python3 sobol.py [--check]      writes sobol.json beside this file, or compares it

test_sobol compares the plain points with SciPy's, where SciPy is installed. So the digests of sobol.json stand on it.
"""

import json
import re
from itertools import islice
from pathlib import Path

from stream import MASK64, Stream
from written import write_or_check

HERE = Path(__file__).resolve().parent
PACKED = HERE.parent.parent / "src" / "sobol_directions.inc"
FILE = HERE / "sobol.json"
DIMENSIONS = 21201
BITS = 63  # of a point's number


def packed_numbers():
    """Pairs (a, [m_1, ..., m_s]) of the dimensions from the second on; a has the coefficients between x^s and 1."""
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", PACKED.read_text())]
    data = b"".join(word.to_bytes(8, "little") for word in words)
    position = 0

    def take(bits):
        nonlocal position
        first, position = position, position + bits
        return int.from_bytes(data[first // 8 : (position + 7) // 8], "little") >> first % 8 & (1 << bits) - 1

    for _ in range(DIMENSIONS - 1):
        s = take(5)
        a = take(s - 1)
        yield a, [2 * take(k - 1) + 1 for k in range(1, s + 1)]


def directions(dimensions):
    """For each dimension v_1 ... v_63 as fractions of 2^64, by the recurrence of m_k."""
    result = [[1 << 64 - k for k in range(1, BITS + 1)]][:dimensions]
    for a, m in islice(packed_numbers(), dimensions - 1):
        s, m = len(m), list(m)
        coefficients = [a >> s - 1 - i & 1 for i in range(1, s)]
        while len(m) < BITS:
            new = m[-s] ^ m[-s] << s
            for i, coefficient in enumerate(coefficients, start=1):
                new ^= coefficient * m[-i] << i
            m.append(new)
        result.append([number << 64 - k for k, number in enumerate(m, start=1)])
    return result


def point(v, i):
    """Coordinate of point i as a fraction of 2^64: the sum over GF(2) of the directions of the bits of i's Gray code."""
    gray, x = i ^ i >> 1, 0
    while gray:
        k = gray.bit_length() - 1
        x ^= v[k]
        gray ^= 1 << k
    return x


def scrambled(stream, j, x):
    """Row by row: bit r of the result is the parity of the bits of x that row r of the matrix has, and of the offset's bit."""
    start = stream.slot_start(2)
    words = [stream.word64(start + 2 * (64 * j + c)) for c in range(64)]
    y = 0
    for r in range(64):
        parity = words[63] >> 63 - r & 1
        for c in range(min(r + 1, BITS)):
            entry = 1 if r == c else words[c] >> 64 - (r - c) & 1
            parity ^= entry & x >> 63 - c
        y |= (parity & 1) << 63 - r
    return y


def f32(x):
    return (x >> 40) / 2**24


def f64(x):
    return (x >> 11) / 2**53


def digest(numbers):
    """FNV-1a over whole numbers of 64 bits."""
    h = 0xCBF29CE484222325
    for number in numbers:
        h = (h ^ number) * 0x100000001B3 & MASK64
    return f"{h:016x}"


def answers():
    v = directions(DIMENSIONS)
    numbers = [1 << k for k in range(BITS)]  # these points together depend on every direction number
    plain = {
        "points_2^k": digest(point(v[j], i) for i in numbers for j in range(DIMENSIONS)),
        "points_0_to_15": digest(point(v[j], i) for i in range(16) for j in range(DIMENSIONS)),
    }
    rows = []
    for seed, id, position in (42, 0, 0), (7, 2**63 + 5, 3):
        stream = Stream.from_seed(seed, id, position)
        for j in 0, 1, 5, 21200:
            for i in 0, 1, 2, 1000, 2**31 + 12345, 2**62 + 987654321:
                y = scrambled(stream, j, point(v[j], i))
                rows.append({"seed": seed, "id": str(id), "position": position, "point": str(i), "dimension": j,
                             "fraction": f"{y:016x}", "f32": f32(y).hex(), "f64": f64(y).hex()})
    return {"plain": plain, "scrambled": rows}


def text():
    return json.dumps(answers(), indent=1) + "\n"


if __name__ == "__main__":
    write_or_check({FILE: text()})
