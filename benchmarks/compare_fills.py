#!/usr/bin/env python3
"""Compares the fills of two builds: time in alternating pairs, and instructions a value by valgrind.

    compare_fills.py BEFORE AFTER [LAW...] [--pairs 15] [--isa avx2] [--instructions]

BEFORE and AFTER are programs rng_fill_cost; without laws, all are compared. A ratio is AFTER / BEFORE: the median over
pairs, and the middle half of them. With --instructions it is of instructions, which do not vary (and AVX-512 cannot run).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys

SIZES = {16: 20000, 65536: 6}  # values, and fills that take some milliseconds
COUNTED = {16: 500, 65536: 1}


def output(program, environment, *words, tool=()):
    return subprocess.run([*tool, program, *map(str, words)], env=environment, check=True, capture_output=True, text=True)


def instructions(program, environment, law, n):
    """Instructions a value: of twice as many fills, less those of the fills."""
    tool = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
    count = [int(re.search(r"Collected : (\d+)", output(program, environment, law, n, fills, tool=tool).stderr).group(1))
             for fills in (COUNTED[n], 2 * COUNTED[n])]
    return (count[1] - count[0]) / (n * COUNTED[n])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("laws", nargs="*")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--isa", default="avx2")
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_intermixed_args()
    environment = {**os.environ, "RNG_ISA": options.isa}
    programs = (options.before, options.after)
    known = output(options.after, environment).stdout.split()
    for law in options.laws or known:
        if law not in known:
            sys.exit(f"no law {law}: known are {', '.join(known)}")
        for n, fills in SIZES.items():
            if options.instructions:
                before, after = (instructions(program, environment, law, n) for program in programs)
                print(f"{law:24} {n:6} {before:9.2f} {after:9.2f} instructions a value {after / before:6.3f}", flush=True)
                continue
            ratios = []
            for _ in range(options.pairs):
                before, after = (float(output(program, environment, law, n, fills).stdout) for program in programs)
                ratios.append(after / before)
            low, _, high = statistics.quantiles(ratios, n=4)
            print(f"{law:24} {n:6} time {statistics.median(ratios):6.3f} ({low:.3f} to {high:.3f})", flush=True)


if __name__ == "__main__":
    main()
