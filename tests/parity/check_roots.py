"""Proves that the roots of maps in kernels are nvcc's own, without the branch for arguments near the ends of the range.

    check_roots.py [--nvcc NVCC] [--full]

nvcc makes of sqrt.rn a few operations on an approximation, and a branch to more of them for arguments that these cannot
serve. Scalar::sqrt_in_range must be the same operations in the machine code of each architecture: so it is rounded
correctly wherever sqrt.rn is. Exit code 77: no nvcc.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from run import HERE, SKIPPED, ParityError, call, find_nvcc, known_architectures
from sass_lint import operation, sections_of

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
SOURCE = """
#include <rng/lane/scalar.hpp>
extern "C" __global__ void ours_f32(float* x) { *x = rng::lane::Scalar::sqrt_in_range(*x); }
extern "C" __global__ void nvccs_f32(float* x) { *x = __fsqrt_rn(*x); }
extern "C" __global__ void ours_f64(double* x) { *x = rng::lane::Scalar::sqrt_in_range(*x); }
extern "C" __global__ void nvccs_f64(double* x) { *x = __dsqrt_rn(*x); }
"""
WANTED = {
    "f32": ["MUFU", "FMUL", "FMUL", "FFMA", "FFMA"],
    "f64": ["MUFU", "DMUL", "DFMA", "DFMA", "DMUL", "DFMA", "DMUL", "DFMA", "DFMA"],
}


def operations(code):
    return [name for name in (operation(code, k) for k in range(0, len(code), 16)) if name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc")
    parser.add_argument("--full", action="store_true", help="all architectures, and not sm_80 and sm_90 alone")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "roots.cu"), Path(folder, "roots.cubin")
        source.write_text(SOURCE)
        for architecture in known_architectures(nvcc, ARCHITECTURES if options.full else (80, 90)):
            flags = ["-std=c++20", "-O3", "-fmad=false", f"-arch=sm_{architecture}", f"-I{HERE.parent.parent / 'include'}"]
            call([nvcc, *flags, "-cubin", source, "-o", cubin], f"nvcc for sm_{architecture}")
            kernels = {name: operations(code) for name, code in sections_of(cubin).items()}
            for t, wanted in WANTED.items():
                ours, nvccs = kernels[f"ours_{t}"], kernels[f"nvccs_{t}"]
                if t == "f64":  # nvcc halves a number by its exponent, with an integer operation
                    ours.remove("DMUL")
                if nvccs[: len(wanted)] != wanted or sorted(ours) != sorted(wanted):
                    raise ParityError(f"sm_{architecture} {t}: nvcc's root is {nvccs}, ours is {ours}")
                print(f"sm_{architecture} {t}: the same {len(wanted)} operations")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ParityError as error:
        sys.exit(f"check_roots.py: {error}")
