#!/usr/bin/env python3
"""Fills of a GPU's memory, and the low-rank SVD there: rng beside cudaMemset, cuRAND, torch and CuPy, in interleaved rounds of one run.

    python3 benchmarks/gpu.py build/gpu/bin/rng_bench_gpu [--kib 65536 1048576] [--rounds 7] [-o gpu.json] [--alone] [--only REGEX]
    python3 benchmarks/gpu.py build/gpu/bin/rng_bench_gpu --svd
    python3 benchmarks/gpu.py build/gpu/bin/rng_bench_gpu --reduce
    python3 benchmarks/gpu.py build/gpu/bin/rng_bench_gpu --device
    python3 benchmarks/gpu.py build/gpu/bin/rng_bench_gpu --first

Prints tables of medians in GB/s, and of ratios: of cudaMemset, of cuRAND's Philox and XORWOW, of torch and of CuPy. A round measures every row
of every size and peer once, in random order. Times are of CUDA events, around equally many calls for all peers. All write into memory
that exists. A row says so where CuPy cannot: then it allocates in each call. A peer that is missing or fails is named as not run;
--alone leaves torch and CuPy out. --svd: svd_lowrank beside torch's with TF32 off, on matrices of normal values, with two power
iterations. --reduce: sums of 1 GiB and additions by index of 2^24 terms beside torch's, whose order of additions is not fixed, and
beside torch's under use_deterministic_algorithms(True). --device: at() and Cursor in kernels beside cuRAND's device API, and what
instructions cost, alone and in groups, beside a float32 fma. --first: what the first calls of a process take, in which CUDA loads
kernels; each round is a process of its own.
"""

import argparse
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys

# What prototypes of kernels have reached or models predict: fills of cudaMemset's rate, calls of torch's time. On an H200 (docs/decisions/cuda.md).
PREDICTED = {"uniform_f16": 0.63, "normal_f32": 0.52, "poisson_i32": 0.57, "poisson_i32_table": 0.57, "uniform_f32_position_1": 0.73,
             "normal_f32_position_1": 0.47, "2000x500q128_f32": 0.98, "2000x500q128_f64": 0.85, "variance_f32": 1.6, "norm2_f32": 1.08,
             "sum-of-1000-columns_f32": 1.05, "bincount-into-1000_f32": 0.22, "index_add-into-1000_f32": 0.33, "index_add-into-1000000_f32": 2.9}
PEERS = ("curand", "xorwow", "torch", "cupy")
SAME_WORK = {"uniform_f32_position_1": "uniform_f32", "normal_f32_position_1": "normal_f32", "poisson_i32_table": "poisson_i32", "normal_f32_threefry": "normal_f32", "bits_u32_threefry": "bits_u32"}
FMAS_PER_CLOCK = 128  # of a multiprocessor, since compute capability 8.6 and on 9.0; 64 on 8.0
missing = {}  # peer or row -> why it is not run


def size_name(kib):
    return f"{kib // 1024}MiB" if kib >= 1024 else f"{kib}KiB"


def calls_at_once(kib):
    """How many calls lie between two events: launches then overlap with the work before them."""
    return max(4, min(100, 2 * 1024 * 1024 // kib))


class Program:
    """rng_bench_gpu: it names its rows, then times one after the other as asked."""

    def __init__(self, path, arguments):
        self.process = subprocess.Popen([path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first:
            self.fail()
        self.context = json.loads(first)
        missing.update(self.context["not_run"])
        self.rows = {(row["who"], row["what"], row["kib"]): (i, row) for i, row in enumerate(self.context["rows"])}

    def fail(self):
        code = self.process.wait()
        print(f"gpu.py: {self.process.args[0]} ended with exit code {code}", file=sys.stderr)
        sys.exit(77 if code == 77 else 1)

    def seconds(self, key, calls):
        try:
            self.process.stdin.write(f"{self.rows[key][0]} {calls}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()
        answer = self.process.stdout.readline()
        return float(answer) if answer else self.fail()

    def timers(self):
        return {key: lambda calls, key=key: self.seconds(key, calls) for key in self.rows}


def timer(draw, event, milliseconds):
    """The seconds of one call by the events of the peer's own library, after a warm one."""

    def seconds(calls):
        begin, end = event(), event()
        draw()
        begin.record()
        for _ in range(calls):
            draw()
        end.record()
        end.synchronize()
        return milliseconds(begin, end) * 1e-3 / calls

    return seconds


def torch_with_gpu():
    try:
        import torch
    except ImportError:
        missing["torch"] = "not installed"
        return None
    if not torch.cuda.is_available():
        missing["torch"] = "sees no GPU"
        return None
    return torch


def torch_timer(torch, draw):
    return timer(draw, lambda: torch.cuda.Event(enable_timing=True), lambda begin, end: begin.elapsed_time(end))


def torch_rows(sizes):
    torch = torch_with_gpu()
    if torch is None:
        return {}
    generator = torch.Generator("cuda").manual_seed(42)
    memory = torch.ones(max(sizes) * 1024, dtype=torch.uint8, device="cuda")
    types = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16}
    draws = {f"{what}_{name}": (dtype, f"{what}_", ()) for name, dtype in types.items() for what in ("uniform", "normal")}
    draws |= {f"exponential_{name}": (types[name], "exponential_", ()) for name in ("f32", "f64")}
    draws["uniform_int_i32"] = (torch.int32, "random_", (0, 6))
    draws["bernoulli"] = (torch.uint8, "bernoulli_", (0.3,))
    draws["complex_normal_f32"] = (torch.complex64, "normal_", ())
    rows = {}
    for kib in sizes:
        for what, (dtype, method, arguments) in draws.items():
            fill = getattr(memory[: kib * 1024].view(dtype), method)
            rows["torch", what, kib] = torch_timer(torch, lambda fill=fill, a=arguments: fill(*a, generator=generator))
    return rows


def cupy_rows(sizes):
    try:
        import cupy
    except ImportError:
        missing["cupy"] = "not installed"
        return {}
    generator = cupy.random.Generator(cupy.random.Philox4x3210(42))
    memory = cupy.ones(max(sizes) * 1024, cupy.uint8)
    methods = {"uniform": generator.random, "normal": generator.standard_normal, "exponential": generator.standard_exponential}
    rows = {}
    for what, method in methods.items():
        for name, dtype in (("f32", cupy.float32), ("f64", cupy.float64)):
            try:
                method(dtype=dtype, out=cupy.empty(4, dtype))
                in_place = True
            except Exception:  # noqa: BLE001  versions differ in which functions take `out`, and in the error
                in_place = False
                missing[f"cupy {what}_{name} in place"] = "allocates in each call"
            for kib in sizes:
                out = memory[: kib * 1024].view(dtype)

                def draw(method=method, out=out, dtype=dtype, in_place=in_place):
                    return method(dtype=dtype, out=out) if in_place else method(size=out.size, dtype=dtype)

                rows["cupy", f"{what}_{name}", kib] = timer(draw, cupy.cuda.Event, cupy.cuda.get_elapsed_time)
    return rows


def torch_svd_rows(program):
    torch = torch_with_gpu()
    if torch is None:
        return {}
    torch.backends.cuda.matmul.allow_tf32 = False
    rows = {}
    for _, kind, kib in list(program.rows):
        shape, dtype = kind.split("_")
        sizes, q = shape.split("q")
        m, n = map(int, sizes.split("x"))
        a = torch.randn(m, n, dtype=torch.float32 if dtype == "f32" else torch.float64, device="cuda")
        rows["torch", kind, kib] = torch_timer(torch, lambda a=a, q=int(q): torch.svd_lowrank(a, q=q, niter=2))
    return rows


def torch_reduce_rows(program):
    torch = torch_with_gpu()
    if torch is None:
        return {}
    rows, memory = {}, {}

    def values(name, make):
        if name not in memory:
            memory[name] = make()
        return memory[name]

    def index_of(kind, places, n):
        """As index_of of gpu.cpp makes it."""
        u = torch.rand(n, dtype=torch.float64, device="cuda")
        if kind == "zipf":
            below = (1 / torch.arange(1, places + 1, dtype=torch.float64, device="cuda")).cumsum(0)
            return torch.searchsorted(below, u * below[-1]).clamp_(max=places - 1)
        return {"uniform": u * places, "u4": u**4 * places, "one": 0 * u}[kind].long()

    def deterministic(draw):
        def call():
            torch.use_deterministic_algorithms(True)
            draw()
            torch.use_deterministic_algorithms(False)

        return call

    for _, kind, kib in list(program.rows):
        call, dtype = kind.rsplit("_", 1)
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}[dtype]
        if "-into-" in call:
            call, places = call.split("-into-")
            call, *of_rows, kind_of_index = call.split("-")
            places, n, width = int(places), 65536 if of_rows else 1 << 24, (1024,) if of_rows else ()
            index = values((kind_of_index, places, n), lambda k=kind_of_index, p=places, n=n: index_of(k, p, n))
            if call == "bincount":
                draw = lambda i=index, p=places: torch.bincount(i, minlength=p)  # noqa: E731
            else:
                terms = values(("terms", n), lambda n=n, w=width: torch.randn(n, *w, device="cuda"))
                sums = torch.zeros(places, *width, device="cuda")
                draw = lambda s=sums, i=index, t=terms: s.index_add_(0, i, t, alpha=0.75)  # noqa: E731
                if kind_of_index == "one":
                    missing[f"torch-deterministic {kind}"] = "takes 2 s a call"
                else:
                    rows["torch-deterministic", kind, kib] = torch_timer(torch, deterministic(draw))
        else:
            n = (1 << 30) // dtype.itemsize
            x, y = (values((which, dtype), lambda n=n, d=dtype: torch.randn(n, dtype=d, device="cuda")) for which in "xy")
            matrix = x[: n // 1000 * 1000].view(-1, 1000)
            draw = {"sum": lambda x=x: x.sum(), "variance": lambda x=x: x.var(), "norm2": lambda x=x: torch.linalg.vector_norm(x),
                    "dot": lambda x=x, y=y: torch.dot(x, y), "sum-of-1000-columns": lambda m=matrix: m.sum(0)}[call]
        rows["torch", kind, kib] = torch_timer(torch, draw)
    return rows


def measure(timers, rounds, calls_of):
    """Key -> the median of the seconds of one call."""
    samples = {}
    for _ in range(rounds):
        for key in random.sample(list(timers), len(timers)):
            try:
                samples.setdefault(key, []).append(timers[key](calls_of(key[2])))
            except Exception as error:  # noqa: BLE001  a peer that cannot do a type is left out, by name
                missing[f"{key[0]} {key[1]}"] = f"{type(error).__name__}: {error}".split("\n")[0]
                del timers[key]
                samples.pop(key, None)
    return {key: statistics.median(values) for key, values in samples.items()}


def short(number):
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def fills_table(medians, kib):
    rates = {(who, what): kib * 1024 / seconds for (who, what, its), seconds in medians.items() if its == kib}
    lines = [f"| {size_name(kib)} | GB/s | of cudaMemset | predicted |" + "".join(f" of {peer} |" for peer in PEERS)]
    lines.append("|---" * (4 + len(PEERS)) + "|")
    memset = rates["memset", "bytes"]
    for who, what in rates:
        if who != "rng-cuda":
            continue
        rate = rates[who, what]
        peers = [rates.get((peer, SAME_WORK.get(what, what))) for peer in PEERS]
        ratios = [f"{rate / peer:.2f}" if peer else "not run" if name in missing else "-" for name, peer in zip(PEERS, peers)]
        lines.append(f"| {what} | {short(rate / 1e9)} | {rate / memset:.2f} | {PREDICTED.get(what, '-')} | " + " | ".join(ratios) + " |")
    lines.append(f"| cudaMemset | {short(memset / 1e9)} |" + " |" * (2 + len(PEERS)))
    return "\n".join(lines)


def calls_table(what, medians):
    peers = [peer for peer in ("torch", "torch-deterministic") if any(who == peer for who, _, _ in medians)] or ["torch"]
    lines = [f"| {what} | rng, ms |" + "".join(f" {peer}, ms | rng's time of its |" for peer in peers) + " predicted |",
             "|---|---|" + "---|---|" * len(peers) + "---|"]
    for (who, kind, kib), seconds in medians.items():
        if who == "rng-cuda":
            times = [medians.get((peer, kind, kib)) for peer in peers]
            ratios = [f"{time * 1e3:.3f} | {seconds / time:.2f}" if time else "not run | -" for time in times]
            name = ", ".join(kind.rsplit("_", 1))
            lines.append(f"| {name} | {seconds * 1e3:.3f} | {' | '.join(ratios)} | {PREDICTED.get(kind, '-')} |")
    return "\n".join(lines)


def device_tables(medians, program):
    lines = ["| in a kernel | 10^9 values/s | of curand |", "|---|---|---|"]
    rates = {key: program.rows[key][1]["values"] / seconds for key, seconds in medians.items()}
    for (who, what, kib), rate in rates.items():
        if who != "rate":
            lines.append(f"| {who}, {what} | {rate / 1e9:.1f} | {rate / rates['curand', what, kib]:.2f} |")
    # A quarter of a multiprocessor issues an fma of a warp in each cycle.
    cycles = {what: rates["rate", "FFMA", kib] / rate for (who, what, kib), rate in rates.items() if who == "rate"}
    lines += ["", "| instructions of a warp | cycles of a quarter of a multiprocessor | one after the other | for a clock of a multiprocessor |"]
    lines.append("|---|---|---|---|")
    for what, group in cycles.items():
        alone = [cycles.get(name) for name in what.split(" + ")]
        added = f"{sum(alone):.1f}" if len(alone) > 1 and None not in alone else "-"
        lines.append(f"| {what} | {group:.2f} | {added} | {FMAS_PER_CLOCK / group:.1f} |")
    return "\n".join(lines)


def print_first_calls(program, rounds):
    """What CUDA does in a process's first calls, in milliseconds."""
    samples = {}
    for _ in range(rounds):
        done = subprocess.run([program, "first"], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(77 if done.returncode == 77 else f"gpu.py: {program} ended with exit code {done.returncode}")
        for what, seconds in json.loads(done.stdout).items():
            samples.setdefault(what, []).append(seconds)
    print(f"| first in a process ({rounds} processes) | median, ms | least |\n|---|---|---|")
    for what, seconds in samples.items():
        print(f"| {what} | {statistics.median(seconds) * 1e3:.2f} | {min(seconds) * 1e3:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="rng_bench_gpu")
    parser.add_argument("--kib", type=int, nargs="+", default=[1024 * 1024], help="bytes of a fill, in KiB")
    parser.add_argument("--svd", action="store_true", help="the low-rank SVD in place of fills")
    parser.add_argument("--reduce", action="store_true", help="sums and additions by index in place of fills")
    parser.add_argument("--device", action="store_true", help="kernels of a program in place of fills")
    parser.add_argument("--first", action="store_true", help="the first calls of a process in place of fills")
    parser.add_argument("--alone", action="store_true", help="without torch and CuPy")
    parser.add_argument("--only", type=re.compile, default="", metavar="REGEX", help="rows whose name has a match, and cudaMemset")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, help="how many calls are timed together; without it, as many as suit the size")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the medians of seconds as JSON")
    options = parser.parse_args()
    if options.first:
        print_first_calls(options.program, options.rounds)
        return
    part = next((name for name in ("svd", "reduce", "device") if getattr(options, name)), None)
    program = Program(options.program, [part] if part else map(str, options.kib))
    timers = program.timers()
    if not options.alone:
        if part == "svd":
            timers |= torch_svd_rows(program)
        elif part == "reduce":
            timers |= torch_reduce_rows(program)
        elif part is None:
            timers |= torch_rows(options.kib) | cupy_rows(options.kib)
    timers = {key: time for key, time in timers.items() if key[0] == "memset" or re.search(options.only, key[1])}
    order = list(timers)
    calls = calls_at_once if part is None else lambda _: 1 if part == "svd" else 5
    medians = measure(timers, options.rounds, calls if options.calls is None else lambda _: options.calls)
    medians = {key: medians[key] for key in order if key in medians}
    print(f"{program.context['device']}, rng {program.context['rng_version']}; medians of {options.rounds} rounds\n")
    if part is None:
        for kib in options.kib:
            print(fills_table(medians, kib) + "\n")
    else:
        print(device_tables(medians, program) if part == "device" else calls_table({"svd": "svd_lowrank", "reduce": "call"}[part], medians))
    for what, why in missing.items():
        print(f"not run: {what}: {why}")
    if options.output:
        rows = [{"who": who, "what": what, "kib": kib, "seconds": s} for (who, what, kib), s in medians.items()]
        options.output.write_text(json.dumps({**program.context, "rows": rows, "not_run": missing}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
