"""Writes peers.json: the numbers of NumPy, torch.func and oneMKL that test_interop_peers.cpp compares ours with.

    make_peers.py [--check]      needs numpy, torch and mkl (PyPI); --check says what other versions of theirs give
"""

import ctypes
import glob
import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.func._random as stateless

FILE = Path(__file__).with_name("peers.json")
N = 40


def bits(values):
    """Numbers as the hexadecimal digits of their bytes, the highest first."""
    kind = {4: "<u4", 8: "<u8"}[np.asarray(values).dtype.itemsize]
    return [f"0x{int(x):0{2 * np.dtype(kind).itemsize}x}" for x in np.ascontiguousarray(values).view(kind)]


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
        yield row


def torch_rows():
    for seed, offset in ((42, 0), (0xDEADBEEFCAFEF00D, 7)):
        key = torch.tensor([seed, offset], dtype=torch.uint64)
        row = {"seed": hex(seed), "offset": offset}
        row["uniform_f32"] = bits(stateless.uniform(key, (N,), dtype=torch.float32).numpy())
        row["uniform_f64"] = bits(stateless.uniform(key, (N,), dtype=torch.float64).numpy())
        row["fold_in"] = bits(stateless.fold_in(key, 5).view(-1).numpy())
        row["split"] = bits(stateless.split(key, 3).reshape(-1).numpy())
        yield row


def mkl_rows():
    library = ctypes.CDLL(sorted(glob.glob(str(Path(sys.prefix) / "lib" / "libmkl_rt.so*")))[0])
    philox, method = 0x100000 * 16, 0  # VSL_BRNG_PHILOX4X32X10, VSL_RNG_METHOD_UNIFORM_STD
    for seed, a, b in ((42, 0.0, 1.0), (7, -1.5, 2.25)):
        row = {"seed": seed, "a": a.hex(), "b": b.hex()}
        for name, function, kind, real in (("f32", "vsRngUniform", np.float32, ctypes.c_float), ("f64", "vdRngUniform", np.float64, ctypes.c_double)):
            stream = ctypes.c_void_p()
            assert library.vslNewStream(ctypes.byref(stream), ctypes.c_int(philox), ctypes.c_uint32(seed)) == 0
            out = np.empty(N, kind)
            assert getattr(library, function)(method, stream, N, out.ctypes.data_as(ctypes.c_void_p), real(a), real(b)) == 0
            row[name] = bits(out)
        yield row


def peers():
    versions = {"numpy": np.__version__, "torch": torch.__version__, "mkl": __import__("importlib.metadata").metadata.version("mkl")}
    return {"versions": versions, "numpy": list(numpy_rows()), "torch": list(torch_rows()), "mkl": list(mkl_rows())}


def main():
    made = peers()
    if "--check" in sys.argv[1:]:
        kept = json.loads(FILE.read_text())
        different = [name for name in ("numpy", "torch", "mkl") if made[name] != kept[name]]
        print(f"different: {different}" if different else "the same numbers", made["versions"])
        return 1 if different else 0
    FILE.write_text(json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
