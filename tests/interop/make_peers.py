"""Writes peers.json: the numbers of other libraries that test_interop_peers.cpp compares ours with.

    make_peers.py [--check]      needs python/requirements-peers.txt; --check says what other versions of theirs give
"""

import ctypes
import glob
import importlib.metadata
import json
import os
import random
import sys
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # TensorFlow and JAX on the CPU
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import jax
import numpy as np
import tensorflow as tf
import torch
import torch.func._random as stateless

jax.config.update("jax_enable_x64", True)

FILE = Path(__file__).with_name("peers.json")
N = 40


def bits(values):
    """Numbers as the hexadecimal digits of their bytes, the highest first."""
    kind = {4: "<u4", 8: "<u8"}[np.asarray(values).dtype.itemsize]
    return [f"0x{int(x):0{2 * np.dtype(kind).itemsize}x}" for x in np.ascontiguousarray(values).view(kind)]


MANY = 1_000_000


def digest(values):
    """Of many numbers: each one's bits times 2 i + 1, summed modulo 2^64."""
    words = values.view({4: "u4", 8: "u8"}[values.dtype.itemsize]).astype("u8")
    return hex(int((words * np.arange(1, 2 * len(words), 2, dtype="u8")).sum(dtype="u8")))


def ziggurat_row(draw, tail):
    """The first numbers of a ziggurat, and a digest of many. There, 1 or -1 stands for those of the tail: they are libm's log1p."""
    x = draw(MANY)
    return {"first": bits(x[:N]), "digest": digest(np.where(np.abs(x) > tail, np.sign(x), x).astype(x.dtype))}


def numpy_rows():
    for entropy, spawned in (([0], None), ([42], None), ([2**40 + 3], None), ([1, 2, 3, 4, 5, 2**63], None), ([42], 3)):
        sequence = np.random.SeedSequence(entropy if len(entropy) > 1 else entropy[0])
        if spawned is not None:
            sequence = sequence.spawn(spawned + 1)[spawned]
        row = {"entropy": [hex(x) for x in entropy], "spawned": spawned, "state": bits(sequence.generate_state(8))}

        def generator():
            return np.random.Generator(np.random.Philox(sequence))

        g = generator()
        row["raw"] = bits(g.bit_generator.random_raw(N))
        row["random"] = bits(generator().random(N))
        row["random_f32"] = bits(generator().random(N, np.float32))
        row["uniform"] = bits(generator().uniform(-1.5, 2.25, N))
        g = generator()
        row["integers"] = [
            {"low": str(low), "high": str(high), "values": [str(x) for x in g.integers(low, high, 7).tolist()]}
            for low, high in ((0, 10), (-5, 2**31), (0, 2**32), (0, 3 * 2**30), (-(2**62), 2**62 + 2**61), (0, 2**33 - 5), (7, 8))
        ]
        row["integers_u32"] = [str(x) for x in g.integers(3, 3 * 2**30, 9, dtype=np.uint32).tolist()]
        row["permutation"] = g.permutation(23).tolist()
        normal_tail, exponential_tail = 3.6541528853610088, 7.69711747013104972  # where the layers end
        g = generator()  # the ziggurats, one after the other, and what is left of the last word
        row["standard_normal"] = ziggurat_row(g.standard_normal, normal_tail)
        row["standard_normal_f32"] = ziggurat_row(lambda n: g.standard_normal(n, np.float32), normal_tail)
        row["standard_exponential"] = ziggurat_row(g.standard_exponential, exponential_tail)
        row["standard_exponential_f32"] = ziggurat_row(lambda n: g.standard_exponential(n, np.float32), exponential_tail)
        row["normal"] = bits(g.normal(-1.5, 0.3, N))
        row["exponential"] = bits(g.exponential(0.3, N))
        row["raw_after"] = bits(g.bit_generator.random_raw(1))
        yield row


def torch_rows():
    keys = [torch.tensor(key, dtype=torch.uint64) for key in ((42, 0), (0xDEADBEEFCAFEF00D, 7), (42, 2**56 - 3), (7, 2**64 - 5))]
    for key in [*keys, stateless.fold_in(keys[0], 9)]:  # a child begins anywhere in 2^64 blocks
        row = {name: hex(x) for name, x in zip(("seed", "offset"), key.numpy().tolist())}
        row["uniform_f32"] = bits(stateless.uniform(key, (N,), dtype=torch.float32).numpy())
        row["uniform_f64"] = bits(stateless.uniform(key, (N,), dtype=torch.float64).numpy())
        row["fold_in"] = bits(stateless.fold_in(key, 5).view(-1).numpy())
        row["split"] = bits(stateless.split(key, 3).reshape(-1).numpy())
        yield row


def mkl_rows():
    library = ctypes.CDLL(sorted(glob.glob(str(Path(sys.prefix) / "lib" / "libmkl_rt.so*")))[0])
    philox, method = 0x100000 * 16, 0  # VSL_BRNG_PHILOX4X32X10, VSL_RNG_METHOD_UNIFORM_STD
    for seed, a, b in ((42, 0.0, 1.0), (7, -1.5, 2.25), (3, 0.0, 3.7)):
        row = {"seed": seed, "a": a.hex(), "b": b.hex()}
        for name, function, kind, real in (("f32", "vsRngUniform", np.float32, ctypes.c_float), ("f64", "vdRngUniform", np.float64, ctypes.c_double)):
            stream = ctypes.c_void_p()
            assert library.vslNewStream(ctypes.byref(stream), ctypes.c_int(philox), ctypes.c_uint32(seed)) == 0
            out = np.empty(N, kind)
            assert getattr(library, function)(method, stream, N, out.ctypes.data_as(ctypes.c_void_p), real(a), real(b)) == 0
            row[name] = bits(out)
        yield row


def tensorflow_rows():
    def rows_of(draw):
        row = {"words": bits(draw(minval=None, maxval=None, dtype=tf.uint32)), "words64": bits(draw(minval=None, maxval=None, dtype=tf.uint64))}
        row["f32"], row["f64"] = bits(draw(dtype=tf.float32)), bits(draw(dtype=tf.float64))
        row["between_f32"] = bits(draw(minval=-1.5, maxval=2.2, dtype=tf.float32))
        row["between_f64"] = bits(draw(minval=-1.5, maxval=2.2, dtype=tf.float64))
        for name, kind, low, high in (("i32", tf.int32, -5, 1000), ("i32_wide", tf.int32, -(2**31), 2**31 - 1), ("i64", tf.int64, -5, 2**62 + 3)):
            row[name] = {"low": str(low), "high": str(high), "values": draw(minval=low, maxval=high, dtype=kind).numpy().tolist()}
        return row

    for seed in ((1, 2), (-7, 2**40 + 3)):
        yield {"stateless": [str(x) for x in seed], **rows_of(lambda **law: tf.random.stateless_uniform([N], seed, **law))}
    for seed in (42, 2**33 + 1):

        def fresh(**law):
            return tf.random.Generator.from_seed(seed, alg="philox").uniform([N], **law)

        g = tf.random.Generator.from_seed(seed, alg="philox")
        g.uniform([3])
        yield {"generator": seed, **rows_of(fresh), "second_f32": bits(g.uniform([N]))}
    for seed, op_seed in ((42, 7), (0, 0), (-5, 2**31 + 3), (2**40 + 1, None)):
        tf.random.set_seed(seed)
        f32 = bits(tf.random.uniform([N], seed=op_seed))
        taken = random.Random(seed).randint(0, 2**31 - 1) if op_seed is None else op_seed
        yield {"set_seed": seed, "op_seed": taken, "f32": f32}


def jax_rows():
    for seed in (42, 2**40 + 7):
        key = jax.random.key(seed)
        row = {"seed": seed, "split": bits(np.asarray(jax.random.key_data(jax.random.split(key, 3))).reshape(-1))}
        row["fold_in"] = bits(np.asarray(jax.random.key_data(jax.random.fold_in(key, 2**31 + 5))))
        for width in (8, 16, 32, 64):
            row[f"bits{width}"] = [hex(x) for x in np.asarray(jax.random.bits(key, (N,), f"uint{width}")).tolist()]
        for name, kind in (("f32", "float32"), ("f64", "float64")):
            row[name] = bits(np.asarray(jax.random.uniform(key, (N,), kind)))
            low, high = np.array([-1.5, 2.2], kind)
            row[f"between_{name}"] = bits(np.asarray(jax.random.uniform(key, (N,), kind, low, high)))
            row[f"bernoulli_{name}"] = np.asarray(jax.random.bernoulli(key, np.array(0.3, kind), (N,))).astype(int).tolist()
        row["randint"] = [
            {"bits": size, "low": str(low), "high": str(high), "values": np.asarray(jax.random.randint(key, (N,), low, high, f"int{size}")).tolist()}
            for size, low, high in ((32, -5, 1000), (32, -(2**31), 2**31 - 1), (64, -5, 2**62 + 3), (64, 0, 7))
        ]
        row["permutations"] = [np.asarray(jax.random.permutation(key, n)).tolist() for n in (1, 23)]
        row["permutation_digest"] = digest(np.asarray(jax.random.permutation(key, 5000)).astype("u8"))
        yield row


ROWS = {"numpy": numpy_rows, "torch": torch_rows, "mkl": mkl_rows, "tensorflow": tensorflow_rows, "jax": jax_rows}


def peers():
    return {"versions": {name: importlib.metadata.version(name) for name in ROWS}, **{name: list(rows()) for name, rows in ROWS.items()}}


def main():
    made = peers()
    if "--check" in sys.argv[1:]:
        kept = json.loads(FILE.read_text())
        different = [name for name in ROWS if made[name] != kept[name]]
        print(f"different: {different}" if different else "the same numbers", made["versions"])
        return 1 if different else 0
    FILE.write_text(json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
