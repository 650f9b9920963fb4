"""Proves, without a GPU, that what nvcc makes of the headers gives the host's bits.

    run.py --host PARITY_HOST [--kernels KERNELS] [--only PART]... [--nvcc NVCC] [--cc CC] [--full] [--keep FOLDER]

kernels.cu is compiled to PTX for several architectures, with and without --use_fast_math; ptx_to_c.py translates the
PTX to C; a C compiler under strict flags makes a library of it; parity_host runs those libraries against rng::at() on
this machine: 2^16 values of every distribution of the catalogue, edge words, extreme parameters, golden digests. With
--kernels svd_kernels.cu the same is done with the kernels of svd_lowrank, and PARITY_HOST is parity_svd. With --kernels
reduce_kernels.cu it is done with sums and additions by index, and PARITY_HOST is parity_reduce. With --kernels
each_kernels.cu it is done with fills whose parameters vary, and masks, and PARITY_HOST is parity_each. With --kernels
user_kernels.cu it is done with fills and piecewise laws that the catalogue does not have, and PARITY_HOST is
parity_user. With --kernels row_kernels.cu it is done with rows of structured results, and PARITY_HOST is parity_rows.
With --kernels thrust_kernels.cu it is done with iterators for Thrust, and PARITY_HOST is parity_thrust.

What it proves: the device code is the same function as the host code, to the bit, on those inputs; its float arithmetic
is only of the kind that ptxas may not fuse or approximate; flush-to-zero changes nothing. What it cannot prove: ptxas,
the driver, the silicon, and everything about launches. Golden digests on a real GPU do that where there is one.

--full: all architectures and modes, 2^22 values; else one mode on an architecture of each of nvcc's code generators. Exit code 77: no nvcc, nothing was tested.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77

MODES = {"plain": (), "fast_math": ("--use_fast_math",), "no_fmad": ("-fmad=false",)}
FULL_BUILDS = [(architecture, mode) for architecture in (75, 80, 90, 100, 120) for mode in MODES]
# Until sm_90 nvcc generates code with one LLVM, from sm_100 on with a newer one: the short run has one mode of each, and
# each type of a distribution in one of the two, and the kernel of fills of one distribution of each kind (kernels.cu).
SHORT_BUILDS = [(80, "plain"), (120, "fast_math")]
SHORT_HALVES = {80: "-DPARITY_HALF=0", 120: "-DPARITY_HALF=1"}
# A user's program may compile maps under any flags, but kernels of the library are compiled in the library alone.
LIBRARY_SHORT_BUILDS = [(80, "plain")]


class ParityError(Exception):
    """A step of the proof failed; the message is for the reader of the test's output."""


def call(command, what):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise ParityError(f"{what} failed:\n{(result.stdout + result.stderr).strip()}")
    return result.stdout


def find_nvcc(given):
    """The path of nvcc, or None with a message. The build gives a path, or nothing where CUDA is off; None searches."""
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc") if given is None else shutil.which(given)
    if not nvcc:
        print("SKIPPED: there is no nvcc (or CUDA is off); parity of the device code was not tested")
    return nvcc


def strict_c_flags(optimisation):
    """No contraction, no reassociation, and the processor's own fma where it has one (libm's is the same, slower).

    Threads of a block jump between stacks, which _FORTIFY_SOURCE takes for a fault."""
    cpu = Path("/proc/cpuinfo")
    has_fma = cpu.exists() and re.search(r"^flags\s*:.*\bfma\b", cpu.read_text(), re.MULTILINE)
    return ["-std=gnu11", optimisation, "-U_FORTIFY_SOURCE", "-ffp-contract=off", "-fwrapv", "-fno-math-errno", *(["-mfma"] if has_fma else [])]


def compile_ptx(nvcc, architecture, flags, out, kernels=HERE / "kernels.cu"):
    """kernels lies in tests/parity of this tree, or of a copy."""
    include = kernels.parent.parent.parent / "include"
    command = [nvcc, "-std=c++20", f"-arch=compute_{architecture}", "-ptx", "-Werror", "all-warnings", f"-I{include}"]
    call([*command, *flags, kernels, "-o", out], f"nvcc for sm_{architecture} {' '.join(flags)}")


def translate(ptx, c_source):
    call([sys.executable, HERE / "ptx_to_c.py", ptx, c_source], "translation of the PTX")


def compile_c(cc, c_source, library, optimisation="-Og"):
    """-O1 takes longer to compile, and -O0 to run, than it saves."""
    call([cc, *strict_c_flags(optimisation), "-shared", "-fPIC", f"-I{HERE}", c_source, "-o", library, "-lm"], cc)


def is_of_library(kernels):
    """True for kernels that no user compiles: those of svd_lowrank, of reductions, and of parameters that vary."""
    return kernels.startswith(("svd", "reduce", "each"))


def builds_of(kernels, is_full):
    """What the PTX is compiled for."""
    if not is_full:
        return LIBRARY_SHORT_BUILDS if is_of_library(kernels) else SHORT_BUILDS
    # Reductions and masks have subnormal numbers, which --use_fast_math would flush.
    return [(a, mode) for a, mode in FULL_BUILDS if mode != "fast_math" or not kernels.startswith(("reduce", "each"))]


def build(nvcc, cc, architecture, flags, folder, name, kernels):
    """The library that executes the PTX of one architecture and mode."""
    ptx, c_source, library = (folder / f"{name}{suffix}" for suffix in (".ptx", ".c", ".so"))
    compile_ptx(nvcc, architecture, flags, ptx, kernels)
    translate(ptx, c_source)
    compile_c(cc, c_source, library)
    return library


def known_architectures(nvcc, wanted):
    listed = {int(n) for n in re.findall(r"compute_(\d+)\b", call([nvcc, "--list-gpu-arch"], "nvcc"))}
    for architecture in wanted:
        if architecture not in listed:
            print(f"skipped: sm_{architecture}, which this nvcc does not know")
    return [architecture for architecture in wanted if architecture in listed]


def half(known, architecture, is_full):
    """The flag that chooses the kernels of a short run; no flag if the nvcc does not know both architectures."""
    return () if is_full or not SHORT_HALVES.keys() <= set(known) else (SHORT_HALVES[architecture],)


def build_all(nvcc, cc, builds, folder, kernels):
    """A library per different PTX text."""
    known = known_architectures(nvcc, dict.fromkeys(architecture for architecture, _ in builds))
    seen, libraries = {}, []
    for architecture, mode in builds:
        if architecture not in known:
            continue
        name = f"sm_{architecture}_{mode}"
        ptx = folder / f"{name}.ptx"
        flags = half(known, architecture, builds is not SHORT_BUILDS)
        compile_ptx(nvcc, architecture, (*MODES[mode], *flags), ptx, kernels)
        text = re.sub(r"^\.target .*$", "", ptx.read_text(), flags=re.MULTILINE)
        if text in seen:
            print(f"{name}: the same PTX as {seen[text]}")
            continue
        seen[text] = name
        translate(ptx, folder / f"{name}.c")
        compile_c(cc, folder / f"{name}.c", folder / f"{name}.so")
        libraries.append(folder / f"{name}.so")
    return libraries


def main():
    sys.stdout.reconfigure(line_buffering=True)  # in order with what parity_host prints
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="", help="the program parity_host, parity_each, parity_user, parity_reduce, parity_svd or parity_thrust")
    parser.add_argument("--kernels", default="kernels.cu", help="or each_kernels.cu, user_kernels.cu, reduce_kernels.cu, row_kernels.cu, svd_kernels.cu, thrust_kernels.cu")
    parser.add_argument("--nvcc")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", action="append", default=[], help="a distribution of parity_host, or a part of the tests that parity_svd, parity_reduce and parity_each name")
    parser.add_argument("--full", action="store_true", help="all architectures and modes, 2^22 values")
    parser.add_argument("--keep", type=Path, help="a folder for the PTX and the C")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            builds = builds_of(options.kernels, options.full)
            libraries = build_all(nvcc, options.cc, builds, folder, HERE / options.kernels)
            if not libraries:
                raise ParityError("this nvcc knows none of the architectures")
        except ParityError as error:
            print(error)
            return 1
        values = ["--values", 1 << (22 if options.full else 16)] if options.kernels == "kernels.cu" else []
        values += [word for part in options.only for word in ("--only", part)]
        return subprocess.run([str(word) for word in [options.host, *values, *libraries]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
