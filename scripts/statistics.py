#!/usr/bin/env python3
"""Measures the statistical claims of docs/statistics.md: every engine, plain and in each view, and reduced rounds.

    python3 scripts/statistics.py PROGRAM [--tier quick] [--bytes N] [--threads T] [--only TEXT] [--write docs/statistics.md]

PROGRAM is the built rng. Prints a Markdown table; --write puts it between the page's marks, <!-- claims --> and
<!-- /claims -->. Runs are commands that anyone can repeat: each is shown on standard error as it starts.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ENGINES = ["philox4x32-10", "philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20"]
VIEWS = ["plain", "reversed", "low", "high", "bit0", "seeds", "ids", "forks", "tree", "small-seeds", "one-bit-keys",
         "weyl-keys", "counters", "interleaved-16-3/forks"]
# Where flaws end: the last number of rounds that should fail, and the next ones.
ROUNDS = {"philox4x32": [5, 6, 7, 8], "philox4x64": [5, 6, 7, 8], "threefry4x32": [8, 9, 10, 11, 12, 13],
          "threefry4x64": [8, 9, 10, 11, 12, 13]}
VALUES = [("uniform", "f32"), ("uniform", "f64"), ("uniform", "f16"), ("uniform", "bf16"), ("uniform_open", "f32"),
          ("uniform_open_closed", "f64"), ("uniform_dense", "f32"), ("uniform_dense", "f64"), ("normal", "f32"),
          ("normal", "f64"), ("normal", "f16"), ("normal", "bf16"), ("normal_icdf", "f32"), ("normal_icdf", "f64"),
          ("exponential", "f32"), ("exponential", "f64"), ("uniform_int(lo=0,hi=999)", "u32"), ("bernoulli(p=0.25)", None)]


def size(bytes_read):
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if bytes_read >= 1 << power:
            return f"{bytes_read / (1 << power):g} {unit}"
    return "-"


def power_of_ten(log10):
    return "1" if log10 > -0.005 else f"10^{log10:.2g}" if log10 < -3 else f"{10 ** log10:.2g}"


def measure(program, arguments):
    """The rows of one run of rng test, one for each view."""
    command = [program, "test", *arguments, "--json", "-"]
    print("rng", *command[1:-2], file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        return [(" ".join(arguments), "-", "-", f"error: {done.stderr.strip()}", "-")]
    rows = []
    for report in json.loads(done.stdout)["reports"]:
        worst = report["worst"] or {"test": "-", "part": "", "log10_adjusted": 0}
        name = worst["test"] + (":" + worst["part"] if worst["part"] else "")
        rows.append((report["subject"], size(report["bytes"]), f"{name}, {power_of_ten(worst['log10_adjusted'])}",
                     report["verdict"], f"`{report['command']}`"))
    return rows


def runs(tier, extra):
    for engine in ENGINES:
        for view in VIEWS:
            if view != "weyl-keys" or engine.startswith("philox"):
                yield ["--engine", engine, "--views", view, "--tier", tier, *extra]
    for engine, rounds in ROUNDS.items():
        for r in rounds:
            yield ["--engine", f"{engine}-{r}", "--tier", tier, *extra]
    for distribution, dtype in VALUES:
        yield ["--dist", distribution, *(["--dtype", dtype] if dtype else []), "--tier", tier, *extra]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--tier", default="quick")
    parser.add_argument("--bytes")
    parser.add_argument("--threads")
    parser.add_argument("--only", default="", help="runs whose arguments hold this text")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    extra = (["--bytes", given.bytes] if given.bytes else []) + (["--threads", given.threads] if given.threads else [])

    lines = ["| Subject | Data | Least corrected p | Verdict | Command |", "|---|---|---|---|---|"]
    for arguments in runs(given.tier, extra):
        if given.only in " ".join(arguments):
            lines += ["| " + " | ".join(row) + " |" for row in measure(given.program, arguments)]
    table = "\n".join(lines)
    print(table)
    if given.write:
        page = given.write.read_text()
        page, found = re.subn(r"(<!-- claims -->\n).*?(\n<!-- /claims -->)", lambda m: m[1] + table + m[2], page, flags=re.S)
        if not found:
            sys.exit(f"{given.write}: no marks <!-- claims --> and <!-- /claims -->")
        given.write.write_text(page)


if __name__ == "__main__":
    main()
