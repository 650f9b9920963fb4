#!/usr/bin/env python3
"""Says which source or test takes more CPU time than it may. Exit code 1 if there is one.

    budget.py LOG [--source 40] [--test 60] [--total SECONDS]     the lines of cpu_time.sh, and the limits in CPU-seconds
    budget.py --commits BEFORE AFTER [--only REGEX]            what two commits of the library take to compile

The second form compiles each source of a release build (without CUDA) of both commits, one after the other, so that both
meet the same neighbours, and prints CPU-seconds and memory. It takes no ccache.

CPU time hardly depends on what else a machine does, but it depends on the machine. So limits are in seconds of the
machine that they were set on (REFERENCE): if one is passed, this machine first compiles a known source, on up to eight
cores at once, and the limits grow by as much as that takes longer here. They never shrink. That is measured once, and
neighbours on the machine come and go, so only half as much again fails; less is printed as over the budget. What ccache
answered took no time.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

Entry = namedtuple("Entry", "kind name seconds")

LINE = re.compile(r"(\d+[.,]\d+) (\d+[.,]\d+) (source|test|total) (.+)")  # a locale may write 1,5
VERBS = {"source": "to compile", "test": "to run", "total": "in all its stages"}

# The known source, and the CPU-seconds of g++ 12 -O1 for it on the reference: an EPYC of the fourth generation at 2.6 GHz.
KNOWN_SOURCE = """
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
bool f(const std::string& s, const std::regex& r) { return std::regex_match(s, r); }
std::map<std::string, std::function<int(int)>> g(std::map<std::string, std::function<int(int)>> m) { return m; }
"""
REFERENCE_SECONDS = 1.6
MOST_COMPILERS = 8  # at once: a machine with many cores shows by then what it is slowed by

TOLERANCE = 1.5  # of a limit, before it fails: how fast the machine was is known no better


def read(log):
    """The log's entries; other lines are a shell's words about a signal."""
    entries = []
    for line in Path(log).read_text(errors="replace").splitlines():
        if match := LINE.fullmatch(line):
            user, system, kind, name = match.groups()
            entries.append(Entry(kind, name, float(user.replace(",", ".")) + float(system.replace(",", "."))))
    return entries


def over(entries, limits, slowness=1.0):
    return [entry for entry in entries if entry.seconds > limits[entry.kind] * slowness]


def usage_of(command, **options):
    """User and system seconds of one command, and the GB of its largest process."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20


def cpu_seconds(command):
    return usage_of(command)[0]


def compile_commands(commit, folder):
    """The compiler's commands for the library at a commit, by source; its files lie in the folder."""
    root = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=Path(__file__).parent, check=True,
                          capture_output=True, text=True).stdout.strip()
    archive = subprocess.run(["git", "archive", commit], cwd=root, check=True, capture_output=True).stdout
    (folder / "source").mkdir(parents=True)
    subprocess.run(["tar", "-x", "-C", folder / "source"], input=archive, check=True)
    off = [f"-DRNG_{part}=OFF" for part in ("ENABLE_CUDA", "BUILD_TESTS", "BUILD_APPS", "BUILD_EXAMPLES", "BUILD_STATS")]
    subprocess.run(["cmake", "-S", folder / "source", "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_CXX_COMPILER_LAUNCHER=", *off],
                   check=True, stdout=subprocess.DEVNULL)
    return {entry["file"].split("/src/", 1)[1] if "/src/" in entry["file"] else entry["file"]: entry
            for entry in json.loads((folder / "build/compile_commands.json").read_text())}


def compare(commits, only):
    """Prints what each source takes at two commits."""
    with tempfile.TemporaryDirectory() as folder:
        commands = [compile_commands(commit, Path(folder, str(i))) for i, commit in enumerate(commits)]
        usages = {}
        for source in sorted({*commands[0], *commands[1]}):
            if re.search(only, source):
                usages[source] = [usage_of(shlex.split(side[source]["command"]), cwd=side[source]["directory"])
                                  if source in side else (0, 0) for side in commands]
    form = "{:40} {:8.1f} {:8.1f} CPU-seconds {:6.2f} {:6.2f} GB"
    for source, (before, after) in sorted(usages.items(), key=lambda item: -max(item[1])[0]):
        print(form.format(source, before[0], after[0], before[1], after[1]))
    sides = list(zip(*usages.values()))
    print(form.format(f"all {len(usages)}", *(sum(seconds for seconds, _ in side) for side in sides),
                      *(max(memory for _, memory in side) for side in sides)))


def slowness(compiler):
    """How many times longer this machine takes than the reference, at least 1, with its cores at work.

    Raises OSError or RuntimeError if the compiler does not compile the known source.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "known.cpp"
        source.write_text(KNOWN_SOURCE)
        command = [compiler, "-std=c++20", "-O1", "-S", "-o", os.devnull, str(source)]
        n = min(len(os.sched_getaffinity(0)), MOST_COMPILERS)
        with ThreadPoolExecutor(n) as pool:
            seconds = list(pool.map(cpu_seconds, n * [command]))
    return max(1.0, max(seconds) / REFERENCE_SECONDS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", nargs="?")
    parser.add_argument("--commits", nargs=2, metavar=("BEFORE", "AFTER"), help="compare what these take to compile")
    parser.add_argument("--only", default="", metavar="REGEX", help="with --commits: these sources of src/ alone")
    parser.add_argument("--source", type=float, default=40, metavar="SECONDS", help="for a source (default 40)")
    parser.add_argument("--test", type=float, default=60, metavar="SECONDS", help="for a test (default 60)")
    parser.add_argument("--total", type=float, default=float("inf"), metavar="SECONDS", help="for all stages (default: no limit)")
    parser.add_argument("--compiler", default="g++", help="tells how fast this machine is (default g++)")
    options = parser.parse_args()
    if options.commits:
        return compare(options.commits, options.only)
    if options.log is None:
        parser.error("a LOG or --commits is needed")
    limits = {kind: getattr(options, kind) for kind in VERBS}
    entries = read(options.log)
    for kind in ("source", "test"):
        of_kind = sorted((entry for entry in entries if entry.kind == kind), key=lambda entry: -entry.seconds)
        dearest = ", ".join(f"{Path(entry.name).name} {entry.seconds:.0f}" for entry in of_kind[:4])
        if not of_kind:
            continue
        print(f"{sum(entry.seconds for entry in of_kind):.0f} CPU-seconds in {len(of_kind)} {kind}s; the dearest: {dearest}")
    if not over(entries, limits):
        return 0
    try:
        factor = slowness(options.compiler)
    except (OSError, RuntimeError) as error:
        print(f"BUDGET: cannot tell how fast this machine is: {error}")
        return 1
    if factor > 1:
        print(f"This machine takes {factor:.2f} times as long as the one that the limits were set on")
    bad = over(entries, limits, factor * TOLERANCE)
    for entry in over(entries, limits, factor):
        print(f"{'BUDGET' if entry in bad else 'over the budget'}: {entry.name} took {entry.seconds:.0f} CPU-seconds "
              f"{VERBS[entry.kind]}; the limit is {limits[entry.kind] * factor:.0f} (CONTRIBUTING.md, The budget)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
