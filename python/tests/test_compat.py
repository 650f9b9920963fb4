"""Streams of other libraries' seeds, against NumPy itself and against the numbers that peers gave."""

import json
from pathlib import Path

import librng as rng
import numpy as np
import pytest
from librng import compat

PEERS = json.loads((Path(__file__).resolve().parents[2] / "tests" / "interop" / "peers.json").read_text())


@pytest.mark.parametrize("seed", [0, 42, 2**70 + 1, [1, 2, 3], np.random.SeedSequence(42).spawn(4)[3]])
def test_numpy(seed):
    def theirs():
        return np.random.Generator(np.random.Philox(seed))

    s = compat.numpy_philox(seed)
    assert np.array_equal(rng.fill(np.empty(1000), rng.uniform(0, 1), s), theirs().random(1000))
    assert np.array_equal(rng.fill(np.empty(1000, "f4"), rng.uniform(0, 1), s), theirs().random(1000, np.float32))
    assert np.array_equal(rng.fill(np.empty(1000, "u8"), rng.bits(), s), theirs().bit_generator.random_raw(1000))


def test_numpys_keys():
    key = 2**100 + 12345
    expected = np.random.Philox(key=key).random_raw(100)
    assert np.array_equal(rng.fill(np.empty(100, "u8"), rng.bits(), compat.numpy_philox(key=key)), expected)
    with pytest.raises(TypeError, match="give a seed, or key="):
        compat.numpy_philox()


def test_torch():
    for row in PEERS["torch"]:
        words = rng.fill(np.empty(40, "u4"), rng.bits(), compat.torch_key(int(row["seed"], 0), row["offset"]))
        uniform = [float.hex(float(w & 0xFFFFFF) / 2**24) for w in words.tolist()]
        theirs = np.array([int(x, 0) for x in row["uniform_f32"]], "u4").view("f4")
        assert uniform == [float.hex(float(x)) for x in theirs]


def test_mkl():
    row = next(row for row in PEERS["mkl"] if row["a"] == "0x0.0p+0" and row["b"] == "0x1.0000000000000p+0")
    words = rng.fill(np.empty(40, "u4"), rng.bits(), compat.mkl(row["seed"])).view("i4")
    theirs = np.array([int(x, 0) for x in row["f64"]], "u8").view("f8")
    assert np.array_equal(words * 2.0**-32 + 0.5, theirs)


def test_curand_is_a_stream():
    assert compat.curand(42, 7, 100) == rng.Stream(42, 7).at_position(100)


def test_keys():
    for engine in ("philox4x32-10", "philox4x64-10", "threefry4x64-20"):
        s = rng.Stream(42, 3, engine=engine).fork("x").at_position(8)
        assert rng.Stream.from_key(s.key, s.id, s.position, engine=engine) == s
    for call, error, message in (
        (lambda: rng.Stream.from_key((1,)), ValueError, "sequence of 2 words"),
        (lambda: rng.Stream.from_key(1), ValueError, "sequence of 2 words"),
        (lambda: rng.Stream.from_key((1, 2**32)), ValueError, "below 2.32, got 4294967296"),
        (lambda: rng.Stream.from_key((1, 2.0)), TypeError, "a word of the key must be an integer, got float"),
    ):
        with pytest.raises(error, match=message):
            call()
