#!/usr/bin/env python3
"""Times one process beside the ranks of an MPI job, one thread each, in turns: svd_lowrank and the statistical battery.

    cmake --preset release -B build/ranks -DRNG_ENABLE_MPI=ON -DRNG_BUILD_BENCHMARKS=ON
    cmake --build build/ranks --target rng_bench_ranks rng_program rng_mpi_program
    python3 benchmarks/ranks.py build/ranks [--ranks 2] [--rounds 3] [--bytes 4G] [--svd 200000x500q16 ...]

--bytes 0 leaves the battery out. Medians; the bits of each result and the bytes of each report are compared.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build folder of a release with MPI")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bytes", default="4G", help="what the battery tests")
    parser.add_argument("--svd", nargs="*", default=["200000x500q16"], metavar="ROWSxCOLUMNSqQ")
    parser.add_argument("--mpirun", default="mpirun", help='with options, if it needs some: "mpirun --bind-to none"')
    return parser.parse_args()


def run(command):
    """Returns the seconds and the standard output. The environment lets Open MPI run as root, as in a container."""
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"ranks.py: {shlex.join(map(str, command))} ended with exit code {done.returncode}")
    return seconds, done.stdout


def svd(args, mpirun, shape):
    sizes = re.fullmatch(r"(\d+)x(\d+)q(\d+)", shape)
    if not sizes:
        sys.exit(f"ranks.py: --svd takes ROWSxCOLUMNSqQ, such as 200000x500q16, got {shape}")
    program = args.build / "benchmarks" / "rng_bench_ranks"
    row = json.loads(run([*mpirun, program, *sizes.groups(), str(args.rounds)])[1])
    return [f"svd_lowrank {shape} f32", f"{row['one']:.3f}", f"{row['ranks_s']:.3f}", f"{row['ratio']:.2f}"]


def battery(args, mpirun):
    times = {"one": [], "ranks": []}
    ways = {"one": [args.build / "bin" / "rng"], "ranks": [*mpirun, args.build / "bin" / "rng-mpi"]}
    reports = set()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.rounds):
            for way, program in ways.items():
                report = pathlib.Path(folder) / f"{way}.json"
                command = [*program, "test", "--bytes", args.bytes, "--threads", "1", "--json", report]
                seconds, text = run(command)
                times[way].append(seconds)
                reports.add((text.replace(str(report), ""), report.read_bytes()))
    if len(reports) != 1:
        sys.exit("ranks.py: the reports differ")
    one, ranks = (statistics.median(times[way]) for way in ways)
    return [f"test, {args.bytes}", f"{one:.1f}", f"{ranks:.1f}", f"{one / ranks:.2f}"]


def main():
    args = arguments()
    mpirun = [*shlex.split(args.mpirun), "-n", str(args.ranks)]
    print(f"| one thread each | one process, s | {args.ranks} ranks, s | ratio |\n|---|---|---|---|", flush=True)
    for shape in args.svd:
        print("| " + " | ".join(svd(args, mpirun, shape)) + " |", flush=True)
    if args.bytes != "0":
        print("| " + " | ".join(battery(args, mpirun)) + " |")


main()
