"""Proves that clang leaves the float arithmetic of the distributions alone in AMD's machine code: nothing is fused or approximated.

    hip_lint.py [--compiler CLANG++] [--step N] [--keep FOLDER]

Each distribution of the catalogue is a kernel of hip_lint_kernels.hip, compiled as a user compiles HIP, so that clang may contract. Three
things are checked, for each architecture:

1. The LLVM IR that goes to code generation: its arithmetic has no flag but `contract`, no reduced accuracy and no
   mode that flushes, and calls nothing but fma, sqrt and exact functions.
2. The same source by -ffp-contract=off, which forbids every fusion: IR (but for the flag) and assembly are the same, line by line. Clang
   has permission to fuse, and never found a place.
3. The assembly alone: additions, multiplications and fmas of each kernel are as many as in the IR, after adding what a
   quotient, a square root or a conversion of 64 bits expands to. No other float instruction is there, nor any that sets a mode, and
   the kernel's descriptor rounds to nearest and keeps subnormal numbers.

That reading is checked first, by small kernels: the expansions; one that clang fuses; one by -ffast-math; one that flushes. What it cannot
prove: integer operations, that an expansion rounds correctly, and what the silicon does; no such kernel is run. A
difference need not be a fault: code generation may copy or drop an operation. Then look at the assembly (--keep), and if it
is sound, say so in EXPECTED with the reason. Exit code 77: this compiler has no AMDGPU target.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "scripts"))

from distribution_table import CATALOGUE

SKIPPED = 77
ARCHITECTURES = ("gfx90a", "gfx942")
FLAGS = ["-std=c++20", "-O3", "-S", "-nogpulib", "-nogpuinc", "--cuda-device-only", f"-I{ROOT / 'include'}"]
STRICT = "-ffp-contract=off"

# What an operation of IR expands to, in instructions (clang 19).
EXPANSIONS = {
    "div.f32": Counter({"fma.f32": 5, "mul.f32": 1, "rcp.f32": 1, "div_scale.f32": 2, "div_fmas.f32": 1, "div_fixup.f32": 1}),
    "div.f64": Counter({"fma.f64": 5, "mul.f64": 1, "rcp.f64": 1, "div_scale.f64": 2, "div_fmas.f64": 1, "div_fixup.f64": 1}),
    "sqrt.f32": Counter({"fma.f32": 2, "mul.f32": 2, "sqrt.f32": 1}),
    "sqrt.f64": Counter({"fma.f64": 7, "mul.f64": 4, "rsq.f64": 1}),  # two of the products are by powers of 2 (ldexp)
}
# The kind of each instruction. subrev is a difference, ldexp a product by a power of 2; the others' names are their kinds.
KINDS = {"fmac": "fma", "fmamk": "fma", "fmaak": "fma", "sub": "add", "subrev": "add", "ldexp": "mul"}
COUNTED = ("add", "mul", "fma", "rcp", "rsq", "sqrt", "div_scale", "div_fmas", "div_fixup")
# Comparisons, conversions to the nearest number (what they round, they round once), and what only chooses or cuts.
EXACT = re.compile(r"v_(cmpx?_\w+|cvt_\w+|max|min|med3|trunc|floor|rndne|cndmask)_[a-z]+\d+")
FLOAT = re.compile(r"_(bf16|f16|f32|f64)|v_(mad|mac|dot|mfma|fma|pk_(add|mul|fma|mad|max|min)_f)")
INTEGER = re.compile(r"v_(mad|mul|dot)\w*_[iu]\d+(_[iu]\d+)?|v_cvt_pk_[iu]16_[iu]32")
SETS_A_MODE = re.compile(r"s_(setreg|round_mode|denorm_mode)")
DESCRIPTOR = {"float_round_mode_32": "0", "float_round_mode_16_64": "0", "float_denorm_mode_32": "3",
              "float_denorm_mode_16_64": "3"}
# Functions that IR may call: rounded once, exact, or without numbers.
CALLED = re.compile(r"llvm\.(fma|sqrt|fabs|floor|trunc|copysign|abs|[us](min|max)|ctlz|cttz|ctpop|fsh[lr]|bswap|bitreverse|usub\.sat|"
                    r"uadd\.sat|[us](add|sub|mul)\.with\.overflow|lifetime\.\w+|mem(set|cpy)|assume|amdgcn\.work(group|item)\.id\.x)\b")
UNSAFE_ATTRIBUTE = re.compile(r'"(unsafe-fp-math|approx-func-fp-math|no-nans-fp-math|no-infs-fp-math|no-signed-zeros-fp-math)"="true"|'
                              r'"denormal-fp-math[^"]*"="(?!ieee,ieee")[^"]*"')
ARITHMETIC = {"fadd": "add", "fsub": "add", "fmul": "mul", "fdiv": "div", "fma": "fma", "sqrt": "sqrt"}
TYPES = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}
OPERATION = re.compile(r"(fadd|fsub|fmul|fdiv|frem|fneg) ((?:[a-z]+ )*)(?:<(\d+) x )?(float|double|half|bfloat)\b")
CALL = re.compile(r"(?:(?:tail|musttail|notail) )?call ((?:[a-z]+ )*)(?:range\([^)]*\) )?(?:<(\d+) x )?(\w+)>? @([\w.]+)\(")
# Operations of a vector that work lane by lane.
LANEWISE = re.compile(r"f?(add|sub|mul|div|neg|cmp)|phi|select|[sz]ext|trunc|fptrunc|fpext|[su]itofp|fpto[su]i|and|or|xor|shl|[la]shr|"
                      r"icmp|freeze")
VALUE = re.compile(r"%[\w.]+")

# (distribution, architecture) -> what its assembly has more or less than its IR, with the reason beside it. A fused operation would
# take a product and a sum away, and none is missing anywhere.
EXPECTED = {}


def expect(distributions, architectures=ARCHITECTURES, **more):
    for distribution in distributions:
        for architecture in architectures:
            EXPECTED[distribution, architecture] = {f"{key[:-3]}.{key[-3:]}": count for key, count in more.items()}


# Copies into both sides of a branch: in gamma's trial, the logarithm of the cube times 3 times the shape, once for each gamma.
expect(("beta<double>", "beta_prime<double>"), fmaf64=2)
expect(("beta<float>", "beta<float16>", "beta<bfloat16>", "beta_prime<float>"), fmaf32=2)
expect(("chi<float>",), fmaf32=1)
expect(("chi<double>",), ("gfx942",), fmaf64=1)
expect(("negative_binomial<int32_t>", "negative_binomial<int64_t>"), fmaf64=1)
# Of 88 additions, one more, whether contraction is allowed or not.
expect(("noncentral_chi_squared<double>",), addf64=1)


class LintError(Exception):
    pass


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise LintError(f"{' '.join(map(str, command))}\n{done.stderr}")


def optimised(compiler, architecture, source, out, *flags):
    """The IR of a source that goes to code generation."""
    run([compiler, "-x", "hip", f"--offload-arch={architecture}", *FLAGS, *flags, "-emit-llvm", source, "-o", out])
    return out.read_text()


def generated(compiler, architecture, ir, out):
    """The assembly of that IR: the compiler's own, without another front end."""
    run([compiler, "-x", "ir", "--target=amdgcn-amd-amdhsa", f"-mcpu={architecture}", "-nogpulib", "-O3", "-S", "-Xclang",
         "-disable-llvm-passes", ir, "-o", out])
    return out.read_text()


# ---- LLVM IR


def bodies_of(ir):
    """Function -> its lines."""
    return {m[1]: m[2].splitlines() for m in re.finditer(r"^define [^\n]*?@(\w+)\([^\n]*\{\n(.*?)^\}", ir, re.M | re.S)}


def demanded_lanes(lines):
    """Vector -> the lanes that anything uses. Clang makes vectors of two of which it needs one; code generation drops the other."""
    everything = frozenset(range(16))
    demand = defaultdict(frozenset)
    while True:
        before = dict(demand)
        for line in reversed(lines):
            m = re.match(r"  (%[\w.]+) = (.*)", line)
            name, text = m.groups() if m else ("", line)
            operation = text.split(" ")[0]
            used = VALUE.findall(text)
            lanes = re.match(r"bitcast <(\d+) x \w+> \S+ to <(\d+) x", text)
            if m := re.match(r"extractelement <[^>]*> (%[\w.]+), i\d+ (\d+)", text):
                demand[m[1]] |= {int(m[2])}
            elif m := re.match(r"insertelement <[^>]*> (\S+), .*, i\d+ (\d+)$", text):
                demand[m[1]] |= demand[name] - {int(m[2])}
            elif m := re.match(r"shufflevector <(\d+) x \w+> (\S+), <\d+ x \w+> (\S+), <\d+ x i32> (?:<(.*)>|zeroinit|poison)", text):
                width = int(m[1])
                mask = m[4].split(", ") if m[4] else ["i32 0"] * 16
                for k in demand[name]:
                    if k < len(mask) and mask[k] != "i32 poison":
                        from_second, lane = divmod(int(mask[k].split()[1]), width)
                        demand[m[3 if from_second else 2]] |= {lane}
            elif LANEWISE.fullmatch(operation) or re.search(r"call .*@llvm\.\w+\.v\d", text) or lanes and lanes[1] == lanes[2]:
                for vector in used:
                    demand[vector] |= demand[name]
            else:
                for vector in used:
                    demand[vector] |= everything
        if before == demand:
            return demand


def ir_counts(lines):
    """(operations; operations in lanes that nothing uses; faults) of a function."""
    counts, unused, faults = Counter(), Counter(), []
    demand = demanded_lanes(lines)
    for line in lines:
        m = re.match(r"  (?:(%[\w.]+) = )?(\S.*)", line)
        if not m:  # a label
            continue
        name, text = m.groups()
        if m := OPERATION.match(text):
            operation, flags, width, kind = m.groups()
        elif m := CALL.match(text):
            flags, width, kind, callee = m.groups()
            if not CALLED.match(callee):
                faults.append(f"calls {callee}")
            operation = callee.removeprefix("llvm.").split(".")[0]
            if operation not in ARITHMETIC:
                continue
        else:
            if re.match(r"[su]itofp (nneg )?i64 .* to double", text):
                counts["add.f64"] += 1  # of its halves
            if " call " in f" {text}" and " asm " not in text:
                faults.append(f"a call that is not understood: {text}")
            if re.search(r"\b(asm|atomicrmw f\w+)\b", text):
                faults.append(f"not understood: {text}")
            continue
        unsafe = set(flags.split()) - {"contract", "noundef"}
        if unsafe or "!fpmath" in text:
            faults.append(f"may change values: {text}")
        if operation == "fneg":
            continue
        operation = ARITHMETIC.get(operation, operation)
        if operation == "mul" and text.endswith(", 0x41F0000000000000"):
            continue  # 2^32: by it the upper half of an integer is multiplied too, if it is not 0, or not another's
        if operation == "mul" and re.search(r", 2\.0+e\+00", text):
            operation = "add"  # x + x
        if operation == "fma" and re.search(r", (float|double) -?1\.0+e\+00, ", text):
            operation = "add"  # 1 x + y
        lanes = len(demand[name] & set(range(int(width)))) if width else 1
        if lanes:
            counts[f"{operation}.{TYPES.get(kind, kind)}"] += lanes
            unused[f"{operation}.{TYPES.get(kind, kind)}"] += int(width or 1) - lanes
    return counts, unused, faults


def ir_faults(ir):
    """Attributes that let code generation approximate or flush."""
    return sorted({f"attribute {m[0]}" for m in UNSAFE_ATTRIBUTE.finditer(ir)})


def without_flag(ir):
    """IR as -ffp-contract=off leaves it, if nothing was fused; without the number of the source."""
    return re.sub(r"__hip_cuid_\w+", "", re.sub(r"\bcontract ", "", ir))


# ---- assembly


def instructions_of(assembly):
    """Kernel -> its instructions and labels, without comments."""
    result = {}
    for m in re.finditer(r"^(\w+):[^\n]*\n(.*?)^\.Lfunc_end", assembly, re.M | re.S):
        code = m[2].split("\t.section")[0] if "\t.section" in m[2] else m[2]
        lines = (re.sub(r"\s*;.*", "", line).strip() for line in code.splitlines())
        result[m[1]] = [line for line in lines if line]
    return result


def assembly_counts(lines):
    """(operations, faults) of a kernel."""
    counts, faults = Counter(), []
    for line in lines:
        opcode = re.sub(r"_(e32|e64|sdwa|dpp|e64_dpp)$", "", line.split()[0])
        if SETS_A_MODE.match(opcode):
            faults.append(f"sets a mode: {line}")
        is_exact = EXACT.fullmatch(opcode) or re.fullmatch(r"v_ldexp_f64 .*, 32", line)
        if not FLOAT.search(opcode) or INTEGER.fullmatch(opcode) or is_exact:
            continue
        m = re.fullmatch(r"v_(pk_)?(\w+)_(f32|f64)", opcode)
        kind = KINDS.get(m[2], m[2]) if m else ""
        if kind not in COUNTED or opcode == "v_ldexp_f32":
            faults.append(f"no operation of the sources: {line}")
        elif re.search(r"\b(mul|div):\d|\bclamp\b", line):
            faults.append(f"has a modifier that rounds: {line}")
        else:
            counts[f"{kind}.{m[3]}"] += 2 if m[1] else 1
    return counts, faults


def mode_faults(assembly, kernel):
    """What the kernel's descriptor says of rounding and subnormal numbers."""
    descriptor = re.search(rf"\.amdhsa_kernel {kernel}\n(.*?)\.end_amdhsa_kernel", assembly, re.S)
    found = dict(re.findall(r"\.amdhsa_(\w+) (\S+)", descriptor[1])) if descriptor else {}
    return [f"{name} is {found.get(name)}" for name, wanted in DESCRIPTOR.items() if found.get(name) != wanted]


# ---- both


class Build:
    """A source by one set of flags: IR and assembly."""

    def __init__(self, compiler, architecture, source, folder, *flags):
        stem = folder / "_".join([source.stem, architecture, *(flag.strip("-") for flag in flags if "=" not in flag or flag == STRICT)])
        ir_file = stem.with_suffix(".ll")
        self.ir = optimised(compiler, architecture, source, ir_file, *flags)
        self.assembly = generated(compiler, architecture, ir_file, stem.with_suffix(".s"))
        self.bodies, self.instructions = bodies_of(self.ir), instructions_of(self.assembly)
        self.kernels = re.findall(r"\.amdhsa_kernel (\w+)", self.assembly)


def wanted_counts(ir):
    """What the operations of IR expand to."""
    result = Counter({operation: count for operation, count in ir.items() if operation not in EXPANSIONS})
    for operation, expansion in EXPANSIONS.items():
        for instruction, count in expansion.items():
            result[instruction] += count * ir[operation]
    return result


def difference(build, kernel):
    """(what the assembly has more than the IR, or less; faults)."""
    ir, unused, faults = ir_counts(build.bodies[kernel])
    counts, more = assembly_counts(build.instructions[kernel])
    wanted = wanted_counts(ir)
    # An instruction of two lanes may compute one that nothing uses.
    found = {key: counts[key] - wanted[key] for key in sorted({*counts, *wanted}) if not 0 <= counts[key] - wanted[key] <= unused[key]}
    return found, faults + more + mode_faults(build.assembly, kernel)


def compare(build, strict, kernel):
    """What -ffp-contract=off changes."""
    if build.instructions[kernel] == strict.instructions.get(kernel):
        return []
    a, b = (Counter(line.split()[0] for line in x.instructions.get(kernel, [])) for x in (build, strict))
    return [f"contraction changes the assembly: more {dict(a - b)}, less {dict(b - a)}"]


PROBES = """
#define PROBE(name, T, value) extern "C" __attribute__((global)) void name(T a, T b, T c, T* out) { out[0] = value; }
PROBE(fused, float, a * b + c)
PROBE(fused_double, double, a - b * c)
PROBE(chosen, float, __builtin_fmaf(a, b, c) + a)
PROBE(quotient, float, a / b) PROBE(quotient_double, double, a / b)
PROBE(root, float, __builtin_sqrtf(a)) PROBE(root_double, double, __builtin_sqrt(a))
PROBE(scaled, double, a * 0x1p-53) PROBE(twice, float, a * 2.0f)
extern "C" __attribute__((global)) void converted(unsigned long a, long b, double* out) { out[0] = a; out[1] = b; }
extern "C" __attribute__((global)) void pairs(float a, float b, float* out) {
    for (int i = 0; i < 4; ++i) out[i] = __builtin_fmaf(out[i], a, b);
}
"""


def check_reading(compiler, architecture, folder):
    """The lint reads the expansions as they are, and sees what it has to see."""
    source = folder / "probes.hip"
    source.write_text(PROBES)
    build, strict = (Build(compiler, architecture, source, folder, *flags) for flags in ((), (STRICT,)))
    for kernel in build.kernels:
        is_fused = kernel.startswith("fused")
        more, faults = difference(build, kernel)
        if is_fused != bool(more) or is_fused != bool(compare(build, strict, kernel)) or faults or difference(strict, kernel) != ({}, []):
            raise LintError(f"{architecture}: the kernel {kernel} is misread: {more} {faults} {difference(strict, kernel)}")
    fast = Build(compiler, architecture, source, folder, "-ffast-math")
    if not all(difference(fast, kernel)[1] for kernel in ("fused", "quotient", "root")):
        raise LintError(f"{architecture}: -ffast-math is not seen")
    flushing = Build(compiler, architecture, source, folder, "-fgpu-flush-denormals-to-zero")
    if not ir_faults(flushing.ir) or not mode_faults(flushing.assembly, "fused"):
        raise LintError(f"{architecture}: a mode that flushes is not seen")


def name_of(kernel):
    m = re.match(r"_Z\d+value_kernelILi(\d+)E", kernel)
    return CATALOGUE[int(m[1])] if m else kernel


def lint(compiler, architecture, step, folder):
    """(a line of summary, faults)"""
    check_reading(compiler, architecture, folder)
    source = HERE / "hip_lint_kernels.hip"
    build, strict = (Build(compiler, architecture, source, folder, f"-DLINT_STEP={step}", *flags) for flags in ((), (STRICT,)))
    faults = ir_faults(build.ir)
    if without_flag(build.ir) != without_flag(strict.ir):
        faults.append("-ffp-contract=off changes the IR")
    if sorted(map(name_of, build.kernels)) != sorted(CATALOGUE[::step]):
        faults.append(f"{len(build.kernels)} kernels are not the {len(CATALOGUE[::step])} of the catalogue")
    if set(build.bodies) != set(build.kernels):
        faults.append(f"not inlined: {set(build.bodies) - set(build.kernels)}")
    total = Counter()
    for kernel in build.kernels:
        more, found = difference(build, kernel)
        if more != EXPECTED.get((name_of(kernel), architecture), {}):
            found.append(f"the assembly has more or less than the IR: {more}")
        faults += [f"{name_of(kernel)}: {fault}" for fault in found + compare(build, strict, kernel)]
        total += assembly_counts(build.instructions[kernel])[0]
    fused = total["fma.f32"] + total["fma.f64"]
    return f"{len(build.kernels)} kernels, {total.total()} float operations, {fused} of them fma; {len(faults)} faults", faults


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--step", type=int, default=1, help="every so many distributions of the catalogue")
    parser.add_argument("--keep", type=Path, help="a folder for the IR and the assembly")
    options = parser.parse_args()
    targets = subprocess.run([options.compiler, "--print-targets"], capture_output=True, text=True).stdout
    if "amdgcn" not in targets:
        print(f"{options.compiler} has no AMDGPU target")
        return SKIPPED
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for architecture in ARCHITECTURES:
            try:
                summary, found = lint(options.compiler, architecture, options.step, folder)
                print(f"{architecture}: {summary}")
            except LintError as error:
                found = [str(error)]
            faults += [f"{architecture}: {fault}" for fault in found]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
