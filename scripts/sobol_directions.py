#!/usr/bin/env python3
"""Writes src/sobol_directions.inc, the direction numbers of Sobol points, from the copy that SciPy brings.

    python3 scripts/sobol_directions.py             needs NumPy and SciPy
    python3 scripts/sobol_directions.py --check     writes nothing; a difference from the file is an error

The numbers are those of new-joe-kuo-6.21201 (S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008). SciPy keeps the whole
polynomial in `poly` and m_1 ... m_s in `vinit`. The file is one string of bits, cut into words of 64, the lowest bit first.
Each dimension from the second on has in order, the lowest bit of each number first:

    s                      5 bits, the degree of its primitive polynomial over GF(2)
    a                      s - 1 bits, the coefficients between x^s and 1, that of x^(s-1) the highest
    (m_k - 1) / 2          k - 1 bits for k = 1 ... s; m_k is odd and below 2^k
"""

import sys
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "src" / "sobol_directions.inc"
HEADER = """\
// Written by scripts/sobol_directions.py, which has the format. Do not edit.
// Direction numbers: copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved. Their licence is in
// LICENSES/joe-kuo.txt.
"""


def fields(poly, vinit):
    """Pairs of a number and its bits, dimension after dimension."""
    for p, m in zip(poly[1:], vinit[1:]):
        s = p.bit_length() - 1
        if p % 2 != 1 or not 1 <= s <= 18 or any(m[s:]):
            sys.exit(f"not a polynomial of degree 1 to 18 with its numbers: {p} {m}")
        yield s, 5
        yield (p - (1 << s)) >> 1, s - 1
        for k, number in enumerate(m[:s], start=1):
            if number % 2 != 1 or number >> k:
                sys.exit(f"m_{k} must be odd and below 2^{k}, got {number}")
            yield (number - 1) // 2, k - 1


def text():
    import numpy
    import scipy.stats

    data = numpy.load(Path(scipy.stats.__file__).parent / "_sobol_direction_numbers.npz")
    poly, vinit = data["poly"].tolist(), data["vinit"].tolist()
    digits = []
    for number, bits in fields(poly, vinit):
        digits.append(format(number, f"0{bits}b")[::-1] if bits else "")
    string = "".join(digits)
    words = [int(string[i : i + 64][::-1], 2) for i in range(0, len(string), 64)]
    lines = [",".join(f"{word:#x}" for word in words[i : i + 6]) for i in range(0, len(words), 6)]
    return HEADER + ",\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.read_text() != text():
            sys.exit(f"{OUTPUT} is not what this script writes")
    else:
        OUTPUT.write_text(text())


if __name__ == "__main__":
    main()
