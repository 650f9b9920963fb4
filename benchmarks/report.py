#!/usr/bin/env python3
"""The tables of a benchmark run, in Markdown, from the JSON of rng_bench (and of python_peers.py).

    python3 benchmarks/report.py build/bench/g++.1.json [more.json ...]

Every figure is the median of a row's repetitions in all starts of one program; every ratio is between rows
of one program, which ran interleaved.
Writes benchmarks/results/<cpu>.md. The file's name has the processor's family and model, since one name covers several.
"""

import argparse
import pathlib
import re
import sys

from runs import PLAIN, cpu_name, machine, machine_text, read_runs, unfair
from tables import number, table, times, verdict, words
from use_tables import TARGET_GHZ, use_tables

HERE = pathlib.Path(__file__).resolve().parent
# (row, AVX-512 minimum GB/s, AVX2 minimum GB/s): the targets this library set itself; None: only recorded.
MINIMA = [
    ("u32", 13.8, 9.7),
    ("u64", None, None),
    ("uniform_f32", 12.8, 8.8),
    ("uniform_f64", 12.8, None),
    ("normal_f32", 5.6, 3.6),
    ("normal_f64", 4.5, 2.4),
    ("exponential_f32", 6.0, 3.8),
    ("exponential_f64", 4.8, 2.8),
    ("uniform_f32(-3,5)", 12.8, 8.8),
    ("uniform_f64(-3,5)", 12.8, None),
    ("uniform_open_f32", None, None),
    ("uniform_open_closed_f32", None, None),
    ("normal_f32(1.5,2.5)", 5.6, 3.6),
    ("normal_f64(1.5,2.5)", 4.5, 2.4),
    ("exponential_f32(0.7)", 6.0, 3.8),
    ("exponential_f64(0.7)", 4.8, 2.8),
    ("u32_philox4x32-7", 18, None),
    ("u32_philox4x64-10", 5.9, None),
    ("u32_threefry4x32-20", 10.4, None),
    ("u32_threefry4x64-20", 10.4, None),
    *((what, None, None) for what in (
        "normal_icdf_f32", "normal_icdf_f64", "complex_normal_c64", "complex_normal_c128", "uniform_dense_f32",
        "uniform_dense_f64", "uniform_f16", "uniform_bf16", "normal_f16", "normal_bf16", "bernoulli",
        "uniform_int_i32(1,6)", "uniform_int_i64(1,6)", "uniform_int_u8(0,99)", "uniform_int_u32(0,2^31)",
        "uniform_int_u64(0,2^63)",
    )),
]
# The columns of the table of continuous distributions: a name, and how the names of such peers begin.
LAW_PEERS = [("NumPy", "numpy-pcg64"), ("MKL", "mkl"), ("std", "std-"), ("Boost", "boost-"), ("torch", "torch"), ("SciPy", "scipy")]
U32_CYCLES_PER_BYTE = 0.267  # AVX-512
BUSY = "Other programs ran at the same time (see the load average): two threads had less than two cores.\n"
# (row, peer, minimum ratio, compilers it is stated for)
RATIOS = [
    ("uniform_f32", "std-mt19937", 6, "gcc"),
    ("normal_f32", "std-mt19937", 11, "gcc"),
    ("normal_f32", "boost-mt19937", 5, ""),
    ("normal_f32", "torch-cpu", 4.3, ""),
    ("normal_f64", "std-mt19937", 5.8, "gcc"),
    ("normal_f64", "boost-mt19937", 2.3, ""),
    ("normal_f64", "numpy-philox", 7.9, ""),
    ("uniform_f32", "curand-host-philox", 12, ""),
    ("normal_f32", "curand-host-philox", 14, ""),
    ("uniform_f32", "random123-philox", 2.7, "gcc"),
    ("uniform_f32", "random123-philox", 1.45, "clang"),
    ("gamma_f32(2.5)", "numpy-pcg64", 4, ""),
    ("gamma_f32(2.5)", "mkl-philox", 1.5, ""),
    ("gamma_f64(2.5)", "numpy-pcg64", 2, ""),
    ("gamma_f64(2.5)", "mkl-philox", 0.9, ""),
    ("beta_f32(2,3)", "numpy-pcg64", 6, ""),
    ("student_t_f64", "numpy-pcg64", 4, ""),
    ("gumbel_f64", "numpy-pcg64", 6, ""),
    ("weibull_f64", "numpy-pcg64", 4.2, ""),
    ("weibull_f64", "mkl-philox", 1.0, ""),
    ("logistic_f64", "numpy-pcg64", 3, ""),
    ("lognormal_f64", "numpy-pcg64", 3, ""),
    ("permutation_i64(1000000)", "numpy-pcg64", 6, ""),
    ("permutation_i64(1000000)", "torch-cpu", 1.5, ""),
    *((f"dirichlet_{name}({shape})", "numpy-pcg64", 4, "") for name in ("f32", "f64") for shape in (0.3, 1, 2.5)),
    *((what, "numpy-pcg64", 1, "") for what in (
        "multivariate_normal_f32", "multivariate_normal_f64", "multinomial_i64(100)", "multinomial_i64(1000)",
        "multinomial_i64(100000)", "multivariate_hypergeometric_i64(300)", "negative_binomial_i32(5,0.25)",
        "negative_binomial_i32(2000,0.5)", "negative_binomial_i32(5,0.01)", "hypergeometric_i32(40,60,30)",
        "hypergeometric_i32(1000000,2000000,50000)",
    )),
    ("wishart_f64(12)", "scipy", 1, ""),
    ("categorical_i32(100)", "boost-mt19937", 6, ""),
    ("sobol_f64(8)", "scipy", 3, ""),
    ("sobol_f64(32)", "scipy", 3, ""),
]


def fills_table(runs, isa, column):
    """One ISA, L2, one thread: each compiler's GB/s against the minimum; ns per element; cycles per byte."""
    head = ["fill"] + [f"{run.label}: GB/s" for run in runs] + ["ns/element", "cycles/B"]
    if column is not None:
        head += ["minimum GB/s", f"= cycles/B at {TARGET_GHZ} GHz"]
    rows = []
    for entry in MINIMA:
        what, minimum = entry[0], None if column is None else entry[column]
        cells, last = [words(what)], [[], []]
        for run in runs:
            row = run.get(f"rng-{isa}", what)
            gbps = row and row["bytes_per_second"] / 1e9
            cells.append(number(gbps) + verdict(gbps, minimum))
            if row:
                last[0].append(number(row["ns_per_element"], 3))
                last[1].append(number(row["ghz"] / gbps, 3) if row.get("ghz") else "")
        cells += [" / ".join(column_cells) for column_cells in last]
        limits = [] if column is None else [number(minimum, 1), number(minimum and TARGET_GHZ / minimum, 3)]
        rows.append(cells + limits)
    return table(head, rows)


def threads_table(runs):
    head = [
        "fill",
        "compiler, ISA",
        "L2, 1 thread",
        "L2, 2 threads",
        "scaling",
        "256 KiB in all, 2 threads: speed-up",
        "64 MiB, 1 thread",
        "64 MiB, 2 threads",
        "of memset, 2 threads",
    ]
    rows = []
    for run in runs:
        for isa in run.isas():
            for what in PLAIN:
                who = f"rng-{isa}"
                if not run.get(who, what, "L2", 2):
                    continue
                one, two = run.get(who, what), run.get(who, what, "L2", 2)
                scaling = 2 * one["real_time"] / two["real_time"]  # two threads fill twice the bytes
                shared = run.get(who, what, "256KiB", 2)
                large, fast = run.gbps(who, what, "64MiB", 2), run.gbps("memset", "bytes", "64MiB", 2)
                share = large and fast and large / fast
                wanted = 0.75 if what == "uniform_f32" and isa == "avx512" else None
                rows.append(
                    [
                        words(what),
                        f"{run.label}, {isa}",
                        number(run.gbps(who, what)),
                        number(run.gbps(who, what, "L2", 2)),
                        number(scaling) + verdict(scaling, 1.95 if isa == "avx512" else None),
                        number(shared and one["real_time"] / shared["real_time"]),
                        number(run.gbps(who, what, "64MiB", 1)),
                        number(large),
                        number(share) + verdict(share, wanted),
                    ]
                )
        memset = [
            number(run.gbps("memset", "bytes", *place)) for place in (("L2", 1), ("64MiB", 1), ("64MiB", 2))
        ]
        rows.append(["memset", run.label, memset[0], "", "", "", memset[1], memset[2], ""])
    return table(head, rows)


def shortfalls(runs):
    """Fills below their minimum; also in cycles per byte, which tells a slow clock from a slow fill."""
    lines = []
    for run in runs:
        for isa, column in (("avx512", 1), ("avx2", 2)):
            short = []
            for entry in MINIMA:
                row, minimum = run.get(f"rng-{isa}", entry[0]), entry[column]
                if not row or minimum is None or row["bytes_per_second"] / 1e9 >= minimum:
                    continue
                gbps = row["bytes_per_second"] / 1e9
                cycles = (
                    f", {row['ghz'] / gbps:.3f} of {TARGET_GHZ / minimum:.3f} cycles/B"
                    if row.get("ghz")
                    else ""
                )
                short.append(f"{entry[0].replace('_', ' ')} {gbps:.1f} of {minimum} GB/s{cycles}")
            if short:
                lines.append(f"- {isa}, {run.label}: " + "; ".join(short) + ".")
    return "\n".join(lines or ["Nothing."]) + "\n"


def peers_table(run, whats):
    """ns per element in L2, one thread, and how many times faster the best ISA is."""
    best = f"rng-{run.isas()[0]}"
    whats = [w for w in whats if run.get(best, w) and any(run.get(p, w) for p in run.peers())]
    if not whats:
        return ""
    head = ["ns per element (times slower than rng)"] + [words(w) for w in whats]
    rows = [[best] + [number(run.get(best, w)["ns_per_element"], 3) for w in whats]]
    for peer in (peer for peer in run.peers() if any(run.get(peer, w) for w in whats)):
        cells = [peer]
        for what in whats:
            row = run.get(peer, what)
            if row is None:
                cells.append("")
                continue
            ratio = row["ns_per_element"] / run.get(best, what)["ns_per_element"]
            ratio_text = "" if unfair(run, peer, what) else f" ({times(ratio)})"
            cells.append(number(row["ns_per_element"]) + ratio_text)
        rows.append(cells)
    return table(head, rows)


def ratios_table(runs):
    rows = []
    for what, peer, minimum, family in RATIOS:
        for run in runs:
            if (family and run.family != family) or not run.isas():
                continue
            row, ours = run.get(peer, what), run.get(f"rng-{run.isas()[0]}", what)
            if row is None or ours is None or unfair(run, peer, what):
                continue
            ratio = row["ns_per_element"] / ours["ns_per_element"]
            rows.append(
                [
                    words(what),
                    peer,
                    run.label,
                    f"{ratio:.2f}x{verdict(ratio, minimum)}",
                    f"{minimum}x",
                ]
            )
    return table(["fill", "peer", "compiler", "times faster", "minimum"], rows)


def laws_table(all_runs, first_type, second_type):
    """Each law of these types, L2, one thread: ns per element of both types, and the peers' times over these."""
    first = next(run for run in all_runs if not run.python)
    best = f"rng-{first.isas()[0]}"
    others = {entry[0] for entry in MINIMA}
    both = first_type, second_type
    laws = {}
    for who, what, size, threads in first.names("fill"):
        parts = re.fullmatch(rf"(.*)_({first_type}|{second_type})(\(.*\))?", what)
        if who == best and (size, threads) == ("L2", "t1") and what not in others and parts:
            laws.setdefault(parts[1] + (parts[3] or ""), {})[parts[2]] = what

    def ratio(what, begins):
        """The fastest such peer's time over rng's, in the run that has both."""
        found = []
        for run in all_runs:
            ours = run.get(best, what)
            for peer in run.peers():
                if ours and peer.startswith(begins) and run.get(peer, what) and not unfair(run, peer, what):
                    found.append(run.get(peer, what)["ns_per_element"] / ours["ns_per_element"])
        return times(min(found)) if found else "-"

    head = ["distribution", f"ns {first_type}", f"ns {second_type}", "time with AVX2"]
    head += [f"{name} {first_type}, {second_type}" for name, _ in LAW_PEERS]
    rows = []
    for law, types in laws.items():
        times_of = {dtype: first.get(best, what)["ns_per_element"] for dtype, what in types.items()}
        avx2 = [first.get("rng-avx2", what)["ns_per_element"] / times_of[dtype] for dtype, what in types.items()
                if first.get("rng-avx2", what)]
        row = [words(law)] + [number(times_of.get(dtype)) for dtype in both]
        row.append(", ".join(map(number, avx2)))
        for _, begins in LAW_PEERS:
            cells = [ratio(types[dtype], begins) if dtype in types else "-" for dtype in both]
            row.append("" if cells == ["-", "-"] else ", ".join(cells))
        rows.append(row)
    return table(head, rows) if rows else ""


def report(all_runs):
    runs = [run for run in all_runs if not run.python]
    parts = [machine_text(all_runs)]
    for isa, column in (("avx512", 1), ("avx2", 2), ("scalar", None)):
        if isa in runs[0].isas():
            parts += [f"### Fills in L2, one thread: {isa}\n", fills_table(runs, isa, column)]
    u32 = [(run.label, run.get("rng-avx512", "u32")) for run in runs]
    cycles = [
        (label, row["ghz"] / (row["bytes_per_second"] / 1e9)) for label, row in u32 if row and row.get("ghz")
    ]
    if cycles:
        parts.append(
            "u32 on AVX-512, cycles per byte (at most 0.267): "
            + "; ".join(
                f"{label} {value:.3f}{' pass' if value <= U32_CYCLES_PER_BYTE else ' **short**'}"
                for label, value in cycles
            )
            + ".\n"
        )
    parts += ["### Two threads, and memory (GB/s)\n"]
    if max(run.load_before() for run in runs) > 1:
        parts += [BUSY]
    parts += [threads_table(runs)]
    parts += ["### Ratios with a minimum\n", ratios_table(all_runs)]
    for run in (run for run in all_runs if run.isas()):  # --filter may leave out rng's own fills
        parts += [f"### Peers, {'Python beside ' if run.python else ''}{run.label}\n", peers_table(run, PLAIN)]
        parts += [peers_table(run, [entry[0] for entry in MINIMA if entry[0] not in PLAIN])]
    for title, both in ("Real numbers", ("f32", "f64")), ("Integers", ("i32", "i64")):
        if laws := laws_table(all_runs, *both):
            parts += [f"### {title} (one thread, L2; the fastest such peer's time over rng's)\n", laws]
    parts += use_tables(runs)
    parts += ["### Fills below their minimum (one thread, L2)\n", shortfalls(runs)]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", nargs="+")
    parser.add_argument("--print-only", action="store_true", help="write no file")
    options = parser.parse_args()
    text = report(read_runs(options.json))
    print(text)
    if options.print_only:
        return
    name = f"{cpu_name()} family {machine('CPU family')} model {machine('Model')}"
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    target = HERE / "results" / f"{slug}.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(f"# rng on {cpu_name()}\n\n{text}", encoding="utf-8")
    print(f"written: {target}", file=sys.stderr)


if __name__ == "__main__":
    main()
