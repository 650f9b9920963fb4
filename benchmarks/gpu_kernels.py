#!/usr/bin/env python3
"""What the kernels cost by their machine code: registers, spills, instructions for 16 bytes of values.

    python3 benchmarks/gpu_kernels.py [--nvcc NVCC] [--architectures 90 120] [--all] [--readme docs/cuda.md]
    python3 benchmarks/gpu_kernels.py --self-test

Compiles the sources of cuda/ with kernels, those of other engines only with --all, as the library does. Registers, stack and spills are ptxas -v's. Instructions are read from the
machine code: the shortest way round the fastest loop that writes by 16-byte stores, which is what a thread executes
for nearly every unit; branches that are seldom taken (another try of a rejection, the slow path of a square root) lie
off it. Needs no GPU. Without --all: Philox4x32-10. The products of svd_lowrank keep the upper levels of their tree in
local memory, on purpose: that is their stack.
"""

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "parity"))

from sass_lint import sections_of  # noqa: E402
from sass_loops import per_16_bytes  # noqa: E402


def compile_cubin(nvcc, architecture, folder, source):
    """The cubin, and what ptxas -v says of it."""
    cubin = folder / f"{source}_{architecture}.cubin"
    command = [nvcc, "-std=c++20", "-O3", "-fmad=false", f"-I{ROOT / 'include'}", f"-arch=sm_{architecture}", "-cubin"]
    command += ["-DRNG_BUILDING=1", "-Xptxas", "-v", ROOT / "cuda" / source, "-o", cubin]
    if source == "any_engine.cu":
        command.append("-Ofc=min")  # RARE in cuda/CMakeLists.txt
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gpu_kernels.py: nvcc failed:\n{done.stdout}{done.stderr}")
    return cubin, done.stdout + done.stderr


def resources(log):
    """Kernel -> (registers, bytes of stack, bytes spilled)."""
    found = {}
    for block in log.split("Compiling entry function '")[1:]:
        name = block[: block.index("'")]
        stack, stores, loads = map(int, re.search(
            r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block).groups())  # fmt: skip
        found[name] = int(re.search(r"Used (\d+) registers", block)[1]), stack, stores + loads
    return found


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def label(signature):
    """(map or distribution, engine) of a kernel's signature, or None. A map is named with the type of its values if they are not
    of its own type."""
    match = re.search(r"fill_kernel<rng::v1::(.*), rng::v1::(?:detail::)?(\w+)>\(", signature)
    if not match:
        return None
    names = {"unsigned char": "u8", "unsigned short": "u16", "unsigned int": "u32", "unsigned long": "u64"}
    names |= {"signed char": "i8", "short": "i16", "int": "i32", "long": "i64", "float": "f32", "double": "f64"}
    what = re.sub(r"rng::v1::|\(.*?\)", "", match[1]).replace("detail::StreamBytes", "fill_bytes")
    for cxx, short in names.items():
        what = re.sub(rf"(?<=[<, ]){cxx}(?=[,>])", short, what)
    if shared := re.fullmatch(r"lane::KernelOf<(.*?), ([\w<>]+), [\w<>]+, \d, \d, \d, \d, \w+ ?>", what):
        own = re.sub(r"::\w*Map$|detail::", "", shared[1])
        what = own if f"<{shared[2]}" in own else f"{own} of {shared[2]}"
    return what, match[2]


# The kernel of svd_lowrank that there is once for each engine. The table has no row for it.
PER_ENGINE = "RandomColumn"
SVD_KERNELS = ROOT / "cuda" / "svd_kernels.hpp"
TYPES = {"float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16"}


def library_label(signature):
    """What a kernel of svd_lowrank or of a reduction is, for a product its types and tile; None for kernels of another kind."""
    match = re.search(r"run_kernel<rng::v1::detail::(?:svd|gpu)::(\w+)(.*)>\(", signature)
    if not match or match[1] == PER_ENGINE:
        return None
    kind, types = match[1].lower(), [TYPES.get(t, "") for t in re.findall(r"(?:[<,] ?|v1::)(\w+)(?=[,>])", match[2])]
    if tile := re.search(r"Tile<(\d+), (\d+)", signature):
        what = types[0] if types[0] == types[1] else f"{types[0]} of {types[1]}"
        return f"product {what}, tiles of {tile[1]} x {tile[2]}"
    return kind


def library_table(options, title, source):
    """Per kernel of a source; of those that are there for several types the greatest numbers."""
    rows, spilled = {}, []
    for column, architecture in enumerate(options.architectures):
        with tempfile.TemporaryDirectory() as temporary:
            _, log = compile_cubin(options.nvcc, architecture, Path(temporary), source)
        costs = resources(log)
        for name, signature in demangled(list(costs)).items():
            if not (who := library_label(signature)):
                continue
            registers, stack, spills = costs[name]
            if spills:
                spilled.append(f"{who} on sm_{architecture}: {spills} bytes spilled")
            cells = rows.setdefault(who, [(0, 0)] * len(options.architectures))
            cells[column] = max(cells[column][0], registers), max(cells[column][1], stack)
    heads = "".join(f" sm_{a}: registers | stack, bytes |" for a in options.architectures)
    lines = [f"| {title} |{heads}", "|---" * (1 + 2 * len(options.architectures)) + "|"]
    lines += [f"| {who} | {' | '.join(f'{r} | {s}' for r, s in cells)} |" for who, cells in sorted(rows.items())]
    return [*lines, "", *(spilled or ["None of these spills a register."])]


def check_names():
    """The kernels that this script names are those of the sources."""
    if not re.search(rf"\bstruct {PER_ENGINE} \{{", SVD_KERNELS.read_text(encoding="utf-8")):
        sys.exit(f"gpu_kernels.py: {SVD_KERNELS} has no struct {PER_ENGINE}: PER_ENGINE names another kernel now")


def self_test():
    """The labels of signatures as cu++filt writes them."""
    check_names()
    kernel = "void rng::v1::detail::run_kernel<rng::v1::detail::svd::{}>({})"
    random = "RandomColumn<float, rng::v1::Philox<unsigned int, 10> >"
    assert library_label(kernel.format(random, "...")) is None
    assert library_label(kernel.format("WriteTestMatrix<float, float>", "...")) == "writetestmatrix"
    assert library_label(kernel.replace("svd", "gpu").format("SumCounts", "...")) == "sumcounts"
    fill = "void rng::v1::detail::fill_kernel<rng::v1::normal<float>, rng::v1::Philox4x32_10>(...)"
    assert label(fill) == ("normal<f32>", "Philox4x32_10"), label(fill)
    kernel = "void rng::v1::detail::fill_kernel<rng::v1::lane::KernelOf<{}>, rng::v1::detail::AnyEngine>(...)"
    for arguments, name in {
        "rng::v1::lognormal<float>::Map, float, float, 1, 1, 1, (rng::v1::Shape)0, true": "lognormal<f32>",
        "rng::v1::detail::CountMap<true>, unsigned int, unsigned int, 2, 2, 1, (rng::v1::Shape)0, true": "CountMap<true> of u32",
        "rng::v1::normal<double>::Map, rng::v1::complex<double>, double, 4, 2, 2, (rng::v1::Shape)3, true":
            "normal<f64> of complex<f64>",
        "rng::v1::detail::GammaQuotientMap<float, rng::v1::float16>, rng::v1::float16, rng::v1::float16, 4, 1, 1, "
        "(rng::v1::Shape)2, true": "GammaQuotientMap<f32, float16> of float16",
    }.items():  # fmt: skip
        assert label(kernel.format(arguments)) == (name, "AnyEngine"), label(kernel.format(arguments))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--architectures", type=int, nargs="+", default=[90, 120])
    parser.add_argument("--all", action="store_true", help="every engine")
    parser.add_argument("--readme", type=Path, help="put the table between this file's kernels: begin and end")
    parser.add_argument("--self-test", action="store_true", help="check the names of kernels, and compile nothing")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    check_names()
    rows, spilled = {}, []
    sources = ("light_fills.cu", "heavy_fills.cu", *(("engines.cu", "any_engine.cu") if options.all else ()))
    for architecture, source in itertools.product(options.architectures, sources):
        with tempfile.TemporaryDirectory() as temporary:
            cubin, log = compile_cubin(options.nvcc, architecture, Path(temporary), source)
            code = sections_of(cubin)
        costs = resources(log)
        for name, signature in demangled(list(costs)).items():
            if not (who := label(signature)) or (who[1] != "Philox4x32_10" and not options.all):
                continue
            registers, stack, spills = costs[name]
            if stack or spills:
                spilled.append(f"{' '.join(who)} on sm_{architecture}: {stack} bytes of stack, {spills} spilled")
            instructions = per_16_bytes(code[name], architecture)
            rows.setdefault(who, []).append(f"{registers} | {f'{instructions:.0f}' if instructions else '-'}")
    heads = "".join(f" sm_{a}: registers | instructions for 16 bytes |" for a in options.architectures)
    lines = [f"| distribution |{' engine |' if options.all else ''}{heads}"]
    lines.append("|---" * (1 + options.all + 2 * len(options.architectures)) + "|")
    for (distribution, engine), cells in sorted(rows.items(), key=lambda row: (row[0][1], row[0][0])):
        lines.append(f"| {distribution} |{f' {engine} |' if options.all else ''} {' | '.join(cells)} |")
    lines += ["", *(spilled or ["No kernel of a fill has a stack or spills a register."]), "", *library_table(options, "svd_lowrank", "svd.cu"), "",
              *library_table(options, "reductions", "reduce.cu")]
    text = "\n".join(lines)
    print(text)
    if options.readme:
        page = options.readme.read_text(encoding="utf-8")
        page = re.sub(r"(?s)(<!-- kernels: begin -->\n).*(<!-- kernels: end -->)", rf"\1{text}\n\2", page)
        options.readme.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
