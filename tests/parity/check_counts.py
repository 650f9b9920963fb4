"""Counts the instructions that fills on GPUs take for 16 bytes of values, and compares them with limits.

    check_counts.py [--nvcc NVCC]

Instructions are those of the fastest loop that stores 16 bytes at once (sass_loops.py). Compilers differ by a few, so
the limits bind with one nvcc only; counts of another nvcc are printed. Exit code 77: no nvcc.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from run import HERE, SKIPPED, call, find_nvcc, known_architectures
from sass_lint import sections_of
from sass_loops import per_16_bytes

NVCC = "13.0.88"
ARCHITECTURES = (80, 90, 100)
# (type in count_kernels.cu, its pattern in a mangled name) -> limits for the architectures.
LIMITS = {
    "bits<uint32_t>": ("4bitsIjE", 50, 50, 50),
    "uniform<float>": ("7uniformIfE", 66, 66, 66),
    "uniform<double>": ("7uniformIdE", 82, 80, 80),
    "normal<float>": ("6normalIfE", 180, 180, 180),
    "normal<double>": ("6normalIdE", 166, 212, 212),
    "exponential<float>": ("11exponentialIfE", 174, 174, 174),
    "exponential<double>": ("11exponentialIdE", 160, 190, 190),
    "uniform<float16>": ("7uniformINS\\d_7float16E", 138, 138, 138),
    "uniform<bfloat16>": ("7uniformINS\\d_8bfloat16E", 132, 132, 132),
    "normal<float16>": ("6normalINS\\d_7float16E", 365, 365, 365),
    "bernoulli": ("9bernoulliE", 235, 235, 235),
    "uniform_int<int32_t>": ("11uniform_intIiE", 155, 168, 168),
}


def counts(nvcc, architecture, folder):
    """Mangled name -> instructions for 16 bytes."""
    cubin = folder / f"{architecture}.cubin"
    flags = ["-std=c++20", "-O3", "-fmad=false", f"-arch=sm_{architecture}", "-cubin", f"-I{HERE.parent.parent / 'include'}"]
    call([nvcc, *flags, HERE / "count_kernels.cu", "-o", cubin], f"nvcc for sm_{architecture}")
    return {name: per_16_bytes(code, architecture) for name, code in sections_of(cubin).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    version = re.search(r"V([\d.]+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout)[1]
    binding, over = version == NVCC, 0
    print(f"nvcc {version}: " + ("limits bind" if binding else f"limits bind with {NVCC} only"))
    with tempfile.TemporaryDirectory() as folder:
        for column, architecture in enumerate(ARCHITECTURES):
            if not known_architectures(nvcc, [architecture]):
                continue
            found = counts(nvcc, architecture, Path(folder))
            for name, (pattern, *limits) in LIMITS.items():
                matching = [count for mangled, count in found.items() if re.search(pattern, mangled)]
                if len(matching) != 1 or matching[0] is None:
                    sys.exit(f"{name} on sm_{architecture}: {len(matching)} kernels match {pattern}, or none has a loop")
                is_over = matching[0] > limits[column]
                over += is_over
                print(f"sm_{architecture} {name}: {matching[0]:g} of {limits[column]}{'  OVER' if is_over else ''}")
    return int(binding and over > 0)


if __name__ == "__main__":
    sys.exit(main())
