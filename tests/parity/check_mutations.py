"""Proves that the parity test can fail: headers with one fault each are caught, by the net that is meant for it.

    check_mutations.py --host PARITY_HOST [--nvcc NVCC] [--cc CC]

A mutation edits a copy of the headers, which only the device code is compiled from. It is caught by the translator
(an instruction outside the rule), by a bit that differs from the host's, or by a flush to zero that matters. The
unchanged copy must pass. What this cannot show is that faults of other kinds are caught. Exit code 77: no nvcc.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from run import INCLUDE, SKIPPED, ParityError, build, find_nvcc

OPERATORS = {
    "__fmaf_rn(a, b, c)": "a * b + c",
    "__fma_rn(a, b, c)": "a * b + c",
    "__fmul_rn(a, b)": "a * b",
    "__dmul_rn(a, b)": "a * b",
    "__fadd_rn(a, b)": "a + b",
    "__dadd_rn(a, b)": "a + b",
    "__fsub_rn(a, b)": "a - b",
    "__dsub_rn(a, b)": "a - b",
}


@dataclass
class Mutation:
    what: str
    header: str
    edits: dict
    flags: tuple
    caught_by: str  # a pattern of the output; None: the headers as they are
    only: str = "normal"


MUTATIONS = (
    Mutation("no change", "lane/scalar.hpp", {}, ("--use_fast_math",), None),
    Mutation(
        "operators for intrinsics, which nvcc then fuses as it likes",
        "lane/scalar.hpp",
        OPERATORS,
        ("--use_fast_math",),
        r"(add|sub|mul)\.\S+: float arithmetic that is not plain \.rn",
    ),
    Mutation(
        "operators for intrinsics, never fused",
        "lane/scalar.hpp",
        OPERATORS,
        ("-fmad=false",),
        r"[1-9]\d* mismatches",
    ),
    Mutation(
        "sqrtf for the correctly rounded square root",
        "lane/scalar.hpp",
        {"__fsqrt_rn(a)": "sqrtf(a)"},
        ("--use_fast_math",),
        r"sqrt\.approx\S+: an approximation",
    ),
    Mutation(
        "a division",
        "lane/scalar.hpp",
        {"__fsqrt_rn(a)": "a / __fsqrt_rn(a)"},
        (),
        r"div\.\S+: a division",
    ),
    Mutation(
        "a subnormal number on the way",
        "lane/math_f32.hpp",
        {
            "flip_sign(mul(radius, trig.even)": "flip_sign("
            "mul(mul(mul(radius, trig.even), f32<L>(0x1p-126f)), f32<L>(0x1p126f))"
        },
        ("--use_fast_math",),
        r"[1-9]\d* changed a bit",
    ),
    Mutation(
        "the last bit of a coefficient",
        "lane/math_f32.hpp",
        {"F(0x1.62e43p-1f)": "F(0x1.62e432p-1f)"},
        (),
        r"[1-9]\d* mismatches",
    ),
    Mutation(
        "one bit of a Philox constant",
        "core/philox.hpp",
        {"0xBB67AE85u}": "0xBB67AE84u}"},
        (),
        r"[1-9]\d* mismatches",
        only="bits",
    ),
)


def mutate(mutation, include):
    header = include / "rng" / mutation.header
    text = header.read_text()
    for old, new in mutation.edits.items():
        if text.count(old) == 0:
            raise ParityError(f"{mutation.header} has no '{old}' any more: mend this mutation")
        text = text.replace(old, new)
    header.write_text(text)


def outcome(mutation, options, nvcc, folder):
    """What the parity test says of a mutation: its exit code and its output."""
    include = folder / "include"
    shutil.copytree(INCLUDE, include)
    mutate(mutation, include)
    try:
        library = build(nvcc, options.cc, 80, mutation.flags, folder, "mutated", include)
    except ParityError as error:
        if "translation" not in str(error):
            raise
        return 1, str(error)
    command = [options.host, "--values", "16384", "--only", mutation.only, str(library)]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="", help="the program parity_host")
    parser.add_argument("--nvcc")
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    failures = 0
    for mutation in MUTATIONS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                code, output = outcome(mutation, options, nvcc, Path(folder))
            except ParityError as error:
                code, output = 2, str(error)
        if mutation.caught_by is None:
            good, verdict = code == 0, "passes"
        else:
            found = re.search(mutation.caught_by, output)
            good, verdict = code == 1 and found, f"caught: {found[0]}" if found else "caught"
        failures += not good
        if not good:
            verdict = f"exit code {code}, not {verdict}\n{output[-2000:]}"
        print(f"{'ok  ' if good else 'FAIL'} {mutation.what} ({' '.join(mutation.flags) or 'plain'}): {verdict}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
