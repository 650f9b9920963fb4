#!/usr/bin/env python3
"""Measures the statistical claims of docs/statistics.md: every engine, plain and in each view, reduced rounds, and laws.

    python3 scripts/statistics.py PROGRAM [--tier quick] [--values-tier quick] [--bytes N] [--jobs J] [--only TEXT]
                                  [--table laws] [--done FILE] [--write docs/statistics.md] [--fit docs/distributions.md]

PROGRAM is the built rng. Prints Markdown tables; --write puts each between its marks in the page, <!-- claims --> and
<!-- /claims -->, and so on. Runs are commands that anyone can repeat: each is shown on standard
error as it starts. It takes J of them at a time, each on one thread. --done keeps what is done there, one line of JSON a
run, and goes on from it. --fit puts the least p of each law into the last two columns of that page's tables.
"""

import argparse
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from distribution_table import DISTRIBUTIONS

ENGINES = ["philox4x32-10", "philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20"]
VIEWS = ["plain", "reversed", "low", "high", "bit0", "seeds", "ids", "forks", "tree",
         "interleaved-65536-1/small-seeds", "one-bit-keys", "weyl-keys", "counters", "interleaved-16-3/forks"]
# The last numbers of rounds that fail, and the first that passes (of Philox4x32 that is an engine's: 7).
ROUNDS = {"philox4x32": [5, 6, 8], "philox4x64": [5, 6, 7], "threefry4x32": [8, 9, 10, 11, 12],
          "threefry4x64": [8, 9, 10, 11, 12, 13]}
VALUES = [(name, dtype) for name in ("uniform", "normal") for dtype in ("f32", "f64", "f16", "bf16")]
VALUES += [(name, dtype) for name in ("uniform_open", "uniform_open_closed", "uniform_dense", "normal_icdf", "exponential")
           for dtype in ("f32", "f64")]
VALUES += [("complex_normal", "c64"), ("complex_normal", "c128")]
VALUES += [("uniform_int(lo=0,hi=999)", "u32"), ("uniform_int(lo=-5,hi=1000000007)", "i64"), ("bernoulli(p=0.25)", None), ("rademacher", None)]

# Normal values are also tested with Box and Muller's map turned round.
INVERTIBLE = ("normal", "normal_icdf", "complex_normal")

# The other continuous laws, by the tests of values alone, which have no need of bits. A value counts as 4 bytes.
LAW_TESTS = "cells4096,anderson-darling,moments,tails,support"
LAWS = [name for name, _, types in DISTRIBUTIONS if types[:1] == ["float"] and not name.startswith("unit_vector")
        and name not in (value[0] for value in VALUES)]
LAWS += ["gamma(shape=0.3)", "beta(a=0.5,b=0.5)", "truncated_normal(lo=1,hi=1.5)", "truncated_normal(lo=3,hi=inf)",
         "noncentral_chi_squared(nu=300,lambda=700)"]
# One law or more of each way in which a value is made.
LONG_LAWS = ["lognormal", "half_normal", "gumbel", "logistic", "cauchy", "triangular", "kumaraswamy", "maxwell", "student_t",
             "inverse_gaussian", "gamma(shape=2.5)", "gamma(shape=0.3)", "beta", "generalized_normal", "truncated_normal",
             "truncated_normal(lo=1,hi=1.5)", "truncated_normal(lo=3,hi=inf)", "von_mises", "noncentral_chi_squared",
             "noncentral_chi_squared(nu=300,lambda=700)", "noncentral_f"]

# Counts: walks from 0 and from an anchor, expansions of the quantile, both types. One law or more of each way is long.
COUNTS = [("poisson", "i32"), ("poisson(mean=3.5)", "i32"), ("poisson(mean=50.5)", "i64"), ("poisson(mean=200.3)", "i32"),
          ("poisson(mean=1000.7)", "i32"), ("poisson(mean=1e9)", "i64"), ("binomial", "i32"), ("binomial(trials=20,p=0.3)", "i32"),
          ("binomial(trials=1000,p=0.7)", "i32"), ("binomial(trials=1000000,p=0.4)", "i32"),
          ("binomial(trials=1000000000000,p=1e-10)", "i64"), ("geometric", "i32"), ("geometric(p=0.01)", "i32"), ("geometric(p=1e-6)", "i64"),
          ("hypergeometric(good=40,bad=60,draws=30)", "i32"), ("hypergeometric(good=2000,bad=3000,draws=2500)", "i32"),
          ("hypergeometric(good=1000000,bad=2000000,draws=50000)", "i64"), ("negative_binomial", "i32"), ("negative_binomial(r=2000,p=0.3)", "i32"),
          ("negative_binomial(r=3.5,p=0.001)", "i64"), ("zipf", "i32"), ("zipf(a=0.75,most=1000000)", "i64"), ("log_series(p=0.9)", "i32")]
LONG_COUNTS = ["poisson(mean=3.5)", "poisson(mean=200.3)", "poisson(mean=1000.7)", "geometric(p=0.01)", "hypergeometric(good=2000,bad=3000,draws=2500)",
               "negative_binomial(r=3.5,p=0.001)", "zipf(a=0.75,most=1000000)", "log_series(p=0.9)"]


def size(bytes_read):
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if bytes_read >= 1 << power:
            return f"{bytes_read / (1 << power):g} {unit}"
    return f"{bytes_read} bytes"


def plural(n, what):
    return f"{n} {what}" + ("" if n == 1 else "s")


def power_of_ten(log10):
    return "1" if log10 > -0.005 else f"10^{log10:.2g}" if log10 < -3 else f"{10 ** log10:.2g}"


def measure(program, arguments):
    """The row of one run of rng test."""
    command = [program, "test", *arguments, "--threads", "1", "--json", "-"]
    print("rng", *command[1:-4], file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"rng test {' '.join(arguments)}: {done.stderr.strip()}")
    report = json.loads(done.stdout)["reports"][0]
    worst = report["worst"]
    name = worst["test"] + (":" + worst["part"] if worst["part"] else "")
    data = size(report["bytes"]) if report["bytes"] else plural(report["looks"][-1]["size"], "case")  # of structural tests
    return [report["subject"], data, f"{name}, {power_of_ten(worst['log10_adjusted'])}",
            report["verdict"], f"`{report['command']}`"]


def claims(tier, values_tier, extra):
    for engine in ENGINES:
        for view in VIEWS:
            if view != "weyl-keys" or engine.startswith("philox"):
                yield ["--engine", engine, "--views", view, "--tier", tier, *extra]
    for engine, rounds in ROUNDS.items():
        for r in rounds:
            yield ["--engine", f"{engine}-{r}", "--tier", tier, *extra]
    for distribution, dtype in VALUES:
        for view in (["plain", "inverted"] if distribution in INVERTIBLE else [None]):
            yield ["--dist", distribution, *(["--dtype", dtype] if dtype else []), *(["--views", view] if view else []),
                   "--tier", values_tier, *extra]


def laws(tier, values_tier, extra):
    runs = [(law, dtype, "1Gi") for law in LAWS for dtype in ("f32", "f64")]  # 2^28 values
    runs += [(f"unit_vector{n}", f"{part}x{n}", "1Gi") for n in (2, 3, 4) for part in ("f32", "f64")]  # 2^28 coordinates
    runs += [(law, "f32", "8Gi") for law in LONG_LAWS]  # 2^31 values
    for law, dtype, data in runs:
        yield ["--dist", law, "--dtype", dtype, "--bytes", data, "--only", LAW_TESTS]


def counts(tier, values_tier, extra):
    runs = [(law, dtype, "1Gi") for law, dtype in COUNTS] + [(law, "i32", "8Gi") for law in LONG_COUNTS]
    for law, dtype, data in runs:
        yield ["--dist", law, "--dtype", dtype, "--bytes", data, "--only", LAW_TESTS]


def least_p(rows, law, dtype, data):
    """Of the rows of a law whatever its parameters, as text; a dash if there is none."""
    texts = [row[2].rpartition(", ")[2] for row in rows
             if re.match(rf"{law}(\(.*\))?, {dtype}(x\d)?,", row[0]) and f"--bytes {data} " in row[4]]
    return min(texts, key=lambda text: 10 ** float(text[3:]) if text.startswith("10^") else float(text), default="-")


def write_fit(page, rows):
    """Fills in the columns "least p of 2^28, <types>" and "of 2^31, <type>" of each table that has them. What was not run stays."""
    def with_least(types, long_type, match):
        begin, law, short, long = match.groups()
        if not any(re.match(rf"{law}[(,]", row[0]) for row in rows):  # the heading, too
            return match[0]
        short = [p if (new := least_p(rows, law, dtype, 1 << 30)) == "-" else new for dtype, p in zip(types, short.split(", "))]
        new = least_p(rows, law, long_type, 1 << 33)
        return f"{begin} {', '.join(short)} | {long if new == '-' else new} |"

    def filled(table):
        return re.sub(r"^(\| (\w+)(?: \([^|]*\))? \|.*)(?<=\|) ([^|\n]*) \| ([^|\n]*) \|$",
                      lambda row: with_least(table[2].split(", "), table[3], row), table[0], flags=re.M)

    tables = r"^(\| .*\| least p of 2\^28, ([\w, ]+) \| of 2\^31, (\w+) \|\n)(?:\|.*\n)+"
    page.write_text(re.sub(tables, filled, page.read_text(), flags=re.M))


TABLES = {"claims": claims, "laws": laws, "counts": counts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--tier", default="quick")
    parser.add_argument("--values-tier", default="quick", help="of distributions, whose bytes cost several times more")
    parser.add_argument("--bytes")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--done", type=Path)
    parser.add_argument("--only", default="", help="runs whose arguments hold this text")
    parser.add_argument("--table", choices=TABLES, action="append", help="only this table (default: each)")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--fit", type=Path)
    given = parser.parse_args()
    done = {}
    if given.done and given.done.exists():
        for line in given.done.read_text().splitlines():
            run = json.loads(line)
            done[run["arguments"]] = run["row"]

    def row_of(arguments):
        name = " ".join(arguments)
        if name not in done:
            done[name] = measure(given.program, arguments)
            if given.done:
                with given.done.open("a") as file:
                    file.write(json.dumps({"arguments": name, "row": done[name]}) + "\n")
        return done[name]

    extra = ["--bytes", given.bytes] if given.bytes else []
    for table in given.table or TABLES:
        chosen = [run for run in TABLES[table](given.tier, given.values_tier, extra) if given.only in " ".join(run)]
        with ThreadPoolExecutor(given.jobs) as pool:
            rows = list(pool.map(row_of, chosen))
        lines = ["| Generator | Data | Least corrected p | Verdict | Command |", "|---|---|---|---|---|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        if given.fit:
            write_fit(given.fit, rows)
        text = "\n".join(lines)
        print(text)
        if given.write:
            page = given.write.read_text()
            marks = rf"(<!-- {table} -->\n).*?(\n<!-- /{table} -->)"
            page, found = re.subn(marks, lambda m: m[1] + text + m[2], page, flags=re.S)
            if not found:
                sys.exit(f"{given.write}: no marks <!-- {table} --> and <!-- /{table} -->")
            given.write.write_text(page)


if __name__ == "__main__":
    main()
