"""What each PTX instruction gives, from the PTX manual, in Python integers and exact rationals.

Independent of the C in ptx_instructions.py: check_translator.py compares the two. Floating-point rounding is that of
tests/reference/floats.py, which computes exactly and rounds once.
"""

import struct
import sys
from math import isqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "reference"))

from floats import BINARY32, BINARY64  # noqa: E402

FORMATS = {"f32": BINARY32, "f64": BINARY64}
COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def signed(x, n):
    return x - (1 << n) if x >> n - 1 & 1 else x


def as_float(bits, t):
    return struct.unpack("<f" if t == "f32" else "<d", bits.to_bytes(4 if t == "f32" else 8, "little"))[0]


def flushed(bits):
    """An f32 after flush-to-zero, which keeps the sign."""
    return bits & 0x80000000 if bits & 0x7F800000 == 0 else bits


def float_result(op, t, values):
    """The bits of an arithmetic result, without the sign of an exact zero: the reference model has none."""
    f = FORMATS[t]
    a, *rest = (f.from_bits(v) for v in values)
    if op == "add":
        return f.to_bits(f.add(a, rest[0]))
    if op == "sub":
        return f.to_bits(f.add(a, (-rest[0][0], rest[0][1])))
    if op == "mul":
        return f.to_bits(f.mul(a, rest[0]))
    if op == "fma":
        return f.to_bits(f.fma(a, *rest))
    if op == "div":
        if rest[0][0] == 0:
            raise OverflowError("infinite")
        return f.to_bits(f.div(a, rest[0]))
    if op == "rsqrt":
        used = 32 if t == "f64" else 0  # the upper 32 bits of a double, and of its result
        a = f.from_bits(values[0] >> used << used)
        if a[0] <= 0:
            raise OverflowError("infinite, or no number")
        return nearest_inverse_root(f, a) >> used << used
    return f.to_bits(f.sqrt(a))


def nearest_inverse_root(f, a):
    m, e = a
    shift = 4 * f.precision + m.bit_length() + (e & 1)  # so many more bits that an isqrt of the quotient has enough
    shift += (shift + e) & 1
    root = isqrt((1 << shift) // m)  # of 2^(shift) / m: the inverse root of m 2^e, times 2^((shift + e) / 2)
    return f.to_bits(f.round(root << 1 | 1, -(shift + e) // 2 - 1))


def floating(op, parts, values):
    t = parts[-1]
    ftz = "ftz" in parts and t == "f32"
    if op in ("min", "max"):
        a, b = (flushed(v) for v in values) if ftz else values
        # Bits in the order of their numbers, with -0 below +0.
        n = int(t[1:])
        rank = lambda bits: bits ^ (1 << n) - 1 if bits >> n - 1 else bits | 1 << n - 1
        return min(a, b, key=rank) if op == "min" else max(a, b, key=rank)
    if ftz:
        values = [flushed(v) for v in values]
    sign = 1 << int(t[1:]) - 1
    if op in ("neg", "abs"):
        result = values[0] ^ sign if op == "neg" else values[0] & ~sign
    else:
        result = float_result(op, t, values)
    return flushed(result) if ftz else result


def compared(parts, values):
    relation, t = parts[1], parts[-1]
    if t[0] != "f":
        n = int(t[1:])
        return COMPARE[relation](*(signed(v, n) if t[0] == "s" else v for v in values))
    a, b = (as_float(flushed(v) if "ftz" in parts else v, t) for v in values)
    if a != a or b != b:
        return len(relation) == 3
    return COMPARE[relation[:2]](a, b)


def converted(parts, value):
    to, source = parts[-2], parts[-1]
    if source == "f16":
        is_nan = value & 0x7FFF > 0x7C00
        return 0x7FFFFFFF if is_nan else int.from_bytes(struct.pack("<f", *struct.unpack("<e", value.to_bytes(2, "little"))), "little")
    if to == "f16":
        return 0x7FFF if as_float(value, source) != as_float(value, source) else half(to, as_float(value, source))
    if to[0] != "f":
        n = int(source[1:])
        value %= 1 << n  # of 8 bits, which lie in a 16-bit register
        return (signed(value, n) if source[0] == "s" else value) % (1 << int(to[1:]))
    if "sat" in parts:
        a = as_float(flushed(value) if "ftz" in parts else value, source)
        return value if 0 < a < 1 else 0x3F800000 if a >= 1 else 0
    target = FORMATS[to]
    ftz = "ftz" in parts  # which flushes the f32 of the two
    if ftz and source == "f32":
        value = flushed(value)
    if source[0] != "f":
        n = int(source[1:])
        value %= 1 << n  # of 8 bits, which may lie in a wider register
        return target.to_bits((signed(value, n) if source[0] == "s" else value, 0))
    if as_float(value, source) == 0:  # the reference model has no sign of zero
        return value >> int(source[1:]) - 1 << target.bits - 1
    result = target.to_bits(FORMATS[source].from_bits(value))
    return flushed(result) if ftz and to == "f32" else result


def extracted(value, position, length, n, is_signed):
    position, length = position & 0xFF, length & 0xFF
    if length == 0:
        return 0
    if not is_signed:
        return value >> position & (1 << length) - 1
    if position + length >= n:
        return signed(value, n) >> position
    return signed(value >> position & (1 << length) - 1, length)


def permuted(a, b, selectors):
    source = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    chosen = []
    for k in range(4):
        selector = selectors >> 4 * k & 0xF
        byte = source[selector & 7]
        chosen.append((0xFF if byte > 127 else 0) if selector > 7 else byte)
    return int.from_bytes(bytes(chosen), "little")


def funnel(direction, mode, low, high, amount):
    amount = amount % 32 if mode == "wrap" else min(amount, 32)
    bits = f"{high:032b}{low:032b}"
    return int(bits[amount : amount + 32] if direction == "l" else bits[32 - amount : 64 - amount], 2)


def half(kind, x):
    """The bits of a number rounded to 16 bits, to nearest even. Raises OverflowError beyond the greatest."""
    if kind == "f16":
        return int.from_bytes(struct.pack("<e", x), "little")
    bits = int.from_bytes(struct.pack("<f", x), "little")
    return bits + 0x7FFF + (bits >> 16 & 1) >> 16


def halves(parts, values):
    """Instructions on two numbers of 16 bits."""
    if parts[0] == "cvt":
        high, low = (half(parts[2].removesuffix("x2"), as_float(v, "f32")) for v in values)
    else:
        numbers = [struct.unpack("<ee", v.to_bytes(4, "little")) for v in values]
        low, high = (half("f16", a + b) for a, b in zip(*numbers))
    return high << 16 | low


def expected(mnemonic, values):
    """The result's bits, of the width that the mnemonic implies; a predicate as 0 or 1."""
    parts = mnemonic.split(".")
    if "x2" in mnemonic:
        return halves(parts, values)
    op, t = parts[0], parts[-1]
    n = 1 if t == "pred" else int(t[1:])
    v = values
    x = [signed(value, n) for value in v] if t[0] == "s" else v
    if op == "setp":
        return int(compared(parts, v))
    if op == "cvt":
        return converted(parts, v[0])
    if op in ("mov", "cvta"):
        return v[0]
    if op == "selp":
        return v[0] if v[2] else v[1]
    if t[0] == "f":
        return floating(op, parts, v)
    result = {
        "add": lambda: x[0] + x[1],
        "sub": lambda: x[0] - x[1],
        "and": lambda: v[0] & v[1],
        "or": lambda: v[0] | v[1],
        "xor": lambda: v[0] ^ v[1],
        "not": lambda: ~v[0],
        "neg": lambda: -x[0],
        "abs": lambda: abs(x[0]),
        "min": lambda: min(x),
        "max": lambda: max(x),
        "shl": lambda: v[0] << min(v[1], n),
        "shr": lambda: x[0] >> min(v[1], n),
        "mul": lambda: x[0] * x[1] >> (n if parts[1] == "hi" else 0),
        "mad": lambda: (x[0] * x[1] >> (n if parts[1] == "hi" else 0)) + v[2],
        "div": lambda: v[0] // v[1] if v[1] else -1,
        "rem": lambda: v[0] % v[1] if v[1] else v[0],
        "bfe": lambda: extracted(v[0], v[1], v[2], n, t[0] == "s"),
        "bfi": lambda: inserted(*v, n),
        "popc": lambda: bin(v[0]).count("1"),
        "brev": lambda: int(f"{v[0]:032b}"[::-1], 2),
        "bfind": lambda: 32 - v[0].bit_length() if v[0] else -1,  # .shiftamt: how far the highest bit is from the top
        "prmt": lambda: permuted(*v),
        "shf": lambda: funnel(parts[1], parts[2], *v),
        "lop3": lambda: looked_up(*v),
    }[op]()
    return result % (1 << (2 * n if "wide" in parts else n))


def looked_up(a, b, c, table):
    rows = ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1 for i in range(32))
    return sum((table >> row & 1) << i for i, row in enumerate(rows))


def inserted(a, b, position, length, n):
    mask = ((1 << (length & 0xFF)) - 1 << (position & 0xFF)) % (1 << n)
    return b & ~mask | a << (position & 0xFF) & mask
