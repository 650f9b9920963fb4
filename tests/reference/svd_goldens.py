"""Holds the goldens of the low-rank SVD to LAPACK, and writes them.

    svd_goldens.py PROGRAM [--write]

PROGRAM (svd_cases.cpp) runs every case of src/verify/svd_cases.hpp and prints A, the test matrix and the factors. For each
case the same algorithm is done here from the same A and test matrix in NumPy's long double, whose products no BLAS does, so
that no verdict depends on one; the singular values of the projected matrix are LAPACK's, in double precision. S, the
residual ||A - U S V^H|| and the orthogonality of U and V must agree. With --write the digests are then frozen in
src/verify/svd_goldens.inc; without it, the file must hold them already. Exit code 77: there is no NumPy.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("SKIPPED: there is no NumPy; the goldens of the SVD were not compared with LAPACK")
    sys.exit(77)

GOLDENS = Path(__file__).resolve().parent.parent.parent / "src" / "verify" / "svd_goldens.inc"
UNIT = {"f16": 2.0**-23, "bf16": 2.0**-23, "f32": 2.0**-23, "c64": 2.0**-23, "f64": 2.0**-52, "c128": 2.0**-52}

SHAPES = [
    (300, 40, 8), (40, 300, 8), (64, 64, 64), (129, 128, 17), (1, 1, 1), (5, 1, 1), (1, 7, 1), (700, 9, 9), (257, 300, 33), (48, 48, 5),
    (400, 400, 3), (900, 130, 16), (130, 900, 16), (128, 256, 6), (385, 384, 1), (65, 66, 20),
]  # fmt: skip
HEADER = """\
// Written by tests/reference/svd_goldens.py once LAPACK agreed with every case. Do not edit.
// { element, matrix, variant, rows, cols, q, niter, digest of U, S and V }
"""


def cases():
    """(dtype, kind, variant, rows, cols, q, niter) of every golden."""
    for dtype in "f32", "f64":
        for shape in SHAPES:
            yield dtype, "normal", "plain", *shape, 2
        for kind in "graded", "rank3", "zero", "ones", "identity", "duplicates", "large", "small", "subnormal":
            yield dtype, kind, "plain", 90, 35, 8, 2
            yield dtype, kind, "plain", 35, 90, 8, 1
        for niter in 0, 5:
            yield dtype, "graded", "plain", 150, 60, 10, niter
        for kind in "normal", "graded":
            yield dtype, kind, "plain", 150, 160, 131, 1
        for variant in "column_major", "sparse", "sparse_less_row", "shards", "less_row", "less_all", "centred", "rademacher":
            yield dtype, "normal", variant, 333, 70, 7, 2
            yield dtype, "normal", variant, 70, 333, 7, 2
    for dtype in "c64", "c128":
        for shape in SHAPES[:7]:
            yield dtype, "normal", "plain", *shape, 2
        for kind in "graded", "rank3", "zero", "large", "subnormal":
            yield dtype, kind, "plain", 90, 35, 8, 2
        for variant in "column_major", "sparse", "shards", "less_row", "centred", "rademacher":
            yield dtype, "normal", variant, 70, 333, 7, 2
        yield dtype, "normal", "plain", 100, 90, 73, 1
    for dtype in "f16", "bf16":
        for variant in "plain", "column_major", "sparse", "less_all", "centred":
            yield dtype, "normal", variant, 140, 75, 7, 2


def norm(x):
    """The Frobenius norm, in the precision of x and without a BLAS."""
    return np.sqrt((np.abs(x) ** 2).sum())


def orthonormal(x):
    """A basis of the columns, by Gram-Schmidt three times; a column without a direction of its own becomes 0."""
    x = x.copy()
    for j in range(x.shape[1]):
        before, column, least = x[:, :j], x[:, j].copy(), norm(x[:, j]) * np.finfo(x.dtype).eps * 64
        for _ in range(3):
            column -= before @ (before.conj().T @ column)
        length = norm(column)
        x[:, j] = column / length if length > least else 0
    return x


def reference(a, omega, niter):
    """S and U S V^H of algorithms 4.4 and 5.1 of Halko, Martinsson and Tropp, in the test matrix's orientation."""
    x = a if a.shape[0] >= a.shape[1] else a.conj().T
    u = orthonormal(x @ omega)
    for _ in range(niter):
        u = orthonormal(x @ orthonormal(x.conj().T @ u))
    projected = u.conj().T @ x
    near = u @ projected
    lapack = complex if np.iscomplexobj(a) else float
    return np.linalg.svd(projected.astype(lapack), compute_uv=False), near if x is a else near.conj().T


def lost(x, y, kind):
    """The part of the product of x and y, of at most 128 terms, that the order of docs/svd.md loses in rounding."""
    total = kind(0)
    for a, b in zip(x, y):
        total = kind(a * b + total)
    return abs(total / (x * y).sum() - 1)


def problems(case):
    """What is wrong with a case's results."""
    m, n, q, complex_values = case["rows"], case["cols"], case["q"], case["dtype"].startswith("c")

    def matrix(name, rows, cols):
        v = np.array(case[name], dtype=np.longdouble)
        if complex_values and name != "s":
            v = v[0::2] + 1j * v[1::2]
        return v.reshape(rows, cols)

    a, omega = matrix("a", m, n), matrix("omega", min(m, n), q)
    u, s, v = matrix("u", m, q), np.array(case["s"], dtype=np.longdouble), matrix("v", n, q)
    if "centred" in case["name"]:
        a = a - a.mean(axis=0)
    largest = np.abs(a).max(initial=0)
    exponent = 1 - int(np.frexp(largest)[1])  # a power of two brings the elements near 1; in two steps, or it overflows
    a, s = (x * 2.0 ** (exponent // 2) * 2.0 ** (exponent - exponent // 2) for x in (a, s))
    whole = norm(a) if largest > 0 else 1.0
    unit = UNIT[case["dtype"]]
    # Singular values below the normal numbers have few digits: half a unit of theirs.
    coarse = float(np.ldexp(0.5, exponent - (149 if unit > 1e-10 else 1074)))
    expected, near = reference(a, omega, case["niter"])
    greatest = expected[0] if largest > 0 else 1.0
    found = []
    for name, factor in ("U", u), ("V", v):
        deviation = np.abs(factor.conj().T @ factor - np.eye(q)).max()
        if not deviation <= (4e-7 if unit > 1e-10 else 1e-14):
            found.append(f"{name}^H {name} - I: {deviation:.3g}")
    if (np.diff(s) > 0).any():
        found.append("S does not descend")
    if not np.abs(s - expected).max() <= 40 * unit * greatest + coarse:
        found.append(f"S: {np.abs(s - expected).max() / greatest:.3g} of the norm")
    excess = norm(a - u * s @ v.conj().T) - norm(a - near)
    rank_deficient = case["name"].split()[5].strip(",") in ("rank", "zero", "ones", "duplicates")
    allowed = (5e-7 if unit > 1e-10 else 2e-15) if rank_deficient else 40 * unit
    if "ones" in case["name"]:  # the roundings of equal sums are equal: they add up where others average out
        tall = (u if m >= n else v)[:, 0]
        allowed += lost(np.ones_like(tall), tall, np.float64 if unit < 1e-10 else np.float32) + lost(tall, tall, np.float64)
    if not excess <= allowed * whole + coarse * q:
        found.append(f"residual: {excess / whole:.3g} of the norm above the reference's")
    leader = np.take_along_axis(u, np.abs(u).argmax(axis=0)[None], 0)[0] if u.size else np.zeros(0)
    if not (leader.real > 0).all():
        found.append("the greatest element of a column of U is not positive")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()

    wanted = [", ".join([f'"{d}"', f"Kind::{k}", f"Variant::{v}", *map(str, rest)]) for d, k, v, *rest in cases()]
    if arguments.write and not GOLDENS.exists():
        GOLDENS.write_text(HEADER + "".join(f"{{{row}, 0}},\n" for row in wanted))
        print("the list is new: build the program again and call this once more")
        return 1
    lines = [line for line in GOLDENS.read_text().splitlines() if not line.startswith("//")]
    rows = [line.rsplit(", ", 1)[0].lstrip("{") for line in lines]
    failures, digests = 0, []
    output = subprocess.run([arguments.program], capture_output=True, text=True, check=True).stdout
    for line, row in zip(output.splitlines(), rows, strict=True):
        case = json.loads(line)
        digests.append(case["digest"])
        found = problems(case)
        if not arguments.write and case["digest"] != case["golden"]:
            found.append(f"the digest is {case['digest']}, the golden {case['golden']}")
        for problem in found:
            print(f"{case['dtype']} {case['name']}: {problem}")
        failures += bool(found)
    if rows != wanted:
        print("the list of cases is not that of this file" + (": build again, then --write once more" if arguments.write else ""))
        failures += 1
        if arguments.write:
            GOLDENS.write_text(HEADER + "".join(f"{{{row}, 0}},\n" for row in wanted))
            return 1
    print(f"{len(rows) - failures} of {len(rows)} cases agree with LAPACK")
    if arguments.write and failures == 0:
        GOLDENS.write_text(HEADER + "".join(f"{{{row}, {digest}}},\n" for row, digest in zip(rows, digests)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
