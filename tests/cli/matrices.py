"""Matrices as the bytes of files, for the tests of rng svd."""

import json
import os
import random
import struct

from cli import Case

CODES = {"f2": "e", "f4": "f", "f8": "d", "c8": "f", "c16": "d"}
WHOLE = {"b1": "B", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


def flat(values):
    """Complex numbers as their parts."""
    return [part for v in values for part in ((v.real, v.imag) if isinstance(v, complex) else (v,))]


def npy_file(rows, descr="<f8", fortran=False, version=(1, 0), header=None, shape=None):
    """A NumPy file of a list of rows."""
    m, n = len(rows), len(rows[0]) if rows else 0
    order = ">" if descr[0] == ">" else "<"
    values = [rows[i][j] for j in range(n) for i in range(m)] if fortran else [v for row in rows for v in row]
    parts = flat(values)
    data = struct.pack(order + str(len(parts)) + (CODES | WHOLE).get(descr[1:], "d"), *parts)
    header = header or f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape or (m, n)}, }}"
    length = struct.pack("<H" if version[0] == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes(version) + length + header.encode() + b"\n" + data


def market(banner, *lines):
    return "\n".join([f"%%MatrixMarket matrix {banner}", *map(str, lines), ""]).encode()


def product(rows, cols, rank=3, imaginary=0, seed=1):
    """A matrix of small whole numbers of this rank."""
    r = random.Random(seed)

    def number():
        return complex(r.randint(-2, 2), r.randint(-2, 2)) if imaginary else r.randint(-2, 2)
    left = [[number() for _ in range(rank)] for _ in range(rows)]
    right = [[number() for _ in range(cols)] for _ in range(rank)]
    return [[sum(left[i][k] * right[k][j] for k in range(rank)) for j in range(cols)] for i in range(rows)]


class SvdCase(Case):
    def file(self, data, name="A"):
        path = os.path.join(self.folder(), name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def report(self, data, *more):
        return json.loads(self.ok("svd", self.file(data), "--json", *more))

    def digest(self, data, *more):
        return self.report(data, *more)["digest"]
