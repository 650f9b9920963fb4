"""The tables of what programs do besides large fills: small calls, draws one at a time, engines, a path tracer."""

from runs import PLAIN, unfair
from tables import number, table, times, verdict, words

TARGET_GHZ = 3.7  # the clock of the core that the minima were set on: min GB/s = 3.7 / max cycles per byte
ENGINE_CYCLES = 0.9 * TARGET_GHZ  # a call of philox4x32, for a minimum of 0.9 ns there
ENGINE_RATIO = 1.4  # std::mt19937's time over philox4x32's, both in one run
APP_RATIO = 1.03  # the path tracer's time over its time with std::mt19937
SWEEP_RATIO = 1.1  # a fill's time over that of a longer one, for normal f32
PEERS = ("std-", "boost-", "mkl-", "random123-")


def in_order(names):
    """Each name once, in the order of the rows: as the program registers them."""
    return list(dict.fromkeys(names))


def calls_table(run):
    sizes = sorted({int(size) for _, _, size, _ in run.names("call")})
    rows = []
    for who in in_order(who for who, *_ in run.names("call")):
        for what in PLAIN:
            cells = [run.get(who, what, str(size), group="call") for size in sizes]
            if all(cells):
                rows.append([f"{words(what)}, {who}"] + [number(cell["cpu_time"], 1) for cell in cells])
    return table(["ns per fill of n values"] + [f"n = {size}" for size in sizes], rows)


def sweeps_table(run):
    rows = []
    for who, what, *_ in run.names("sweep"):
        row = run.get(who, what, "200", group="sweep")
        limit = SWEEP_RATIO if what == "normal_f32" else None
        rows.append(
            [
                f"{words(what)}, {who}",
                f"{row['worst_ratio']:.2f}" + verdict(limit, row["worst_ratio"]),
                f"{row['worst_n']:.0f} and {row['worst_m']:.0f}",
            ]
        )
    head = ["fills of 1 to 200 values", "worst ratio of a fill's time to a longer one's", "values in these two"]
    return f"{table(head, rows)}\nnormal f32: at most {SWEEP_RATIO}.\n"


def draws_table(run):
    """Values one at a time: a column for each way to them, and the best peer's time over our best."""
    rows = [("draw", *name) for name in run.names("draw")] + [("at", *name) for name in run.names("at")]
    views = [name for name in rows if name[1].startswith("matrix_view")]
    rows = [name for name in rows if name not in views]
    ways = in_order((group, who) for group, who, *_ in rows)
    lines = []
    for what in in_order(what for _, _, what, *_ in rows):
        found = {way: run.get(way[1], what, "1", group=way[0]) for way in ways}
        ns = {way: row["ns_per_element"] for way, row in found.items() if row}
        ours = [t for (group, who), t in ns.items() if group == "draw" and not who.startswith(PEERS)]
        peers = [t for (_, who), t in ns.items() if who.startswith(PEERS) and not unfair(run, who, what)]
        best = times(min(peers) / min(ours)) if peers and ours else ""
        lines.append([words(what)] + [number(ns.get(way)) for way in ways] + [best])
    text = table(["ns per value, one at a time"] + [who for _, who in ways] + ["best peer over our best"], lines)
    if not views:
        return text
    cells = [
        [f"{who}, {words(what)}", number(run.get(who, what, size, group=group)["ns_per_element"])]
        for group, who, what, size, _ in views
    ]
    return text + "\n" + table(["fills of a matrix", "ns per value"], cells)


def engines_table(run):
    """Calls of engines, and how many times longer std::mt19937 takes in the same run."""
    std = run.get("std-mt19937", "u32", "1", group="engine")
    rows = []
    names = run.names("engine")
    for who, what, *_ in sorted(names, key=lambda name: (name[1], not name[0].startswith("rng"), name[0])):
        row = run.get(who, what, "1", group="engine")
        ns = row["ns_per_element"]
        cycles = f"{ns * row['ghz']:.2f}" if row.get("ghz") else ""
        ratio = f"{std['ns_per_element'] / ns:.2f}x" if std else ""
        if who == "rng-philox4x32" and row.get("ghz"):
            cycles += verdict(ENGINE_CYCLES, ns * row["ghz"])
            ratio += verdict(std["ns_per_element"] / ns, ENGINE_RATIO) if std else ""
        rows.append([f"{who}, {what}", number(ns), cycles, ratio])
    text = table(["engine, one call at a time", "ns per call", "cycles", "std::mt19937 takes"], rows)
    limits = f"at most {ENGINE_CYCLES:.2f} cycles (0.9 ns at {TARGET_GHZ} GHz), at least {ENGINE_RATIO}x"
    return f"{text}\nrng-philox4x32: {limits}.\n"


def path_tracer_table(run):
    """Times of a program whose draws stand between its own arithmetic, relative to std::mt19937."""
    whats = in_order(what for _, what, *_ in run.names("app"))
    head = ["source of numbers"]
    for what in whats:
        head += [f"{words(what)}: ns per ray", "over std-mt19937", "brightness"]
    rows = []
    for who in in_order(who for who, *_ in run.names("app")):
        cells = [who]
        for what in whats:
            row, std = (run.get(name, what, "1", group="app") for name in (who, "std-mt19937"))
            if row is None:
                cells += [""] * 3
                continue
            ratio = row["ns_per_element"] / std["ns_per_element"] if std else None
            same_distribution = who.startswith(("std-mt", "rng-"))
            if unfair(run, "std-mt19937", what) and not same_distribution:
                ratio = None
            judged = "mt19937" not in who and ", by " not in who
            cells += [
                number(row["ns_per_element"]),
                number(ratio, 3) + (verdict(APP_RATIO, ratio) if judged and ratio else ""),
                f"{row['brightness']:.4f} ± {row['brightness_error']:.4f}",
            ]
        rows.append(cells)
    return f"{table(head, rows)}\nrng's sources, by the library's own choice of vectors: at most {APP_RATIO} times std::mt19937.\n"


def width_table(run):
    """The program's own work beside fills of few values, relative to the same work alone, both from one row."""
    head = ["fills of n normal f32", "when", "work, ns per ray", "alone", "slower"]
    when = {"once": "one fill before a millisecond of work", "each": "a fill before each sixteenth of it"}
    rows = []
    for who, what, size, _ in run.names("width"):
        row = run.get(who, what, size, group="width")
        slower = 100 * (row["ns_per_element"] / row["ns_alone"] - 1)
        figures = [number(row["ns_per_element"]), number(row["ns_alone"]), f"{slower:+.1f} %"]
        rows.append([f"{who}, n = {size}", when[what], *figures])
    return table(head, rows)


def use_tables(runs):
    """Headings and tables, for the groups that were run."""
    first, parts = runs[0], []
    if first.names("call"):
        parts += [f"### Small calls, {first.label}, one thread\n", calls_table(first)]
    for group, title, text in (
        ("sweep", "Sweep of small fills", sweeps_table),
        ("draw", "One at a time", draws_table),
        ("engine", "Engines", engines_table),
        ("app", "A path tracer", path_tracer_table),
        ("width", "Width by use", width_table),
    ):
        for run in (run for run in runs if run.names(group)):
            parts += [f"### {title}, {run.label}\n", text(run)]
    return parts
