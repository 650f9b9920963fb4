#!/usr/bin/env python3
"""Fills of a GPU's memory, and the low-rank SVD there: rng beside cudaMemset, cuRAND, torch and CuPy, in interleaved rounds of one run.

    python3 benchmarks/gpu.py build/gpu/build/benchmarks/rng_bench_gpu [--kib 1048576 ...] [--rounds 7] [-o gpu.json]
    python3 benchmarks/gpu.py build/gpu/build/benchmarks/rng_bench_gpu --svd

Prints a table of medians in GB/s and of ratios: of cudaMemset, of cuRAND's Philox, of torch and of CuPy, each from the
same rounds. Buffers are written before, and several times larger than the second-level cache unless --kib says
otherwise. torch and CuPy are left out where they cannot be imported. Times are of CUDA events. With --svd the table is
of svd_lowrank, beside torch's with TF32 off, on matrices of normal values, two power iterations.
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys

KINDS = ("bits_u32", "uniform_f32", "uniform_f64", "uniform_f16", "uniform_bf16", "normal_f32", "normal_f64")
KINDS += ("normal_f16", "exponential_f32", "exponential_f64")
PEERS = ("curand", "torch", "cupy")


def size_name(kib):
    return f"{kib // 1024}MiB" if kib >= 1024 else f"{kib}KiB"


def torch_rows(kib):
    try:
        import torch
    except ImportError:
        return {}
    if not torch.cuda.is_available():
        return {}
    generator = torch.Generator("cuda").manual_seed(42)
    types = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16}
    rows = {}
    for kind in KINDS:
        what, dtype = kind.split("_")
        if what == "bits":
            continue  # its integers are rounded from 31 or 24 bits: not the same work
        out = torch.zeros(kib * 1024 // types[dtype].itemsize, dtype=types[dtype], device="cuda")
        method = getattr(out, f"{what}_")
        rows["torch", kind] = lambda method=method: method(generator=generator)

    def event():
        return torch.cuda.Event(enable_timing=True)

    return {key: (draw, event, lambda begin, end: begin.elapsed_time(end)) for key, draw in rows.items()}


def cupy_rows(kib):
    try:
        import cupy
    except ImportError:
        return {}
    generator = cupy.random.Generator(cupy.random.Philox4x3210(42))
    rows = {}
    for dtype, t in (("f32", cupy.float32), ("f64", cupy.float64)):
        out = cupy.zeros(kib * 1024 // t(0).itemsize, t)
        n = out.size
        rows["cupy", f"uniform_{dtype}"] = lambda out=out, t=t: generator.random(dtype=t, out=out)
        rows["cupy", f"normal_{dtype}"] = lambda n=n, t=t: generator.standard_normal(n, dtype=t)
        if dtype == "f64":
            rows["cupy", f"exponential_{dtype}"] = lambda n=n: generator.exponential(1.0, n)

    return {key: (draw, cupy.cuda.Event, cupy.cuda.get_elapsed_time) for key, draw in rows.items()}


def seconds(draw, event, milliseconds, at_once):
    """The time of one call by the events of the peer's own library, after a warm one."""
    begin, end = event(), event()
    draw()
    begin.record()
    for _ in range(at_once):
        draw()
    end.record()
    end.synchronize()
    return milliseconds(begin, end) * 1e-3 / at_once


def torch_svd_rows(kinds):
    try:
        import torch
    except ImportError:
        return {}
    if not torch.cuda.is_available():
        return {}
    torch.backends.cuda.matmul.allow_tf32 = False
    rows = {}
    for kind in kinds:
        shape, dtype = kind.split("_")
        sizes, q = shape.split("q")
        m, n = map(int, sizes.split("x"))
        a = torch.randn(m, n, dtype=torch.float32 if dtype == "f32" else torch.float64, device="cuda")
        rows["torch", kind] = lambda a=a, q=int(q): torch.svd_lowrank(a, q=q, niter=2)

    def event():
        return torch.cuda.Event(enable_timing=True)

    return {key: (call, event, lambda begin, end: begin.elapsed_time(end)) for key, call in rows.items()}


def measure_svd(program, rounds):
    """(who, what) -> the median of the seconds of a call; and the program's context."""
    samples, context, peers = {}, {}, None
    for _ in range(rounds):
        rows, context = program_rows(program, "svd")
        times = {key: row["real_time"] * 1e-9 for key, row in rows.items()}
        peers = torch_svd_rows([what for _, what in times]) if peers is None else peers
        for key in random.sample(list(peers), len(peers)):
            times[key] = seconds(*peers[key], 1)
        for key, time in times.items():
            samples.setdefault(key, []).append(time)
    return {key: statistics.median(values) for key, values in samples.items()}, context


def svd_table(medians):
    lines = ["| svd_lowrank | rng, ms | torch, ms | rng's time of torch's |", "|---|---|---|---|"]
    for (who, kind), time in medians.items():
        if who == "rng-cuda":
            peer = medians.get(("torch", kind))
            ratio = f"{peer * 1e3:.2f} | {time / peer:.2f}" if peer else "- | -"
            lines.append(f"| {kind.replace('_', ', ')} | {time * 1e3:.2f} | {ratio} |")
    return "\n".join(lines)


def program_rows(program, argument):
    """One run of rng_bench_gpu: (who, what) -> its row; and its context."""
    done = subprocess.run(
        [program, argument, "--benchmark_format=json", "--benchmark_min_time=0.05",
         "--benchmark_enable_random_interleaving=true"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"gpu.py: {program} ended with exit code {done.returncode}: {done.stderr.strip()}")
    data = json.loads(done.stdout)
    return {tuple(row["run_name"].split("/")[1:3]): row for row in data["benchmarks"]}, data["context"]


def measure(program, kib, rounds):
    peers = {**torch_rows(kib), **cupy_rows(kib)}
    at_once = 100 if kib <= 1024 else 3
    samples, context = {}, {}
    for _ in range(rounds):
        rows, context = program_rows(program, str(kib))
        rates = {key: row["bytes_per_second"] for key, row in rows.items()}
        order = list(peers)
        random.shuffle(order)
        for key in order:
            try:
                rates[key] = kib * 1024 / seconds(*peers[key], at_once)
            except Exception as error:  # noqa: BLE001  a peer that cannot do a type is left out, by name
                print(f"left out: {' '.join(key)}: {type(error).__name__}: {error}", file=sys.stderr)
                del peers[key]
        for key, rate in rates.items():
            samples.setdefault(key, []).append(rate)
    return {key: statistics.median(values) for key, values in samples.items()}, context


def table(medians, kib):
    lines = [f"| {size_name(kib)} | GB/s | of cudaMemset |" + "".join(f" of {peer} |" for peer in PEERS)]
    lines.append("|---" * (3 + len(PEERS)) + "|")
    memset = medians["memset", "bytes"]
    for kind in KINDS:
        rate = medians["rng-cuda", kind]
        ratios = [f"{rate / medians[peer, kind]:.2f}" if (peer, kind) in medians else "-" for peer in PEERS]
        lines.append(f"| {kind} | {rate / 1e9:.0f} | {rate / memset:.2f} | " + " | ".join(ratios) + " |")
    lines.append(f"| cudaMemset | {memset / 1e9:.0f} | | | | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="rng_bench_gpu")
    parser.add_argument("--kib", type=int, nargs="+", default=[1024 * 1024], help="bytes of a fill, in KiB")
    parser.add_argument("--svd", action="store_true", help="the low-rank SVD in place of fills")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the medians as JSON")
    options = parser.parse_args()
    results = {}
    for kib in [None] if options.svd else options.kib:
        if options.svd:
            medians, context = measure_svd(options.program, options.rounds)
        else:
            medians, context = measure(options.program, kib, options.rounds)
        if not results:
            print(f"{context.get('device')}, rng {context.get('rng_version')}, {context['date'][:10]}; medians of"
                  f" {options.rounds} rounds\n")  # fmt: skip
        print((svd_table(medians) if options.svd else table(medians, kib)) + "\n")
        results["svd" if options.svd else size_name(kib)] = {"/".join(key): x for key, x in medians.items()}
    if options.output:
        options.output.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
