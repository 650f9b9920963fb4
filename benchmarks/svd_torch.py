#!/usr/bin/env python3
"""svd_lowrank beside torch's and scikit-learn's, call by call in turn, on the same matrices in one process.

    cmake --build build/bench/g++ --target rng_svd_shared
    python3 benchmarks/svd_torch.py build/bench/g++/benchmarks/librng_svd_shared.so

Older OpenBLAS (Debian 12 has 0.3.21) takes SSE3 kernels on processors that it does not know: set
OPENBLAS_CORETYPE=SkylakeX there, and MKL_ENABLE_INSTRUCTIONS=AVX2 to hold a torch with MKL to the instructions of
--isas avx2.

Prints a table: medians in milliseconds, and rng's time as a part of each peer's (below 1: rng is faster), the median of
the rounds' ratios, with the least and the greatest. Rows of one thread are timed by the process's CPU time, rows of two by the clock. Every matrix was
written before, and every function called once. Matrices have singular values near 1, 1/2, 1/3, ... and then noise;
"residual" is ||A - U diag(S) V^T|| / ||A||, Frobenius, with the same q and niter for all. --flat takes normal values.
"""

import argparse
import ctypes
import json
import math
import os
import platform
import statistics
import sys
import time

import numpy as np
import scipy.sparse

ISAS = ("scalar", "avx2", "avx512")
SHAPES = (
    "20000x2000q16", "20000x2000q64", "4096x4096q16", "4096x4096q64", "2000x500q128", "1000x1000q6", "100000x100q10",
    "1000000x2q2", "512x512q512", "1000x64x64q8", "100000x10000e1000000q10",
)  # fmt: skip
NITER = 2
REST = 0.02  # seconds before each call: OpenMP's threads spin for a while after their work


class Rng:
    """rng's svd_lowrank through svd_shared.cpp."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.isas = [name for i, name in enumerate(ISAS) if self.library.rng_isa(i)]

    def setup(self, isa, threads):
        self.library.rng_isa(ISAS.index(isa))
        self.library.rng_threads(threads)

    def svd(self, a, q):
        (m, n), t = a.shape[-2:], a.dtype
        many = a.shape[:-2]
        u, s, v = np.empty((*many, m, q), t), np.empty((*many, q), t), np.empty((*many, n, q), t)
        arrays = [a.indptr, a.indices, a.data] if scipy.sparse.issparse(a) else [a]
        sizes = [*([] if scipy.sparse.issparse(a) else [math.prod(many)]), m, n, q, NITER]
        name = ("rng_svd_csr_" if scipy.sparse.issparse(a) else "rng_svd_") + ("f32" if t == np.float32 else "f64")
        arguments = [ctypes.c_void_p(x.ctypes.data) for x in arrays] + [ctypes.c_longlong(x) for x in sizes]
        if getattr(self.library, name)(*arguments, *(ctypes.c_void_p(x.ctypes.data) for x in (u, s, v))):
            sys.exit("svd_torch.py: svd_lowrank failed")
        return u, s, v


def parse(shape):
    """"MxNqQ"; "BxMxNqQ" for a batch; "MxNeEqQ" for a sparse matrix of E elements."""
    sizes, q = shape.split("q")
    sizes, _, elements = sizes.partition("e")
    return tuple(map(int, sizes.split("x"))), int(elements or 0), int(q)


def sparse_matrix(m, n, elements, dtype):
    generator = np.random.Generator(np.random.PCG64(7))
    places = generator.integers(0, [[m], [n]], (2, elements))
    values = generator.standard_normal(elements, dtype)
    a = scipy.sparse.csr_array((values, places), shape=(m, n))
    a.indptr, a.indices = a.indptr.astype(np.int32), a.indices.astype(np.int32)
    return a


def matrix(m, n, dtype, flat):
    generator = np.random.Generator(np.random.PCG64(7))
    noise = generator.standard_normal((m, n), dtype)
    if flat:
        return noise
    rank = min(m, n, 200)
    left = generator.standard_normal((m, rank), dtype) / dtype(np.sqrt(m)) / np.arange(1, rank + 1, dtype=dtype)
    right = generator.standard_normal((rank, n), dtype) / dtype(np.sqrt(n))
    noise *= dtype(1e-3 / np.sqrt(m))
    noise += left @ right
    return noise


def residual(a, factors):
    """||A - U S V^T|| / ||A||, Frobenius; of a batch, the greatest."""
    if a.ndim == 3:
        return max(residual(*one) for one in zip(a, zip(*factors)))
    u, s, v = (np.asarray(x, np.float64) for x in factors)
    if scipy.sparse.issparse(a):  # U and V are orthonormal
        total = float(a.data.astype(np.float64) @ a.data)
        return float(np.sqrt(max(0, total - 2 * np.sum((a @ v) * u * s) + s @ s) / total))
    total = missing = 0.0
    for i in range(0, a.shape[0], 1000):
        rows = a[i : i + 1000].astype(np.float64)
        total += np.sum(rows * rows)
        rows -= (u[i : i + 1000] * s) @ v.T
        missing += np.sum(rows * rows)
    return float(np.sqrt(missing / total))


def set_blas_threads(threads):
    """torch.set_num_threads does not reach an OpenBLAS with threads of its own, as Debian's torch has."""
    for name in ("libblas.so.3", "libopenblas.so.0"):
        try:
            ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_NOW).openblas_set_num_threads(threads)
        except (OSError, AttributeError):
            pass


def torch_peer(a, q, threads):
    try:
        import torch
    except ImportError:
        return None
    if scipy.sparse.issparse(a):
        return None
    torch.set_num_threads(threads)
    set_blas_threads(threads)
    tensor = torch.from_numpy(a)
    return lambda: tuple(x.numpy() for x in torch.svd_lowrank(tensor, q=q, niter=NITER))


def sklearn_peer(a, q, threads):
    try:
        from sklearn.utils.extmath import randomized_svd
        from threadpoolctl import threadpool_limits
    except ImportError:
        return None
    if a.ndim == 3:
        return None

    def call():
        with threadpool_limits(threads):
            u, s, vt = randomized_svd(
                a, q, n_oversamples=0, n_iter=NITER, power_iteration_normalizer="QR", random_state=7
            )
        return u, s, vt.T

    return call


def measure(rng, a, q, threads, isas, peers, rounds):
    """name -> (seconds of each round, residual)."""
    calls = {}
    for isa in isas:

        def ours(isa=isa):
            rng.setup(isa, threads)
            return rng.svd(a, q)

        calls[f"rng-{isa}"] = ours
    for name, make in (("torch", torch_peer), ("sklearn", sklearn_peer)):
        peer = make(a, q, threads) if name in peers else None
        if peer:
            calls[name] = peer
    clock = time.process_time if threads == 1 else time.perf_counter
    results = {name: ([], residual(a, call())) for name, call in calls.items()}
    for _ in range(rounds):
        for name, call in calls.items():
            time.sleep(REST)
            begin = clock()
            call()
            results[name][0].append(clock() - begin)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="librng_svd_shared.so")
    parser.add_argument("--shapes", nargs="+", default=SHAPES, metavar="MxNqQ", help="BxMxNqQ: a batch; MxNeEqQ: a sparse matrix of E elements")
    parser.add_argument("--types", nargs="+", default=["f32", "f64"], choices=["f32", "f64"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--isas", nargs="+", default=["avx2", "avx512"], choices=ISAS)
    parser.add_argument("--peers", nargs="+", default=["torch", "sklearn"], choices=["torch", "sklearn"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--flat", action="store_true", help="normal matrices")
    parser.add_argument("-o", "--output", help="every time as JSON")
    options = parser.parse_args()
    rng = Rng(options.library)
    isas = [isa for isa in options.isas if isa in rng.isas]
    everything, names = {}, [f"rng-{isa}" for isa in isas] + options.peers
    load = os.getloadavg()[0]
    rows = []
    for shape in options.shapes:
        (*many, m, n), elements, q = parse(shape)
        for kind in options.types:
            dtype = np.float32 if kind == "f32" else np.float64
            if elements:
                a = sparse_matrix(m, n, elements, dtype)
            else:
                a = matrix(math.prod(many) * m, n, dtype, options.flat).reshape(*many, m, n)
            for threads in options.threads:
                results = measure(rng, a, q, threads, isas, options.peers, options.rounds)
                everything[f"{shape}/{kind}/t{threads}"] = results
                cells = [shape, kind, str(threads)]
                cells += [f"{statistics.median(results[x][0]) * 1e3:.1f}" if x in results else "-" for x in names]
                for peer in options.peers:
                    for isa in isas:
                        if peer not in results:
                            cells.append("-")
                            continue
                        ratios = sorted(x / y for x, y in zip(results[f"rng-{isa}"][0], results[peer][0]))
                        cells.append(f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})")
                shown = [names[len(isas) - 1], *options.peers]
                cells += [f"{results[x][1]:.3e}" if x in results else "-" for x in shown]
                rows.append("| " + " | ".join(cells) + " |")
                print(rows[-1], file=sys.stderr, flush=True)
    head = ["shape", "type", "threads"] + [f"{x} ms" for x in names]
    head += [f"{isa} / {peer}" for peer in options.peers for isa in isas]
    head += ["residual"] + [f"of {peer}" for peer in options.peers]
    versions = [f"{x} {sys.modules[x].__version__}" for x in ("torch", "sklearn", "numpy") if x in sys.modules]
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} CPUs; {', '.join(versions)};")
    print(f"{time.strftime('%Y-%m-%d')}; load average {load:.1f} before, {os.getloadavg()[0]:.1f} after;", end=" ")
    print(f"{options.rounds} rounds; niter {NITER}\n")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|\n" + "\n".join(rows))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
