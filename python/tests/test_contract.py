"""The numbers are those of the contract's model: streams, children, every distribution in every type, permutations."""

import librng as rng
import numpy as np
from librng import _rng

LONG = {"f32": "<f4", "f64": "<f8", "f16": "<f2", "c64": "<c8", "c128": "<c16"}
LONG |= {f"{sign}{bits}": f"<{sign}{bits // 8}" for sign in "iu" for bits in (8, 16, 32, 64)}


def stream_of(row):
    number = lambda key: int(row[key], 0)  # noqa: E731
    return rng.Stream(number("seed"), number("id"), engine=row["engine"]).at_position(row["position"])


def test_words_of_streams(known_answers):
    rows = [row for row in known_answers["streams"] if row["domain"] == 0 and row["engine"] in ENGINES]
    assert len(rows) >= 15
    for row in rows:
        words = rng.fill(np.empty(len(row["words"]), "u4"), rng.bits(), stream_of(row))
        assert [int(w, 0) for w in row["words"]] == words.tolist(), row


ENGINES = ("philox4x32-10", "philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20")


def test_children(known_answers):
    for row in known_answers["forks"]:
        parent = stream_of(row)
        if "count" in row:
            count = int(str(row["count"]), 0)
            if count > 100:
                continue
            child = rng.Generator(parent).split(count + 1)[-1].stream()
        else:
            child = parent.fork(row["name"] if "name" in row else int(row["tag"], 0))
        if "then_name" in row:
            child = child.fork(row["then_name"])
        assert (list(child.key), child.id) == ([int(k, 0) for k in row["child_key"]], int(row["child_id"], 0)), row


def parameters_of(row):
    """A golden's parameters by name; numbers with a fraction are written in hexadecimal."""
    info = next(i for i in _rng.catalogue() if (i["name"], i["dtype"]) == (row["name"], row["dtype"]))
    number = lambda text: float.fromhex(text) if "p" in text or "inf" in text else int(text)  # noqa: E731
    return {p[0]: number(text) for p, text in zip(info["parameters"], row["parameters"])}


def bits_of(values, row):
    """Each value's bytes as one integer, its first number highest, as the goldens have it."""
    item = values.dtype.itemsize if values.dtype.kind != "c" else values.dtype.itemsize // 2
    numbers = np.ascontiguousarray(values).view(f"<u{item}").reshape(8, -1)
    return ["0x" + "".join(f"{int(x):0{2 * item}x}" for x in reversed(value)) for value in numbers]


def test_every_golden(goldens):
    kinds = set()
    for row in goldens:
        base, x, parts = row["dtype"].partition("x")
        dist = rng.Distribution(row["name"], **parameters_of(row))
        if base == "bf16":
            floats = np.array([rng.at(stream_of(row), dist, i, dtype="bfloat16") for i in range(8)], "<f4")
            got = [f"0x{bits >> 16:04x}" for bits in floats.view("<u4").tolist()]
        else:
            out = np.empty((8, int(parts)) if x else 8, LONG[base])
            got = bits_of(rng.fill(out, dist, stream_of(row)), row)
        if got != row["first"]:
            got = [int(value, 0) for value in got]
        assert got in (row["first"], [int(value, 0) for value in row["first"]]), row
        kinds.add((row["name"], row["dtype"]))
    assert len(kinds) == len(_rng.catalogue())


def test_permutations(known_answers):
    for row in known_answers["permutations"]:
        n, indices = int(row["n"], 0), [int(i, 0) for i in row["indices"]]
        for i, value in zip(indices, row["values"]):
            out = _rng.fill_permutation(np.empty(1, "u8"), n, stream_of(row), k=row["k"], first=i)
            assert out[0] == int(value, 0), row


def test_the_first_values_of_the_readme():
    x = rng.fill(np.empty(1_000_000, "f4"), rng.normal(0, 1), rng.Generator(42))
    assert " ".join(f"{v:.9g}" for v in x[[0, 1, -1]]) == "0.813999772 1.34617996 0.648700118"
    assert rng.at(rng.Stream(42), rng.normal(0, 1), 999_999, dtype="float32") == x[-1]
