"""One benchmark run as report.py sees it: medians by row, and the machine that it ran on."""

import functools
import json
import pathlib
import platform
import re
import statistics
import subprocess


PLAIN = [f"{name}_{bits}" for name in ("uniform", "normal", "exponential") for bits in ("f32", "f64")]
PLAIN = ["u32", "u64", *PLAIN]
KEYS = ("bytes_per_second", "ns_per_element", "real_time", "cpu_time", "ghz")
KEYS += ("brightness", "brightness_error", "worst_ratio", "worst_n", "worst_m", "ns_alone")


class Run:
    """The medians over the files of one compiler, one for each start of the program."""

    def __init__(self, files):
        self.context = files[0]["context"]
        self.starts = len(files)
        compiler = self.context.get("compiler", "")
        self.family = "gcc" if compiler.startswith("GNU") else "clang" if "lang" in compiler else "other"
        self.python = self.context.get("label") == "python"
        version = compiler.split(" ")[-1].split(".")[0]
        self.label = {"gcc": "g++ ", "clang": "clang++ "}.get(self.family, "") + version
        samples = {}
        rows = (row for file in files for row in file["benchmarks"])
        for row in sorted(rows, key=lambda row: row.get("family_index", 0)):  # as the program registers them
            if row.get("run_type") == "iteration" and "error_message" not in row:
                samples.setdefault(row["run_name"].removesuffix("/real_time"), []).append(row)
        self.rows = {
            name: {
                key: statistics.median(r[key] for r in rows if key in r)
                for key in KEYS
                if any(key in r for r in rows)
            }
            for name, rows in samples.items()
        }
        self.spreads = [spread(rows) for name, rows in samples.items() if len(rows) > 2]
        self.repetitions = max(map(len, samples.values()), default=0)

    def get(self, who, what, size="L2", threads=1, group="fill"):
        return self.rows.get(f"{group}/{who}/{what}/{size}/t{threads}")

    def gbps(self, *args, **kwargs):
        row = self.get(*args, **kwargs)
        return row and row["bytes_per_second"] / 1e9

    def names(self, group):
        """The rows of a group, as [who, what, size, threads]."""
        return [name.split("/")[1:] for name in self.rows if name.startswith(f"{group}/")]

    def load_before(self):
        try:
            return float(self.context.get("load_before", 0))
        except ValueError:
            return 0.0

    def isas(self):
        return [isa for isa in ("avx512", "avx2", "scalar") if any(row.startswith(f"fill/rng-{isa}/") for row in self.rows)]

    def peers(self):
        names = {name.split("/")[1] for name in self.rows if name.startswith("fill/")}
        return sorted(n for n in names if not n.startswith("rng-") and n != "memset")


def unfair(run, peer, what):
    """libstdc++'s generate_canonical under clang calls logl for every value: no ratio is worth quoting."""
    exact = what in ("u32", "u64") or what.startswith("uniform_int")
    return run.family == "clang" and peer.startswith("std-") and not exact


def read_runs(paths):
    """The runs in these files, in their order; files of one compiler (and of Python) belong together."""
    groups = {}
    for path in paths:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        key = (data["context"].get("compiler"), data["context"].get("label"))
        groups.setdefault(key, []).append(data)
    return [Run(files) for files in groups.values()]


def spread(rows):
    """Half the distance between the quartiles, relative to the median."""
    values = [row["cpu_time"] for row in rows]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / middle


def cpu_name():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return re.search(r"model name\s*:\s*(.*)", text).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


@functools.cache
def lscpu():
    try:
        done = subprocess.run(["lscpu"], capture_output=True, text=True, check=True, env={"LC_ALL": "C"})
    except (OSError, subprocess.CalledProcessError):
        return {}
    return dict(line.split(":", 1) for line in done.stdout.splitlines() if ":" in line)


def machine(key):
    """What lscpu says of the machine."""
    return lscpu().get(key, "unknown").strip()


def machine_text(runs):
    context = runs[0].context
    clocks = [row["ghz"] for run in runs for row in run.rows.values() if row.get("ghz")]
    lines = [
        f"- Machine: {cpu_name()}, family {machine('CPU family')}, model {machine('Model')},"
        f" {machine('CPU(s)')} CPUs"
        f" ({machine('Hypervisor vendor') + ' guest' if 'Hypervisor vendor' in lscpu() else 'no hypervisor'});"
        f" caches L1d {machine('L1d cache')}, L2 {machine('L2 cache')}, L3 {machine('L3 cache')}."
    ]
    if clocks:
        lines.append(
            f"- Clock, measured beside every row: {min(clocks):.2f} to {max(clocks):.2f} GHz,"
            f" median {statistics.median(clocks):.2f}."
        )
    for run in runs:
        c = run.context
        what = (
            f"Python peers ({c.get('peers')}) beside {run.label}"
            if run.python
            else f"{c.get('compiler')}, rng `{c.get('flags', '').strip()}`, peers `{c.get('peer_flags')}`"
        )
        noise = (
            f"half the interquartile range is {100 * statistics.median(run.spreads):.1f} % of the median"
            f" (middle row), {100 * max(run.spreads):.0f} % at worst"
            if run.spreads
            else "too few for a spread"
        )
        lines.append(
            f"- {what}; {run.repetitions} interleaved repetitions in {run.starts} starts: {noise}; load average before"
            f" {c.get('load_before', 'unknown')}."
        )
    lines.append(
        f"- rng {context.get('rng_version')}, commit {context.get('commit', 'unknown')},"
        f" {context['date'][:10]}."
    )
    return "\n".join(lines) + "\n"
