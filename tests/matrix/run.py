"""The same bits under every compiler and flag: builds digest.cpp and literal.cpp many ways and compares every line with
src/verify/goldens.inc. digest.cpp has parameters that no compiler knows, literal.cpp parameters written in the source.

    run.py                      the short matrix, from the headers: each compiler at -Ofast for this machine, with half of the
                                catalogue and a share of the literals. The compilers together have all of both. g++ also
                                divides as it does on other machines, for the laws that have no golden
    run.py --portable           of the short matrix, g++'s divisions alone
    run.py --full               the headers: each compiler x 16 flag sets. Two of the sets (WHOLE_FLAGS) have every
                                distribution on every engine, and every literal
    run.py --library            the compiled library: each compiler x 3 flag sets x link-time optimisation x ISA
    run.py --cross              the headers on other machines, with cross compilers and qemu
    run.py --zig                the headers with other C libraries and for other systems, by zig (PyPI's ziglang, in this Python)
    run.py --check PROGRAM      one built program, as it is; --isas: once per instruction set of this machine

A compiler that is not installed is reported as skipped. Exit code 1 if any line differs, is missing, or does not build.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
KNOWN_ANSWERS = REPOSITORY / "tests" / "reference" / "known_answers.json"
STRUCTURED_ANSWERS = KNOWN_ANSWERS.with_name("structured_answers.json")

DEFAULT_ENGINE = "philox4x32-10"
COMPILERS = {"g++ 12": ("g++-12", "g++"), "clang 14": ("clang++-14",), "clang 19": ("clang++-19",)}
SHORT_FLAGS = ("-Ofast -march=native",)
# Flags that get every distribution on every engine, and every literal: a compiler takes minutes for them, and at -O0 20 GB.
# Others get every distribution on the default engine, one of each shape on the other engines, and literals of SHORT_LITERALS.
# In the short matrix, compiler k of n gets literals k, k + n, k + 2 n and so on. Each gets every distribution in some of its types,
# one of each shape on some of the other engines, and every other line of literal.cpp with other parameters than the literals'.
WHOLE_FLAGS = ("-O2", "-Ofast -march=native")
# The types of numbers in C++, by the names of values' types: a complex number or a vector consists of such numbers.
TYPES = {"f32": "float", "f64": "double", "f16": "rng::float16", "bf16": "rng::bfloat16", "c64": "float", "c128": "double"}
TYPES |= {f"{sign}{bits}": f"{name}{bits}_t" for sign, name in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}
SHORT_LITERALS = ("float", "int32_t")
NO_TEMPLATES = ("bernoulli", "rademacher")  # distributions of one type
FULL_FLAGS = (
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Os",
    "-Ofast",
    "-O2 -ffast-math",
    "-O2 -ffp-contract=fast",
    "-O2 -ffp-contract=off",
    "-O2 -march=haswell",
    "-O2 -march=haswell -mno-fma",
    "-O3 -march=haswell -ffp-contract=fast",
    "-Ofast -march=haswell",
    "-O3 -march=native",
    "-O3 -march=native -ffp-contract=fast",
    "-Ofast -march=native",
)
LIBRARY_FLAGS = ("-O2", "-O3 -march=native", "-Ofast")
# Another instruction set, another word size, another byte order.
CROSS = {
    "AArch64": ("aarch64-linux-gnu-g++", ("qemu-aarch64", "qemu-aarch64-static"), "/usr/aarch64-linux-gnu"),
    "RISC-V": ("riscv64-linux-gnu-g++", ("qemu-riscv64", "qemu-riscv64-static"), "/usr/riscv64-linux-gnu"),
    "s390x (big-endian)": ("s390x-linux-gnu-g++", ("qemu-s390x", "qemu-s390x-static"), "/usr/s390x-linux-gnu"),
    "i686 SSE2": ("i686-linux-gnu-g++", ("",), ""),
}
CROSS_FLAGS = ("-O0", "-O2", "-Ofast")
# zig's targets: musl runs here or in emulation; programs of other systems are compiled and linked, and run nowhere.
ZIG = {
    "x86-64 musl": ("x86_64-linux-musl", ("",)),
    "AArch64 musl": ("aarch64-linux-musl", ("qemu-aarch64", "qemu-aarch64-static")),
    "macOS arm64": ("aarch64-macos", None),
    "macOS x86-64": ("x86_64-macos", None),
    "FreeBSD x86-64": ("x86_64-freebsd", None),
}
# A g++ that is told of no SSE2 divides as it does on other machines, in the lane's code without instructions by name, and its fma
# is the one that MinGW gets. The cell leaves the catalogue out, takes 20 s, and needs no cross compiler.
PORTABLE_FLAGS = "-Ofast -U__SSE2__ -DRNG_SOFT_FMA=1 -DRNG_FMA_BY_PROCESSOR=0"
ISAS = {"scalar": (), "avx2": ("avx2", "fma"), "avx512": ("avx512f", "avx512dq", "avx512bw", "avx512vl"),
        "neon": ("asimd",)}


@dataclass
class Cell:
    """One way to build or run, and what came of it."""

    name: str
    flags: str
    problems: list = field(default_factory=list)
    recomputed: set = field(default_factory=set)  # the goldens
    lines: int = 0
    seconds: float = 0.0
    skipped: str = ""


def read_goldens(path=REPOSITORY / "src" / "verify" / "goldens.inc"):
    """{(engine, distribution, dtype, parameters, seed, id, position, n): digest}"""
    rows = {}
    pattern = re.compile(r'^\{"([\w-]+)", "(\w+)", "(\w+)", \{([^}]*)\}, (\w+), (\w+), (\w+), (\w+), (\w+)\},$')
    for line in path.read_text().splitlines():
        if line.startswith("//") or not line:
            continue
        engine, name, dtype, parameters, *integers = pattern.match(line).groups()
        parameters = tuple(p.strip(' "') for p in parameters.split(",")) if parameters else ()
        *place, digest = (int(x, 0) for x in integers)
        rows[(engine, name, dtype, parameters, *place)] = digest
    return rows


def read_digests():
    """{all words of a line but the last: the last} of the lines whose digests are in the model's known answers."""
    answers = json.loads(KNOWN_ANSWERS.read_text())
    prepared = {("prepared", row["name"], row["dtype"]): row["digest"] for row in answers["prepared"]}
    piecewise = {("piecewise", row["name"], row["dtype"], str(row["lists"])): row["digest"] for row in answers["piecewise"]}
    answers = json.loads(STRUCTURED_ANSWERS.read_text())
    rows = {("rows", row["name"], row["dtype"]): row["digest"] for row in answers["digests"]}
    return prepared | piecewise | rows


def compare(output, goldens):
    """(goldens that the program recomputed, problems) of what it printed."""
    pattern = re.compile(r"^([\w-]+) (\w+) (\w+) \(([^)]*)\) (\d+) (\d+) (\d+) (\d+) ([0-9a-f]{16})$")
    seen, left_out, catalogue, problems, digests = set(), set(), set(), [], {}
    for line in output.splitlines():
        recomputed = not line.startswith("left-out ")
        line = line.removeprefix("left-out ")
        if line.startswith("catalogue "):
            catalogue.add(tuple(line.split()[1:]))
            continue
        if line.startswith(("prepared ", "piecewise ", "rows ")):
            *key, digest = line.split()
            digests[tuple(key)] = digest
            continue
        if line.startswith("svd_lowrank "):
            if not line.endswith(" equal"):
                problems.append(line)
            continue
        match = pattern.match(line)
        if not match:
            problems.append(f"cannot read the line: {line}")
            continue
        engine, name, dtype, parameters, *place, digest = match.groups()
        key = (engine, name, dtype, tuple(parameters.split()), *(int(x) for x in place))
        (seen if recomputed else left_out).add(key)
        if key not in goldens:
            problems.append(f"no golden for: {line}")
        elif goldens[key] != int(digest, 16):
            problems.append(f"expected {goldens[key]:016x}: {line}")
    problems += [f"the program printed no line for the golden {key}" for key in goldens if key not in seen | left_out]
    wanted = read_digests()
    problems += [f"{' '.join(key)}: expected {wanted.get(key)}, got {digests.get(key)}"
                 for key in sorted(wanted | digests) if wanted.get(key) != digests.get(key)]
    # A compiler may leave out some types of a distribution, so one with a single type too.
    types = Counter(key[1] for key in {key[:3] for key in left_out if key[0] == DEFAULT_ENGINE})
    problems += [f"{name} is left out of the default engine" for name, n in sorted(types.items()) if n > 1 and name not in of_default(seen)]
    problems += [f"{' '.join(d)} has no golden" for d in sorted(catalogue) if d not in {key[:3] for key in goldens}]
    return seen, problems


def of_default(goldens):
    """The distributions that goldens of the default engine have."""
    return {key[1] for key in goldens if key[0] == DEFAULT_ENGINE}


def not_recomputed(goldens, cells):
    """Lines about what no compiler of the short matrix took: goldens of the default engine, and other engines."""
    taken = set().union(*(cell.recomputed for cell in cells))
    return [f"no compiler recomputes the golden {key}" for key in goldens if key[0] == DEFAULT_ENGINE and key not in taken] + [
        f"no compiler takes the engine {engine}" for engine in sorted({key[0] for key in goldens} - {key[0] for key in taken})]


def literal_lines(goldens, quick, share=slice(None)):
    """What literal.cpp includes: (text of literals.inc, lines that the program must print but for its own comparisons).
    `share` says which of the literals.

    A value's type that TYPES does not have is an error also where no literal of it is taken."""
    kinds = {key[2]: TYPES[key[2].partition("x")[0]] for key in goldens}  # of the vector f32x3: float
    rows = {}
    for (engine, name, dtype, parameters, *place), digest in goldens.items():
        if engine == DEFAULT_ENGINE and (not quick or kinds[dtype] in SHORT_LITERALS or name in NO_TEMPLATES):
            rows[(name, dtype) if quick else (name, dtype, parameters)] = (parameters, place, digest)  # the last is no default
    text, expected = [], []
    for (name, dtype, *_), (parameters, place, digest) in list(rows.items())[share]:
        kind = kinds[dtype]

        def literal(p):
            if "x" in p:  # a real number; those of integer distributions are doubles
                return p + ("f" if kind != "double" and dtype[0] in "bcf" else "")
            if kind[0] == "u":
                return f"static_cast<{kind}>({p}u)"
            return f"static_cast<{kind}>({int(p) + 1}LL - 1)" if int(p) < 0 else f"static_cast<{kind}>({p}LL)"

        distribution = f"rng::{name}" if name in NO_TEMPLATES else f"rng::{name}<{kind}>"
        golden = f"{name} {dtype} ({' '.join(parameters)}) {digest:016x}"
        text.append(
            f"LITERAL({distribution}, ({', '.join(map(literal, parameters))}), {', '.join(f'{x}u' for x in place)}, \"{golden}\")\n"
        )
        expected += [f"{way} {golden} {digest:016x}" for way in ("at", "at_block", "cursor", "engine")]
        if dtype in ("f32", "f64"):
            expected.append(f"arithmetic {golden} equal")
    return "".join(text), expected


def compare_literals(output, expected):
    """(lines, problems) of what literal.cpp printed."""
    lines = output.splitlines()
    own = [line for line in lines if line.startswith("run-time ")]
    problems = [line for line in own if not line.endswith(" equal")]
    problems += [f"not printed: {line}" for line in sorted(set(expected) - set(lines))]
    problems += [f"not expected: {line}" for line in sorted(set(lines) - set(expected) - set(own))]
    return lines, problems + ([] if own else ["no line compares literals with other parameters"])


def execute(command, environment=None, **options):
    """(exit code, stdout, stderr)"""
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, **options
    )
    return done.returncode, done.stdout, done.stderr


def run_cell(cell, command, expected, environment=None, comparison=compare):
    code, out, err = execute(command, environment)
    lines, problems = comparison(out, expected)
    cell.lines += len(lines)
    if comparison is compare:
        cell.recomputed |= lines
    if code != 0:
        problems.insert(0, f"exit code {code}: {err.strip()[-500:]}")
    cell.problems += problems


def header_cell(cell, compiler, runner, folder, goldens, whole, share=(0, 1)):
    """The headers built one way: the digests of digest.cpp, then literal.cpp; all of both, or what WHOLE_FLAGS says.
    `share` (k, n) is that of compiler k of n."""
    start = time.monotonic()
    place = Path(folder, re.sub(r"\W+", "_", cell.name + cell.flags))
    place.mkdir()
    text, literals = literal_lines(goldens, not whole, slice(share[0], None, share[1]))
    (place / "literals.inc").write_text(text)
    options = [] if whole else ["-DRNG_MATRIX_QUICK=1", f"-DRNG_MATRIX_COMPILER={share[0]}", f"-DRNG_MATRIX_COMPILERS={share[1]}"]
    for source, expected, comparison in (("digest", goldens, compare), ("literal", literals, compare_literals)):
        build_and_run(cell, compiler, options, source, place, runner, expected, comparison)
    shutil.rmtree(place)
    cell.seconds = time.monotonic() - start
    return cell


def build_and_run(cell, compiler, options, source, place, runner, expected, comparison):
    """Builds source.cpp in the folder `place` with the cell's flags and the options, runs it, and notes what differs. The compiler is a path
    or a command. Without a runner, not even an empty one, the program is only built."""
    # -w: a warning about an unused -march on some compiler is no matter of bits.
    first = compiler if isinstance(compiler, list) else [compiler]
    command = [*first, "-std=c++20", "-w", *cell.flags.partition(",")[0].split(), f"-I{REPOSITORY / 'include'}", f"-I{place}", *options]
    code, _, err = execute([*command, str(HERE / f"{source}.cpp"), "-o", str(place / source)])
    if code != 0:
        cell.problems.append(f"{source}.cpp does not compile: " + "\n".join(err.strip().splitlines()[:5]))
    elif runner is not None:
        run_cell(cell, [*runner, str(place / source)], expected, comparison=comparison)


def portable_cell(cell, compiler, folder):
    """The lines of digest.cpp that have no golden, from the lane's code for other machines."""
    start = time.monotonic()
    place = Path(folder, "portable")
    place.mkdir()
    build_and_run(cell, compiler, ["-DRNG_MATRIX_NO_CATALOGUE=1"], "digest", place, [], {}, compare)
    cell.lines = len(read_digests())  # compare() counts goldens alone
    cell.seconds = time.monotonic() - start
    return cell


def usable_isas():
    try:
        flags = set(re.search(r"^(?:flags|Features)\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M).group(1).split())
    except (OSError, AttributeError):
        flags = set()
    return [isa for isa, needed in ISAS.items() if set(needed) <= flags]


def library_cells(name, compiler, flags, lto, folder, goldens):
    """Builds librng one way; one cell per instruction set."""
    start = time.monotonic()
    label = flags + (" LTO" if lto else "")
    build = Path(folder, re.sub(r"\W+", "_", name + label))
    configure = [
        "cmake", "-S", str(REPOSITORY), "-B", str(build), f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_FLAGS={flags} -w", "-DCMAKE_BUILD_TYPE=None", f"-DRNG_ENABLE_LTO={'ON' if lto else 'OFF'}",
        "-DRNG_BUILD_APPS=OFF", "-DRNG_BUILD_EXAMPLES=OFF", "-DRNG_BUILD_BENCHMARKS=OFF", "-DRNG_ENABLE_CUDA=OFF",
    ]  # fmt: skip
    if lto and name.startswith("clang"):
        configure.append("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld")
    steps = [configure, ["cmake", "--build", str(build), "--target", "matrix_library_digest", "-j", str(os.cpu_count())]]
    for step in steps:
        code, out, err = execute(step)
        if code != 0:
            cell = Cell(f"{name} library", label, seconds=time.monotonic() - start)
            lines = [line for line in (out + err).splitlines() if re.search("error|Error|undefined", line)]
            cell.problems.append("does not build: " + "\n".join(lines[:5]))
            return [cell]
    built = time.monotonic()
    cells = []
    for isa in usable_isas():
        cell = Cell(f"{name} library", f"{label} RNG_ISA={isa}")
        run_cell(cell, [str(build / "tests/matrix/matrix_library_digest")], goldens, {"RNG_ISA": isa})
        cell.seconds = time.monotonic() - (start if not cells else built)
        built = time.monotonic()
        cells.append(cell)
    shutil.rmtree(build)
    return cells


def find_compilers(wanted):
    """{name: path or None}"""
    found = {}
    for name, candidates in COMPILERS.items():
        if not wanted or any(w in (name, *candidates) for w in wanted):
            found[name] = next((p for p in map(shutil.which, candidates) if p), None)
    if found.get("g++ 12"):
        version = execute([found["g++ 12"], "-dumpfullversion"])[1].strip()
        if not version.startswith("12."):
            found[f"g++ {version}"] = found["g++ 12"]
            found["g++ 12"] = None
    return found


def report(cell):
    state = f"skipped: {cell.skipped}" if cell.skipped else "DIFFERENT" if cell.problems else "equal"
    lines = f"{cell.lines:3} lines {cell.seconds:6.1f} s" if not cell.skipped else " " * 18
    print(f"{cell.name:20} {cell.flags:40} {lines}  {state}", flush=True)
    for problem in cell.problems[:6]:
        print("    " + problem.replace("\n", "\n    "))
    if len(cell.problems) > 6:
        print(f"    and {len(cell.problems) - 6} more")
    return cell


def header_matrix(full, wanted, folder, goldens):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compilers = find_compilers(wanted)
        cells = [Cell(name, "", skipped="not installed") for name, compiler in compilers.items() if not compiler]
        installed = [(name, compiler) for name, compiler in compilers.items() if compiler]
        for k, (name, compiler) in enumerate(installed):
            share = (0, 1) if full else (k, len(installed))
            for flags in FULL_FLAGS if full else SHORT_FLAGS:
                whole = full and flags in WHOLE_FLAGS
                cells.append(pool.submit(header_cell, Cell(name, flags), compiler, [], folder, goldens, whole, share))
            if name.startswith("g++"):
                cells.append(pool.submit(portable_cell, Cell(name, PORTABLE_FLAGS), compiler, folder))
        cells = [report(c if isinstance(c, Cell) else c.result()) for c in cells]
        if missing := not_recomputed(goldens, cells):
            cells.append(report(Cell("all compilers", "", problems=missing)))
        return cells


def portable_matrix(wanted, folder, goldens):
    return [report(portable_cell(Cell(name, PORTABLE_FLAGS), compiler, folder))
            for name, compiler in find_compilers(wanted).items() if compiler and name.startswith("g++")]


def cross_matrix(folder, goldens):
    cells = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (compiler, emulators, sysroot) in CROSS.items():
            path = shutil.which(compiler)
            emulator = next((shutil.which(e) or e for e in emulators if not e or shutil.which(e)), None)
            if not path or emulator is None:
                missing = compiler if not path else emulators[0]
                cells.append(Cell(name, "", skipped=f"{missing} is not installed"))
                continue
            runner = [emulator, "-L", sysroot] if emulator else []
            extra = " -msse2 -mfpmath=sse" if name.startswith("i686") else ""
            for flags in CROSS_FLAGS:
                cell = Cell(name, flags + extra + " -static")
                cells.append(pool.submit(header_cell, cell, path, runner, folder, goldens, flags in WHOLE_FLAGS))
        return [report(c if isinstance(c, Cell) else c.result()) for c in cells]


def zig_cell(cell, target, runner, folder, goldens):
    """The digests of digest.cpp, or for another system whether the program links."""
    start = time.monotonic()
    place = Path(folder, re.sub(r"\W+", "_", cell.name))
    place.mkdir()
    compiler = [sys.executable, "-m", "ziglang", "c++", "-target", target]
    build_and_run(cell, compiler, ["-DRNG_MATRIX_QUICK=1", "-DRNG_MATRIX_COMPILER=0", "-DRNG_MATRIX_COMPILERS=1"], "digest", place, runner, goldens, compare)
    shutil.rmtree(place)
    cell.seconds = time.monotonic() - start
    return cell


def zig_matrix(folder, goldens):
    if execute([sys.executable, "-m", "ziglang", "version"])[0] != 0:
        return [report(Cell("zig", "", skipped="ziglang is not installed: pip install ziglang"))]
    cells = []
    for name, (target, emulators) in ZIG.items():
        cell = Cell(name, "-O1" if emulators else "-O1, not run")
        emulator = next((e for e in emulators or () if not e or shutil.which(e)), None)
        if emulators and emulator is None:
            cell.skipped = f"{emulators[0]} is not installed"
        else:
            zig_cell(cell, target, [emulator] * bool(emulator) if emulators else None, folder, goldens)
        cells.append(report(cell))
    return cells


def library_matrix(wanted, folder, goldens):
    cells = []
    for name, compiler in find_compilers(wanted).items():
        if not compiler:
            cells.append(report(Cell(f"{name} library", "", skipped="not installed")))
            continue
        for lto in (False, True):
            if lto and name.startswith("clang"):
                version = name.split()[-1]
                if not any(map(os.path.exists, (f"/usr/lib/llvm-{version}/bin/ld.lld", f"/usr/bin/ld.lld-{version}"))):
                    cells.append(report(Cell(f"{name} library", "LTO", skipped=f"lld-{version} is not installed")))
                    continue
                if not shutil.which(f"llvm-ar-{version}"):  # ar of another version does not read the objects
                    cells.append(report(Cell(f"{name} library", "LTO", skipped=f"llvm-{version} is not installed")))
                    continue
            for flags in LIBRARY_FLAGS:
                cells += map(report, library_cells(name, compiler, flags, lto, folder, goldens))
    return cells


def check_program(program, isas, goldens):
    cells = []
    for isa in usable_isas() if isas else [None]:
        cell = Cell(Path(program).name, f"RNG_ISA={isa}" if isa else "")
        start = time.monotonic()
        run_cell(cell, [program], goldens, {"RNG_ISA": isa} if isa else None)
        cell.seconds = time.monotonic() - start
        cells.append(report(cell))
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--portable", action="store_true", help="g++ with the divisions of other machines, nothing else")
    parser.add_argument("--full", action="store_true", help="16 flag sets")
    parser.add_argument("--library", action="store_true", help="the compiled library, nothing else")
    parser.add_argument("--cross", action="store_true", help="other machines through qemu, nothing else")
    parser.add_argument("--zig", action="store_true", help="musl, macOS and FreeBSD, nothing else")
    parser.add_argument("--check", metavar="PROGRAM", help="one built program")
    parser.add_argument("--isas", action="store_true", help="with --check: once per instruction set")
    parser.add_argument("--compilers", nargs="+", default=[], metavar="NAME", help=f"of {', '.join(COMPILERS)}")
    arguments = parser.parse_args()

    goldens = read_goldens()
    print(f"{len(goldens)} goldens; {platform.machine()}, instruction sets: {', '.join(usable_isas())}")
    with tempfile.TemporaryDirectory(prefix="rng-matrix-") as folder:
        if arguments.check:
            cells = check_program(arguments.check, arguments.isas, goldens)
        elif arguments.portable:
            cells = portable_matrix(arguments.compilers, folder, goldens)
        elif arguments.cross:
            cells = cross_matrix(folder, goldens)
        elif arguments.zig:
            cells = zig_matrix(folder, goldens)
        elif arguments.library:
            cells = library_matrix(arguments.compilers, folder, goldens)
        else:
            cells = header_matrix(arguments.full, arguments.compilers, folder, goldens)

    run = [cell for cell in cells if not cell.skipped]
    bad = [cell for cell in run if cell.problems]
    print(f"{len(run) - len(bad)} of {len(run)} cells equal to the goldens, {len(cells) - len(run)} skipped")
    sys.exit(1 if bad or not run else 0)


if __name__ == "__main__":
    main()
