"""The Python package beside NumPy and torch: fills of 2^18 values, single calls, NumPy's Generator over our words.

    python benchmarks/python_package.py        needs an importable librng and numpy; torch's rows are left out without torch

One thread. Ways are interleaved, 15 rounds; a figure is the median of the rounds. CPU time of the process, in ns a value or in us a
call, and how many times as long the peer takes.
"""

import os
import statistics
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import librng as rng
from librng.numpy import BitGenerator

ROUNDS = 15
N = 1 << 18

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None


def medians(ways, per_call):
    """Seconds of CPU time for a call of each way, medians over interleaved rounds of `per_call` calls."""
    times = {name: [] for name in ways}
    for _ in range(ROUNDS + 1):
        for name, call in ways.items():
            start = time.process_time()
            for _ in range(per_call):
                call()
            times[name].append((time.process_time() - start) / per_call)
    return {name: statistics.median(seconds[1:]) for name, seconds in times.items()}


def row(title, ways, scale, unit, per_call=8):
    taken = medians(ways, per_call)
    ours, *peers = taken
    ratios = ", ".join(f"{name} {taken[name] * scale:.3g} ({taken[name] / taken[ours]:.2f})" for name in peers)
    print(f"{title:34} {ours} {taken[ours] * scale:.3g} {unit}; {ratios}")


def main():
    rng.set_num_threads(1)
    g, pcg, philox = rng.Generator(42), np.random.Generator(np.random.PCG64(42)), np.random.Generator(np.random.Philox(42))
    over = np.random.Generator(BitGenerator(42))
    f32, f64 = np.empty(N, "f4"), np.empty(N)
    tensor = torch.empty(N) if torch else None
    with_torch = (lambda name, call: {name: call}) if torch else (lambda name, call: {})
    per_value = 1e9 / N
    normal, uniform, exponential = rng.normal(0, 1), rng.uniform(0, 1), rng.exponential(1)
    row("normal f32, 2^18 values", {
        "librng": lambda: rng.fill(f32, normal, g),
        "PCG64": lambda: pcg.standard_normal(out=f32, dtype=np.float32),
        "Philox": lambda: philox.standard_normal(out=f32, dtype=np.float32),
        **with_torch("torch", lambda: tensor.normal_()),
    }, per_value, "ns")
    row("uniform f32", {
        "librng": lambda: rng.fill(f32, uniform, g),
        "PCG64": lambda: pcg.random(out=f32, dtype=np.float32),
        **with_torch("torch", lambda: tensor.uniform_()),
    }, per_value, "ns")
    row("uniform f64", {
        "librng": lambda: rng.fill(f64, uniform, g),
        "PCG64": lambda: pcg.random(out=f64),
        "Philox": lambda: philox.random(out=f64),
    }, per_value, "ns")
    row("normal f64", {"librng": lambda: rng.fill(f64, normal, g), "PCG64": lambda: pcg.standard_normal(out=f64)}, per_value, "ns")
    row("exponential f32", {
        "librng": lambda: rng.fill(f32, exponential, g),
        "PCG64": lambda: pcg.standard_exponential(out=f32, dtype=np.float32),
        **with_torch("torch", lambda: tensor.exponential_()),
    }, per_value, "ns")
    one = np.empty(1)
    row("a call with n = 1, normal f64", {
        "librng": lambda: rng.fill(one, normal, g),
        "PCG64": lambda: pcg.standard_normal(out=one),
    }, 1e6, "us", 20_000)
    row("a new array with n = 1", {"librng": lambda: g.normal(1), "PCG64": lambda: pcg.normal(0, 1, 1)}, 1e6, "us", 20_000)
    print("numpy.random.Generator over our words, beside its own Philox:")
    for name, draw in {
        "random": lambda n: n.random(N), "standard_normal": lambda n: n.standard_normal(N), "integers": lambda n: n.integers(0, 1000, N),
        "standard_exponential": lambda n: n.standard_exponential(N), "standard_gamma": lambda n: n.standard_gamma(2.5, N),
        "random f32": lambda n: n.random(N, np.float32), "permutation": lambda n: n.permutation(N), "bytes": lambda n: n.bytes(8 * N),
    }.items():
        row(f"    {name}", {"ours": lambda: draw(over), "Philox": lambda: draw(philox), "PCG64": lambda: draw(pcg)}, per_value, "ns", 4)


if __name__ == "__main__":
    main()
