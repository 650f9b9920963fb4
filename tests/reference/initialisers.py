#!/usr/bin/env python3
"""Initial weights (contract, A.28): which elements of a sparse matrix are 0.

    python3 initialisers.py [--check]      writes initialisers.json beside this file, or compares it
"""

import json
from math import ceil
from pathlib import Path

from engines import PHILOX4X32_10, STREAM_ENGINES
from stream import Stream
from written import write_or_check

FILE = Path(__file__).resolve().parent / "initialisers.json"


def zero_rows(stream, slot, column, rows, zeros):
    """The rows of a column that are 0: those of the least keys."""
    keys = stream.private_stream(stream.slot_start(slot) + column)
    order = sorted(range(rows), key=lambda row: (keys.word64(2 * row), row))
    return sorted(order[:zeros])


def answers():
    result = []
    for engine in (PHILOX4X32_10, STREAM_ENGINES[-1]):
        for dtype, slot, rows, columns, sparsity, position in (
            ("f32", 1, 10, 7, 0.25, 0), ("f64", 2, 10, 7, 0.25, 3), ("f32", 1, 33, 3, 0.5, 5), ("f64", 2, 4, 2, 1.0, 0),
        ):
            stream = Stream.from_seed(42, 1, position, engine)
            zeros = ceil(sparsity * rows)
            result.append({"engine": engine.name, "dtype": dtype, "position": position, "rows": rows, "columns": columns,
                           "sparsity": sparsity,
                           "zero_rows": [zero_rows(stream, slot, c, rows, zeros) for c in range(columns)]})
    return result


def text():
    return json.dumps(answers(), indent=1) + "\n"


if __name__ == "__main__":
    write_or_check({FILE: text()})
