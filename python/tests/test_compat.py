"""Numbers of other libraries, against those libraries where they are installed and against the numbers that they gave."""

import ctypes
import glob
import json
import random
import re
import sys
from pathlib import Path

import librng as rng
import numpy as np
import pytest
from librng import compat

PEERS = json.loads((Path(__file__).resolve().parents[2] / "tests" / "interop" / "peers.json").read_text())
N = 100_003


def kept(texts, dtype):
    """Numbers of peers.json that are written as bits."""
    dtype = np.dtype(dtype)
    return np.array([int(x, 0) for x in texts], f"u{dtype.itemsize}").view(dtype)


def values(dtype, draw, *arguments, n=N, **options):
    """draw(out, *arguments, first=...) of n values at once, which are also those of pieces and of an array with gaps."""
    out = draw(np.empty(n, dtype), *arguments, **options)
    gaps = np.zeros((n + 1) // 2 * 2 * 3, dtype).reshape(2, -1, 3)[:, :, 1]
    draw(gaps, *arguments, first=0, **options)
    assert np.array_equal(gaps.reshape(-1)[:n], out)
    assert np.array_equal(draw(np.empty(n - 7, dtype), *arguments, first=7, **options), out[7:])
    return out


# ---- NumPy


@pytest.mark.parametrize("seed", [0, 42, 2**70 + 1, [1, 2, 3], np.random.SeedSequence(42).spawn(4)[3]])
def test_numpy(seed):
    def theirs():
        return np.random.Generator(np.random.Philox(seed))

    s = compat.numpy_philox(seed)
    assert np.array_equal(rng.fill(np.empty(1000), rng.uniform(0, 1), s), theirs().random(1000))
    assert np.array_equal(rng.fill(np.empty(1000, "f4"), rng.uniform(0, 1), s), theirs().random(1000, np.float32))
    assert np.array_equal(rng.fill(np.empty(1000, "u8"), rng.bits(), s), theirs().bit_generator.random_raw(1000))
    ours = values("f8", compat.numpy_uniform, s, -1.5, 2.25)
    assert np.array_equal(ours, theirs().uniform(-1.5, 2.25, N))


def test_numpys_keys():
    key = 2**100 + 12345
    expected = np.random.Philox(key=key).random_raw(100)
    assert np.array_equal(rng.fill(np.empty(100, "u8"), rng.bits(), compat.numpy_philox(key=key)), expected)
    for seed, error in (("x", TypeError), (1.5, TypeError), (True, TypeError), (np.True_, TypeError), (-1, rng.InvalidArgument)):
        with pytest.raises(error, match=f"^numpy_philox: seed must be an integer of at least 0, a sequence of such, or a SeedSequence, got {re.escape(repr(seed))}$"):
            compat.numpy_philox(seed)
    with pytest.raises(TypeError, match="give a seed, or key="):
        compat.numpy_philox()


def test_numpys_generator():
    """Draws of every kind, one after the other: what one leaves of a word, the next takes."""
    ours, theirs = compat.NumpyGenerator(compat.numpy_philox(7)), np.random.Generator(np.random.Philox(7))
    for _ in range(2):
        assert np.array_equal(ours.random(np.empty(3, "f4")), theirs.random(3, np.float32))
        assert np.array_equal(ours.random(np.empty(5)), theirs.random(5))
        for dtype, low, high in (("i4", -5, 2**31 - 1), ("i8", -(2**62), 2**62 + 7), ("u4", 3, 2**31 + 5), ("u8", 0, 2**64 - 1), ("i8", 4, 5)):
            assert np.array_equal(ours.integers(np.empty(101, dtype), low, high), theirs.integers(low, high, 101, dtype=np.dtype(dtype)))
        assert np.array_equal(ours.permutation(np.empty(23, "i8")), theirs.permutation(23))
        assert np.array_equal(ours.normal(np.empty(11), -1.5, 0.3), theirs.normal(-1.5, 0.3, 11))
        assert np.array_equal(ours.exponential(np.empty(11), 0.3), theirs.exponential(0.3, 11))
    gaps = np.zeros((4, 6))
    assert np.array_equal(ours.random(gaps[:, ::2]), theirs.random((4, 3)))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("law", ["standard_normal", "standard_exponential"])
def test_numpys_ziggurats(law, dtype):
    """Of NumPy on this machine: the tails of both are the log1p of one libm."""
    ours, theirs = compat.NumpyGenerator(compat.numpy_philox(42)), np.random.Generator(np.random.Philox(42))
    n = 1_500_000
    expected = getattr(theirs, law)(n, np.dtype(dtype))
    assert np.array_equal(getattr(ours, law)(np.empty(n, dtype)), expected)
    assert (np.abs(expected) > (3.7 if law == "standard_normal" else 7.7)).sum() > 100  # tails are among them
    assert np.array_equal(ours.random(np.empty(3)), theirs.random(3))


# ---- cuRAND. tests/cuda/test_curand.cpp has its host generator.


def test_curand():
    s = compat.curand(42, 7, 100)
    assert s == rng.Stream(42, 7).at_position(100)
    words = rng.fill(np.empty(2 * N, "u4"), rng.bits(), s)
    f4 = values("f4", compat.curand_uniform, s)
    assert np.array_equal(f4, words[:N].astype("f4") * np.float32(2**-32) + np.float32(2**-33))
    f8 = values("f8", compat.curand_uniform, s)
    assert np.array_equal(f8, (words[::2] ^ words[1::2].astype("u8") << np.uint64(21)) * 2.0**-53 + 2.0**-54)
    one = values("f8", compat.curand_uniform_double, s)
    assert np.array_equal(one, words[:N] * 2.0**-32 + 2.0**-32)


@pytest.mark.parametrize("dtype", ["u4", "f4", "f8"])
def test_curands_host_api(dtype):
    """The default ordering: 65536 subsequences take turns with four values each."""
    n = 2 * 4 * 65536 + 1000
    made = values(dtype, compat.curand_generate, 42, n=n)
    for i in (0, 5, 4 * 65535 + 1, 4 * 65536 + 2, n - 1):
        s = compat.curand(42, i // 4 % 65536)
        draw = compat.curand_uniform if dtype != "u4" else lambda out, s, **first: rng.fill(out, rng.bits(), s, **first)
        assert made[i] == draw(np.empty(1, dtype), s, first=i // 4 // 65536 * 4 + i % 4)[0]


# ---- torch


@pytest.mark.parametrize("row", PEERS["torch"], ids=lambda row: row["offset"])
def test_torch(row):
    key = compat.torch_key(int(row["seed"], 0), int(row["offset"], 0))
    assert np.array_equal(compat.torch_uniform(np.empty(40, "f4"), key), kept(row["uniform_f32"], "f4"))
    assert np.array_equal(compat.torch_uniform(np.empty(40, "f8"), key), kept(row["uniform_f64"], "f8"))
    assert key.fold_in(5) == tuple(kept(row["fold_in"], "u8").tolist())
    assert [x for child in key.split(3) for x in child] == kept(row["split"], "u8").tolist()
    values("f8", compat.torch_uniform, key)


def test_torch_itself():
    torch = pytest.importorskip("torch")
    stateless = pytest.importorskip("torch.func._random")
    for seed, offset in ((42, 0), (2**63 + 5, 2**56 - 100), (1, 2**64 - 100)):
        ours, theirs = compat.torch_key(seed, offset), torch.tensor([seed, offset], dtype=torch.uint64)
        for _ in range(3):
            for dtype in (torch.float32, torch.float64):
                out = compat.torch_uniform(torch.empty((3, N), dtype=dtype), ours)
                assert torch.equal(out, stateless.uniform(theirs, (3, N), dtype=dtype))
            words = compat.torch_bits(np.empty(N, "u4"), ours)
            assert np.array_equal(words, stateless.bits(theirs, (N,), dtype=torch.uint32).numpy())
            ours, theirs = ours.split(3)[2], stateless.split(theirs, 3)[2]
            assert list(ours) == theirs.numpy().tolist()


def test_torch_cuda_rand():
    """A GPU of two multiprocessors: 4096 threads take turns, each with the words of its subsequence in fours."""
    n, threads = 70_001, 4096
    made = compat.torch_cuda_rand(np.empty(n, "f4"), 42, 8, multiprocessors=2)
    for i in (0, 4095, 4096, 5 * 4096 + 17, n - 1):
        u = compat.curand_uniform(np.empty(1, "f4"), compat.curand(42, i % threads, 8), first=i // threads)[0]
        assert made[i] == (u if u < 1 else 0)


# ---- oneMKL


def test_mkl():
    for row in PEERS["mkl"]:
        a, b, s = float.fromhex(row["a"]), float.fromhex(row["b"]), compat.mkl(row["seed"])
        for name, dtype in (("f32", "f4"), ("f64", "f8")):
            assert np.array_equal(compat.mkl_uniform(np.empty(40, dtype), s, a, b), kept(row[name], dtype))


def test_mkl_itself():
    found = glob.glob(str(Path(sys.prefix) / "lib" / "libmkl_rt.so*"))
    if not found:
        pytest.skip("no libmkl_rt in this environment")
    library = ctypes.CDLL(sorted(found)[0])
    for dtype, function, real in (("f4", "vsRngUniform", ctypes.c_float), ("f8", "vdRngUniform", ctypes.c_double)):
        for a, b in ((0.0, 1.0), (-1.5, 2.5)):  # MKL's code for other processors may round once: the same for these
            stream, theirs = ctypes.c_void_p(), np.empty(N, dtype)
            assert library.vslNewStream(ctypes.byref(stream), 0x100000 * 16, ctypes.c_uint32(42)) == 0
            assert getattr(library, function)(0, stream, N, theirs.ctypes.data_as(ctypes.c_void_p), real(a), real(b)) == 0
            assert np.array_equal(values(dtype, compat.mkl_uniform, compat.mkl(42), a, b), theirs)


# ---- TensorFlow


TENSORFLOW_KINDS = {"f32": "f4", "f64": "f8", "between_f32": "f4", "between_f64": "f8", "i32": "i4", "i32_wide": "i4", "i64": "i8"}


@pytest.mark.parametrize("row", PEERS["tensorflow"], ids=lambda row: str(list(row.values())[0]))
def test_tensorflow(row):
    if "stateless" in row:
        s = compat.tensorflow_stateless([int(x) for x in row["stateless"]])
    elif "generator" in row:
        s = compat.tensorflow_generator(row["generator"])
        second = compat.tensorflow_uniform(np.empty(40, "f4"), compat.tensorflow_generator(row["generator"], 3))
        assert np.array_equal(second, kept(row["second_f32"], "f4"))
    else:
        s = compat.tensorflow_op(row["set_seed"], row["op_seed"])
    for name in TENSORFLOW_KINDS.keys() & row.keys():
        low, high, expected = 0, 1, row[name]
        if name.startswith("between"):
            low, high = -1.5, 2.2
        elif name.startswith("i"):
            low, high, expected = int(expected["low"]), int(expected["high"]), expected["values"]
        dtype = TENSORFLOW_KINDS[name]
        expected = np.array(expected, dtype) if name.startswith("i") else kept(expected, dtype)
        assert np.array_equal(compat.tensorflow_uniform(np.empty(40, dtype), s, low, high), expected), name


def test_tensorflow_itself(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    tf = pytest.importorskip("tensorflow")
    laws = (("f4", 0, 1), ("f4", -1.5, 2.2), ("f8", -1.5, 2.2), ("i4", -(2**31), 2**31 - 1), ("i8", -5, 2**62 + 3))
    for dtype, low, high in laws:
        kind = tf.as_dtype(np.dtype(dtype))
        for s, theirs in (
            (compat.tensorflow_stateless((-7, 2**40 + 3)), tf.random.stateless_uniform([N], (-7, 2**40 + 3), low, high, kind)),
            (compat.tensorflow_generator(2**33 + 1), tf.random.Generator.from_seed(2**33 + 1, alg="philox").uniform([N], low, high, kind)),
        ):
            assert np.array_equal(values(dtype, compat.tensorflow_uniform, s, low, high), theirs.numpy())
    for seed in (0, 42, -5):
        tf.random.set_seed(seed)
        assert np.array_equal(compat.tensorflow_uniform(np.empty(N, "f4"), compat.tensorflow_op(seed)), tf.random.uniform([N]).numpy())
    tf.random.set_seed(42)
    tf.random.uniform([3])
    draws = random.Random(42)
    op_seeds = [draws.randint(0, 2**31 - 1) for _ in range(2)]
    second = compat.tensorflow_uniform(np.empty(N, "f4"), compat.tensorflow_op(42, op_seeds[1]))
    assert np.array_equal(second, tf.random.uniform([N]).numpy())


# ---- JAX


@pytest.mark.parametrize("row", PEERS["jax"], ids=lambda row: str(row["seed"]))
def test_jax(row):
    key = compat.jax_key(row["seed"])
    assert [x for child in key.split(3) for x in child] == kept(row["split"], "u4").tolist()
    assert list(key.fold_in(2**31 + 5)) == kept(row["fold_in"], "u4").tolist()
    for width in (8, 16, 32, 64):
        dtype = f"u{width // 8}"
        assert np.array_equal(compat.jax_bits(np.empty(40, dtype), key), kept(row[f"bits{width}"], dtype))
    for name, dtype in (("f32", "f4"), ("f64", "f8")):
        assert np.array_equal(compat.jax_uniform(np.empty(40, dtype), key), kept(row[name], dtype))
        assert np.array_equal(compat.jax_uniform(np.empty(40, dtype), key, -1.5, 2.2), kept(row[f"between_{name}"], dtype))
        assert compat.jax_bernoulli(np.empty(40, bool), key, 0.3, x64=name == "f64").tolist() == row[f"bernoulli_{name}"]
    for law in row["randint"]:
        out = compat.jax_randint(np.empty(40, f"i{law['bits'] // 8}"), key, int(law["low"]), int(law["high"]))
        assert out.tolist() == law["values"]
    assert compat.jax_permutation(np.empty(23, "i4"), key).tolist() == row["permutations"][1]


def test_jax_itself(monkeypatch):
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    jax = pytest.importorskip("jax")
    for x64 in (False, True):
        jax.config.update("jax_enable_x64", x64)
        ours, theirs = compat.jax_key(12345), jax.random.key(12345)
        for _ in range(3):
            for dtype in ("u1", "u2", "u4", "u8") if x64 else ("u1", "u2", "u4"):
                made = values(dtype, compat.jax_bits, ours)
                assert np.array_equal(made, jax.random.bits(theirs, (N,), np.dtype(dtype)))
            for dtype in ("f4", "f8") if x64 else ("f4",):
                # Of [0, 1): for processors without fma, XLA rounds other bounds twice.
                made = values(dtype, compat.jax_uniform, ours)
                assert np.array_equal(made, jax.random.uniform(theirs, (N,), np.dtype(dtype)))
            for dtype, low, high in (("i4", -5, 1000), ("i4", 0, 2**31 - 1), ("i8", -5, 2**62 + 3))[: 3 if x64 else 2]:
                made = values(dtype, compat.jax_randint, ours, low, high)
                assert np.array_equal(made, jax.random.randint(theirs, (N,), low, high, np.dtype(dtype)))
            made = values(bool, compat.jax_bernoulli, ours, 0.3, x64=x64)
            assert np.array_equal(made, jax.random.bernoulli(theirs, 0.3, (N,)))
            assert np.array_equal(compat.jax_permutation(np.empty(N, "i4"), ours), jax.random.permutation(theirs, N))
            ours, theirs = ours.split(3)[2].fold_in(7), jax.random.fold_in(jax.random.split(theirs, 3)[2], 7)
            assert np.array_equal(ours, jax.random.key_data(theirs))
    jax.config.update("jax_enable_x64", False)


# ---- Errors, and what is the package's own


@pytest.mark.parametrize("call, error, message", [
    (lambda x: compat.curand_uniform(x.astype("i4"), compat.curand(1)), TypeError, "^curand_uniform: out must have elements of f32, f64, got i32$"),
    (lambda x: compat.curand_uniform(x, 1), TypeError, "^curand_uniform: stream must be a Stream, got int$"),
    (lambda x: compat.curand_uniform([1.0], compat.curand(1)), TypeError, "^curand_uniform: out must be a writable array"),
    (lambda x: compat.mkl_uniform(x, compat.numpy_philox(1)), ValueError,
     "^mkl_uniform: stream must be of the engine philox4x32-10, got philox4x64-10$"),
    (lambda x: compat.mkl_uniform(x, compat.mkl(1), "a"), TypeError, "^mkl_uniform: a must be a number, got str$"),
    (lambda x: compat.mkl_uniform(x, compat.mkl(1), first=2**60), IndexError, "stream"),
    (lambda x: compat.mkl_uniform(x[::2], compat.mkl(1), first=2**58 - 1), IndexError, "stream"),
    (lambda x: compat.torch_uniform(x, (1, 2.5)), TypeError, "^torch_uniform: offset must be an integer, got float$"),
    (lambda x: compat.torch_cuda_rand(x.view("f4"), 1, multiprocessors=0), ValueError, "a multiprocessor of 256 threads at least, got 0 of 2048 threads$"),
    (lambda x: compat.torch_cuda_rand(x.view("f4"), 1, multiprocessors=2**32), ValueError, "multiprocessors must be a value of u32, got 4294967296$"),
    (lambda x: compat.tensorflow_uniform(x.view("i8"), compat.tensorflow_op(1), 0, 1.5), TypeError, "^tensorflow_uniform: high must be an integer, got float$"),
    (lambda x: compat.tensorflow_uniform(x.view("i4"), compat.tensorflow_op(1), 0, 2**31), ValueError, "high must be a value of i32, got 2147483648$"),
    (lambda x: compat.tensorflow_uniform(x.view("i8"), compat.tensorflow_op(1), 0, 2**70), ValueError, f"high must be a value of i64, got {2**70}$"),
    (lambda x: compat.tensorflow_uniform(x.view("i8"), compat.tensorflow_op(1), 5, 5), ValueError, "high must be above low, got 5$"),
    (lambda x: compat.tensorflow_generator(2**56), ValueError, "seed . 256 drawn must be below 2.56, got seed 72057594037927936 and drawn 0$"),
    (lambda x: compat.jax_randint(x.view("i8"), compat.jax_key(1), 3, -3), ValueError, "^jax_randint: randint: high must be above low, got -3$"),
    (lambda x: compat.NumpyGenerator(compat.mkl(1)), ValueError, "^NumpyGenerator: stream must be of the engine philox4x64-10"),
    (lambda x: compat.NumpyGenerator(compat.numpy_philox(1)).integers(x.view("i8"), 3, 3), ValueError, "low must be below high, got 3 and 3$"),
])
def test_refused_calls_change_nothing(call, error, message):
    x = np.full(6, 7.0)
    with pytest.raises(error, match=message):
        call(x)
    assert x.tolist() == [7.0] * 6


def test_a_long_fill_past_the_end_changes_nothing():
    """The stream ends in the second piece of 4 MiB."""
    x = np.full(700_000, 7.0)
    with pytest.raises(IndexError):
        compat.mkl_uniform(x, compat.mkl(1), first=2**58 - 600_000)
    assert (x == 7).all()


def test_keys(refused):
    for engine in ("philox4x32-10", "philox4x64-10", "threefry4x64-20"):
        s = rng.Stream(42, 3, engine=engine).fork("x").at_position(8)
        assert rng.Stream.from_key(s.key, s.id, s.position, engine=engine) == s
    refused(
        (lambda: rng.Stream.from_key((1,)), ValueError, "sequence of 2 words"),
        (lambda: rng.Stream.from_key(1), ValueError, "sequence of 2 words"),
        (lambda: rng.Stream.from_key((1, 2**32)), ValueError, "below 2.32, got 4294967296"),
        (lambda: rng.Stream.from_key((1, 2.0)), TypeError, "a word of the key must be an integer, got float"),
    )
