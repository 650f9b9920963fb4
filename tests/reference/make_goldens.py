"""Writes src/verify/goldens.inc and, beside this file, goldens.json and known_answers.json.

The goldens are digests of whole fills; the known answers are single blocks, words, keys and values, for finding what a wrong digest
means. Both are the contract's bits: a run that changes them changes the contract's version. With --check nothing is written and
a difference from the files is an error.
"""

import json
from pathlib import Path

from continuous import CONTINUOUS, HALF_CONTINUOUS, Triangular
from counts import COUNTS, Binomial, Geometric, Hypergeometric, Integers, LogSeries, NegativeBinomial, Poisson, Rademacher, Zipf
from directions import DIRECTIONS
from engines import PHILOX4X32_10, STREAM_ENGINES
from floats import BFLOAT16, BINARY16, BINARY32, BINARY64, to_float
from known_answers import fnv1a, known_answers
from maps import (
    REAL_DISTRIBUTIONS,
    Bernoulli,
    Bits,
    ComplexNormal,
    Exponential,
    Normal,
    NormalIcdf,
    Uniform,
    UniformDense,
    UniformInt,
    UniformOpen,
    UniformOpenClosed,
    fill,
)
from samplers import FURTHER, HALF_SAMPLERS, SAMPLERS, TruncatedNormal
from stream import Stream
from written import write_or_check

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
VALUES_PER_ROW = 4096
VALUES_OF_LONG_MAPS = 512  # exact arithmetic takes a tenth of a millisecond an operation

# (seed, id, position): the plain start; high bits everywhere and an odd position; a fill that crosses block 2^32.
DEFAULT_PLACES = (
    (42, 0, 0),
    (0xDEADBEEFCAFEF00D, 0x8000000000000005, 3),
    (20111115, 1, 4 * 2**32 - 1001),
)
OTHER_PLACE = (7, 9, 1)
# For the engines that are not the default one: high bits everywhere, for each distribution; for bits, also a crossing of
# block 2^32, which is none for 64-bit engines.
ENGINE_PLACE = DEFAULT_PLACES[1]
ENGINE_CROSSING = (20111115, 1, 4 * 2**32 - 1001)
OTHER_PARAMETERS = {
    Uniform: (-2.5, 7.25),
    UniformOpen: (-2.5, 7.25),
    UniformOpenClosed: (-2.5, 7.25),
    Exponential: (2.75,),
    Normal: (3.0, 0.7),
    NormalIcdf: (-1.5, 2.3),
}

PROBABILITIES = (0.5, 1 / 3, 1.0, 2.0**-32)


def integers(bits, signed):
    """The whole type, a die, and the spans that reject most: of 16 bits, one word in 65930; of 64, half of all."""
    least = -(1 << bits - 1) if signed else 0
    worst = 65175 if bits == 16 else (1 << bits - 1) + 1
    for lo, span in (least, 1 << bits), (-2 if signed else 1, 6), (least, worst), (least + 100, worst - 49):
        yield UniformInt(bits, lo, lo + span - 1, signed)


INTEGER_TYPES = tuple((bits, signed) for bits in (8, 16, 32, 64) for signed in (True, False))

HEADER = """\
// Written by tests/reference/make_goldens.py from the Python model of the contract. Do not edit.
// { engine, distribution, type, { parameters }, seed, id, position, n, digest }: the position rounded up to the slot,
// digest = FNV-1a 64 of the n values' little-endian bytes in order.
"""


def hexfloat(x):
    """A float as C and Python read it, without trailing zeros."""
    mantissa, exponent = float(x).hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def real_kinds():
    """(distribution, format) of those with OTHER_PARAMETERS."""
    for distribution in REAL_DISTRIBUTIONS:
        for format in BINARY32, BINARY64:
            yield distribution, format
    for distribution in Uniform, UniformOpen, UniformOpenClosed, Normal:
        for format in BINARY16, BFLOAT16:
            yield distribution, format


# An anchored walk, a walk from 0, a geometric: for the engines that are not the default one.
COUNTS_OF_ENGINES = {Poisson: (50.5,), Binomial: (40, 0.3), Geometric: (0.25,), Hypergeometric: (2000, 3000, 2500),
    NegativeBinomial: (12.5, 0.01), Zipf: (1.5, 0), LogSeries: (0.9,)}


def count_cases(engine):
    for bits in 32, 64:
        for distribution, sets in COUNTS.items():
            if engine is PHILOX4X32_10:
                for parameters, place in zip(sets[bits], (*DEFAULT_PLACES, OTHER_PLACE)):
                    yield engine, distribution(bits, *parameters), place
            else:
                yield engine, distribution(bits, *COUNTS_OF_ENGINES[distribution]), ENGINE_PLACE
    for place in (*DEFAULT_PLACES, OTHER_PLACE) if engine is PHILOX4X32_10 else (ENGINE_PLACE,):
        yield engine, Rademacher(), place


LONG_MAPS = CONTINUOUS | SAMPLERS
HALVES = HALF_CONTINUOUS + HALF_SAMPLERS
BOUNDED = Triangular, TruncatedNormal  # with parameters that are values of the result's type


def continuous_kinds():
    """(distribution, format) of those of continuous.py and samplers.py."""
    for distribution in LONG_MAPS:
        for format in BINARY32, BINARY64, *((BINARY16, BFLOAT16) if distribution in HALVES else ()):
            yield distribution, format


def continuous_cases(engine):
    """For the default engine defaults and other parameters; for the others the defaults, at one place."""
    for distribution, format in continuous_kinds():
        if engine is PHILOX4X32_10:
            for place in DEFAULT_PLACES:
                yield engine, distribution(format), place
            arithmetic = BINARY32 if format.bits == 16 and distribution not in BOUNDED else format
            nearest = [to_float(arithmetic.nearest(x)) for x in LONG_MAPS[distribution]]
            yield engine, distribution(format, *nearest), OTHER_PLACE
            if distribution in FURTHER:
                yield engine, distribution(format, *FURTHER[distribution]), OTHER_PLACE
        else:
            yield engine, distribution(format), ENGINE_PLACE


def cases():
    """(engine, distribution, place) of every golden."""
    for bits in 32, 64:
        for place in *DEFAULT_PLACES, OTHER_PLACE:
            yield PHILOX4X32_10, Bits(bits), place
    for distribution, format in real_kinds():
        for place in DEFAULT_PLACES:
            yield PHILOX4X32_10, distribution(format), place
        arithmetic = BINARY32 if format.bits == 16 and distribution is Normal else format
        nearest = [to_float(arithmetic.nearest(x)) for x in OTHER_PARAMETERS[distribution]]
        yield PHILOX4X32_10, distribution(format, *nearest), OTHER_PLACE
    for format in BINARY32, BINARY64:
        for place in *DEFAULT_PLACES, OTHER_PLACE:
            yield PHILOX4X32_10, UniformDense(format), place
            yield PHILOX4X32_10, ComplexNormal(format, 2.5 if place is OTHER_PLACE else 1.0), place
            for direction in DIRECTIONS:
                yield PHILOX4X32_10, direction(format), place
    for kind in INTEGER_TYPES:
        for distribution, place in zip(integers(*kind), (*DEFAULT_PLACES, OTHER_PLACE)):
            yield PHILOX4X32_10, distribution, place
    for p, place in zip(PROBABILITIES, (*DEFAULT_PLACES, OTHER_PLACE)):
        yield PHILOX4X32_10, Bernoulli(p), place
    yield from continuous_cases(PHILOX4X32_10)
    yield from count_cases(PHILOX4X32_10)
    for engine in STREAM_ENGINES:
        if engine is PHILOX4X32_10:
            continue
        for bits in 32, 64:
            yield engine, Bits(bits), ENGINE_PLACE
        yield engine, Bits(32), ENGINE_CROSSING
        for distribution, format in real_kinds():
            yield engine, distribution(format), ENGINE_PLACE
        for format in BINARY32, BINARY64:
            yield engine, UniformDense(format), ENGINE_PLACE
            yield engine, ComplexNormal(format), ENGINE_PLACE
            for direction in DIRECTIONS:
                yield engine, direction(format), ENGINE_PLACE
        for kind in INTEGER_TYPES:
            yield engine, list(integers(*kind))[2], ENGINE_PLACE
        yield engine, Bernoulli(1 / 3), ENGINE_PLACE
        yield from continuous_cases(engine)
        yield from count_cases(engine)


def golden(engine, distribution, place):
    seed, id, position = place
    is_long = type(distribution) in (*LONG_MAPS, *DIRECTIONS) or isinstance(distribution, Integers)
    n = VALUES_OF_LONG_MAPS if is_long else VALUES_PER_ROW
    values, _ = fill(Stream.from_seed(seed, id, position, engine), distribution, n)
    values = [v & (1 << distribution.bits) - 1 for v in values]
    digits = distribution.bits // 4
    return {
        "engine": engine.name,
        "name": distribution.name,
        "dtype": distribution.dtype,
        "parameters": [str(x) if isinstance(x, int) else hexfloat(x) for x in distribution.parameters],
        "seed": f"0x{seed:x}",
        "id": f"0x{id:x}",
        "position": position,
        "n": n,
        "digest": f"0x{fnv1a(values, distribution.bits // 8):016x}",
        "first": [f"0x{v:0{digits}x}" for v in values[:8]],
    }


def inc_line(row):
    parameters = ", ".join(f'"{p}"' for p in row["parameters"])
    return (
        f'{{"{row["engine"]}", "{row["name"]}", "{row["dtype"]}", {{{parameters}}}, {row["seed"]}, {row["id"]}, '
        f'{row["position"]}, {row["n"]}, {row["digest"]}}},\n'
    )


def as_json(value):
    """One object of a list per line: rows diff well."""
    parts = []
    for key, item in value.items():
        if isinstance(item, list):
            lines = ",\n".join("  " + json.dumps(row, ensure_ascii=True) for row in item)
            parts.append(f'"{key}": [\n{lines}\n]')
        else:
            parts.append(f'"{key}": {json.dumps(item)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def outputs():
    """{path: text}"""
    rows = [golden(*case) for case in cases()]
    return {
        REPOSITORY / "src" / "verify" / "goldens.inc": HEADER + "".join(inc_line(row) for row in rows),
        HERE / "goldens.json": as_json({"contract": 1, "goldens": rows}),
        HERE / "known_answers.json": as_json(known_answers()),
    }


if __name__ == "__main__":
    write_or_check(outputs())
