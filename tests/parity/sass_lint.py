"""Proves that ptxas leaves the float arithmetic of the maps alone: none of the PTX is fused, and nothing is added.

    sass_lint.py [--kernels KERNELS] [--nvcc NVCC] [--full] [--ptx FOLDER]

Opcodes are read from the cubin itself, since nvdisasm is not everywhere: 16 bytes an instruction, the opcode in bits
0 to 8, the rounding mode in bits 78 and 79. Per kernel, FFMA, FMUL, FADD, DFMA, DMUL, DADD (rounding to nearest) and
MUFU are counted and compared with the PTX, after adding what a correctly rounded square root or quotient expands to. That
reading is checked first, on each architecture, with kernels of known content, one of which ptxas does fuse. No kernel may spill,
but for those of SPILLS.

What it proves: together with run.py, that the machine code has the arithmetic that was executed there. What it cannot
prove: that the right registers meet, integer operations, and what the silicon does. A difference need not be a fault:
ptxas may copy or drop an operation where a map branches or loops. Then look at the SASS of that kernel, and if it is
sound, say so in EXPECTED with the reason. --ptx takes the PTX that run.py kept there. Exit code 77: no nvcc.
"""

import argparse
import itertools
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from distribution_table import CATALOGUE
from ptx_text import closing_brace
from run import HERE, LIBRARY_SHORT_BUILDS, SKIPPED, ParityError, compile_ptx, find_nvcc, half, is_of_library, known_architectures

OPCODES = {0x20: "FMUL", 0x21: "FADD", 0x23: "FFMA", 0x28: "DMUL", 0x29: "DADD", 0x2B: "DFMA", 0x108: "MUFU"}
OPCODES |= {0x54: "FADD", 0x55: "FFMA", 0x56: "FMUL"}  # their uniform-register forms, from sm_120 on
ROUNDED = ("FMUL", "FADD", "FFMA", "DMUL", "DADD", "DFMA")

SHORT = {80: ("plain",), 120: ("fast_math",)}  # what run.py executes
FULL = {architecture: ("plain", "fast_math") for architecture in (75, 80, 90, 100, 120)}
FLAGS = {"plain": (), "fast_math": ("--use_fast_math",)}

# What sqrt.rn and div.rn expand to: inline, and the slow path, which all of a kind in a kernel share (CUDA 13.0, every
# architecture above).
EXPANSIONS = {
    ("sqrt", "f32"): Counter(FFMA=5, FMUL=5, FADD=2, MUFU=2),
    ("sqrt", "ftz.f32"): Counter(FFMA=4, FMUL=7, FADD=2, MUFU=2),
    ("sqrt", "f64"): Counter({"DFMA": 10, "DFMA.RM": 1, "DFMA.RP": 1, "DMUL": 7, "DADD": 1, "MUFU": 2}),
    ("div", "f32"): Counter({"FFMA": 14, "FADD": 2, "MUFU": 3, "FFMA.RZ": 1, "FFMA.RM": 1, "FFMA.RP": 1}),
    ("div", "ftz.f32"): Counter(FFMA=12, FADD=2, MUFU=3),
    ("div", "f64"): Counter({"DFMA": 17, "DMUL": 4, "FFMA": 1, "DMUL.RP": 1, "MUFU": 2}),
}
# What each further one adds: its inline part, without the slow path (check_reading measures it with a probe of two).
ANOTHER = {
    ("sqrt", "f32"): Counter(FFMA=2, FMUL=2, MUFU=1),
    ("sqrt", "ftz.f32"): Counter(FFMA=2, FMUL=2, MUFU=1),
    ("sqrt", "f64"): Counter({"DFMA": 5, "DMUL": 3, "MUFU": 1}),
    ("div", "f32"): Counter(FFMA=5, MUFU=1),
    ("div", "ftz.f32"): Counter(FFMA=5, MUFU=1),
    ("div", "f64"): Counter({"DFMA": 7, "DMUL": 1, "FFMA": 1, "MUFU": 1}),
}
# Conversions that flush take a multiplication by 1 for that.
FLUSHING = ("cvt.ftz.f64.f32", "cvt.rn.ftz.f32.f64")
# What SASS has more or less than the PTX, with the reason beside it. A fused operation would take a multiplication away, and none is
# missing anywhere. So ptxas only copies operations, or leaves out what it has already.
EXPECTED = {}  # (the beginning of a mangled name, architecture, mode) -> Counter


def expect(name, kernels, architectures, modes=tuple(FLAGS), **more):
    """`kernels`: indices, or distributions as the catalogue has them."""
    names = [name.format(CATALOGUE.index(kernel) if kernel in CATALOGUE else kernel) for kernel in kernels]
    for key in itertools.product(names, architectures, modes):
        EXPECTED[key] = Counter(more)


MAP, FILL = "_Z10map_kernelILi{}EE", "_Z11fill_kernelILi{}EE"
# Copies into the tries of a loop: gamma, inverse_gamma, beta, beta_prime and fisher_f of double, then of the other types.
expect(MAP, ("gamma<double>", "inverse_gamma<double>"), (90,), DFMA=1)
expect(MAP, ("beta<double>", "beta_prime<double>"), (90,), DFMA=2)
expect(MAP, ("beta_prime<float>",), (100,), ("plain",), FFMA=1)
expect(MAP, ("fisher_f<double>",), (90, 100, 120), DFMA=2)
expect(MAP, ("fisher_f<float>",), (90,), ("plain",), FFMA=1)
expect(MAP, ("fisher_f<float>",), (100, 120), ("fast_math",), FFMA=1)
expect(MAP, ("inverse_gamma<float>",), (120,), ("fast_math",), FFMA=1)
expect(MAP, ("beta_prime<float>",), (120,), ("fast_math",), FFMA=2)
expect(MAP, ("inverse_gamma<float>", "beta<float>", "beta<float16>", "beta<bfloat16>", "beta_prime<float>"), (90,), ("fast_math",), FFMA=1)
# generalized_normal of float leaves out what a try does not use, or has a copy; that of double has a copy.
expect(MAP, ("generalized_normal<float>",), (75, 80, 90), FADD=-1, FFMA=-1)
expect(MAP, ("generalized_normal<float>",), (100,), FFMA=1)
expect(FILL, ("generalized_normal<float>",), (75, 80, 90), FADD=-3)
expect(MAP, ("generalized_normal<double>",), (90, 120), DFMA=1)
# poisson: the PTX multiplies the mean by 1 twice, ptxas once; of int32_t it also leaves out a sum that only the upper
# half of the value needs. binomial of int32_t leaves out such a sum too.
expect(MAP, ("poisson<int32_t>",), (75, 80, 90), DADD=-1, DFMA=-1)
expect(MAP, ("poisson<int32_t>",), (100,), DADD=-1)
expect(MAP, ("poisson<int64_t>",), (75,), DFMA=-1)
expect(MAP, ("binomial<int32_t>",), (75, 80, 90, 100), DADD=-1)
# binomial of int32_t squares a number twice, on both sides of a root's slow path.
expect(MAP, ("binomial<int32_t>",), (120,), ("plain",), DFMA=1)
# ptxas does not always find the second multiplication by 1.
expect(MAP, ("poisson<int32_t>",), (80,), ("plain",), DADD=-1)
# The sum of a list's areas begins before its loop: a copy of an area and of a compensated addition.
for lists in ("_Z12lists_kernelILi{}ELb0E", "_Z12lists_kernelILi{}ELb1E"):
    expect(lists, (0, 1), (80,), ("plain",), DADD=2, DFMA=1)
    expect(lists, (2, 3), (80,), ("plain",), DADD=3, DFMA=1)
# The lanes of a warp that have parted shuffle in code of their own, with copies of the sums between shuffles: the scaled pass of
# norms, whose warps take several leaves. Their names go on by the list of kernels.
LISTED = "_Z13listed_kernelILi{}EEvN6parity7ElementIXT_EN3rng2v19type_listIJNS3_6detail3"
SCALED = LISTED + "gpu9AddLeaves"
expect(SCALED, (4, 12, 20, 60), (80,), ("plain",), FADD=18)
expect(SCALED, (28, 36, 44), (80,), ("plain",), DADD=19)
expect(SCALED, (52,), (80,), ("plain",), DADD=10)
expect(SCALED, (68,), (80,), ("plain",), DADD=20)
expect(SCALED, (76,), (80,), ("plain",), DADD=8)


# (the beginning of a mangled name, architecture) -> bytes that a kernel may spill. With 80 registers, three blocks of 256 threads share a
# multiprocessor. On sm_100 and sm_120 kumaraswamy of double and poisson of int32_t take a few more, which no GPU here could
# time.
SPILLS = {(FILL.format(CATALOGUE.index(kernel)), architecture): spilled for kernel, architecture, spilled in
          (("kumaraswamy<double>", 100, 44), ("poisson<int32_t>", 100, 8), ("poisson<int32_t>", 120, 4))}


def sections_of(cubin):
    """Kernel name -> its machine code."""
    data = cubin.read_bytes()
    section_table = struct.unpack_from("<Q", data, 0x28)[0]
    count, names_index = struct.unpack_from("<HH", data, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, section_table + 64 * i) for i in range(count)]
    names = sections[names_index][4]
    result = {}
    for section in sections:
        name = data[names + section[0] : data.index(b"\0", names + section[0])].decode()
        if name.startswith(".text."):
            result[name.removeprefix(".text.")] = data[section[4] : section[4] + section[5]]
    return result


def sass_counts(cubin):
    """Kernel name -> float operations of its machine code."""
    result = {}
    for name, code in sections_of(cubin).items():
        operations = (operation(code, k) for k in range(0, len(code), 16))
        result[name] = Counter(o for o in operations if o)
    return result


def operation(data, offset):
    low, high = struct.unpack_from("<QQ", data, offset)
    name = OPCODES.get(low & 0x1FF)
    rounding = ("", ".RM", ".RP", ".RZ")[high >> 14 & 3] if name in ROUNDED else ""
    return name and name + rounding


def ptx_counts(ptx):
    """Kernel name -> (float operations of its PTX, negations and magnitudes, roots and quotients by type)."""
    result = {}
    for match in re.finditer(r"\.entry\s+([\w$]+)\s*\([^)]*\)\s*(?:\.(?:maxntid|minnctapersm)\s+[\d, ]+\s*)*\{", ptx):
        body = ptx[match.end() : closing_brace(ptx, match.end())]
        operations, negations, expanded = Counter(), Counter(), Counter()
        # An integer division approximates a reciprocal; those of 64 bits that need it share a routine.
        operations["MUFU"] += len(re.findall(r"\b(?:div|rem)\.u32\b", body))
        operations["MUFU"] += len(set(re.findall(r"\b(?:div|rem)\.u64\b", body)))
        operations["MUFU"] += len(re.findall(r"\brsqrt\.approx\.", body))
        operations["FMUL"] += len(re.findall(rf"\b(?:{'|'.join(map(re.escape, FLUSHING))})\b", body))
        for op, t in re.findall(r"\b(add|sub|mul|fma|neg|abs|sqrt|div)\.(?:rn\.)?((?:ftz\.)?f32|f64)\b", body):
            letter = "D" if t == "f64" else "F"
            if op in ("sqrt", "div"):
                expanded[op, t] += 1
            elif op in ("neg", "abs"):
                negations[letter + "ADD"] += 1
            else:
                operations[letter + {"add": "ADD", "sub": "ADD", "mul": "MUL", "fma": "FMA"}[op]] += 1
        result[match[1]] = operations, negations, expanded
    return result


def differences(ptx, sass, architecture, mode="plain"):
    """Lines that say where the machine code has other float operations than the PTX."""
    lines = []
    for kernel, (operations, negations, expanded) in ptx.items():
        least = operations.copy()
        for kind, n in expanded.items():
            least += EXPANSIONS[kind]
            for _ in range(n - 1):
                least += ANOTHER[kind]
        for (beginning, *where), more in EXPECTED.items():
            if kernel.startswith(beginning) and where == [architecture, mode]:
                least.update(more)  # counts may fall
        # Negation and magnitude modify an operand, or add zero where there is no operation to carry them.
        most = least + negations
        for name in sorted(most.keys() | sass[kernel].keys()):
            if not least[name] <= sass[kernel][name] <= most[name]:
                lines.append(f"{kernel[:40]}: {sass[kernel][name]} {name}, the PTX makes {least[name]} to {most[name]}")
    return lines


def assemble(ptxas, architecture, ptx, folder):
    source, cubin = folder / "lint.ptx", folder / "lint.cubin"
    source.write_text(ptx)
    command = [str(word) for word in (ptxas, f"-arch=sm_{architecture}", "-v", "-Werror", source, "-o", cubin)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise ParityError(f"ptxas failed:\n{result.stdout}{result.stderr}")
    spills = re.findall(r"Function properties for (\S+)\n.*?(\d+) bytes spill stores", result.stdout + result.stderr)
    for kernel, size in spills:
        most = max((n for (beginning, where), n in SPILLS.items() if kernel.startswith(beginning) and where == architecture), default=0)
        if int(size) > most:
            raise ParityError(f"sm_{architecture}: {kernel[:40]} spills {size} bytes, and may spill {most}")
    if not spills:
        raise ParityError(f"ptxas says nothing of spills:\n{result.stdout}{result.stderr}")
    return sass_counts(cubin)


def probe(head, body, uniform=False):
    """PTX of one kernel: %f1 to %f3 and %g1 to %g3 are its inputs, %f9 and %g9 its results."""
    inputs = []
    for register, t, first in (("f", "f32", 8), ("g", "f64", 32)):
        for k in (1, 2, 3):
            at = first + int(t[1:]) // 8 * (k - 1)
            load = f"ld.param.{t} %{register}{k}, [{register}{k}];"
            inputs.append(load if uniform else f"ld.global.{t} %{register}{k}, [%d3+{at}];")
    parameters = ", ".join(f".param .{'f32' if r == 'f' else 'f64'} {r}{k}" for r in "fg" for k in (1, 2, 3))
    return f"""{head}
.address_size 64
.visible .entry probe(.param .u64 cells, {parameters})
{{
    .reg .f32 %f<10>; .reg .f64 %g<10>; .reg .b64 %d<4>; .reg .b32 %r<2>;
    ld.param.u64 %d1, [cells];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 64;
    add.s64 %d3, %d1, %d2;
    {' '.join(inputs)}
    mov.f32 %f9, %f1; mov.f64 %g9, %g1;
    {body}
    st.global.f32 [%d3], %f9;
    st.global.f64 [%d3+16], %g9;
    ret;
}}
"""


def arithmetic(fma, mul, add, rounding="rn"):
    """A chain of that many operations of each kind and type."""
    lines = []
    for r, t in (("f", "f32"), ("g", "f64")):
        lines += [f"fma.{rounding}.{t} %{r}9, %{r}9, %{r}2, %{r}3;"] * fma
        lines += [f"mul.{rounding}.{t} %{r}9, %{r}9, %{r}2;"] * mul
        lines += [f"add.{rounding}.{t} %{r}9, %{r}9, %{r}3;"] * add
    return "\n    ".join(lines)


def check_reading(ptxas, architecture, head, folder):
    """The opcodes mean what this script thinks, and a fused pair is seen."""

    def read(body, uniform=False):
        ptx = probe(head, body, uniform)
        return ptx, assemble(ptxas, architecture, ptx, folder)

    for uniform in (False, True):
        for rounding, suffix in (("rn", ""), ("rz", ".RZ"), ("rm", ".RM"), ("rp", ".RP")):
            if uniform and rounding != "rn":
                continue
            wanted = Counter({k + n + suffix: c for k in "FD" for n, c in (("FMA", 3), ("MUL", 5), ("ADD", 7))})
            _, sass = read(arithmetic(3, 5, 7, rounding), uniform)
            if sass["probe"] != wanted:
                raise ParityError(f"sm_{architecture}: 3 fma, 5 mul, 7 add .{rounding} are read as {sass['probe']}")
    for conversion, operands in zip(FLUSHING, ("%g9, %f1", "%f9, %g1")):
        _, sass = read(f"{conversion} {operands};")
        if sass["probe"] != Counter(FMUL=1):
            raise ParityError(f"sm_{architecture}: {conversion} is {sass['probe']}: look at it, mend FLUSHING")
    for op, t in EXPANSIONS:
        r = "g" if t == "f64" else "f"

        def one(to, k):
            return f"{op}.rn.{t} %{r}{to}, %{r}{k}{f', %{r}3' if op == 'div' else ''};"

        _, sass = read(one(9, 1))
        if sass["probe"] != EXPANSIONS[op, t]:
            raise ParityError(f"sm_{architecture}: {op}.rn.{t} is {sass['probe']}: look at it, mend EXPANSIONS")
        # Two of other inputs, added: what the second one has more is its inline part.
        _, sass = read(f"{one(8, 1)} {one(7, 2)} add.rn.{t} %{r}9, %{r}8, %{r}7;")
        wanted = EXPANSIONS[op, t] + ANOTHER[op, t] + Counter({"DADD" if t == "f64" else "FADD": 1})
        if sass["probe"] != wanted:
            raise ParityError(f"sm_{architecture}: two {op}.rn.{t} are {sass['probe']}: look at it, mend ANOTHER")
    for t, r in (("f32", "f"), ("f64", "g")):
        ptx, sass = read(f"mul.{t} %{r}9, %{r}1, %{r}2; add.{t} %{r}9, %{r}9, %{r}3;")
        if not differences(ptx_counts(ptx), sass, architecture):
            raise ParityError(f"sm_{architecture}: ptxas fused mul.{t} and add.{t}, and the lint did not see it")


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc")
    parser.add_argument("--kernels", default="kernels.cu", help="kernels.cu, user_kernels.cu, reduce_kernels.cu or svd_kernels.cu")
    parser.add_argument("--full", action="store_true", help="all architectures, with and without --use_fast_math")
    parser.add_argument("--ptx", type=Path, help="a folder of PTX by run.py --keep, instead of compiling it again")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    ptxas = Path(nvcc).parent / "ptxas"
    is_plain = is_of_library(options.kernels)
    wanted = FULL if options.full else dict(LIBRARY_SHORT_BUILDS) if is_plain else SHORT
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            known = known_architectures(nvcc, wanted)
            for architecture in known:
                flags = half(known, architecture, options.full or is_plain)
                for mode in ("plain",) if is_plain else wanted[architecture]:
                    source = (options.ptx or folder) / f"sm_{architecture}_{mode}.ptx"
                    if not options.ptx:
                        compile_ptx(nvcc, architecture, (*FLAGS[mode], *flags), source, HERE / options.kernels)
                    text = source.read_text()
                    # The probes are as new as what this nvcc writes.
                    head = re.search(r"^\.version .*\n\.target .*", text, re.MULTILINE)[0]
                    check_reading(ptxas, architecture, head, folder)
                    sass, ptx = assemble(ptxas, architecture, text, folder), ptx_counts(text)
                    lines = differences(ptx, sass, architecture, mode)
                    total = sum(counts.total() for counts, _, _ in ptx.values())
                    name = f"sm_{architecture} {mode}"
                    print(f"{name}: {len(ptx)} kernels, {total} float operations, {len(lines)} differences")
                    faults += [f"{name}: {line}" for line in lines]
        except ParityError as error:
            faults.append(str(error))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
