#!/usr/bin/env python3
"""NumPy, SciPy and torch beside rng: the same 256 KiB, one thread, interleaved with rng_bench round by round.

    python3 benchmarks/python_peers.py build/bench/g++/benchmarks/rng_bench [--rounds 7] [-o python.json]

Writes Google Benchmark's JSON with one entry per row and round, for report.py. Peers that cannot be
imported are left out. Every peer writes into an existing array (`out=`, or torch's in-place methods).
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time

FILL_BYTES = 256 * 1024  # as Size::l2 of support.hpp
SECONDS_PER_ROW = 0.04
PERMUTED = 1_000_000
PERMUTATION = f"permutation_i64({PERMUTED})"  # all its values: 8 MB


def covariance_of_ten(np):
    return np.array([[2 if i == j else 1 / (1 + abs(i - j)) for j in range(10)] for i in range(10)])


def numpy_rows():
    try:
        import numpy as np
    except ImportError:
        return {}
    rows = {}
    for bits in ("Philox", "PCG64"):
        generator = np.random.Generator(getattr(np.random, bits)(42))
        who = f"numpy-{bits.lower()}"
        for dtype, name, size in ((np.float32, "f32", 4), (np.float64, "f64", 8)):
            out = np.zeros(FILL_BYTES // size, dtype)
            for what, draw in (
                ("uniform", generator.random),
                ("normal", generator.standard_normal),
                ("exponential", generator.standard_exponential),
            ):
                rows[who, f"{what}_{name}", size] = lambda draw=draw, out=out, t=dtype: draw(dtype=t, out=out)
        n = FILL_BYTES // 8  # the others make arrays of doubles
        for what, draw in (
            ("lognormal", lambda g=generator: g.lognormal(size=n)),
            ("laplace", lambda g=generator: g.laplace(size=n)),
            ("logistic", lambda g=generator: g.logistic(size=n)),
            ("gumbel", lambda g=generator: g.gumbel(size=n)),
            ("rayleigh", lambda g=generator: g.rayleigh(size=n)),
            ("cauchy", lambda g=generator: g.standard_cauchy(size=n)),
            ("weibull", lambda g=generator: g.weibull(1.5, size=n)),
            ("pareto", lambda g=generator: g.pareto(1.5, size=n) + 1),
            ("power", lambda g=generator: g.power(1.5, size=n)),
            ("triangular", lambda g=generator: g.triangular(0, 0.5, 1, size=n)),
            ("student_t", lambda g=generator: g.standard_t(5, size=n)),
            ("inverse_gaussian", lambda g=generator: g.wald(1, 2, size=n)),
        ):
            rows[who, f"{what}_f64", 8] = draw
        rows[who, "gamma_f64(2.5)", 8] = lambda g=generator: g.standard_gamma(2.5, size=n)
        rows[who, "gamma_f64(0.3)", 8] = lambda g=generator: g.standard_gamma(0.3, size=n)
        single = np.zeros(FILL_BYTES // 4, np.float32)
        for shape in (2.5, 0.3):
            rows[who, f"gamma_f32({shape})", 4] = lambda g=generator, a=shape: g.standard_gamma(a, dtype=np.float32, out=single)
        rows[who, "chi_squared_f64(5)", 8] = lambda g=generator: g.chisquare(5, size=n)
        # NumPy has no beta variables of floats: those of doubles are beside ours of floats too, value by value.
        rows[who, "beta_f32(2,3)", 4] = lambda g=generator: g.beta(2, 3, size=FILL_BYTES // 4)
        rows[who, "beta_f64(2,3)", 8] = lambda g=generator: g.beta(2, 3, size=n)
        # Its counts are integers of 64 bits: they are beside ours of 32, value by value.
        counts, means = FILL_BYTES // 4, np.random.default_rng(7).uniform(0, 255, FILL_BYTES // 4)
        for mean in ("3.5", "50", "200", "1000000"):
            rows[who, f"poisson_i32({mean})", 4] = lambda g=generator, m=float(mean): g.poisson(m, size=counts)
        rows[who, "poisson_i32(0..255)", 4] = lambda g=generator: g.poisson(means)
        for trials, p in (20, 0.3), (100, 0.3), (1000000, 0.4):
            rows[who, f"binomial_i32({trials},{p})", 4] = lambda g=generator, n=trials, p=p: g.binomial(n, p, size=counts)
        for good, bad, draws in (40, 60, 30), (1000000, 2000000, 50000):
            rows[who, f"hypergeometric_i32({good},{bad},{draws})", 4] = lambda g=generator, k=(good, bad, draws): g.hypergeometric(*k, size=counts)
        for r, p in (5, 0.25), (2000, 0.5), (5, 0.01):
            rows[who, f"negative_binomial_i32({r},{p})", 4] = lambda g=generator, r=r, p=p: g.negative_binomial(r, p, size=counts)
        rows[who, "zipf_i32(2)", 4] = lambda g=generator: g.zipf(2, size=counts)
        rows[who, "log_series_i32(0.9)", 4] = lambda g=generator: g.logseries(0.9, size=counts)
        weights = np.array([1 + k % 7 for k in range(100)]) / sum(1 + k % 7 for k in range(100))
        rows[who, "categorical_i32(100)", 4] = lambda g=generator, w=weights: g.choice(100, counts, p=w)
        rows[who, "geometric_i32(0.25)", 4] = lambda g=generator: g.geometric(0.25, size=counts)
        rows[who, PERMUTATION, 8] = lambda g=generator: g.permutation(PERMUTED)
        # Rows of ten elements, value by value; those of doubles are beside ours of floats too.
        mean, covariance = np.full(10, 0.5), covariance_of_ten(np)
        for name, size in ("f32", 4), ("f64", 8):
            k = FILL_BYTES // (10 * size)
            for shape in (0.3, 1, 2.5):
                rows[who, f"dirichlet_{name}({shape})", size] = lambda g=generator, a=np.full(10, shape), k=k: g.dirichlet(a, k)
            rows[who, f"multivariate_normal_{name}", size] = lambda g=generator, k=k: g.multivariate_normal(mean, covariance, k, method="cholesky")
        vectors = n // 10
        for trials in 100, 1000, 100000:
            rows[who, f"multinomial_i64({trials})", 8] = lambda g=generator, t=trials: g.multinomial(t, np.full(10, 0.1), vectors)
        kinds = [20, 30, 50, 100, 200, 100, 50, 30, 20, 400]
        rows[who, "multivariate_hypergeometric_i64(300)", 8] = lambda g=generator: g.multivariate_hypergeometric(kinds, 300, vectors, method="marginals")
        for name, size in ("f32", 4), ("f64", 8):
            k = FILL_BYTES // size
            rows[who, f"noncentral_chi_squared_{name}(5,2)", size] = lambda g=generator, k=k: g.noncentral_chisquare(5, 2, size=k)
            rows[who, f"noncentral_f_{name}(5,7,2)", size] = lambda g=generator, k=k: g.noncentral_f(5, 7, 2, size=k)
        rows[who, "fisher_f_f64(5,7)", 8] = lambda g=generator: g.f(5, 7, size=n)
        rows[who, "von_mises_f64(4)", 8] = lambda g=generator: g.vonmises(0, 4, size=n)
    return rows


def scipy_rows():
    try:
        import numpy as np
        from scipy.stats import qmc, wishart
    except ImportError:
        return {}
    rows = {}
    for d in 8, 32:
        # One sequence that goes on, as ours does: reset() would copy the generator of the scrambling each time.
        engine = qmc.Sobol(d, rng=42, bits=60)
        rows["scipy", f"sobol_f64({d})", 8] = lambda engine=engine, n=FILL_BYTES // 8 // d: engine.random(n)
    scale, generator = covariance_of_ten(np), np.random.default_rng(42)
    for name, size in ("f32", 4), ("f64", 8):
        matrices = FILL_BYTES // (100 * size)
        rows["scipy", f"wishart_{name}(12)", size] = lambda k=matrices: wishart.rvs(12, scale, k, generator)
    return rows


def torch_rows():
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    torch.manual_seed(42)
    rows = {("torch-cpu", PERMUTATION, 8): lambda: torch.randperm(PERMUTED)}
    for dtype, name, size in ((torch.float32, "f32", 4), (torch.float64, "f64", 8)):
        out = torch.zeros(FILL_BYTES // size, dtype=dtype)
        for what, draw in (
            ("uniform", out.uniform_),
            ("normal", out.normal_),
            ("exponential", out.exponential_),
        ):
            rows["torch-cpu", f"{what}_{name}", size] = draw
        for what, draw in (
            ("lognormal", out.log_normal_),
            ("cauchy", out.cauchy_),
        ):
            rows["torch-cpu", f"{what}_{name}", size] = draw
        for shape in (2.5, 0.3):
            shapes = torch.full_like(out, shape)
            rows["torch-cpu", f"gamma_{name}({shape})", size] = lambda s=shapes: torch._standard_gamma(s)
    return rows


def seconds_per_fill(draw):
    """The thread's CPU time of one fill, over as many as fit into SECONDS_PER_ROW."""
    draw()
    calls, used = 0, 0.0
    begin = time.thread_time()
    while used < SECONDS_PER_ROW:
        draw()
        calls += 1
        used = time.thread_time() - begin
    return used / calls


def entry(name, size, seconds):
    elements = PERMUTED if PERMUTATION in name else FILL_BYTES // size
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "bytes_per_second": elements * size / seconds,
        "ns_per_element": seconds * 1e9 / elements,
        "real_time": seconds * 1e9,
        "cpu_time": seconds * 1e9,
        "time_unit": "ns",
        "iterations": 1,
    }


def rng_round(program, whats):
    """One round of rng's own rows, from rng_bench."""
    rows = "|".join(re.escape(what) for what in sorted(whats))
    done = subprocess.run(
        [
            program,
            f"--benchmark_filter=^fill/rng-[a-z0-9]+/({rows})/L2/t1$",
            "--benchmark_format=json",
            f"--benchmark_min_time={SECONDS_PER_ROW}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="rng_bench")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("-o", "--output", default="python.json")
    options = parser.parse_args()
    rows = {**numpy_rows(), **scipy_rows(), **torch_rows()}
    if not rows:
        sys.exit("python_peers.py: neither numpy nor torch can be imported")
    entries, context, load = [], {}, f"{os.getloadavg()[0]:.2f}"
    for _ in range(options.rounds):
        order = list(rows)
        random.shuffle(order)
        for who, what, size in order:
            seconds = seconds_per_fill(rows[who, what, size])
            entries.append(entry(f"fill/{who}/{what}/L2/t1", size, seconds))
        ours = rng_round(options.program, {what for _, what, _ in rows})
        context = ours["context"]
        entries += ours["benchmarks"]
    versions = [
        f"{name} {sys.modules[name].__version__}" for name in ("numpy", "scipy", "torch") if name in sys.modules
    ]
    context |= {"label": "python", "peers": ", ".join(versions), "load_before": load}
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump({"context": context, "benchmarks": entries}, file, indent=1)


if __name__ == "__main__":
    main()
